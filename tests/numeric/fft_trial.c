/* fft_trial.c - what follows from how a plan is asked for */
/* SPDX-License-Identifier: Apache-2.0 */
#include "fft_trial.h"

#include <fftw3.h>
#include <float.h>

enum { FFT_GPU_RANK = 3, FFT_GPU_LOOPS = 8 };

/* The reference knows no more than long doubles: a quadruple result is judged as one. */
const struct fft_precision_row fft_precisions[FFT_PRECISIONS] = {
	[FFT_DOUBLE] = {"fftw_", "dfftw_", "libfftw3.so.3", sizeof(double), DBL_EPSILON},
	[FFT_SINGLE] = {"fftwf_", "sfftw_", "libfftw3f.so.3", sizeof(float), FLT_EPSILON},
	[FFT_LONG] = {"fftwl_", "lfftw_", "libfftw3l.so.3", sizeof(long double), LDBL_EPSILON},
	[FFT_QUAD] = {"fftwq_", "qfftw_", "libfftw3q.so.3", 16, LDBL_EPSILON},
};

bool fft_trial_is_complex(const struct fft_trial *t, enum fft_side side)
{
	return t->kind == FFT_C2C || t->kind == (side == FFT_IN ? FFT_C2R : FFT_R2C);
}

int64_t fft_trial_count(const struct fft_trial *t, enum fft_side side, int axis)
{
	const bool halved =
		t->kind != FFT_C2C && fft_trial_is_complex(t, side) && axis == t->rank - 1;
	return halved ? t->axis[axis].n / 2 + 1 : t->axis[axis].n;
}

size_t fft_trial_element_bytes(const struct fft_trial *t, enum fft_side side)
{
	return fft_precisions[t->precision].real_bytes *
	       (fft_trial_is_complex(t, side) && !t->split ? 2 : 1);
}

int64_t fft_trial_points(const struct fft_trial *t)
{
	int64_t points = 1;
	for (int a = 0; a < t->rank; a++)
		points *= t->axis[a].n;
	return points;
}

int64_t fft_trial_howmany(const struct fft_trial *t)
{
	int64_t howmany = 1;
	for (int a = t->rank; a < t->rank + t->loops; a++)
		howmany *= t->axis[a].n;
	return howmany;
}

void fft_trial_range(const struct fft_trial *t, enum fft_side side, int64_t *first, int64_t *last)
{
	*first = *last = 0;
	if (fft_trial_howmany(t) == 0)
		return;
	for (int a = 0; a < t->rank + t->loops; a++) {
		const int64_t way = (fft_trial_count(t, side, a) - 1) * t->axis[a].stride[side];
		*(way < 0 ? first : last) += way;
	}
}

int64_t fft_trial_index(const struct fft_trial *t, enum fft_side side, const int64_t *at)
{
	int64_t index = 0;
	for (int a = 0; a < t->rank + t->loops; a++)
		index += at[a] * t->axis[a].stride[side];
	return index;
}

bool fft_trial_step(const struct fft_trial *t, enum fft_side side, int first, int end, int64_t *at)
{
	for (int a = end - 1; a >= first; a--) {
		if (++at[a] < fft_trial_count(t, side, a))
			return true;
		at[a] = 0;
	}
	return false;
}

int fft_trial_asked_rank(const struct fft_trial *t)
{
	return t->fault == FFT_FAULT_RANK ? -1 : t->rank;
}

int fft_trial_asked_length(const struct fft_trial *t, int axis)
{
	if (t->fault == FFT_FAULT_LENGTH && axis == 0)
		return t->sign < 0 ? -3 : 0;
	if (t->fault == FFT_FAULT_LOOP && axis == t->rank)
		return -1;
	return (int)t->axis[axis].n;
}

static bool fft_trial_destroys_by_default(const struct fft_trial *t)
{
	for (int a = 0; a < t->rank && t->kind == FFT_R2R; a++)
		if (t->r2r[a] == FFTW_HC2R)
			return true;
	return t->kind == FFT_C2R;
}

bool fft_trial_keeps_input(const struct fft_trial *t)
{
	if (t->in_place)
		return false;
	if (t->flags & FFTW_PRESERVE_INPUT)
		return true;
	return !(t->flags & FFTW_DESTROY_INPUT) && !fft_trial_destroys_by_default(t);
}

bool fft_trial_plans_blindly(const struct fft_trial *t)
{
	return (t->flags & (FFTW_ESTIMATE | FFTW_WISDOM_ONLY)) != 0;
}

const char *fft_trial_reason(const struct fft_trial *t)
{
	if (t->unseen)
		return "unknown_plan";
	if (t->precision == FFT_LONG || t->precision == FFT_QUAD)
		return "unsupported_precision";
	if (t->kind == FFT_R2R)
		return "real_to_real";
	if (t->split)
		return "split_arrays";
	if (t->rank > FFT_GPU_RANK)
		return "unsupported_rank";
	if (fft_trial_points(t) <= 1 || fft_trial_howmany(t) == 0)
		return "no_transform";
	if (t->loops > FFT_GPU_LOOPS)
		return "unsupported_layout";
	return "policy_always";
}
