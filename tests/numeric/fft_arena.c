/* fft_arena.c - the memory of a plan's arrays */
/* SPDX-License-Identifier: Apache-2.0 */
#include "fft_arena.h"

#include <fftw3.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "../driver/c11_complex.h"
#include "draw.h"
#include "fft_value.h"
#include "rerun.h"

enum {
	PAGE_BYTES = 4096,
	SLOT_BYTES = 4 << 20,
	STEP_BYTES = SLOT_BYTES + PAGE_BYTES,
	SLOT_COUNT = FFT_ARRAYS * FFT_SIDES,
	AROUND_BYTES = 512,
	ALIGNMENT_BYTES = 64
};

static size_t fft_arena_slot(enum fft_arrays arrays, enum fft_side side)
{
	return PAGE_BYTES + ((size_t)arrays * FFT_SIDES + side) * STEP_BYTES;
}

static char *fft_arena_open_one(int fence)
{
	char *base = mmap(NULL, SLOT_COUNT * STEP_BYTES + PAGE_BYTES, fence,
	                  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (base == MAP_FAILED) {
		perror("mmap");
		exit(3);
	}
	for (int slot = 0; slot < SLOT_COUNT; slot++)
		if (mprotect(base + PAGE_BYTES + slot * STEP_BYTES, SLOT_BYTES,
		             PROT_READ | PROT_WRITE) != 0) {
			perror("mprotect");
			exit(3);
		}
	return base;
}

static char *fft_arena_allocate(void *(*allocate)(size_t size_bytes))
{
	char *block = allocate((SLOT_COUNT + 1) * STEP_BYTES);
	if (block == NULL) {
		fprintf(stderr, "fftw_malloc has no memory\n");
		exit(3);
	}
	return block + PAGE_BYTES - (uintptr_t)block % PAGE_BYTES;
}

struct fft_arena fft_arena_open(void *(*allocate)(size_t size_bytes))
{
	const int access = PROT_READ | PROT_WRITE;
	return (struct fft_arena){allocate != NULL ? fft_arena_allocate(allocate)
	                                           : fft_arena_open_one(PROT_NONE),
	                          fft_arena_open_one(access), fft_arena_open_one(access)};
}

/* The bytes that an array takes, around the element that the program points to. */
static void fft_arena_find_bytes(const struct fft_trial *t, enum fft_side side, int64_t *begin,
                                 int64_t *end)
{
	const int64_t bytes = (int64_t)fft_trial_element_bytes(t, side),
		      apart = t->apart_bytes[side];
	int64_t first, last;
	fft_trial_range(t, side, &first, &last);
	*begin = first * bytes + (apart < 0 ? apart : 0);
	*end = (last + 1) * bytes + (apart > 0 ? apart : 0);
}

static void fft_arena_place_array(struct fft_trial *t, enum fft_arrays arrays, enum fft_side side)
{
	const size_t slot = fft_arena_slot(arrays, side),
		     real_bytes = fft_precisions[t->precision].real_bytes;
	const bool at_end = draw_one_in(4),
		   any_alignment = arrays == FFT_PLANNED || (t->flags & FFTW_UNALIGNED) != 0;
	const size_t shift = draw_below(2) ? draw_below(8) * real_bytes : 0;
	int64_t begin, end, begin_out, end_out;
	fft_arena_find_bytes(t, side, &begin, &end);
	if (t->in_place) {
		fft_arena_find_bytes(t, FFT_OUT, &begin_out, &end_out);
		begin = begin_out < begin ? begin_out : begin;
		end = end_out > end ? end_out : end;
	}
	size_t start = at_end ? slot + SLOT_BYTES - (size_t)(end - begin)
	                      : slot + AROUND_BYTES + ALIGNMENT_BYTES + shift;
	size_t offset = start + (size_t)-begin;
	if (!any_alignment)
		offset -= (offset - t->offset[FFT_PLANNED][side]) % ALIGNMENT_BYTES;
	if ((size_t)(end - begin) + 2 * AROUND_BYTES + 4 * ALIGNMENT_BYTES > SLOT_BYTES) {
		fprintf(stderr, "an array of %lld bytes is larger than its slot\n",
		        (long long)(end - begin));
		exit(3);
	}
	start = offset - (size_t)-begin;
	t->offset[arrays][side] = offset;
	t->begin[arrays][side] = start - AROUND_BYTES;
	t->end[arrays][side] = start + (size_t)(end - begin) + AROUND_BYTES;
	if (t->end[arrays][side] > slot + SLOT_BYTES)
		t->end[arrays][side] = slot + SLOT_BYTES;
}

void fft_arena_place(struct fft_trial *t)
{
	for (int arrays = 0; arrays < FFT_ARRAYS; arrays++)
		for (int side = 0; side < FFT_SIDES; side++) {
			fft_arena_place_array(t, (enum fft_arrays)arrays, (enum fft_side)side);
			if (t->in_place && side == FFT_OUT)
				t->offset[arrays][FFT_OUT] = t->offset[arrays][FFT_IN];
		}
}

/* Numbers as they lie from the first one on; what is no whole number before it stays as it is. */
static void fft_arena_fill_infinite(const struct fft_trial *t, char *begin, const char *end,
                                    size_t phase)
{
	const size_t bytes = fft_precisions[t->precision].real_bytes;
	for (char *at = begin + phase % bytes; at + bytes <= end; at += bytes)
		fft_value_write(t->precision, at, INFINITY);
}

static void fft_arena_fill_gaps(const struct fft_arena *arena, const struct fft_trial *t)
{
	for (int arrays = 0; arrays < FFT_ARRAYS; arrays++)
		for (int side = 0; side < FFT_SIDES; side++) {
			const size_t begin = t->begin[arrays][side], end = t->end[arrays][side];
			memset(arena->used + begin, t->filler == FFT_FILL_NAN ? 0xff : 0x5a,
			       end - begin);
			if (t->filler == FFT_FILL_INFINITY)
				fft_arena_fill_infinite(t, arena->used + begin, arena->used + end,
				                        t->offset[arrays][side] - begin);
		}
}

static void fft_arena_remember(const struct fft_arena *arena, const struct fft_trial *t)
{
	for (int arrays = 0; arrays < FFT_ARRAYS; arrays++)
		for (int side = 0; side < FFT_SIDES; side++) {
			const size_t begin = t->begin[arrays][side], end = t->end[arrays][side];
			memcpy(arena->before + begin, arena->used + begin, end - begin);
		}
}

void fft_arena_clear(const struct fft_arena *arena, const struct fft_trial *t)
{
	fft_arena_fill_gaps(arena, t);
	fft_arena_remember(arena, t);
}

/* From the first byte of an array to the real and to the imaginary part of an element. */
static int64_t fft_arena_part(const struct fft_trial *t, enum fft_side side, int64_t index,
                              bool imaginary)
{
	const int64_t at = index * (int64_t)fft_trial_element_bytes(t, side);
	if (!imaginary)
		return at;
	return at +
	       (t->split ? t->apart_bytes[side] : (int64_t)fft_precisions[t->precision].real_bytes);
}

long double complex fft_arena_read(const struct fft_trial *t, enum fft_side side,
                                   enum fft_arrays arrays, const char *base, int64_t index)
{
	const char *array = base + t->offset[arrays][side];
	const long double real =
		fft_value_read(t->precision, array + fft_arena_part(t, side, index, false));
	if (!fft_trial_is_complex(t, side))
		return real;
	return CMPLXL(real,
	              fft_value_read(t->precision, array + fft_arena_part(t, side, index, true)));
}

static void fft_arena_write(const struct fft_trial *t, enum fft_arrays arrays, const char *base,
                            int64_t index, long double complex value)
{
	char *array = (char *)(uintptr_t)base + t->offset[arrays][FFT_IN];
	fft_value_write(t->precision, array + fft_arena_part(t, FFT_IN, index, false),
	                creall(value));
	if (fft_trial_is_complex(t, FFT_IN))
		fft_value_write(t->precision, array + fft_arena_part(t, FFT_IN, index, true),
		                cimagl(value));
}

/* Exact in every precision. */
static long double fft_arena_draw_part(void)
{
	return ((int)draw_below(2049) - 1024) / 1024.0L;
}

/* Where the spectrum of real numbers has the conjugate of at, if that is in its half, too. */
static bool fft_arena_mirror(const struct fft_trial *t, const int64_t *at, int64_t *mirror)
{
	for (int a = 0; a < t->rank + t->loops; a++)
		mirror[a] = a < t->rank ? (t->axis[a].n - at[a]) % t->axis[a].n : at[a];
	return t->rank == 0 || mirror[t->rank - 1] < fft_trial_count(t, FFT_IN, t->rank - 1);
}

static void fft_arena_write_spectrum(const struct fft_trial *t, enum fft_arrays arrays,
                                     const char *base, const int64_t *at, long double complex value)
{
	int64_t mirror[FFT_TRIAL_AXES];
	const int64_t index = fft_trial_index(t, FFT_IN, at);
	if (!fft_arena_mirror(t, at, mirror)) {
		fft_arena_write(t, arrays, base, index, value);
		return;
	}
	const int64_t other = fft_trial_index(t, FFT_IN, mirror);
	fft_arena_write(t, arrays, base, other, conjl(value));
	fft_arena_write(t, arrays, base, index, index == other ? creall(value) : value);
}

void fft_arena_fill(const struct fft_arena *arena, const struct fft_trial *t,
                    enum fft_arrays arrays)
{
	int64_t at[FFT_TRIAL_AXES] = {0};
	bool more = fft_trial_howmany(t) > 0;
	fft_arena_fill_gaps(arena, t);
	for (; more; more = fft_trial_step(t, FFT_IN, 0, t->rank + t->loops, at)) {
		const long double real = fft_arena_draw_part();
		const long double complex value = CMPLXL(real, fft_arena_draw_part());
		if (t->kind == FFT_C2R)
			fft_arena_write_spectrum(t, arrays, arena->used, at, value);
		else
			fft_arena_write(t, arrays, arena->used, fft_trial_index(t, FFT_IN, at),
			                value);
	}
	fft_arena_remember(arena, t);
}

void fft_arena_restore(const struct fft_arena *arena, const struct fft_trial *t)
{
	for (int arrays = 0; arrays < FFT_ARRAYS; arrays++)
		for (int side = 0; side < FFT_SIDES; side++) {
			const size_t begin = t->begin[arrays][side];
			rerun_restore(arena->used + begin, arena->before + begin,
			              t->end[arrays][side] - begin);
		}
}

bool fft_arena_is_same(const struct fft_arena *arena, const struct fft_trial *t)
{
	for (int arrays = 0; arrays < FFT_ARRAYS; arrays++)
		for (int side = 0; side < FFT_SIDES; side++) {
			const size_t begin = t->begin[arrays][side];
			if (memcmp(arena->used + begin, arena->before + begin,
			           t->end[arrays][side] - begin) != 0)
				return false;
		}
	return true;
}

static void fft_arena_take(const struct fft_arena *arena, const struct fft_trial *t,
                           enum fft_arrays arrays, enum fft_side side)
{
	const size_t bytes = fft_trial_element_bytes(t, side), offset = t->offset[arrays][side];
	const bool split = t->split && fft_trial_is_complex(t, side);
	int64_t at[FFT_TRIAL_AXES] = {0};
	bool more = fft_trial_howmany(t) > 0;
	for (; more; more = fft_trial_step(t, side, 0, t->rank + t->loops, at)) {
		const int64_t index = fft_trial_index(t, side, at);
		const size_t real = offset + (size_t)fft_arena_part(t, side, index, false);
		const size_t imaginary = offset + (size_t)fft_arena_part(t, side, index, true);
		memcpy(arena->before + real, arena->used + real, bytes);
		if (split)
			memcpy(arena->before + imaginary, arena->used + imaginary, bytes);
	}
}

bool fft_arena_is_clean(const struct fft_arena *arena, const struct fft_trial *t,
                        enum fft_arrays arrays)
{
	fft_arena_take(arena, t, arrays, FFT_OUT);
	if (!fft_trial_keeps_input(t))
		fft_arena_take(arena, t, arrays, FFT_IN);
	return fft_arena_is_same(arena, t);
}
