/* predict.h - the predicted time on a reference machine's GPU, from a log of a dry run */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_COMPARE_PREDICT_H
#define GPUSHIM_CLI_COMPARE_PREDICT_H

#include <stdint.h>

#include "cli/compare/trial_runs.h"

/*
 * The sums over the log of a dry run. lines, broken: of the log, and those that are no records.
 * large: calls past the threshold. gained: those of them that the policy auto would have sent to
 * the GPU, with their measured time on the CPU and their predicted time on the GPU. unpredicted:
 * large calls without a prediction. wall_ns: run time of the program while the log was made.
 */
struct predict {
	uint64_t lines, broken, large, gained, unpredicted;
	int64_t gained_cpu_ns, gained_gpu_ns, wall_ns;
};

/*
 * Runs the program once more with the side's options, but under the policy dry, with a log and with
 * the machine's profile (a file, or the name of one in config/machines), and prints the prediction.
 * off_ns: the program's measured time without the shim.
 */
void predict_print(struct trial_runs *trial, size_t side, const char *machine, double off_ns);

#endif
