/* fft_draw.h - draws a plan and its executions */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_NUMERIC_FFT_DRAW_H
#define GPUSHIM_TESTS_NUMERIC_FFT_DRAW_H

#include "fft_trial.h"

/* Everything but where the arrays lie. loaded: the precisions whose library is here. */
void fft_draw(struct fft_trial *t, const bool loaded[FFT_PRECISIONS]);

/* The strides of both arrays, once the rest is known. No two elements of an output share memory. */
void fft_draw_strides(struct fft_trial *t);

#endif
