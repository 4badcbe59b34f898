/* prediction.h - tells what policy auto would do on a machine: the same words in every command */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_COMMON_PREDICTION_H
#define GPUSHIM_CLI_COMMON_PREDICTION_H

#include "cli/common/known_machine.h"
#include "policy/decide/predict_text.h"

/*
 * machine: as known_machine_load found it. gate: what calls had to reach, as predict_gate_find
 * finds it in the options of predict_set_options.
 */
struct prediction {
	const struct known_machine *machine;
	struct predict_totals totals;
	uint64_t gate;
};

/* options: as they were given. */
struct prediction prediction_make(const struct known_machine *machine,
                                  const struct predict_totals *totals,
                                  const struct options *options);

/* The same in words. */
struct prediction_words {
	char machine[MACHINE_PHRASE_BYTES];
	struct predict_text text;
};
void prediction_describe(const struct prediction *prediction, struct prediction_words *words);

/*
 * Writes the object "prediction" of a report: what is here, the machine and its source, the calls
 * past the gate and those on the GPU, their times on the CPU and under policy auto, and the starts
 * of CUDA and the plans that are in it.
 */
void prediction_emit(struct emit *emit, const struct prediction *prediction);

/* The same member of an object of JSON that is written without emit.h. */
void prediction_put(struct json *json, const struct prediction *prediction);

#endif
