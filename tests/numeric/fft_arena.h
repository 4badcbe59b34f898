/* fft_arena.h - memory of a plan's arrays: in use, before, and for planning without the shim */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_NUMERIC_FFT_ARENA_H
#define GPUSHIM_TESTS_NUMERIC_FFT_ARENA_H

#include <complex.h>

#include "fft_trial.h"

/*
 * Four slots each, for the planned and the other arrays; pages without access lie between those
 * that are in use.
 */
struct fft_arena {
	char *used, *before, *scratch;
};

/*
 * What is in use comes from this function of FFTW's, without such pages, where it is given. Ends
 * the program on failure.
 */
struct fft_arena fft_arena_open(void *(*allocate)(size_t size_bytes));

/*
 * Chooses where the arrays lie: the other ones aligned as the planned ones unless the plan is for
 * any alignment.
 */
void fft_arena_place(struct fft_trial *t);

/* Fills all that is watched with the filler, in use and before. */
void fft_arena_clear(const struct fft_arena *arena, const struct fft_trial *t);

/*
 * Likewise, and the input of these arrays with numbers: of a complex-to-real transform, with what a
 * real one has.
 */
void fft_arena_fill(const struct fft_arena *arena, const struct fft_trial *t,
                    enum fft_arrays arrays);

/* Makes what is in use what fft_arena_fill left. */
void fft_arena_restore(const struct fft_arena *arena, const struct fft_trial *t);

/*
 * Whether nothing changed since; or nothing but what an execution on these arrays may change.
 * Spends before.
 */
bool fft_arena_is_same(const struct fft_arena *arena, const struct fft_trial *t);
bool fft_arena_is_clean(const struct fft_arena *arena, const struct fft_trial *t,
                        enum fft_arrays arrays);

/* An element; base is one of the arenas. */
long double complex fft_arena_read(const struct fft_trial *t, enum fft_side side,
                                   enum fft_arrays arrays, const char *base, int64_t index);

#endif
