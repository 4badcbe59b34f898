/* batch.h - reads a batch of multiplications as its caller listed it; pure */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_CALL_BATCH_H
#define GPUSHIM_POLICY_CALL_BATCH_H

#include "policy/call/call.h"

/*
 * problems first .. first + count - 1 share what is in blas, but for a, b and c. Begin with a
 * zeroed struct.
 */
struct batch_group {
	int64_t next, first, count;
	struct blas_call blas; /* column-major; an illegal transposition is -1 */
};

/* The next group; false after the last. */
bool batch_next_group(const struct batch_call *batch, enum element element,
                      struct batch_group *group);

/* Fills a, b and c of one problem. */
void batch_point(const struct batch_call *batch, enum element element, int64_t problem,
                 struct blas_call *blas);

/* Whether all problems have this operand in common, so that it need be sent once. */
bool batch_shares_operand(const struct batch_call *batch, enum element element,
                          const struct batch_group *group, bool second);

#endif
