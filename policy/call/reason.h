/* reason.h - the reasons for decisions, each with its name and sentence */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_CALL_REASON_H
#define GPUSHIM_POLICY_CALL_REASON_H

#include <stdbool.h>

enum reason {
#define REASON(id, name, outcome, sentence) REASON_##id,
#include "policy/call/reason.def"
	REASON_COUNT
};

enum outcome { OUTCOME_CPU, OUTCOME_GPU, OUTCOME_BACK };

/*
 * Static strings, never NULL: the id in logs ("below_threshold") and the sentence that explains it;
 * and the outcome that the reason stands for.
 */
const char *reason_name(enum reason reason);
enum outcome reason_outcome(enum reason reason);
const char *reason_sentence(enum reason reason);

/* Whether the reason says that CUDA could not be started in this process. */
bool reason_is_absence(enum reason reason);

#endif
