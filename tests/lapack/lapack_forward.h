/* lapack_forward.h - the names of all LAPACK routines as functions of words, and who serves them */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_LAPACK_LAPACK_FORWARD_H
#define GPUSHIM_TESTS_LAPACK_LAPACK_FORWARD_H

#include <stdint.h>

/* The longest list, hegvx's: 24 arguments and three hidden lengths. */
enum { FORWARD_WORDS = 27 };
#define FORWARD_EACH(X)                                                                            \
	X(0), X(1), X(2), X(3), X(4), X(5), X(6), X(7), X(8), X(9), X(10), X(11), X(12), X(13),    \
		X(14), X(15), X(16), X(17), X(18), X(19), X(20), X(21), X(22), X(23), X(24),       \
		X(25), X(26)
#define FORWARD_PARAMETER(number) uint64_t word##number
#define FORWARD_ARGUMENT(number) word##number
typedef void forward_routine(FORWARD_EACH(FORWARD_PARAMETER));

/* The five names of a routine, each with the width of its integers: NARROW or WIDE. */
#define FORWARD_NAMES(NAME, routine, arguments)                                                    \
	NAME(routine##_, NARROW, arguments)                                                        \
	NAME(routine##_64_, WIDE, arguments)                                                       \
	NAME(routine##64_, WIDE, arguments)                                                        \
	NAME(scipy_##routine##_, NARROW, arguments)                                                \
	NAME(scipy_##routine##_64_, WIDE, arguments)

/*
 * Serves every call of the provider. Returns 0, or the position of an argument that the routine is
 * to report to xerbla_. words beyond those of the call are what was on the stack.
 */
typedef int forward_server(const char *symbol, const uint64_t words[FORWARD_WORDS]);
extern forward_server *forward_serve;

/* Of the provider's own xerbla_: how often it was called, and the last position. */
extern int forward_reports, forward_reported;

#endif
