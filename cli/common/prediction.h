/* prediction.h - tells what policy auto would do on a machine: the same words in every command */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_COMMON_PREDICTION_H
#define GPUSHIM_CLI_COMMON_PREDICTION_H

#include "cli/common/known_machine.h"
#include "policy/decide/predict.h"

/*
 * Writes the object "prediction" of a report: what is here, the machine and its source, the calls
 * past the gate and those on the GPU, their times on the CPU and under policy auto, and the starts
 * of CUDA and the plans that are in it.
 */
void prediction_emit(struct emit *emit, const struct known_machine *machine,
                     const struct predict_totals *totals);

#endif
