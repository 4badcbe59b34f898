/* fft_call.h - makes the calls that a trial describes */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_NUMERIC_FFT_CALL_H
#define GPUSHIM_TESTS_NUMERIC_FFT_CALL_H

#include "fft_library.h"

/* The plan that the trial asks for, on its planned arrays in this arena; NULL as FFTW says. */
void *fft_call_plan(const struct fft_trial *t, enum fft_library library, char *arena);

/* Executes it; the symbol that does so is told. */
void fft_call_execute(const struct fft_trial *t, const struct fft_execution *execution, void *plan,
                      char *arena, char symbol[FFT_NAME_BYTES]);

void fft_call_destroy(const struct fft_trial *t, enum fft_library library, void *plan);

/* What has been learnt from measuring. */
void fft_call_forget_wisdom(const struct fft_trial *t, enum fft_library library);

/* The arrays as FFTW takes them. imaginary: NULL where the parts are not split. */
struct fft_places {
	void *real[FFT_SIDES], *imaginary[FFT_SIDES];
};

/*
 * Of fft_call_c.c and fft_call_fortran.c: code is the planner or the execution of the trial's form.
 */
void *fft_call_plan_c(const struct fft_trial *t, const struct fft_places *at, void *code);
void *fft_call_plan_fortran(const struct fft_trial *t, const struct fft_places *at, void *code);
void fft_call_execute_c(const struct fft_trial *t, const struct fft_places *at, void *plan,
                        void *code);
void fft_call_execute_fortran(const struct fft_trial *t, const struct fft_places *at, void *plan,
                              void *code);

/* A function of this type behind an address. */
#define FFT_CODE(code, result, ...) ((result(*)(__VA_ARGS__))(code))

#endif
