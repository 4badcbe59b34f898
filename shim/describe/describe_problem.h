/* describe_problem.h - legality, overlap, work and scalars of one BLAS problem */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_DESCRIBE_DESCRIBE_PROBLEM_H
#define GPUSHIM_SHIM_DESCRIBE_DESCRIBE_PROBLEM_H

#include "policy/call/call.h"

/* CBLAS's numbers for the storage order. */
enum { ORDER_ROW = 101, ORDER_COLUMN = 102 };

/* Whether the reference routine would accept these flags, sizes and leading dimensions. */
bool describe_problem_is_legal(enum family family, enum element element,
                               const struct blas_call *blas);

/* Whether the sizes leave nothing to write. */
bool describe_problem_is_empty(const struct blas_call *blas);

/* Whether nothing is multiplied: then the CPU library scales C by beta or returns at once. */
bool describe_problem_is_quick(const struct blas_call *blas);

/* Whether the result shares a byte with an input. */
bool describe_problem_overlaps(enum family family, enum element element,
                               const struct blas_call *blas);

/* Adds count problems like this one to the bytes and flops of call. */
void describe_problem_add_work(struct call *call, const struct blas_call *blas, int64_t count);

/*
 * Ends every description but a batch's: call->blas holds all but alpha and beta, which are read
 * here as the family's element for them (the real one in Hermitian updates). beta is NULL if there
 * is none.
 */
void describe_problem_end(struct call *call, const void *alpha, const void *beta);

#endif
