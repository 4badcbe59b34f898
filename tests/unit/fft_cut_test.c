/* fft_cut_test.c - the loop at which a transform is cut, and where cutting is refused */
/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>

#include "policy/call/fft_extent.h"
#include "policy/fft/fft_cut.h"

static double complex_array[64];
static struct fft_problem problem;

/* A transform of `rank` dimensions, then loops; a length of 0 ends the list. out NULL: in place. */
static struct fft_call make(enum family family, int rank, const struct fft_dim *axes, void *out)
{
	problem = (struct fft_problem){.family = family,
	                               .element = ELEMENT_Z,
	                               .rank = rank,
	                               .howmany = 1,
	                               .sign = -1,
	                               .in_place = out == NULL};
	for (int i = 0; i < rank; i++)
		problem.dims[i] = axes[i];
	for (int i = rank; axes[i].n != 0; i++) {
		problem.loop[problem.loops++] = axes[i];
		problem.howmany *= axes[i].n;
	}
	return (struct fft_call){
		.problem = &problem, .in = complex_array, .out = out == NULL ? complex_array : out};
}

#define AXES(...)                                                                                  \
	(const struct fft_dim[])                                                                   \
	{                                                                                          \
		__VA_ARGS__,                                                                       \
		{                                                                                  \
			0, 0, 0                                                                    \
		}                                                                                  \
	}

/* Far enough from the other array for all tests. */
static void *const far_away = (void *)((uintptr_t)1 << 46);

static struct fft_cut cut_of(const struct fft_call *call)
{
	struct fft_cut cut;
	cr_assert(fft_cut_find(call, fft_extent_overlap(call), &cut));
	return cut;
}

Test(fft_cut, the_only_loop)
{
	const struct fft_call call =
		make(FAMILY_FFT_R2C, 1, AXES({1000, 1, 1}, {64, 1000, 501}), far_away);
	const struct fft_cut cut = cut_of(&call);
	struct fft_map map;
	cr_expect(cut.count == 64 && cut.least == 1);
	cr_expect(cut.input_bytes == 8000 && cut.output_bytes == 501 * 16);
	cr_assert(fft_cut_describe(&cut, 10, &map));
	cr_expect(map.shape.batch == 10 && map.input.kind == FFT_LAYOUT_TIGHT &&
	          map.output.kind == FFT_LAYOUT_TIGHT);
	cr_assert(fft_cut_describe(&cut, 64, &map));
	cr_expect_eq(map.shape.batch, 64);
}

Test(fft_cut, nothing_to_cut)
{
	const struct fft_call call =
		make(FAMILY_FFT_C2C, 3, AXES({8, 64, 64}, {8, 8, 8}, {8, 1, 1}), far_away);
	const struct fft_cut cut = cut_of(&call);
	cr_expect(cut.count == 1 && cut.least == 1);
	const struct fft_call empty = make(FAMILY_FFT_C2C, 1, AXES({0, 1, 1}), far_away);
	struct fft_cut none;
	cr_expect_not(fft_cut_find(&empty, false, &none));
}

Test(fft_cut, loops_that_continue_each_other_are_one)
{
	const struct fft_call call =
		make(FAMILY_FFT_C2C, 1,
	             AXES({100, 1, 1}, {4, 500, 500}, {5, 100, 100}, {3, 2000, 2000}), far_away);
	const struct fft_cut cut = cut_of(&call);
	cr_expect_eq(cut.count, 60);
	cr_expect_eq(cut.input_bytes, 1600);
}

/* The middle axis of three: whole planes are cut off. */
Test(fft_cut, the_outermost_loop_goes_first)
{
	const struct fft_call call =
		make(FAMILY_FFT_C2C, 1, AXES({128, 128, 128}, {128, 1, 1}, {100, 16384, 16384}),
	             far_away);
	const struct fft_cut cut = cut_of(&call);
	cr_expect(cut.count == 100 && cut.input_bytes == 16384 * 16);
}

/* Two iterations of the outer loop are too few to overlap anything. */
Test(fft_cut, unless_it_is_short)
{
	const struct fft_call call = make(
		FAMILY_FFT_C2C, 1, AXES({64, 1, 1}, {2, 1 << 20, 64}, {400, 64, 128}), far_away);
	const struct fft_cut cut = cut_of(&call);
	cr_expect_eq(cut.count, 400);
}

/* Interleaved: groups are rows, which must not be short. */
Test(fft_cut, interleaved_transforms_are_cut_into_rows)
{
	const struct fft_call call =
		make(FAMILY_FFT_C2C, 1, AXES({50, 4096, 4096}, {4096, 1, 1}), far_away);
	const struct fft_cut cut = cut_of(&call);
	struct fft_map map;
	cr_expect(cut.count == 4096 && cut.least == 64, "least %ld", (long)cut.least);
	cr_assert(fft_cut_describe(&cut, 128, &map));
	cr_expect_eq(map.input.kind, FFT_LAYOUT_PITCHED);
	cr_expect_eq(map.input.axis[1].n, 128);
}

Test(fft_cut, what_is_gathered_anyway_may_be_cut)
{
	const struct fft_call call =
		make(FAMILY_FFT_C2C, 1, AXES({300, -1, 1}, {40, 300, 300}), far_away);
	cr_expect_eq(cut_of(&call).count, 40);
}

Test(fft_extent, strides_of_either_sign)
{
	struct fft_extent extent;
	const struct fft_call call =
		make(FAMILY_FFT_R2C, 2, AXES({4, -10, 5}, {9, 1, 1}, {3, 100, -40}), far_away);
	cr_assert(fft_extent_find(call.problem, false, FFT_EXTENT_ALL, &extent));
	cr_expect(extent.begin == -30 * 8 && extent.end == (8 + 200 + 1) * 8);
	cr_assert(fft_extent_find(call.problem, true, FFT_EXTENT_ALL, &extent));
	cr_expect(extent.begin == -80 * 16 && extent.end == (15 + 4 + 1) * 16);
	cr_assert(fft_extent_find(call.problem, true, 0, &extent));
	cr_expect(extent.begin == 0 && extent.end == 20 * 16);
	problem.dims[0].n = problem.dims[0].input_stride = INT64_C(1) << 40;
	cr_expect_not(fft_extent_find(call.problem, false, FFT_EXTENT_ALL, &extent));
	cr_expect(fft_extent_overlap(&call), "what cannot be counted may be anywhere");
}

Test(fft_extent, arrays_that_meet)
{
	struct fft_call call = make(FAMILY_FFT_C2C, 1, AXES({8, 1, 1}), NULL);
	cr_expect(fft_extent_overlap(&call));
	call.out = complex_array + 16;
	cr_expect_not(fft_extent_overlap(&call), "one ends where the other begins");
	call.out = complex_array + 15;
	cr_expect(fft_extent_overlap(&call));
}

static int64_t count_in_place(enum family family, int rank, const struct fft_dim *axes)
{
	const struct fft_call call = make(family, rank, axes, NULL);
	return cut_of(&call).count;
}

/* In place, groups may run one by one only if none overwrites the input of a later one. */
Test(fft_cut, in_place)
{
	cr_expect_eq(count_in_place(FAMILY_FFT_C2C, 1, AXES({100, 1, 1}, {30, 100, 100})), 30);
	cr_expect_eq(count_in_place(FAMILY_FFT_C2C, 1, AXES({100, 200, 200}, {200, 1, 1})), 200,
	             "across each other");
	cr_expect_eq(count_in_place(FAMILY_FFT_R2C, 1, AXES({100, 1, 1}, {30, 102, 51})), 30,
	             "padded rows");
	cr_expect_eq(count_in_place(FAMILY_FFT_C2R, 1, AXES({100, 1, 1}, {30, 51, 102})), 30);
	cr_expect_eq(count_in_place(FAMILY_FFT_R2C, 1, AXES({100, 1, 1}, {30, 100, 51})), 1,
	             "rows that move");
	cr_expect_eq(count_in_place(FAMILY_FFT_C2C, 1, AXES({64, 64, 1}, {64, 1, 64})), 1,
	             "a transposition");
	cr_expect_eq(count_in_place(FAMILY_FFT_R2C, 1, AXES({100, 300, 300}, {300, 1, 1})), 1);
	const struct fft_call moved = make(FAMILY_FFT_C2C, 1, AXES({100, 1, 1}, {30, 100, 100}),
	                                   (char *)complex_array + 16);
	cr_expect_eq(cut_of(&moved).count, 1, "arrays that overlap in part");
}
