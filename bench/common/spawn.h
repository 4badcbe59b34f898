/* spawn.h - runs a program with given variables, and measures it from outside */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_BENCH_COMMON_SPAWN_H
#define GPUSHIM_BENCH_COMMON_SPAWN_H

#include <stdbool.h>
#include <stddef.h>

#include "measure/spread.h"

struct spawn_result {
	int status;     /* as waitpid gives it */
	double wall_ns; /* from before the start to after the end */
	long max_rss_kb;
	char output[1 << 16]; /* of stdout and stderr, cut to fit, terminated */
};

/*
 * Runs argv with exactly the NAME=value strings of environment (NULL-terminated; NULL: none).
 * Without capture the program's output goes where ours goes. Exits with a message where the program
 * cannot be started.
 */
void spawn_run(char *const argv[], char *const environment[], bool capture,
               struct spawn_result *result);

/*
 * The path of name in the running program's folder, or in that folder's parent where up is set.
 * Static storage.
 */
const char *spawn_beside(const char *name, bool up);

#endif
