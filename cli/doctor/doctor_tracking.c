/* doctor_tracking.c - tries whether the kernel tracks writes here, in a process of its own */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/doctor/doctor_tracking.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "policy/text/human.h"
#include "shim/execute/gpu/pages/digest.h"
#include "shim/execute/gpu/pages/pages.h"
#include "shim/execute/gpu/resident/resident.h"

static const char *const doctor_tracking_remedies[TRACK_REASON_COUNT] = {
#define TRACK_REASON(id, name, sentence, remedy) remedy,
#include "policy/resident/track_reason.def"
#undef TRACK_REASON
};

const char *doctor_tracking_remedy(enum track_reason reason)
{
	return doctor_tracking_remedies[reason];
}

static void doctor_tracking_describe(struct doctor_trial *trial, const char *fault)
{
	snprintf(trial->why, sizeof trial->why, "%s%s%s", track_reason_sentence(trial->reason),
	         fault != NULL ? "; not true here: " : "", fault != NULL ? fault : "");
}

static void doctor_tracking_open(bool asks_despite_filter, struct doctor_trial *trial)
{
	const struct resident_settings settings = {.mode = RESIDENT_TRACK,
	                                           .tracks_at_once = true,
	                                           .asks_despite_filter = asks_despite_filter};
	const char *fault = NULL;
	trial->reason = resident_open(&settings, &fault);
	trial->rates = resident_rates_get();
	doctor_tracking_describe(trial, fault);
}

/* A process that is killed leaves no core. */
static void doctor_tracking_run_child(bool asks_despite_filter, struct doctor_trial *trial)
{
	const struct rlimit none = {0, 0};
	setrlimit(RLIMIT_CORE, &none);
	doctor_tracking_open(asks_despite_filter, trial);
	_exit(0);
}

/* A filter that kills does so by SIGSYS. */
static void doctor_tracking_judge_end(struct doctor_trial *trial, int status)
{
	trial->is_killed = WIFSIGNALED(status) && WTERMSIG(status) == SIGSYS;
	if (trial->is_killed)
		snprintf(trial->why, sizeof trial->why, "a filter of system calls kills it");
}

/* In a child: a filter of system calls may end a process that asks. */
static struct doctor_trial doctor_tracking_try_once(bool asks_despite_filter)
{
	struct doctor_trial found = {.reason = TRACK_REASON_NO_RESOURCES};
	int status = 0;
	doctor_tracking_describe(&found, NULL);
	struct doctor_trial *shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE,
	                                   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (shared == MAP_FAILED)
		return found;
	shared->reason = TRACK_REASON_FILTERED;
	doctor_tracking_describe(shared, NULL);
	const pid_t child = fork();
	if (child == 0)
		doctor_tracking_run_child(asks_despite_filter, shared);
	if (child > 0 && waitpid(child, &status, 0) == child) {
		found = *shared;
		doctor_tracking_judge_end(&found, status);
	}
	munmap(shared, sizeof *shared);
	return found;
}

struct doctor_tracking doctor_tracking_try(bool asks_despite_filter)
{
	struct doctor_tracking tracking;
	tracking.usual = doctor_tracking_try_once(asks_despite_filter);
	tracking.asked = tracking.usual;
	if (!asks_despite_filter && tracking.usual.reason == TRACK_REASON_FILTERED)
		tracking.asked = doctor_tracking_try_once(true);
	return tracking;
}

static void doctor_tracking_add_killed(struct doctor_report *report, const char *why)
{
	doctor_report_add(report,
	                  "tracking of writes: not possible; residency = track would end a program "
	                  "here: %s",
	                  why);
	doctor_report_add(
		report, "  what helps: %sresidency = track with a filter that allows userfaultfd",
		digest_is_built() ? "residency = hash, which needs no userfaultfd; or " : "");
}

void doctor_tracking_add(struct doctor_report *report, const struct doctor_tracking *tracking)
{
	const struct doctor_trial *usual = &tracking->usual, *asked = &tracking->asked;
	if (usual->reason == TRACK_REASON_NONE) {
		doctor_report_add(report, "tracking of writes: possible");
	} else if (asked->is_killed) {
		doctor_tracking_add_killed(report, asked->why);
	} else if (asked->reason == TRACK_REASON_NONE) {
		doctor_report_add(report, "tracking of writes: with residency = track only; %s",
		                  usual->why);
		doctor_report_add(report, "  what helps: residency = track, which asks all the "
		                          "same: the filter allows it");
	} else {
		doctor_report_add(report, "tracking of writes: not possible; %s", asked->why);
		doctor_report_add(report, "  what helps: %s",
		                  doctor_tracking_remedy(asked->reason));
	}
}

static void doctor_tracking_format(uint64_t block_ns, uint64_t look_ns, char out[HUMAN_BYTES])
{
	const double blocks = 1e9 / ((double)pages_size() * TRACKING_BLOCK);
	human_format_time(look_ns + (uint64_t)((double)block_ns * blocks), out);
}

/* What 1 GB of operands takes, in the words of docs/residency.md. */
static void doctor_tracking_add_kind(struct doctor_report *report, const char *kind,
                                     const struct tracking_times *times, uint64_t look_ns)
{
	char ask[HUMAN_BYTES], begin[HUMAN_BYTES], end[HUMAN_BYTES];
	doctor_tracking_format(times->scan_ns, look_ns, ask);
	doctor_tracking_format(times->arm_ns, 0, begin);
	doctor_tracking_format(times->disarm_ns, 0, end);
	doctor_report_add(
		report,
		"tracking 1 GB in %s pages: asking at each call %s, beginning %s, ending %s", kind,
		ask, begin, end);
}

void doctor_tracking_add_times(struct doctor_report *report, const struct doctor_tracking *tracking)
{
	const struct tracking_rates *rates = &tracking->asked.rates;
	if (tracking->asked.reason != TRACK_REASON_NONE)
		return;
	doctor_tracking_add_kind(report, "small", &rates->small, rates->look_ns);
	if (memcmp(&rates->small, &rates->large, sizeof rates->large) != 0)
		doctor_tracking_add_kind(report, "large", &rates->large, rates->look_ns);
}
