/* illegal_blas.h - leaving a call by an exception of C++ */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_NUMERIC_ILLEGAL_BLAS_H
#define GPUSHIM_TESTS_NUMERIC_ILLEGAL_BLAS_H

#ifdef __cplusplus
extern "C" {
#endif

/* Calls work(argument), and prints what it threw. */
void illegal_catch(void (*work)(void *), void *argument);

/* Does not return. */
void illegal_throw(void);

#ifdef __cplusplus
}
#endif

#endif
