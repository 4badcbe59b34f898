/* cli_predict.h - what the cost model expects of a reference machine's GPU, from a log of the program */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_CLI_PREDICT_H
#define GPUSHIM_CLI_CLI_PREDICT_H

#include <stdint.h>

#include "cli/cli_trial.h"

/*
 * Of a log with predictions: calls past the threshold, those of them that the model expects to end sooner on the GPU
 * than they were measured on the CPU, and what these take on each side.
 */
struct cli_predict {
	uint64_t lines, broken, large, gained, unpredicted;
	int64_t gained_cpu_ns, gained_gpu_ns, wall_ns; /* wall_ns: of the program when the log was made */
};

/* Sums up the log in an open file, from its beginning. */
void cli_predict_read_log(struct cli_predict *predict, int log);

/*
 * Runs the program once more with a log and the machine's profile, and prints the prediction as such. off_ns: the
 * program's measured time without the shim.
 */
void cli_predict_print(struct cli_trial *trial, const char *machine, double off_ns);

#endif
