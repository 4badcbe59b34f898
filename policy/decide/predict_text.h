/* predict_text.h - a prediction in words, the same wherever it is told; pure */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_DECIDE_PREDICT_TEXT_H
#define GPUSHIM_POLICY_DECIDE_PREDICT_TEXT_H

#include "policy/decide/predict.h"
#include "policy/decide/predict_gate.h"

enum { PREDICT_TEXT_BYTES = 112 };

/* Lines in this order, most of fewer than 80 columns; empty where there is nothing to say. */
struct predict_text {
	char calls[PREDICT_TEXT_BYTES]; /* "36 of 52 calls on the GPU, 7.57 s in calls -> 1.38 s" */
	/*
	 * "included: CUDA's start, 600 ms in the background"; where no call was decided on, why
	 * not: "each is expected to take less than 100 us on the CPU"
	 */
	char setups[PREDICT_TEXT_BYTES];
};

/* start_ns: of CUDA, once. gate: what calls had to reach, as in predict_gate.h. */
void predict_text_write(const struct predict_totals *totals, double start_ns, uint64_t gate,
                        struct predict_text *text);

#endif
