/* batch.h - reads a batch of products as its caller listed it; pure */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_CALL_BATCH_H
#define GPUSHIM_POLICY_CALL_BATCH_H

#include "policy/call/call.h"

/*
 * Problems first to first + count - 1 of the batch. They share all fields of blas but a, b and c.
 * Zero the struct before the first call of batch_next_group. passed, size: batch.c's own, the
 * problems listed before the group and in it, of which those of a part may be fewer.
 */
struct batch_group {
	int64_t next, first, count, passed, size;
	struct blas_call blas; /* column-major; transa or transb is -1 where it is illegal */
};

/* Reads the next group into *group; false after the last one. */
bool batch_next_group(const struct batch_call *batch, enum element element,
                      struct batch_group *group);

/* Leaves the problems from begin to before end; problems are counted over the whole batch still. */
void batch_cut(struct batch_call *batch, int64_t begin, int64_t end);

/* Sets a, b and c of *blas to the operands of one problem, counted over the whole batch. */
void batch_point(const struct batch_call *batch, enum element element, int64_t problem,
                 struct blas_call *blas);

/*
 * Whether all problems of the group have the same A (or, if second, the same B), which is then sent
 * once.
 */
bool batch_shares_operand(const struct batch_call *batch, enum element element,
                          const struct batch_group *group, bool second);

#endif
