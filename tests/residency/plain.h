/* plain.h - products, solutions and transforms by plain loops: the truth of the oracle */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_RESIDENCY_PLAIN_H
#define GPUSHIM_TESTS_RESIDENCY_PLAIN_H

#include "exact.h"

/* c := alpha a b + beta c, where beta = 0 reads no c. */
void plain_multiply(double alpha, const struct dense *a, const struct dense *b, double beta,
                    struct dense *c);
/*
 * How far a x is from b, in units of the largest row of |a| |x| + |b| of the column; large where x
 * is no number.
 */
double plain_find_residual(const struct dense *a, const struct dense *x, const struct dense *b);
/* Rows i and pivot[i] of each column change places, forward or backward; pivots from 1 on. */
void plain_exchange(struct dense *x, const int *pivot, bool forward);
/* The transform of `length` (a power of two) complex numbers in place. */
void plain_transform(double *number, int length, int sign);

#endif
