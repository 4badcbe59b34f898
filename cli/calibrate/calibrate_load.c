/* calibrate_load.c - what other processes take of the processors while this one measures */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/calibrate/calibrate_load.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "measure/device.h"
#include "shim/execute/gpu/node/kernel_text.h"

/* Least loads that disturb: processors, shares of all of them. */
static const double load_least = 0.2, load_share = 0.05, load_stolen_share = 0.02;

enum { LOAD_PAUSE_NS = 200000000 };

/* The fields of the line "cpu" of /proc/stat, in ticks. */
enum load_field {
	LOAD_USER,
	LOAD_NICE,
	LOAD_SYSTEM,
	LOAD_IDLE,
	LOAD_IOWAIT,
	LOAD_IRQ,
	LOAD_SOFTIRQ,
	LOAD_STEAL,
	LOAD_FIELDS
};

static bool calibrate_load_read_ticks(const char *root, uint64_t ticks[LOAD_FIELDS])
{
	char text[KERNEL_TEXT_BYTES];
	if (!kernel_text_read(root, "/proc", "/stat", text))
		return false;
	return sscanf(text, "cpu %lu %lu %lu %lu %lu %lu %lu %lu", &ticks[LOAD_USER],
	              &ticks[LOAD_NICE], &ticks[LOAD_SYSTEM], &ticks[LOAD_IDLE],
	              &ticks[LOAD_IOWAIT], &ticks[LOAD_IRQ], &ticks[LOAD_SOFTIRQ],
	              &ticks[LOAD_STEAL]) == LOAD_FIELDS;
}

static double calibrate_load_seconds_of(int who)
{
	struct rusage usage;
	if (getrusage(who, &usage) != 0)
		return 0;
	return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
	       (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

struct calibrate_moment calibrate_load_look(const char *root)
{
	char text[KERNEL_TEXT_BYTES];
	uint64_t ticks[LOAD_FIELDS] = {0};
	const double second = (double)sysconf(_SC_CLK_TCK);
	struct calibrate_moment moment = {.at_s = device_seconds(),
	                                  .own_s = calibrate_load_seconds_of(RUSAGE_SELF) +
	                                           calibrate_load_seconds_of(RUSAGE_CHILDREN)};
	moment.known = second > 0 && calibrate_load_read_ticks(root, ticks);
	if (moment.known) {
		moment.busy_s = (double)(ticks[LOAD_USER] + ticks[LOAD_NICE] + ticks[LOAD_SYSTEM] +
		                         ticks[LOAD_IRQ] + ticks[LOAD_SOFTIRQ]) /
		                second;
		moment.stolen_s = (double)ticks[LOAD_STEAL] / second;
	}
	if (kernel_text_read(root, "/sys/devices/system/cpu/cpu0/thermal_throttle",
	                     "/core_throttle_count", text))
		moment.throttled = strtoull(text, NULL, 10);
	return moment;
}

struct calibrate_load calibrate_load_between(const struct calibrate_moment *first,
                                             const struct calibrate_moment *last)
{
	struct calibrate_load load = {.seconds = last->at_s - first->at_s,
	                              .processors = (int)sysconf(_SC_NPROCESSORS_ONLN)};
	load.known = first->known && last->known && load.seconds > 0;
	if (!load.known)
		return load;
	const double others_s = last->busy_s - first->busy_s - (last->own_s - first->own_s),
		     stolen_s = last->stolen_s - first->stolen_s;
	load.others = others_s > 0 ? others_s / load.seconds : 0;
	load.stolen = stolen_s > 0 ? stolen_s / load.seconds : 0;
	load.throttled =
		last->throttled > first->throttled ? last->throttled - first->throttled : 0;
	return load;
}

struct calibrate_load calibrate_load_now(void)
{
	const struct calibrate_moment first = calibrate_load_look("");
	nanosleep(&(struct timespec){.tv_nsec = LOAD_PAUSE_NS}, NULL);
	const struct calibrate_moment last = calibrate_load_look("");
	return calibrate_load_between(&first, &last);
}

bool calibrate_load_disturbs(const struct calibrate_load *load)
{
	const double all = load->processors;
	return load->known && ((load->others > load_least && load->others > load_share * all) ||
	                       load->stolen > load_stolen_share * all || load->throttled > 0);
}

void calibrate_load_describe(const struct calibrate_load *load, char out[CALIBRATE_LOAD_BYTES])
{
	int used =
		snprintf(out, CALIBRATE_LOAD_BYTES, "other processes took %.2f of %d processor%s",
	                 load->others, load->processors, load->processors == 1 ? "" : "s");
	if (load->stolen >= 0.005)
		used += snprintf(out + used, (size_t)(CALIBRATE_LOAD_BYTES - used),
		                 ", other virtual machines %.2f", load->stolen);
	if (load->throttled > 0)
		snprintf(out + used, (size_t)(CALIBRATE_LOAD_BYTES - used),
		         ", and heat slowed the processor down %lu times", load->throttled);
	if (!load->known)
		snprintf(out, CALIBRATE_LOAD_BYTES, "unknown: /proc/stat cannot be read");
}
