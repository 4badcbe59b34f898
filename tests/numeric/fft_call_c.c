/* fft_call_c.c - FFTW's planners and new-array executions, called as C programs do */
/* SPDX-License-Identifier: Apache-2.0 */
#include <fftw3.h>

#include "fft_call.h"

/*
 * The arguments in the forms of C. last: the sign, or the kind of the last dimension, of a basic
 * planner.
 */
struct fft_c_arguments {
	int rank, n[FFT_TRIAL_RANK], loops, howmany;
	fftw_iodim dims[FFT_TRIAL_AXES];
	fftw_iodim64 dims64[FFT_TRIAL_AXES];
	const int *embed[FFT_SIDES];
	fftw_r2r_kind r2r[FFT_TRIAL_RANK];
};

static void fft_c_read(const struct fft_trial *t, struct fft_c_arguments *a)
{
	a->rank = fft_trial_asked_rank(t);
	a->loops = t->loops;
	a->howmany = t->form == FFT_MANY ? fft_trial_asked_length(t, t->rank) : 1;
	for (int i = 0; i < t->rank + t->loops; i++) {
		const struct fft_axis *axis = &t->axis[i];
		const int n = fft_trial_asked_length(t, i);
		a->dims[i] = (fftw_iodim){n, (int)axis->stride[FFT_IN], (int)axis->stride[FFT_OUT]};
		a->dims64[i] = (fftw_iodim64){n, axis->stride[FFT_IN], axis->stride[FFT_OUT]};
	}
	for (int i = 0; i < t->rank; i++) {
		a->n[i] = a->dims[i].n;
		a->r2r[i] = (fftw_r2r_kind)t->r2r[i];
	}
	for (int side = 0; side < FFT_SIDES; side++)
		a->embed[side] = t->has_embed[side] ? t->embed[side] : NULL;
}

static void *fft_c_plan_1d(const struct fft_trial *t, const struct fft_c_arguments *a, void *in,
                           void *out, void *code)
{
	if (t->kind == FFT_R2C || t->kind == FFT_C2R)
		return FFT_CODE(code, void *, int, void *, void *, unsigned)(a->n[0], in, out,
		                                                             t->flags);
	const int last = t->kind == FFT_R2R ? t->r2r[0] : t->sign;
	return FFT_CODE(code, void *, int, void *, void *, int, unsigned)(a->n[0], in, out, last,
	                                                                  t->flags);
}

static void *fft_c_plan_2d(const struct fft_trial *t, const struct fft_c_arguments *a, void *in,
                           void *out, void *code)
{
	const int *n = a->n;
	switch (t->kind) {
	case FFT_C2C:
		return FFT_CODE(code, void *, int, int, void *, void *, int,
		                unsigned)(n[0], n[1], in, out, t->sign, t->flags);
	case FFT_R2R:
		return FFT_CODE(code, void *, int, int, void *, void *, fftw_r2r_kind,
		                fftw_r2r_kind,
		                unsigned)(n[0], n[1], in, out, a->r2r[0], a->r2r[1], t->flags);
	default:
		return FFT_CODE(code, void *, int, int, void *, void *, unsigned)(n[0], n[1], in,
		                                                                  out, t->flags);
	}
}

static void *fft_c_plan_3d(const struct fft_trial *t, const struct fft_c_arguments *a, void *in,
                           void *out, void *code)
{
	const int *n = a->n;
	switch (t->kind) {
	case FFT_C2C:
		return FFT_CODE(code, void *, int, int, int, void *, void *, int,
		                unsigned)(n[0], n[1], n[2], in, out, t->sign, t->flags);
	case FFT_R2R:
		return FFT_CODE(code, void *, int, int, int, void *, void *, fftw_r2r_kind,
		                fftw_r2r_kind, fftw_r2r_kind, unsigned)(
			n[0], n[1], n[2], in, out, a->r2r[0], a->r2r[1], a->r2r[2], t->flags);
	default:
		return FFT_CODE(code, void *, int, int, int, void *, void *,
		                unsigned)(n[0], n[1], n[2], in, out, t->flags);
	}
}

static void *fft_c_plan_nd(const struct fft_trial *t, const struct fft_c_arguments *a, void *in,
                           void *out, void *code)
{
	switch (t->kind) {
	case FFT_C2C:
		return FFT_CODE(code, void *, int, const int *, void *, void *, int,
		                unsigned)(a->rank, a->n, in, out, t->sign, t->flags);
	case FFT_R2R:
		return FFT_CODE(code, void *, int, const int *, void *, void *,
		                const fftw_r2r_kind *,
		                unsigned)(a->rank, a->n, in, out, a->r2r, t->flags);
	default:
		return FFT_CODE(code, void *, int, const int *, void *, void *,
		                unsigned)(a->rank, a->n, in, out, t->flags);
	}
}

#define FFT_MANY_TYPES                                                                             \
	int, const int *, int, void *, const int *, int, int, void *, const int *, int, int
#define FFT_MANY_VALUES                                                                            \
	a->rank, a->n, a->howmany, in, a->embed[FFT_IN], t->stride[FFT_IN], t->distance[FFT_IN],   \
		out, a->embed[FFT_OUT], t->stride[FFT_OUT], t->distance[FFT_OUT]

static void *fft_c_plan_many(const struct fft_trial *t, const struct fft_c_arguments *a, void *in,
                             void *out, void *code)
{
	switch (t->kind) {
	case FFT_C2C:
		return FFT_CODE(code, void *, FFT_MANY_TYPES, int, unsigned)(FFT_MANY_VALUES,
		                                                             t->sign, t->flags);
	case FFT_R2R:
		return FFT_CODE(code, void *, FFT_MANY_TYPES, const fftw_r2r_kind *,
		                unsigned)(FFT_MANY_VALUES, a->r2r, t->flags);
	default: return FFT_CODE(code, void *, FFT_MANY_TYPES, unsigned)(FFT_MANY_VALUES, t->flags);
	}
}

#define FFT_GURU_TYPES int, const void *, int, const void *
#define FFT_GURU_VALUES a->rank, dims, a->loops, loops

static void *fft_c_plan_split(const struct fft_trial *t, const struct fft_c_arguments *a,
                              const struct fft_places *at, void *code)
{
	const bool wide = t->form == FFT_GURU64;
	const void *dims = wide ? (const void *)a->dims64 : a->dims;
	const void *loops = wide ? (const void *)(a->dims64 + t->rank) : a->dims + t->rank;
	void *const *real = at->real, *const *imaginary = at->imaginary;
	switch (t->kind) {
	case FFT_C2C:
		return FFT_CODE(code, void *, FFT_GURU_TYPES, void *, void *, void *, void *,
		                unsigned)(FFT_GURU_VALUES, real[FFT_IN], imaginary[FFT_IN],
		                          real[FFT_OUT], imaginary[FFT_OUT], t->flags);
	case FFT_R2C:
		return FFT_CODE(code, void *, FFT_GURU_TYPES, void *, void *, void *, unsigned)(
			FFT_GURU_VALUES, real[FFT_IN], real[FFT_OUT], imaginary[FFT_OUT], t->flags);
	default:
		return FFT_CODE(code, void *, FFT_GURU_TYPES, void *, void *, void *, unsigned)(
			FFT_GURU_VALUES, real[FFT_IN], imaginary[FFT_IN], real[FFT_OUT], t->flags);
	}
}

static void *fft_c_plan_guru(const struct fft_trial *t, const struct fft_c_arguments *a, void *in,
                             void *out, void *code)
{
	const bool wide = t->form == FFT_GURU64;
	const void *dims = wide ? (const void *)a->dims64 : a->dims;
	const void *loops = wide ? (const void *)(a->dims64 + t->rank) : a->dims + t->rank;
	switch (t->kind) {
	case FFT_C2C:
		return FFT_CODE(code, void *, FFT_GURU_TYPES, void *, void *, int,
		                unsigned)(FFT_GURU_VALUES, in, out, t->sign, t->flags);
	case FFT_R2R:
		return FFT_CODE(code, void *, FFT_GURU_TYPES, void *, void *, const fftw_r2r_kind *,
		                unsigned)(FFT_GURU_VALUES, in, out, a->r2r, t->flags);
	default:
		return FFT_CODE(code, void *, FFT_GURU_TYPES, void *, void *,
		                unsigned)(FFT_GURU_VALUES, in, out, t->flags);
	}
}

void *fft_call_plan_c(const struct fft_trial *t, const struct fft_places *at, void *code)
{
	void *in = at->real[FFT_IN], *out = at->real[FFT_OUT];
	struct fft_c_arguments a;
	fft_c_read(t, &a);
	if (t->split)
		return fft_c_plan_split(t, &a, at, code);
	switch (t->form) {
	case FFT_ND: return fft_c_plan_nd(t, &a, in, out, code);
	case FFT_MANY: return fft_c_plan_many(t, &a, in, out, code);
	case FFT_GURU:
	case FFT_GURU64: return fft_c_plan_guru(t, &a, in, out, code);
	default: break;
	}
	return (t->rank == 1   ? fft_c_plan_1d
	        : t->rank == 2 ? fft_c_plan_2d
	                       : fft_c_plan_3d)(t, &a, in, out, code);
}

void fft_call_execute_c(const struct fft_trial *t, const struct fft_places *at, void *plan,
                        void *code)
{
	void *const *real = at->real, *const *imaginary = at->imaginary;
	if (!t->split)
		FFT_CODE(code, void, void *, void *, void *)(plan, real[FFT_IN], real[FFT_OUT]);
	else if (t->kind == FFT_C2C)
		FFT_CODE(code, void, void *, void *, void *, void *, void *)
	(plan, real[FFT_IN], imaginary[FFT_IN], real[FFT_OUT], imaginary[FFT_OUT]);
	else if (t->kind == FFT_R2C) FFT_CODE(code, void, void *, void *, void *, void *)(
		plan, real[FFT_IN], real[FFT_OUT], imaginary[FFT_OUT]);
	else FFT_CODE(code, void, void *, void *, void *, void *)(plan, real[FFT_IN],
	                                                          imaginary[FFT_IN], real[FFT_OUT]);
}
