/* gpu_child.h - a scenario in a process of its own, with an environment of its own; simulated CUDA only */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_GPU_GPU_CHILD_H
#define GPUSHIM_TESTS_GPU_GPU_CHILD_H

#include <stdbool.h>

enum { GPU_CHILD_TEXT_BYTES = 4096, GPU_CHILD_SETTINGS = 8 };

struct gpu_child {
	const char *scenario;                    /* the only argument of the child */
	const char *setting[GPU_CHILD_SETTINGS]; /* "NAME=value"; NULL ends */
	int status;                              /* as from waitpid */
	double elapsed_s;
	char errors[GPU_CHILD_TEXT_BYTES]; /* what it wrote to stderr */
};

/*
 * Runs this program again, as the scenario. Variables that a search for CUDA reads are unset unless
 * given.
 */
void gpu_child_run(struct gpu_child *child);

/* Whether it ended by itself with this status. */
bool gpu_child_exited(const struct gpu_child *child, int status);

/* The shim's messages among errors. */
int gpu_child_messages(const struct gpu_child *child);

#endif
