/* fft_planes_test.c - the planes of c2r inputs: which elements of the device's copy they are */
/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <string.h>

#include "policy/fft/fft_map.h"

enum { MOST = 4096 };

/* Marks what the map says about element z of the last dimension, at each step and batch. */
static void mark_by_map(const struct fft_map *map, int64_t z, unsigned char *marks)
{
	const struct fft_shape *shape = &map->shape;
	const struct fft_embedding *side = &shape->input;
	const int last = shape->rank - 1;
	struct fft_map_place place = {{0}, 0, 0};
	int64_t outer = 1;
	for (int i = 0; i < last; i++)
		outer *= shape->n[i];
	do
		for (int64_t i = 0; i < shape->batch * outer; i++) {
			int64_t rest = i / shape->batch, at[FFT_GPU_RANK] = {0}, row = 0;
			for (int axis = last - 1; axis >= 0; axis--) {
				at[axis] = rest % shape->n[axis];
				rest /= shape->n[axis];
			}
			at[last] = z;
			for (int axis = 0; axis <= last; axis++)
				row = row * (axis == 0 ? 1 : side->embed[axis]) + at[axis];
			marks[place.input_bytes / (int64_t)map->input.element_bytes +
			      row * side->stride + i % shape->batch * side->distance]++;
		}
	while (fft_map_advance(map, &place));
}

static void mark_by_runs(const struct fft_planes *planes, int plane, unsigned char *marks)
{
	for (int64_t run = 0; run < planes->runs; run++)
		for (int64_t i = 0; i < planes->n; i++)
			marks[plane * planes->apart + run * planes->run_step + i * planes->step]++;
}

/* What the transforms of the planes cover. */
static void mark_by_shape(const struct fft_map *map, const struct fft_planes *planes, int plane,
                          unsigned char *marks)
{
	const struct fft_shape *shape = &planes->shape;
	struct fft_map_place place = {{0}, 0, 0};
	do
		for (int64_t i = 0; i < planes->points * shape->batch; i++) {
			const int64_t x = i / shape->batch / (shape->rank == 2 ? shape->n[1] : 1),
				      y = shape->rank == 2 ? i / shape->batch % shape->n[1] : 0,
				      row = shape->rank == 2 ? x * shape->input.embed[1] + y : x;
			marks[place.input_bytes / (int64_t)map->input.element_bytes +
			      plane * planes->apart + row * shape->input.stride +
			      i % shape->batch * shape->input.distance]++;
		}
	while (fft_map_advance(map, &place));
}

static void expect_planes(const struct fft_problem *problem, int64_t pitch_most_bytes)
{
	static unsigned char wanted[MOST], runs[MOST], shape[MOST];
	const int64_t n = problem->dims[problem->rank - 1].n;
	struct fft_map map;
	struct fft_planes planes;
	cr_assert(fft_map_describe(problem, &map), "there is a map");
	cr_assert(map.input.count <= MOST);
	fft_map_find_planes(&map, pitch_most_bytes, &planes);
	cr_expect_eq(planes.count, n % 2 == 0 ? 2 : 1);
	cr_expect(planes.step * (int64_t)map.input.element_bytes <= pitch_most_bytes ||
	          planes.step == 1);
	memset(wanted, 0, sizeof wanted);
	memset(runs, 0, sizeof runs);
	memset(shape, 0, sizeof shape);
	for (int plane = 0; plane < planes.count; plane++) {
		mark_by_map(&map, plane * (n / 2), wanted);
		mark_by_runs(&planes, plane, runs);
		if (planes.points > 1 && (plane == 0 || !planes.joined))
			mark_by_shape(&map, &planes, plane, shape);
	}
	cr_expect_arr_eq(runs, wanted, sizeof runs, "runs of %ld %ld", (long)planes.runs,
	                 (long)planes.n);
	if (planes.points > 1)
		cr_expect_arr_eq(shape, wanted, sizeof shape, "shape of rank %d",
		                 planes.shape.rank);
}

/* Lengths of up to three dimensions and two loops, in several orders of memory. */
static void expect_orders(int rank, const int64_t *length, int loops)
{
	static const int order[][5] = {{0, 1, 2, 3, 4},
	                               {4, 3, 2, 1, 0},
	                               {2, 0, 1, 4, 3},
	                               {3, 4, 0, 1, 2},
	                               {1, 4, 0, 3, 2}};
	for (size_t o = 0; o < sizeof order / sizeof order[0]; o++) {
		struct fft_problem problem = {.family = FAMILY_FFT_C2R,
		                              .element = ELEMENT_Z,
		                              .rank = rank,
		                              .loops = loops,
		                              .howmany = 1,
		                              .sign = 1};
		int64_t input = 1, output = 1;
		for (int i = 0; i < 5; i++) {
			const int axis = order[o][i];
			if (axis >= rank + loops)
				continue;
			struct fft_dim *dim =
				axis < rank ? &problem.dims[axis] : &problem.loop[axis - rank];
			*dim = (struct fft_dim){length[axis], input, output};
			input *= axis == rank - 1 ? length[axis] / 2 + 1 : length[axis];
			output *= length[axis];
			if (axis >= rank)
				problem.howmany *= length[axis];
		}
		expect_planes(&problem, INT32_MAX);
		expect_planes(&problem, 64);
	}
}

Test(fft_planes, cover_the_first_and_the_middle_element)
{
	expect_orders(1, (const int64_t[]){8}, 0);
	expect_orders(1, (const int64_t[]){9, 5}, 1);
	expect_orders(1, (const int64_t[]){1, 5}, 1);
	expect_orders(1, (const int64_t[]){6, 5, 4}, 2);
	expect_orders(2, (const int64_t[]){4, 6}, 0);
	expect_orders(2, (const int64_t[]){4, 7, 3}, 1);
	expect_orders(2, (const int64_t[]){4, 1, 3}, 1);
	expect_orders(2, (const int64_t[]){3, 6, 4, 5}, 2);
	expect_orders(3, (const int64_t[]){3, 4, 6}, 0);
	expect_orders(3, (const int64_t[]){3, 4, 5, 2, 3}, 2);
}

Test(fft_planes, other_families_have_none)
{
	const struct fft_problem problem = {.family = FAMILY_FFT_R2C,
	                                    .element = ELEMENT_C,
	                                    .rank = 1,
	                                    .dims = {{8, 1, 1}},
	                                    .howmany = 1,
	                                    .sign = -1};
	struct fft_map map;
	struct fft_planes planes;
	cr_assert(fft_map_describe(&problem, &map));
	fft_map_find_planes(&map, INT32_MAX, &planes);
	cr_expect_eq(planes.count, 0);
	cr_expect_eq(planes.points, 1);
	cr_expect_eq(fft_map_count_operations(&problem), 0);
}
