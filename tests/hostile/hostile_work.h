/* hostile_work.h - checked work: multiplications and transforms whose results are known */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_HOSTILE_WORK_H
#define GPUSHIM_TESTS_HOSTILE_WORK_H

/*
 * Calls dgemm_ of order n (at most WORK_MAX) and cblas_dgemm once each. Returns 0 if both are
 * right. Safe to call from several threads at once.
 */
enum { WORK_MAX = 96 };
int work_dgemm(int n);
int work_cblas(int n);

/*
 * Plans, executes (one fftw_execute) and destroys a transform of a tone of length n. The caller
 * locks the planner.
 */
int work_fft(int n);

#endif
