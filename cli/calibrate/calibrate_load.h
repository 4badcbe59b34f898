/* calibrate_load.h - what other processes take of the processors while this one measures */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_CALIBRATE_CALIBRATE_LOAD_H
#define GPUSHIM_CLI_CALIBRATE_CALIBRATE_LOAD_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Counters of the kernel at one moment. busy_s and stolen_s: of all processors together, by any
 * process and by the hypervisor. own_s: by this process and its children that have ended.
 * throttled: how often the first processor was slowed down by its heat.
 */
struct calibrate_moment {
	bool known;
	double at_s, busy_s, stolen_s, own_s;
	uint64_t throttled;
};

/*
 * Between two moments. others, stolen: processors on average. processors: that are online. known:
 * the kernel told.
 */
struct calibrate_load {
	bool known;
	double seconds, others, stolen;
	uint64_t throttled;
	int processors;
};

/* root: "", or the folder of a test in place of the kernel's files. */
struct calibrate_moment calibrate_load_look(const char *root);
struct calibrate_load calibrate_load_between(const struct calibrate_moment *first,
                                             const struct calibrate_moment *last);

/* What other processes take for a fifth of a second from now on. */
struct calibrate_load calibrate_load_now(void);

/*
 * Whether figures that are measured under it are too low: others take more than 0.2 processors and
 * a twentieth of all, the hypervisor more than a fiftieth, or heat slowed the processor down.
 */
bool calibrate_load_disturbs(const struct calibrate_load *load);

/* "other processes took 0.35 of 2 processors, ..." without a full stop; one line. */
enum { CALIBRATE_LOAD_BYTES = 256 };
void calibrate_load_describe(const struct calibrate_load *load, char out[CALIBRATE_LOAD_BYTES]);

#endif
