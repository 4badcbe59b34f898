/* predict.h - what the cost model expects of a reference machine's GPU, from a log of the program */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_COMPARE_PREDICT_H
#define GPUSHIM_CLI_COMPARE_PREDICT_H

#include <stdint.h>

#include "cli/compare/trial_runs.h"

/*
 * Of the log of a dry run: calls past the threshold, those of them that the policy auto would have
 * sent to the GPU, and what these took here and would take there.
 */
struct predict {
	uint64_t lines, broken, large, gained, unpredicted;
	int64_t gained_cpu_ns, gained_gpu_ns,
		wall_ns; /* wall_ns: of the program when the log was made */
};

/* Sums up the log in a file. */
void predict_read_log(struct predict *predict, const char *path);

/*
 * Runs the program once more as a side does, but dry, with a log and a machine's profile (a file,
 * or the name of one of config/machines), and prints the prediction as such. off_ns: the program's
 * measured time without the shim.
 */
void predict_print(struct trial_runs *trial, size_t side, const char *machine, double off_ns);

#endif
