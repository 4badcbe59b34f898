/* fft_map_test.c - transforms as cuFFT's arguments, and their elements' places on the device */
/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>

#include "policy/fft/fft_map.h"

/* Rank 3 at most; the loops follow the dimensions. A length of 0 ends the list. */
static struct fft_problem make(enum family family, int rank, const struct fft_dim *axes)
{
	struct fft_problem problem = {
		.family = family, .element = ELEMENT_Z, .rank = rank, .howmany = 1, .sign = -1};
	for (int i = 0; i < rank; i++)
		problem.dims[i] = axes[i];
	for (int i = rank; axes[i].n != 0; i++) {
		problem.loop[problem.loops++] = axes[i];
		problem.howmany *= axes[i].n;
	}
	return problem;
}

#define MAKE(family, rank, ...)                                                                    \
	make(FAMILY_FFT_##family, (rank), (const struct fft_dim[]){__VA_ARGS__, {0, 0, 0}})

static struct fft_map map_of(const struct fft_problem *problem)
{
	struct fft_map map;
	cr_assert(fft_map_describe(problem, &map), "there is a map");
	return map;
}

static void expect_side(const struct fft_embedding *side, int64_t embed1, int64_t embed2,
                        int64_t stride, int64_t distance)
{
	cr_expect_eq(side->embed[1], embed1, "embed[1] %ld", (long)side->embed[1]);
	cr_expect_eq(side->embed[2], embed2, "embed[2] %ld", (long)side->embed[2]);
	cr_expect_eq(side->stride, stride, "stride %ld", (long)side->stride);
	cr_expect_eq(side->distance, distance, "distance %ld", (long)side->distance);
}

Test(fft_map, tight_arrays_are_one_run_each)
{
	const struct fft_problem problem = MAKE(C2C, 2, {6, 5, 5}, {5, 1, 1}, {7, 30, 30});
	const struct fft_map map = map_of(&problem);
	cr_expect_eq(map.input.kind, FFT_LAYOUT_TIGHT);
	cr_expect_eq(map.output.kind, FFT_LAYOUT_TIGHT);
	cr_expect_eq(map.shape.batch, 7);
	cr_expect(map.in_place && map.steps == 0);
	expect_side(&map.shape.input, 5, 0, 1, 30);
}

/* stride = howmany, distance = 1: the array is copied unchanged, and cuFFT gets the stride. */
Test(fft_map, interleaved_transforms_travel_as_they_lie)
{
	const struct fft_problem problem = MAKE(C2C, 1, {64, 9, 1}, {9, 1, 64});
	const struct fft_map map = map_of(&problem);
	cr_expect_eq(map.input.kind, FFT_LAYOUT_TIGHT);
	cr_expect_eq(map.output.kind, FFT_LAYOUT_TIGHT);
	expect_side(&map.shape.input, 0, 0, 9, 1);
	expect_side(&map.shape.output, 0, 0, 1, 64);
	cr_expect_not(map.in_place, "each side has strides of its own");
}

Test(fft_map, dimensions_go_by_their_strides)
{
	const struct fft_problem problem = MAKE(C2C, 3, {4, 1, 1}, {5, 4, 4}, {6, 20, 20});
	const struct fft_map map = map_of(&problem);
	cr_expect_eq(map.input.kind, FFT_LAYOUT_TIGHT);
	cr_expect(map.shape.n[0] == 6 && map.shape.n[1] == 5 && map.shape.n[2] == 4);
	cr_expect(map.in_place);
	expect_side(&map.shape.input, 5, 4, 1, 120);
}

/*
 * The halved dimension stays the last one. Column-major input of r2c cannot be described to cuFFT,
 * nor such an output of c2r.
 */
Test(fft_map, real_transforms_keep_their_last_dimension)
{
	const struct fft_problem free_order = MAKE(R2C, 3, {4, 6, 4}, {5, 24, 16}, {6, 1, 1});
	struct fft_map map = map_of(&free_order);
	cr_expect(map.shape.n[0] == 5 && map.shape.n[1] == 4 && map.shape.n[2] == 6);
	cr_expect(map.input.kind == FFT_LAYOUT_TIGHT && map.output.kind == FFT_LAYOUT_TIGHT);
	expect_side(&map.shape.output, 4, 4, 1, 80);
	const struct fft_problem columns = MAKE(R2C, 2, {4, 1, 4}, {6, 4, 1});
	map = map_of(&columns);
	cr_expect_eq(map.input.kind, FFT_LAYOUT_SCATTERED);
	cr_expect_eq(map.output.kind, FFT_LAYOUT_TIGHT);
	expect_side(&map.shape.input, 6, 0, 1, 24);
}

Test(fft_map, a_transposition_is_done_by_the_side_that_does_not_follow)
{
	const struct fft_problem problem = MAKE(C2C, 2, {8, 10, 1}, {10, 1, 8});
	const struct fft_map map = map_of(&problem);
	cr_expect_eq(map.input.kind, FFT_LAYOUT_TIGHT);
	cr_expect_eq(map.output.kind, FFT_LAYOUT_SCATTERED);
	cr_expect(map.in_place, "on the device both sides lie alike");
}

Test(fft_map, gaps_never_travel)
{
	const struct fft_problem padded = MAKE(R2C, 2, {8, 12, 6}, {10, 1, 1});
	struct fft_map map = map_of(&padded);
	cr_expect_eq(map.input.kind, FFT_LAYOUT_PITCHED);
	cr_expect_eq(map.output.kind, FFT_LAYOUT_TIGHT);
	cr_expect_eq(fft_layout_size_bytes(&map.input), 8 * 10 * 8);
	const struct fft_problem strided = MAKE(C2C, 1, {8, 2, 1});
	map = map_of(&strided);
	cr_expect_eq(map.input.kind, FFT_LAYOUT_SCATTERED);
	expect_side(&map.shape.input, 0, 0, 1, 8);
	/*
	 * Columns of a matrix with a gap below: whole columns are gathered, and cuFFT's stride
	 * crosses them.
	 */
	const struct fft_problem columns = MAKE(C2C, 1, {8, 40, 1}, {32, 1, 8});
	map = map_of(&columns);
	cr_expect_eq(map.input.kind, FFT_LAYOUT_PITCHED);
	expect_side(&map.shape.input, 0, 0, 32, 1);
}

Test(fft_map, loops_that_continue_each_other_are_one)
{
	const struct fft_problem problem =
		MAKE(C2C, 1, {4, 1, 1}, {5, 12, 12}, {3, 4, 4}, {2, 60, 60});
	const struct fft_map map = map_of(&problem);
	cr_expect_eq(map.shape.batch, 30);
	cr_expect_eq(map.steps, 0);
	cr_expect_eq(map.input.kind, FFT_LAYOUT_TIGHT);
	expect_side(&map.shape.input, 0, 0, 1, 4);
}

/* The middle axis of three: executed once per outer iteration where that pays, else gathered. */
Test(fft_map, a_loop_too_many_becomes_steps_or_is_gathered)
{
	const struct fft_problem large =
		MAKE(C2C, 1, {64, 128, 128}, {10, 8192, 8192}, {128, 1, 1});
	struct fft_map map = map_of(&large);
	cr_expect_eq(map.input.kind, FFT_LAYOUT_TIGHT);
	cr_expect(map.steps == 1 && map.step[0].n == 10 && map.step[0].input_bytes == 8192 * 16);
	cr_expect_eq(map.step[0].output_bytes, 8192 * 16);
	cr_expect_eq(map.shape.batch, 128);
	cr_expect(map.in_place);
	expect_side(&map.shape.input, 0, 0, 128, 1);
	const struct fft_problem small = MAKE(C2C, 1, {6, 8, 8}, {10, 48, 48}, {8, 1, 1});
	map = map_of(&small);
	cr_expect_eq(map.steps, 0);
	cr_expect_eq(map.input.kind, FFT_LAYOUT_SCATTERED);
	cr_expect_eq(map.shape.batch, 80);
	/* If the loops of the output continue each other, that side need not be scattered. */
	const struct fft_problem half = MAKE(C2C, 1, {6, 8, 1}, {10, 48, 48}, {8, 1, 6});
	map = map_of(&half);
	cr_expect(map.input.kind == FFT_LAYOUT_SCATTERED && map.output.kind == FFT_LAYOUT_TIGHT);
	cr_expect_eq(map.steps, 0);
}

/* cuFFT faults on real data that is not aligned to a complex element. */
Test(fft_map, steps_keep_real_data_aligned)
{
	const struct fft_problem odd =
		MAKE(R2C, 1, {95, 133, 133}, {3, 95 * 133, 48 * 133}, {133, 1, 1});
	const struct fft_map map = map_of(&odd);
	cr_expect_eq(map.steps, 0);
	cr_expect_eq(map.input.kind, FFT_LAYOUT_SCATTERED);
	const struct fft_problem even =
		MAKE(R2C, 1, {96, 133, 133}, {3, 96 * 133, 49 * 133}, {133, 1, 1});
	const struct fft_map stepped = map_of(&even);
	cr_expect(stepped.steps == 1 && stepped.step[0].input_bytes == 96 * 133 * 8);
	cr_expect_eq(stepped.step[0].output_bytes, 49 * 133 * 16);
}

Test(fft_map, negative_strides_are_gathered)
{
	const struct fft_problem problem = MAKE(C2C, 1, {8, -1, 1}, {4, 8, 8});
	const struct fft_map map = map_of(&problem);
	cr_expect_eq(map.input.kind, FFT_LAYOUT_SCATTERED);
	cr_expect_eq(map.output.kind, FFT_LAYOUT_TIGHT);
	expect_side(&map.shape.input, 0, 0, 1, 8);
}

/* Overlapping windows, as of a spectrogram: no copy of rows with a pitch can make them. */
Test(fft_map, overlapping_windows_are_gathered)
{
	const struct fft_problem problem = MAKE(R2C, 1, {8, 1, 1}, {5, 3, 5});
	const struct fft_map map = map_of(&problem);
	double program[20], tight[40];
	for (int i = 0; i < 20; i++)
		program[i] = i;
	cr_expect_eq(map.input.kind, FFT_LAYOUT_SCATTERED);
	fft_layout_gather(&map.input, tight, program);
	for (int i = 0; i < 40; i++)
		cr_expect_eq(tight[i], i / 8 * 3 + i % 8);
	expect_side(&map.shape.input, 0, 0, 1, 8);
}

/* One input for several outputs: the whole input is repeated. */
Test(fft_map, a_stride_of_zero_repeats_the_input)
{
	const struct fft_problem problem = MAKE(C2C, 1, {4, 1, 1}, {3, 0, 4});
	const struct fft_map map = map_of(&problem);
	const double program[8] = {1, 2, 3, 4, 5, 6, 7, 8};
	double tight[24];
	fft_layout_gather(&map.input, tight, program);
	for (int i = 0; i < 24; i++)
		cr_expect_eq(tight[i], program[i % 8]);
	cr_expect(map.in_place);
}

Test(fft_map, lengths_of_one_do_not_count)
{
	const struct fft_problem problem =
		MAKE(C2C, 3, {1, 999, -5}, {8, 1, 1}, {1, 0, 77}, {1, -3, 12}, {4, 8, 8});
	struct fft_map map = map_of(&problem);
	cr_expect(map.shape.rank == 1 && map.shape.n[0] == 8 && map.shape.batch == 4 &&
	          map.in_place);
	const struct fft_problem real = MAKE(R2C, 2, {8, 1, 1}, {1, 50, 60});
	map = map_of(&real);
	cr_expect(map.shape.rank == 2 && map.shape.n[0] == 8 && map.shape.n[1] == 1,
	          "the halved one stays");
	expect_side(&map.shape.input, 1, 0, 1, 8);
	const struct fft_problem point = MAKE(C2C, 2, {1, 1, 1}, {1, 1, 1});
	map = map_of(&point);
	cr_expect(map.shape.rank == 1 && map.shape.n[0] == 1);
}

Test(fft_map, shapes_are_shared_by_what_the_copies_take_care_of)
{
	const struct fft_problem tight = MAKE(C2C, 1, {32, 1, 1}, {3, 32, 32});
	const struct fft_problem padded = MAKE(C2C, 1, {32, 1, 1}, {3, 40, 36});
	const struct fft_problem strided = MAKE(C2C, 1, {32, 3, 1}, {3, 1, 32});
	const struct fft_map a = map_of(&tight), b = map_of(&padded), c = map_of(&strided);
	cr_expect(fft_map_shapes_equal(&a.shape, &b.shape));
	cr_expect_not(fft_map_shapes_equal(&a.shape, &c.shape));
}

Test(fft_map, strides_beyond_32_bits)
{
	const int64_t far = INT64_C(1) << 33;
	const struct fft_problem problem = MAKE(C2C, 1, {8, far, 1}, {4, 1, 8});
	const struct fft_map map = map_of(&problem);
	cr_expect_eq(map.input.kind, FFT_LAYOUT_PITCHED);
	cr_expect_eq(map.input.axis[0].stride_bytes, far * 16);
	const struct fft_problem large =
		MAKE(C2C, 2, {far, 4, 4}, {4, 1, 1}, {3, 4 * far, 4 * far});
	const struct fft_map tight = map_of(&large);
	cr_expect_eq(tight.input.kind, FFT_LAYOUT_TIGHT);
	expect_side(&tight.shape.input, 4, 0, 1, 4 * far);
}

Test(fft_map, what_cannot_be_counted_is_refused)
{
	const int64_t huge = INT64_C(1) << 31;
	const struct fft_problem wrong[] = {
		MAKE(C2C, 1, {0, 1, 1}),
		MAKE(C2C, 1, {-4, 1, 1}),
		MAKE(C2C, 1, {4, 1, 1}, {-1, 4, 4}),
		MAKE(C2C, 2, {huge, huge, huge}, {huge, 1, 1}),
		MAKE(C2C, 2, {huge << 2, 4, 4}, {4, 1, 1}, {huge, 1, 1}),
		MAKE(C2C, 1, {4, INT64_MAX / 8, 1}),
		MAKE(C2C, 1, {INT64_MAX, 1, 1}),
	};
	struct fft_map map;
	for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
		cr_expect_not(fft_map_describe(&wrong[i], &map), "case %zu", i);
	struct fft_problem bounds = MAKE(C2C, 1, {4, 1, 1});
	bounds.rank = FFT_GPU_RANK + 1;
	cr_expect_not(fft_map_describe(&bounds, &map));
	bounds.rank = 0;
	cr_expect_not(fft_map_describe(&bounds, &map));
	bounds.rank = 1;
	bounds.loops = FFT_LOOPS_MAX + 1;
	cr_expect_not(fft_map_describe(&bounds, &map));
}

/* Eight loops in a mixed order, with a gap in each: every element arrives where cuFFT reads it. */
Test(fft_map, eight_loops_gather_and_scatter)
{
	struct fft_problem problem = MAKE(C2C, 1, {3, 2, 1});
	int64_t in = 7, out = 3;
	for (int i = 0; i < FFT_LOOPS_MAX; i++, in *= 3, out *= 2)
		problem.loop[(i * 3) % FFT_LOOPS_MAX] = (struct fft_dim){2, in, out};
	problem.loops = FFT_LOOPS_MAX;
	const struct fft_map map = map_of(&problem);
	static double program[2 * 7 * 6561], tight[2 * 3 * 256], back[2 * 7 * 6561];
	for (size_t i = 0; i < sizeof program / sizeof program[0]; i++)
		program[i] = (double)i;
	fft_layout_gather(&map.input, tight, program);
	fft_layout_scatter(&map.input, back, tight);
	cr_expect_eq(map.input.count, 3 * 256);
	for (int k = 0; k < 3; k++)
		cr_expect_eq(tight[2 * k], program[2 * 2 * k], "element %d of the first transform",
		             k);
	size_t written = 0;
	for (size_t i = 0; i < sizeof program / sizeof program[0]; i++) {
		cr_expect(back[i] == program[i] || back[i] == 0);
		written += back[i] != 0;
	}
	cr_expect_eq(written, 2 * 3 * 256 - 1, "all elements, and nothing else: %zu", written);
}
