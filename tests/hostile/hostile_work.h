/* hostile_work.h - checked work: multiplications and transforms whose results are known */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_HOSTILE_WORK_H
#define GPUSHIM_TESTS_HOSTILE_WORK_H

/*
 * One dgemm_ of order n (at most WORK_MAX), one cblas_dgemm; 0 if right. Threads may call them at
 * once.
 */
enum { WORK_MAX = 96 };
int work_dgemm(int n);
int work_cblas(int n);

/*
 * A tone of length n, planned, executed (one fftw_execute) and destroyed. The planner is locked by
 * the caller.
 */
int work_fft(int n);

#endif
