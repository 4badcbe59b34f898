/* gpu_scenarios.h - a test program whose scenarios run in processes of their own */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_GPU_GPU_SCENARIOS_H
#define GPUSHIM_TESTS_GPU_GPU_SCENARIOS_H

#include <stddef.h>

#include "gpu_child.h"

struct gpu_scenario {
	const char *name;
	int (*run)(void);                        /* returns the status of its process */
	const char *setting[GPU_CHILD_SETTINGS]; /* "NAME=value"; NULL ends */
	const char *words;                       /* in its messages; NULL: no message */
};

/*
 * With an argument: runs the first scenario of that name in this process and returns its status; 1
 * if there is none. Without: runs each in a process, expects it to exit with 0 and to write the
 * messages that it should, and returns the status of the test.
 */
int gpu_scenarios_run(const char *test, const struct gpu_scenario *list, size_t count,
                      const char *argument);

#endif
