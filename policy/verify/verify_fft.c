/* verify_fft.c - whether two results of an FFTW plan differ by more than rounding can explain */
/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/verify/verify_fft.h"

#include <string.h>

enum { FFT_AXES = FFT_RANK_MAX + FFT_LOOPS_MAX, FFT_ROUNDINGS = 16, FFT_REACH = 16 };

/* A walk over some axes of one side, from the first element to the last; offset is in elements. */
struct verify_walk {
	int count;
	int64_t n[FFT_AXES], stride[FFT_AXES], at[FFT_AXES];
	int64_t offset;
};

/* One side of a plan. real: its elements are real numbers. */
struct verify_side {
	const struct fft_problem *problem;
	bool output, real;
};

static struct verify_side verify_fft_find_side(const struct fft_problem *problem, bool output)
{
	const enum family real = output ? FAMILY_FFT_C2R : FAMILY_FFT_R2C;
	return (struct verify_side){problem, output, problem->family == real};
}

static uint64_t verify_fft_element_bytes(const struct verify_side *side)
{
	return element_size_bytes(side->problem->element) / (side->real ? 2 : 1);
}

static void verify_fft_add_axis(struct verify_walk *walk, const struct verify_side *side,
                                const struct fft_dim *dim, int64_t n)
{
	walk->n[walk->count] = n;
	walk->stride[walk->count++] = side->output ? dim->output_stride : dim->input_stride;
}

static void verify_fft_add_dims(struct verify_walk *walk, const struct verify_side *side)
{
	const struct fft_problem *problem = side->problem;
	const bool halved = problem->family != FAMILY_FFT_C2C && !side->real;
	for (int d = 0; d < problem->rank; d++) {
		const int64_t n = problem->dims[d].n;
		verify_fft_add_axis(walk, side, &problem->dims[d],
		                    halved && d == problem->rank - 1 ? n / 2 + 1 : n);
	}
}

static void verify_fft_add_loops(struct verify_walk *walk, const struct verify_side *side)
{
	for (int l = 0; l < side->problem->loops; l++)
		verify_fft_add_axis(walk, side, &side->problem->loop[l], side->problem->loop[l].n);
}

/* Moves to the next element; the last axis is the fastest. false after the last element. */
static bool verify_fft_step(struct verify_walk *walk)
{
	for (int axis = walk->count - 1; axis >= 0; axis--) {
		walk->offset += walk->stride[axis];
		if (++walk->at[axis] < walk->n[axis])
			return true;
		walk->offset -= walk->at[axis] * walk->stride[axis];
		walk->at[axis] = 0;
	}
	return false;
}

static int64_t verify_fft_find_distance(int64_t stride)
{
	return stride < 0 ? -stride : stride;
}

/* Exchanges the last axis and the one with the nearest elements. */
static void verify_fft_turn(struct verify_walk *walk)
{
	int nearest = 0;
	for (int axis = 1; axis < walk->count; axis++)
		if (walk->n[axis] > 1 && (walk->n[nearest] == 1 ||
		                          verify_fft_find_distance(walk->stride[axis]) <=
		                                  verify_fft_find_distance(walk->stride[nearest])))
			nearest = axis;
	const int last = walk->count - 1;
	const int64_t n = walk->n[nearest], stride = walk->stride[nearest];
	walk->n[nearest] = walk->n[last];
	walk->stride[nearest] = walk->stride[last];
	walk->n[last] = n;
	walk->stride[last] = stride;
}

void verify_fft_copy_side(const struct fft_problem *problem, bool output, void *to,
                          const void *from)
{
	const struct verify_side side = verify_fft_find_side(problem, output);
	const int64_t bytes = (int64_t)verify_fft_element_bytes(&side);
	struct verify_walk walk = {.count = 0};
	verify_fft_add_loops(&walk, &side);
	verify_fft_add_dims(&walk, &side);
	verify_fft_turn(&walk);
	const int64_t run = walk.stride[walk.count - 1] == 1 ? walk.n[walk.count - 1] : 1;
	if (run > 1)
		walk.count--;
	do
		memcpy((char *)to + walk.offset * bytes, (const char *)from + walk.offset * bytes,
		       (size_t)(run * bytes));
	while (verify_fft_step(&walk));
}

/* log2 of the number of points, rounded up, plus one. */
static double verify_fft_count_levels(const struct fft_problem *problem, double *points)
{
	double levels = 1, reached = 1;
	*points = 1;
	for (int d = 0; d < problem->rank; d++)
		*points *= (double)problem->dims[d].n;
	while (reached < *points) {
		reached *= 2;
		levels++;
	}
	return levels;
}

/* Compares the results of one transform. */
static void verify_fft_compare_transform(const struct verify_side *side, const char *gpu,
                                         const char *cpu, struct verify_gap *gap)
{
	const int64_t bytes = (int64_t)verify_fft_element_bytes(side);
	struct verify_walk walk = {.count = 0};
	verify_fft_add_dims(&walk, side);
	do
		verify_norm_add_pair(gap, side->problem->element, side->real,
		                     gpu + walk.offset * bytes, cpu + walk.offset * bytes);
	while (verify_fft_step(&walk));
}

static long double verify_fft_measure_input(const struct verify_side *side, const char *in)
{
	struct verify_walk walk = {.count = 0};
	struct verify_norm norm = {.spoilt = false};
	verify_fft_add_dims(&walk, side);
	do
		for (int part = 0; part < (side->real ? 1 : 2); part++)
			verify_norm_add_value(
				&norm, verify_norm_read(side->problem->element, in,
			                                walk.offset * (side->real ? 1 : 2) + part));
	while (verify_fft_step(&walk));
	return verify_norm_find(&norm);
}

static struct verify_verdict verify_fft_judge_transform(const struct fft_problem *problem,
                                                        const struct verify_gap *gap,
                                                        long double input)
{
	const struct verify_range range = verify_norm_find_range(problem->element);
	double points;
	const double levels = verify_fft_count_levels(problem, &points);
	const long double gpu = verify_norm_find(&gap->gpu), cpu = verify_norm_find(&gap->cpu);
	const long double root = __builtin_sqrt(points),
			  shared = root * (long double)__builtin_sqrt(2) * input;
	long double size = cpu > shared ? cpu : shared;
	if (gap->gpu.spoilt || gap->cpu.spoilt) {
		size = gpu > size ? gpu : size;
		if (gap->gpu.spoilt == gap->cpu.spoilt || size * FFT_REACH >= range.largest)
			return verify_norm_weigh(0, 0);
		return verify_norm_reject();
	}
	return verify_norm_weigh(verify_norm_find(&gap->apart),
	                         2 * FFT_ROUNDINGS * levels *
	                                 (range.roundoff * size + range.least * points));
}

void verify_fft_judge(const struct fft_problem *problem, const void *in, const void *gpu,
                      const void *cpu, struct verify_verdict *verdict)
{
	const struct verify_side from = verify_fft_find_side(problem, false),
				 to = verify_fft_find_side(problem, true);
	const int64_t in_bytes = (int64_t)verify_fft_element_bytes(&from),
		      out_bytes = (int64_t)verify_fft_element_bytes(&to);
	struct verify_walk input = {.count = 0}, output = {.count = 0};
	verify_fft_add_loops(&input, &from);
	verify_fft_add_loops(&output, &to);
	*verdict = verify_norm_weigh(0, 1);
	do {
		struct verify_gap gap = {.gpu_alone = false};
		const int64_t at = output.offset * out_bytes;
		verify_fft_compare_transform(&to, (const char *)gpu + at, (const char *)cpu + at,
		                             &gap);
		const long double size =
			problem->family == FAMILY_FFT_C2R
				? verify_fft_measure_input(&from, (const char *)in +
		                                                          input.offset * in_bytes)
				: 0;
		const struct verify_verdict one = verify_fft_judge_transform(problem, &gap, size);
		if (verify_norm_is_worse(&one, verdict))
			*verdict = one;
		verify_fft_step(&input);
	} while (verify_fft_step(&output));
}
