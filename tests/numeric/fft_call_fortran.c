/* fft_call_fortran.c - FFTW's planners and executions, called by Fortran's legacy interface */
/* SPDX-License-Identifier: Apache-2.0 */
#include "fft_call.h"

/*
 * Everything is passed by its address. Lengths, embeds and kinds are in reverse order, the axes of
 * the guru form, too.
 */
struct fft_fortran_arguments {
	int rank, n[FFT_TRIAL_RANK], r2r[FFT_TRIAL_RANK], embed[FFT_SIDES][FFT_TRIAL_RANK];
	int stride[FFT_SIDES][FFT_TRIAL_RANK];
	int loops, loop_n[FFT_TRIAL_LOOPS], loop_stride[FFT_SIDES][FFT_TRIAL_LOOPS];
	int howmany, sign, flags;
};

static void fft_fortran_read(const struct fft_trial *t, struct fft_fortran_arguments *a)
{
	a->rank = fft_trial_asked_rank(t);
	a->loops = t->loops;
	a->howmany = t->form == FFT_MANY ? fft_trial_asked_length(t, t->rank) : 1;
	a->sign = t->sign;
	a->flags = (int)t->flags;
	for (int i = 0; i < t->rank; i++) {
		const int to = t->form == FFT_GURU ? i : t->rank - 1 - i;
		a->n[to] = fft_trial_asked_length(t, i);
		a->r2r[t->rank - 1 - i] = t->r2r[i];
		for (int side = 0; side < FFT_SIDES; side++) {
			a->embed[side][to] = t->embed[side][i];
			a->stride[side][to] = (int)t->axis[i].stride[side];
		}
	}
	for (int i = 0; i < t->loops; i++) {
		a->loop_n[i] = fft_trial_asked_length(t, t->rank + i);
		for (int side = 0; side < FFT_SIDES; side++)
			a->loop_stride[side][i] = (int)t->axis[t->rank + i].stride[side];
	}
}

/* One argument more than real transforms have: the sign, or the kinds. */
static const int *fft_fortran_extra(const struct fft_trial *t,
                                    const struct fft_fortran_arguments *a)
{
	return t->kind == FFT_C2C ? &a->sign : t->kind == FFT_R2R ? a->r2r : NULL;
}

#define FFT_LENGTH const int *
#define FFT_TAIL void *, void *, const int *
#define FFT_EXTRA FFT_TAIL, const int *
#define FFT_PLANNER(code, ...) FFT_CODE(code, void, void **, __VA_ARGS__)

static void fft_fortran_plan_1d(void **plan, const struct fft_fortran_arguments *a,
                                const int *extra, const struct fft_places *at, void *code)
{
	void *in = at->real[FFT_IN], *out = at->real[FFT_OUT];
	if (extra != NULL)
		FFT_PLANNER(code, FFT_LENGTH, FFT_EXTRA)(plan, a->n, in, out, extra, &a->flags);
	else
		FFT_PLANNER(code, FFT_LENGTH, FFT_TAIL)(plan, a->n, in, out, &a->flags);
}

static void fft_fortran_plan_2d(void **plan, const struct fft_fortran_arguments *a,
                                const int *extra, const struct fft_places *at, void *code)
{
	void *in = at->real[FFT_IN], *out = at->real[FFT_OUT];
	const int *n = a->n, *flags = &a->flags;
	if (extra == a->r2r)
		FFT_PLANNER(code, FFT_LENGTH, FFT_LENGTH, FFT_EXTRA, const int *)
	(plan, n, n + 1, in, out, extra, extra + 1, flags);
	else if (extra != NULL) FFT_PLANNER(code, FFT_LENGTH, FFT_LENGTH,
	                                    FFT_EXTRA)(plan, n, n + 1, in, out, extra, flags);
	else FFT_PLANNER(code, FFT_LENGTH, FFT_LENGTH, FFT_TAIL)(plan, n, n + 1, in, out, flags);
}

static void fft_fortran_plan_3d(void **plan, const struct fft_fortran_arguments *a,
                                const int *extra, const struct fft_places *at, void *code)
{
	void *in = at->real[FFT_IN], *out = at->real[FFT_OUT];
	const int *n = a->n, *flags = &a->flags;
	if (extra == a->r2r)
		FFT_PLANNER(code, FFT_LENGTH, FFT_LENGTH, FFT_LENGTH, FFT_EXTRA, const int *,
		            const int *)
	(plan, n, n + 1, n + 2, in, out, extra, extra + 1, extra + 2, flags);
	else if (extra != NULL) FFT_PLANNER(code, FFT_LENGTH, FFT_LENGTH, FFT_LENGTH, FFT_EXTRA)(
		plan, n, n + 1, n + 2, in, out, extra, flags);
	else FFT_PLANNER(code, FFT_LENGTH, FFT_LENGTH, FFT_LENGTH, FFT_TAIL)(plan, n, n + 1, n + 2,
	                                                                     in, out, flags);
}

static void fft_fortran_plan_nd(void **plan, const struct fft_fortran_arguments *a,
                                const int *extra, const struct fft_places *at, void *code)
{
	void *in = at->real[FFT_IN], *out = at->real[FFT_OUT];
	if (extra != NULL)
		FFT_PLANNER(code, const int *, FFT_LENGTH, FFT_EXTRA)
	(plan, &a->rank, a->n, in, out, extra, &a->flags);
	else FFT_PLANNER(code, const int *, FFT_LENGTH, FFT_TAIL)(plan, &a->rank, a->n, in, out,
	                                                          &a->flags);
}

#define FFT_ARRAY void *, const int *, const int *, const int *

static void fft_fortran_plan_many(void **plan, const struct fft_trial *t,
                                  const struct fft_fortran_arguments *a, const int *extra,
                                  const struct fft_places *at, void *code)
{
	void *in = at->real[FFT_IN], *out = at->real[FFT_OUT];
	const int *const *const embed = (const int *const[]){a->embed[FFT_IN], a->embed[FFT_OUT]};
	const int *stride = t->stride, *distance = t->distance;
	if (extra != NULL)
		FFT_PLANNER(code, const int *, FFT_LENGTH, const int *, FFT_ARRAY, FFT_ARRAY,
		            const int *, const int *)
	(plan, &a->rank, a->n, &a->howmany, in, embed[0], stride, distance, out, embed[1],
	 stride + 1, distance + 1, extra, &a->flags);
	else FFT_PLANNER(code, const int *, FFT_LENGTH, const int *, FFT_ARRAY, FFT_ARRAY,
	                 const int *)(plan, &a->rank, a->n, &a->howmany, in, embed[0], stride,
	                              distance, out, embed[1], stride + 1, distance + 1, &a->flags);
}

#define FFT_AXES const int *, const int *, const int *, const int *
#define FFT_AXES_VALUES                                                                            \
	&a->rank, a->n, a->stride[FFT_IN], a->stride[FFT_OUT], &a->loops, a->loop_n,               \
		a->loop_stride[FFT_IN], a->loop_stride[FFT_OUT]

static void fft_fortran_plan_guru(void **plan, const struct fft_fortran_arguments *a,
                                  const int *extra, const struct fft_places *at, void *code)
{
	void *in = at->real[FFT_IN], *out = at->real[FFT_OUT];
	if (extra != NULL)
		FFT_PLANNER(code, FFT_AXES, FFT_AXES, FFT_EXTRA)
	(plan, FFT_AXES_VALUES, in, out, extra, &a->flags);
	else FFT_PLANNER(code, FFT_AXES, FFT_AXES, FFT_TAIL)(plan, FFT_AXES_VALUES, in, out,
	                                                     &a->flags);
}

static void fft_fortran_plan_split(void **plan, const struct fft_trial *t,
                                   const struct fft_fortran_arguments *a,
                                   const struct fft_places *at, void *code)
{
	void *const *real = at->real, *const *imaginary = at->imaginary;
	if (t->kind == FFT_C2C)
		FFT_PLANNER(code, FFT_AXES, FFT_AXES, void *, void *, FFT_TAIL)
	(plan, FFT_AXES_VALUES, real[FFT_IN], imaginary[FFT_IN], real[FFT_OUT], imaginary[FFT_OUT],
	 &a->flags);
	else if (t->kind == FFT_R2C) FFT_PLANNER(code, FFT_AXES, FFT_AXES, void *, FFT_TAIL)(
		plan, FFT_AXES_VALUES, real[FFT_IN], real[FFT_OUT], imaginary[FFT_OUT], &a->flags);
	else FFT_PLANNER(code, FFT_AXES, FFT_AXES, void *, FFT_TAIL)(
		plan, FFT_AXES_VALUES, real[FFT_IN], imaginary[FFT_IN], real[FFT_OUT], &a->flags);
}

void *fft_call_plan_fortran(const struct fft_trial *t, const struct fft_places *at, void *code)
{
	struct fft_fortran_arguments a;
	void *plan = code; /* anything but NULL: it has to be written */
	fft_fortran_read(t, &a);
	const int *extra = fft_fortran_extra(t, &a);
	if (t->split)
		fft_fortran_plan_split(&plan, t, &a, at, code);
	else if (t->form == FFT_GURU)
		fft_fortran_plan_guru(&plan, &a, extra, at, code);
	else if (t->form == FFT_MANY)
		fft_fortran_plan_many(&plan, t, &a, extra, at, code);
	else if (t->form == FFT_ND)
		fft_fortran_plan_nd(&plan, &a, extra, at, code);
	else
		(t->rank == 1   ? fft_fortran_plan_1d
		 : t->rank == 2 ? fft_fortran_plan_2d
		                : fft_fortran_plan_3d)(&plan, &a, extra, at, code);
	return plan;
}

void fft_call_execute_fortran(const struct fft_trial *t, const struct fft_places *at, void *plan,
                              void *code)
{
	void *const *real = at->real, *const *imaginary = at->imaginary;
	if (!t->split)
		FFT_CODE(code, void, void **, void *, void *)(&plan, real[FFT_IN], real[FFT_OUT]);
	else if (t->kind == FFT_C2C)
		FFT_CODE(code, void, void **, void *, void *, void *, void *)
	(&plan, real[FFT_IN], imaginary[FFT_IN], real[FFT_OUT], imaginary[FFT_OUT]);
	else if (t->kind == FFT_R2C) FFT_CODE(code, void, void **, void *, void *, void *)(
		&plan, real[FFT_IN], real[FFT_OUT], imaginary[FFT_OUT]);
	else FFT_CODE(code, void, void **, void *, void *,
	              void *)(&plan, real[FFT_IN], imaginary[FFT_IN], real[FFT_OUT]);
}
