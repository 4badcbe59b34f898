/* fft_draw.c - draws what a plan is for, and how it is asked for */
/* SPDX-License-Identifier: Apache-2.0 */
#include "fft_draw.h"

#include <fftw3.h>

#include "draw.h"
#include "rerun.h"

enum { FFT_DRAW_CROWD = 24000 };

static enum fft_precision fft_draw_precision(const bool loaded[FFT_PRECISIONS])
{
	enum fft_precision precision = draw_below(2) ? FFT_DOUBLE : FFT_SINGLE;
	if (draw_one_in(16))
		precision = draw_below(2) ? FFT_LONG : FFT_QUAD;
	return loaded[precision] ? precision : FFT_DOUBLE;
}

/* One in so many is Fortran's. */
static enum fft_language fft_draw_language(unsigned many)
{
	if (!draw_one_in(many))
		return FFT_C;
	return draw_below(2) ? FFT_FORTRAN : FFT_FORTRAN_TWICE;
}

static void fft_draw_form(struct fft_trial *t)
{
	static const enum fft_kind kinds[] = {FFT_C2C, FFT_C2C, FFT_C2C, FFT_R2C,
	                                      FFT_R2C, FFT_C2R, FFT_C2R, FFT_R2R};
	t->kind = kinds[draw_below(sizeof kinds / sizeof kinds[0])];
	t->form = (enum fft_form)draw_below(FFT_FORMS);
	t->language = t->form == FFT_GURU64 ? FFT_C : fft_draw_language(3);
	t->destroyed_by = fft_draw_language(3);
	t->split = t->form >= FFT_GURU && t->kind != FFT_R2R && draw_one_in(6);
	t->in_place = draw_one_in(3) && !(t->split && t->kind != FFT_C2C);
	t->unseen = t->form >= FFT_MANY && t->language == FFT_C && t->precision <= FFT_SINGLE &&
	            draw_one_in(8);
}

static void fft_draw_rank(struct fft_trial *t)
{
	static const int ranks[] = {0, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 4};
	t->rank = ranks[draw_below(sizeof ranks / sizeof ranks[0])];
	if (t->form == FFT_BASIC)
		t->rank = 1 + (int)draw_below(3);
	t->loops = t->form == FFT_MANY ? 1 : 0;
	if (t->form >= FFT_GURU)
		t->loops = draw_one_in(20) ? 8 + (int)draw_below(2) : (int)draw_below(4);
}

static int64_t fft_draw_length(void)
{
	static const int primes[] = {2,  3,  5,  7,  11,  13,  17,  19,  23, 31,
	                             37, 53, 61, 97, 127, 131, 173, 257, 331};
	static const int smooth[] = {4,  6,  8,  10, 12, 14, 15, 16,  18,  20, 24,
	                             30, 32, 36, 48, 60, 64, 96, 128, 210, 256};
	switch (draw_below(8)) {
	case 0: return 1;
	case 1:
	case 2: return primes[draw_below(sizeof primes / sizeof primes[0])];
	case 3:
	case 4: return smooth[draw_below(sizeof smooth / sizeof smooth[0])];
	case 5: return 3 + 2 * (int)draw_below(20);
	default: return 2 + (int)draw_below(10);
	}
}

/* Of the reference: one term per point and length. */
static int64_t fft_draw_terms(const struct fft_trial *t)
{
	const int64_t points = fft_trial_points(t) * fft_trial_howmany(t);
	int64_t terms = 0;
	for (int a = 0; a < t->rank; a++)
		terms += points * t->axis[a].n;
	return points <= FFT_TRIAL_POINTS ? terms : INT64_MAX;
}

/*
 * Very many small transforms, so many that the GPU may walk their loops; and more than a small
 * device has room for.
 */
static void fft_draw_crowd(struct fft_trial *t)
{
	struct fft_axis *crowd = &t->axis[t->rank + (int)draw_below((unsigned)t->loops)];
	for (int a = 0; a < t->rank + t->loops; a++)
		t->axis[a].n = 1 + draw_below(4);
	crowd->n = 1;
	crowd->n = FFT_DRAW_CROWD / (fft_trial_points(t) * fft_trial_howmany(t));
	crowd->n -= draw_below((unsigned)crowd->n / 8 + 1);
}

static void fft_draw_lengths(struct fft_trial *t)
{
	const int64_t most = draw_one_in(40) ? 800000 : draw_one_in(8) ? 150000 : 30000;
	for (int a = 0; a < t->rank; a++)
		t->axis[a].n = fft_draw_length();
	for (int a = t->rank; a < t->rank + t->loops; a++) {
		t->axis[a].n = t->loops > 3 ? 1 + draw_below(2) : 1 + draw_below(6);
		if (draw_one_in(40))
			t->axis[a].n = 0;
	}
	while (fft_draw_terms(t) > most) {
		struct fft_axis *longest = &t->axis[0];
		for (int a = 1; a < t->rank + t->loops; a++)
			if (t->axis[a].n > longest->n)
				longest = &t->axis[a];
		longest->n = 1 + draw_below((unsigned)longest->n - 1);
	}
}

/* REDFT00 of one number has no plan. */
static void fft_draw_r2r(struct fft_trial *t)
{
	for (int a = 0; a < t->rank; a++)
		do
			t->r2r[a] = (int)draw_below(FFTW_RODFT11 + 1);
		while (t->r2r[a] == FFTW_REDFT00 && t->axis[a].n == 1 && draw_below(8));
}

/* Only tiny plans are measured: each takes milliseconds. */
static void fft_draw_flags(struct fft_trial *t)
{
	const bool tiny =
		fft_trial_points(t) * fft_trial_howmany(t) <= 32 && t->rank <= 2 && t->loops <= 3;
	t->sign = draw_below(2) ? FFTW_FORWARD : FFTW_BACKWARD;
	if (t->kind == FFT_R2C)
		t->sign = FFTW_FORWARD;
	if (t->kind == FFT_C2R)
		t->sign = FFTW_BACKWARD;
	if (t->kind == FFT_C2C && !t->split && draw_one_in(100))
		t->sign = draw_below(2) ? 2 : 0;
	t->flags = tiny && draw_one_in(4) ? FFTW_MEASURE : FFTW_ESTIMATE;
	if (t->flags == FFTW_MEASURE && fft_trial_points(t) <= 8 && draw_one_in(8))
		t->flags = FFTW_PATIENT;
	if (draw_one_in(4))
		t->flags |= FFTW_UNALIGNED;
	switch (draw_below(8)) {
	case 0:
	case 1: t->flags |= FFTW_PRESERVE_INPUT; break;
	case 2: t->flags |= FFTW_DESTROY_INPUT; break;
	default: break;
	}
	if (draw_one_in(tiny ? 12 : 60))
		t->flags |= FFTW_WISDOM_ONLY;
	t->is_prepared = (t->flags & FFTW_WISDOM_ONLY) != 0 && tiny && draw_below(4);
}

static void fft_draw_fault(struct fft_trial *t)
{
	if (!draw_one_in(50))
		return;
	t->fault = (enum fft_fault)draw_below(FFT_FAULTS);
	/* Fortran's planners allocate by the rank before it is looked at, and end the program. */
	if ((t->fault == FFT_FAULT_RANK && (t->form == FFT_BASIC || t->language != FFT_C)) ||
	    (t->fault == FFT_FAULT_LENGTH && t->rank == 0) ||
	    (t->fault == FFT_FAULT_LOOP && t->loops == 0))
		t->fault = FFT_FAULT_NONE;
}

static void fft_draw_executions(struct fft_trial *t)
{
	t->executions = draw_one_in(4) ? 1 + (int)draw_below(FFT_TRIAL_EXECUTIONS) : 1;
	for (int e = 0; e < t->executions; e++) {
		struct fft_execution *execution = &t->execution[e];
		execution->by_arrays = draw_below(2);
		execution->arrays =
			execution->by_arrays && draw_below(3) ? FFT_OTHERS : FFT_PLANNED;
		execution->language = fft_draw_language(3);
	}
}

void fft_draw(struct fft_trial *t, const bool loaded[FFT_PRECISIONS])
{
	*t = (struct fft_trial){.precision = fft_draw_precision(loaded)};
	fft_draw_form(t);
	fft_draw_rank(t);
	/* What stays on the device is whole pages. */
	const unsigned others = rerun.twice ? 2 : t->loops == 1 ? 40 : 10;
	if (t->loops >= 1 && t->loops <= 3 && draw_one_in(others))
		fft_draw_crowd(t);
	else
		fft_draw_lengths(t);
	fft_draw_r2r(t);
	fft_draw_flags(t);
	fft_draw_fault(t);
	fft_draw_executions(t);
	t->filler = (enum fft_filler)draw_below(FFT_FILLERS);
	fft_draw_strides(t);
}
