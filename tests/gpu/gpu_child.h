/* gpu_child.h - a scenario in a process with its own environment; simulated CUDA only */
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
	char errors[GPU_CHILD_TEXT_BYTES]; /* its stderr */
};

/*
 * Runs this program again with the scenario as its argument. Variables that the search for CUDA
 * reads are unset unless given.
 */
void gpu_child_run(struct gpu_child *child);

/* Whether it exited, not by a signal, with this status. */
bool gpu_child_exited(const struct gpu_child *child, int status);

/* The number of the shim's messages in errors. */
int gpu_child_messages(const struct gpu_child *child);

#endif
