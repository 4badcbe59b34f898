/* explain_predict.h - what policy auto does with so many calls of one kind, from its cold start */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_EXPLAIN_EXPLAIN_PREDICT_H
#define GPUSHIM_CLI_EXPLAIN_EXPLAIN_PREDICT_H

#include "cli/explain/explain_decide.h"
#include "policy/decide/predict.h"

/* first: the decision on the first call, at which CUDA is not running yet. */
struct explain_prediction {
	struct predict_totals totals;
	struct decision first;
};

/*
 * Replays calls that follow each other without a gap and take the expected times (cost, which for
 * the GPU is replaced by the engine's plan).
 */
struct explain_prediction explain_predict(const struct explain_view *view, const struct call *call,
                                          const struct cost *cost, uint64_t calls);

#endif
