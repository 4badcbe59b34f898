/* interrupted.h - multiplications that a signal handler may do, with arrays of their own */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_HOSTILE_INTERRUPTED_H
#define GPUSHIM_TESTS_HOSTILE_INTERRUPTED_H

#include <stdbool.h>
#include <stddef.h>

enum { ORDER_MAX = 256 };

/* Operands of one multiplication after the other, of any order up to its own. */
struct operands {
	int order;
	double *a, *b, *c;
};

/* Allocates them; ends the program where there is no memory. Not for handlers. */
struct operands operands_make(int order);

/* 2 A B - C of order n, by dgemm_, cblas_dgemm or zgemm_; returns whether the result is right. */
bool multiply(const struct operands *operands, int n);
bool multiply_cblas(const struct operands *operands, int n);
bool multiply_complex(const struct operands *operands, int n);

/* The steps of multiply: fill the operands, call, compare. */
void multiply_fill(const struct operands *operands, int n);
void multiply_call(const struct operands *operands, int n);
bool multiply_check(const struct operands *operands, int n);

/* Ends the program with status 4 and a line that names the part, after so many seconds. */
void watch_for(int seconds);
void watch_part(const char *part);

#endif
