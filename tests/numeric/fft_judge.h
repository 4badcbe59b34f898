/* fft_judge.h - whether an execution has done what the plan was for */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_NUMERIC_FFT_JUDGE_H
#define GPUSHIM_TESTS_NUMERIC_FFT_JUDGE_H

#include "fft_arena.h"

/*
 * NULL, or what is wrong with the result of an execution on these arrays. The greatest error, in
 * multiples of what is allowed, is kept in *worst.
 */
const char *fft_judge_result(const struct fft_arena *arena, const struct fft_trial *t,
                             enum fft_arrays arrays, double *worst);

#endif
