/* fft_draw_strides.c - draws where the elements of a plan's arrays lie */
/* SPDX-License-Identifier: Apache-2.0 */
#include <fftw3.h>

#include "draw.h"
#include "fft_draw.h"

enum { FFT_DRAW_SPAN = 1 << 15, FFT_DRAW_TRIES = 6 };

/* Gaps of up to so many elements; 0 while nothing but a tight layout is small enough. */
static unsigned fft_draw_gap;

static int64_t fft_draw_padding(void)
{
	return draw_below(2) ? draw_below(fft_draw_gap + 1) : 0;
}

/* In-place real rows take as much room as the complex ones. */
static bool fft_draw_is_padded(const struct fft_trial *t, enum fft_side side)
{
	return t->in_place && !fft_trial_is_complex(t, side) && t->kind != FFT_R2R;
}

static void fft_draw_shuffle(int *order, int count)
{
	for (int i = count - 1; i > 0; i--) {
		const int other = (int)draw_below((unsigned)i + 1), kept = order[i];
		order[i] = order[other];
		order[other] = kept;
	}
}

/*
 * From the innermost axis to the outermost: by rows, element by element in turn, by columns, or
 * any.
 */
static void fft_draw_order(const struct fft_trial *t, int *order)
{
	const int axes = t->rank + t->loops;
	const unsigned way = draw_below(6);
	for (int i = 0; i < axes; i++)
		if (way < 2)
			order[i] = i < t->rank ? t->rank - 1 - i : axes - 1 - (i - t->rank);
		else
			order[i] = way == 2 ? axes - 1 - i : i;
	if (way > 3)
		fft_draw_shuffle(order, axes);
}

static void fft_draw_nested(struct fft_trial *t, enum fft_side side, bool tight)
{
	int order[FFT_TRIAL_AXES];
	int64_t extent = 1;
	fft_draw_order(t, order);
	for (int i = 0; i < t->rank + t->loops; i++) {
		struct fft_axis *axis = &t->axis[order[i]];
		const int64_t count = fft_trial_count(t, side, order[i]);
		axis->stride[side] = extent + (tight ? 0 : fft_draw_padding());
		extent = axis->stride[side] * (count > 0 ? count : 1);
	}
}

static void fft_draw_copy_side(struct fft_trial *t)
{
	for (int a = 0; a < t->rank + t->loops; a++)
		t->axis[a].stride[FFT_OUT] = t->axis[a].stride[FFT_IN];
}

/* The last dimension is the innermost axis; a real number takes half a complex one's place. */
static void fft_draw_real_in_place(struct fft_trial *t)
{
	const enum fft_side wide = t->kind == FFT_R2C ? FFT_OUT : FFT_IN,
			    real = wide == FFT_IN ? FFT_OUT : FFT_IN;
	int order[FFT_TRIAL_AXES];
	int64_t extent = 1;
	fft_draw_order(t, order);
	if (t->rank > 0) {
		struct fft_axis *last = &t->axis[t->rank - 1];
		last->stride[FFT_IN] = last->stride[FFT_OUT] = 1 + fft_draw_padding();
		extent = last->stride[wide] * fft_trial_count(t, wide, t->rank - 1);
	}
	for (int i = 0; i < t->rank + t->loops; i++) {
		struct fft_axis *axis = &t->axis[order[i]];
		if (order[i] == t->rank - 1)
			continue;
		axis->stride[wide] = extent + fft_draw_padding();
		axis->stride[real] = 2 * axis->stride[wide];
		extent = axis->stride[wide] * (axis->n > 0 ? axis->n : 1);
	}
}

/*
 * Backwards through memory, both arrays where they are one. FFTW 3.3.10 itself falls into an
 * endless recursion for some transforms a dimension of which runs backwards, of several dimensions
 * or in place: of those only loops do.
 */
static void fft_draw_backwards(struct fft_trial *t)
{
	const bool padded = t->in_place && (t->kind == FFT_R2C || t->kind == FFT_C2R);
	for (int a = t->rank > 1 || t->in_place ? t->rank : 0; a < t->rank + t->loops; a++)
		for (int side = 0; side < FFT_SIDES; side++) {
			if (draw_below(8) || (padded && a == t->rank - 1))
				continue;
			t->axis[a].stride[side] *= -1;
			if (t->in_place)
				t->axis[a].stride[1 - side] *= -1;
		}
}

static void fft_draw_guru(struct fft_trial *t)
{
	/* Real-to-real plans of that kind are wrong in FFTW 3.3.10. */
	const bool permuted = t->in_place && t->kind == FFT_C2C && draw_one_in(3);
	if (t->in_place && (t->kind == FFT_R2C || t->kind == FFT_C2R)) {
		fft_draw_real_in_place(t);
	} else {
		fft_draw_nested(t, FFT_IN, permuted);
		fft_draw_nested(t, FFT_OUT, permuted);
		if (t->in_place && !permuted)
			fft_draw_copy_side(t);
	}
	if (!permuted)
		fft_draw_backwards(t);
}

/* Windows of one signal, or many transforms of one input: what is only read may overlap. */
static void fft_draw_overlap(struct fft_trial *t)
{
	if (t->loops == 0 || t->kind == FFT_C2R || t->kind == FFT_R2R ||
	    !fft_trial_keeps_input(t) || !draw_one_in(8))
		return;
	t->distance[FFT_IN] = draw_one_in(4) ? 0 : 1 + (int)draw_below(6);
	t->axis[t->rank].stride[FFT_IN] = t->distance[FFT_IN];
}

static void fft_draw_embed(struct fft_trial *t, enum fft_side side, const int *padding)
{
	for (int a = 0; a < t->rank; a++) {
		const bool last = a == t->rank - 1, padded = last && fft_draw_is_padded(t, side);
		const int64_t count = padded ? t->axis[a].n / 2 + 1 : fft_trial_count(t, side, a);
		t->embed[side][a] =
			(int)(count + (t->has_embed[side] ? padding[a] : 0)) * (padded ? 2 : 1);
	}
}

static void fft_draw_rows(struct fft_trial *t, enum fft_side side)
{
	int64_t stride = t->stride[side];
	for (int a = t->rank - 1; a >= 0; a--) {
		t->axis[a].stride[side] = stride;
		stride *= t->embed[side][a];
	}
}

/* One transform behind another, or (but for in-place real ones) element by element in turn. */
static void fft_draw_distance(struct fft_trial *t, enum fft_side side, bool in_turn)
{
	const int64_t howmany = t->axis[t->rank].n;
	int64_t rows = t->rank > 0 ? t->axis[0].stride[side] * t->embed[side][0] : 1,
		distance = 1 + fft_draw_padding();
	if (in_turn)
		t->stride[side] = (int)(howmany * distance + 1 + fft_draw_padding());
	else
		distance = rows + fft_draw_padding();
	if (in_turn)
		fft_draw_rows(t, side);
	t->distance[side] = (int)distance;
	t->axis[t->rank].stride[side] = distance;
}

/*
 * What the basic forms say by being silent: everything tight, but for the padding of in-place real
 * rows.
 */
static void fft_draw_many(struct fft_trial *t)
{
	const enum fft_side wide = t->kind == FFT_R2C ? FFT_OUT : FFT_IN,
			    real = wide == FFT_IN ? FFT_OUT : FFT_IN;
	const bool padded = t->in_place && (t->kind == FFT_R2C || t->kind == FFT_C2R),
		   many = t->form == FFT_MANY;
	const bool same_embeds = draw_below(2), in_turn = many && !padded && draw_one_in(3);
	int padding[FFT_TRIAL_RANK];
	for (int side = 0; side < FFT_SIDES; side++) {
		const bool again = side == FFT_OUT && t->in_place;
		for (int a = 0; a < FFT_TRIAL_RANK && !again; a++)
			padding[a] = (int)fft_draw_padding();
		t->has_embed[side] = many && (t->language != FFT_C ||
		                              (again ? t->has_embed[FFT_IN] : same_embeds));
		t->stride[side] = again  ? t->stride[FFT_IN]
		                  : many ? 1 + (int)fft_draw_padding()
		                         : 1;
		fft_draw_embed(t, (enum fft_side)side, padding);
		fft_draw_rows(t, (enum fft_side)side);
		if (many)
			fft_draw_distance(t, (enum fft_side)side, in_turn);
	}
	if (!t->in_place || !many)
		return;
	t->stride[FFT_OUT] = t->stride[FFT_IN];
	if (padded)
		t->distance[real] = 2 * t->distance[wide];
	else
		t->distance[FFT_OUT] = t->distance[FFT_IN];
	for (int side = 0; side < FFT_SIDES; side++) {
		fft_draw_rows(t, (enum fft_side)side);
		t->axis[t->rank].stride[side] = t->distance[side];
	}
}

/* In arrays of their own, or in one as complex numbers lie. */
static void fft_draw_split(struct fft_trial *t)
{
	const int64_t bytes = (int64_t)fft_precisions[t->precision].real_bytes;
	const bool together = draw_one_in(3);
	for (int side = 0; side < FFT_SIDES && t->split; side++) {
		int64_t first, last;
		if (!fft_trial_is_complex(t, (enum fft_side)side))
			continue;
		for (int a = 0; a < t->rank + t->loops && together; a++)
			t->axis[a].stride[side] *= 2;
		fft_trial_range(t, (enum fft_side)side, &first, &last);
		const int64_t apart =
			together ? 1 : last - first + 1 + (side == FFT_IN ? draw_below(4) : 0);
		t->apart_bytes[side] = apart * bytes;
	}
	if (t->split && t->in_place)
		t->apart_bytes[FFT_OUT] = t->apart_bytes[FFT_IN];
}

/*
 * FFTW 3.3.10 (n2fv_*_avx) stores to misaligned addresses, and crashes, where numbers in single
 * precision are taken from neighbours and put at odd distances; not if it is told that nothing is
 * aligned.
 */
static void fft_draw_unaligned(struct fft_trial *t)
{
	for (int a = 0; a < t->rank + t->loops && t->precision == FFT_SINGLE; a++) {
		const int64_t in = t->axis[a].stride[FFT_IN], out = t->axis[a].stride[FFT_OUT];
		if (in * in == 1 && out * out != 1 && out % 2 != 0)
			t->flags |= FFTW_UNALIGNED;
	}
}

static bool fft_draw_fits(const struct fft_trial *t)
{
	for (int side = 0; side < FFT_SIDES; side++) {
		int64_t first, last;
		fft_trial_range(t, (enum fft_side)side, &first, &last);
		if (last - first > FFT_DRAW_SPAN)
			return false;
	}
	return true;
}

void fft_draw_strides(struct fft_trial *t)
{
	fft_draw_gap = 3;
	for (int try = 0; try < FFT_DRAW_TRIES; try++) {
		if (try == FFT_DRAW_TRIES - 1)
			fft_draw_gap = 0;
		if (t->form >= FFT_GURU)
			fft_draw_guru(t);
		else
			fft_draw_many(t);
		if (t->form >= FFT_MANY)
			fft_draw_overlap(t);
		if (fft_draw_fits(t))
			break;
	}
	fft_draw_split(t);
	fft_draw_unaligned(t);
}
