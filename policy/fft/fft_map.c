/* fft_map.c - orders dimensions and loops as host memory has them where cuFFT can follow */
/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/fft/fft_map.h"

#include <string.h>

enum { FFT_MAP_INPUT, FFT_MAP_OUTPUT, FFT_MAP_SIDES, FFT_MAP_AXES = FFT_LAYOUT_AXES };

/*
 * A dimension or a loop: its length, its stride in host memory, and its stride (place) on the
 * device, in elements of each side.
 */
struct fft_map_axis {
	int64_t n[FFT_MAP_SIDES], stride[FFT_MAP_SIDES], place[FFT_MAP_SIDES];
};

/*
 * A map in the making. axis[]: loops, then dimensions in the order for cuFFT; all are longer than 1
 * except perhaps the last. lies: the side keeps the order of host memory, otherwise it has that of
 * axis[].
 */
struct fft_map_draft {
	enum family family;
	int loops, axes;
	struct fft_map_axis axis[FFT_MAP_AXES];
	bool lies[FFT_MAP_SIDES];
};

static bool fft_map_is_real(enum family family, int side)
{
	return family == (side == FFT_MAP_INPUT ? FAMILY_FFT_R2C : FAMILY_FFT_C2R);
}

/* The complex side of a real transform holds n / 2 + 1 elements of the last dimension. */
static int64_t fft_map_count_elements(enum family family, int side, int64_t n, bool last)
{
	return last && family != FAMILY_FFT_C2C && !fft_map_is_real(family, side) ? n / 2 + 1 : n;
}

/*
 * The sort key: the distance between neighbours. An input that is read repeatedly (stride 0) sorts
 * as the farthest.
 */
static uint64_t fft_map_reach(int64_t stride)
{
	return (stride < 0 ? -(uint64_t)stride : (uint64_t)stride) - 1;
}

/* Sorts the farthest first; equal distances keep their order. */
static void fft_map_sort(struct fft_map_axis *axis, int count, int side)
{
	for (int i = 1; i < count; i++) {
		const struct fft_map_axis moved = axis[i];
		int at = i;
		for (; at > 0 &&
		       fft_map_reach(axis[at - 1].stride[side]) < fft_map_reach(moved.stride[side]);
		     at--)
			axis[at] = axis[at - 1];
		axis[at] = moved;
	}
}

static void fft_map_add_axis(struct fft_map_draft *draft, const struct fft_dim *dim, bool last)
{
	struct fft_map_axis *axis = &draft->axis[draft->axes++];
	for (int side = 0; side < FFT_MAP_SIDES; side++)
		axis->n[side] = fft_map_count_elements(draft->family, side, dim->n, last);
	axis->stride[FFT_MAP_INPUT] = dim->input_stride;
	axis->stride[FFT_MAP_OUTPUT] = dim->output_stride;
}

/*
 * Axes of length 1 are left out, except that a real transform needs its last dimension, and any
 * transform needs one.
 */
static bool fft_map_read(const struct fft_problem *problem, struct fft_map_draft *draft)
{
	const bool real = problem->family != FAMILY_FFT_C2C;
	draft->family = problem->family;
	if (problem->rank < 1 || problem->rank > FFT_GPU_RANK || problem->loops < 0 ||
	    problem->loops > FFT_LOOPS_MAX)
		return false;
	for (int i = 0; i < problem->loops; i++) {
		if (problem->loop[i].n < 1)
			return false;
		if (problem->loop[i].n > 1)
			fft_map_add_axis(draft, &problem->loop[i], false);
	}
	draft->loops = draft->axes;
	for (int i = 0; i < problem->rank; i++) {
		const bool last = i == problem->rank - 1;
		if (problem->dims[i].n < 1)
			return false;
		if (problem->dims[i].n > 1 || (last && (real || draft->axes == draft->loops)))
			fft_map_add_axis(draft, &problem->dims[i], last);
	}
	/* The order of dimensions is free, except for the one that a real transform halves. */
	fft_map_sort(&draft->axis[draft->loops], draft->axes - draft->loops - real, FFT_MAP_INPUT);
	return true;
}

/*
 * Whether cuFFT can use the side in its own order: the stride of each dimension is a multiple of
 * the next one.
 */
static bool fft_map_may_lie(const struct fft_map_draft *draft, int side)
{
	for (int i = draft->loops; i < draft->axes - 1; i++) {
		const struct fft_map_axis *axis = &draft->axis[i];
		if (axis[1].n[side] > 1 &&
		    fft_map_reach(axis[0].stride[side]) < fft_map_reach(axis[1].stride[side]))
			return false;
	}
	return true;
}

/* Gives the axes of a side their places on the device, the last axis innermost. */
static bool fft_map_place_side(struct fft_map_draft *draft, int side, struct fft_layout *layout)
{
	struct fft_map_axis sorted[FFT_MAP_AXES];
	int64_t place = 1;
	memcpy(sorted, draft->axis, sizeof sorted);
	for (int i = 0; i < draft->axes; i++)
		/* the index of the axis, which the sorting moves along */
		sorted[i].place[side] = i;
	if (draft->lies[side])
		fft_map_sort(sorted, draft->axes, side);
	for (int i = 0; i < draft->axes; i++)
		if (!fft_layout_add_axis(layout, sorted[i].n[side], sorted[i].stride[side]))
			return false;
	if (!fft_layout_end(layout))
		return false;
	for (int i = draft->axes - 1; i >= 0; i--) {
		const int64_t n = sorted[i].n[side];
		draft->axis[sorted[i].place[side]].place[side] = n == 1 ? 1 : place;
		place *= n;
	}
	return true;
}

/* Merges loops that continue each other on the device on both sides. */
static void fft_map_merge_loops(struct fft_map_draft *draft)
{
	int kept = 0;
	for (int i = 1; i < draft->loops; i++) {
		struct fft_map_axis *outer = &draft->axis[kept], *inner = &draft->axis[i];
		bool merged = true;
		for (int side = 0; side < FFT_MAP_SIDES; side++)
			merged =
				merged && outer->place[side] == inner->n[side] * inner->place[side];
		if (!merged) {
			draft->axis[++kept] = *inner;
			continue;
		}
		for (int side = 0; side < FFT_MAP_SIDES; side++) {
			outer->n[side] *= inner->n[side];
			outer->place[side] = inner->place[side];
		}
	}
	if (draft->loops == 0)
		return;
	memmove(&draft->axis[kept + 1], &draft->axis[draft->loops],
	        (size_t)(draft->axes - draft->loops) * sizeof draft->axis[0]);
	draft->axes -= draft->loops - kept - 1;
	draft->loops = kept + 1;
}

static struct fft_embedding fft_map_embed(const struct fft_map_draft *draft, int side,
                                          const struct fft_map_axis *batch)
{
	const struct fft_map_axis *dim = &draft->axis[draft->loops];
	const int rank = draft->axes - draft->loops;
	struct fft_embedding embedding = {.embed = {dim[0].n[side]},
	                                  .stride = dim[rank - 1].place[side]};
	for (int i = 1; i < rank; i++)
		embedding.embed[i] = dim[i - 1].place[side] / dim[i].place[side];
	embedding.distance =
		batch == NULL ? dim[0].n[side] * dim[0].place[side] : batch->place[side];
	return embedding;
}

static void fft_map_fill_shape(const struct fft_map_draft *draft, const struct fft_map_axis *batch,
                               struct fft_map *map)
{
	struct fft_shape *shape = &map->shape;
	const int longer = draft->family == FAMILY_FFT_C2R ? FFT_MAP_OUTPUT : FFT_MAP_INPUT;
	shape->rank = draft->axes - draft->loops;
	for (int i = 0; i < shape->rank; i++)
		shape->n[i] = draft->axis[draft->loops + i].n[longer];
	shape->batch = batch == NULL ? 1 : batch->n[FFT_MAP_INPUT];
	shape->input = fft_map_embed(draft, FFT_MAP_INPUT, batch);
	shape->output = fft_map_embed(draft, FFT_MAP_OUTPUT, batch);
}

/* The longest loop becomes the batch of cuFFT; the others become steps. */
static const struct fft_map_axis *fft_map_take_batch(const struct fft_map_draft *draft,
                                                     struct fft_map *map)
{
	const struct fft_map_axis *batch = NULL;
	for (int i = 0; i < draft->loops; i++)
		if (batch == NULL || draft->axis[i].n[FFT_MAP_INPUT] > batch->n[FFT_MAP_INPUT])
			batch = &draft->axis[i];
	map->steps = 0;
	for (const struct fft_map_axis *loop = draft->axis; loop < draft->axis + draft->loops;
	     loop++)
		if (loop != batch)
			map->step[map->steps++] = (struct fft_step){
				loop->n[FFT_MAP_INPUT],
				loop->place[FFT_MAP_INPUT] * (int64_t)map->input.element_bytes,
				loop->place[FFT_MAP_OUTPUT] * (int64_t)map->output.element_bytes};
	return batch;
}

/*
 * cuFFT needs the real side aligned as a complex element too. Many small executions are not worth
 * it.
 */
static bool fft_map_may_step(const struct fft_map *map, int64_t complex_bytes)
{
	uint64_t launch_bytes = fft_layout_size_bytes(&map->input);
	for (int i = 0; i < map->steps; i++) {
		const struct fft_step *step = &map->step[i];
		launch_bytes /= (uint64_t)step->n;
		if (step->input_bytes % complex_bytes != 0 ||
		    step->output_bytes % complex_bytes != 0)
			return false;
	}
	return map->steps == 0 || launch_bytes >= FFT_MAP_LAUNCH_BYTES;
}

enum fft_map_trial { FFT_MAP_FITS, FFT_MAP_STEPS_TOO_SMALL, FFT_MAP_IMPOSSIBLE };

/* The draft is a copy, because the trial sorts and merges its loops. */
static enum fft_map_trial fft_map_try(struct fft_map_draft draft, struct fft_map *map)
{
	const int64_t complex_bytes = (int64_t)element_size_bytes(map->shape.element);
	if (draft.lies[FFT_MAP_INPUT] || draft.lies[FFT_MAP_OUTPUT])
		fft_map_sort(draft.axis, draft.loops,
		             draft.lies[FFT_MAP_INPUT] ? FFT_MAP_INPUT : FFT_MAP_OUTPUT);
	for (int side = 0; side < FFT_MAP_SIDES; side++) {
		struct fft_layout *layout = side == FFT_MAP_INPUT ? &map->input : &map->output;
		fft_layout_begin(layout, (uint64_t)complex_bytes /
		                                 (fft_map_is_real(draft.family, side) ? 2 : 1));
		if (!fft_map_place_side(&draft, side, layout))
			return FFT_MAP_IMPOSSIBLE;
	}
	fft_map_merge_loops(&draft);
	fft_map_fill_shape(&draft, fft_map_take_batch(&draft, map), map);
	return fft_map_may_step(map, complex_bytes) ? FFT_MAP_FITS : FFT_MAP_STEPS_TOO_SMALL;
}

static bool fft_map_embeddings_equal(const struct fft_embedding *a, const struct fft_embedding *b)
{
	return memcmp(a, b, sizeof *a) == 0; /* all members are int64_t */
}

bool fft_map_shapes_equal(const struct fft_shape *a, const struct fft_shape *b)
{
	return a->family == b->family && a->element == b->element && a->rank == b->rank &&
	       a->batch == b->batch && memcmp(a->n, b->n, sizeof a->n) == 0 &&
	       fft_map_embeddings_equal(&a->input, &b->input) &&
	       fft_map_embeddings_equal(&a->output, &b->output);
}

static bool fft_map_is_in_place(const struct fft_map *map)
{
	if (map->shape.family != FAMILY_FFT_C2C ||
	    !fft_map_embeddings_equal(&map->shape.input, &map->shape.output))
		return false;
	for (int i = 0; i < map->steps; i++)
		if (map->step[i].input_bytes != map->step[i].output_bytes)
			return false;
	return true;
}

/*
 * Tries both sides in their own order, then the input alone: an input in its own order needs no
 * reordering, while a result is committed element by element at little cost.
 */
bool fft_map_describe(const struct fft_problem *problem, struct fft_map *map)
{
	static const bool trial[][FFT_MAP_SIDES] = {
		{true, true}, {true, false}, {false, true}, {false, false}};
	struct fft_map_draft draft = {.family = problem->family};
	enum fft_map_trial outcome = FFT_MAP_STEPS_TOO_SMALL;
	*map = (struct fft_map){.shape = {.family = problem->family, .element = problem->element}};
	if (!fft_map_read(problem, &draft))
		return false;
	for (size_t i = 0; i < sizeof trial / sizeof trial[0] && outcome == FFT_MAP_STEPS_TOO_SMALL;
	     i++) {
		for (int side = 0; side < FFT_MAP_SIDES; side++)
			draft.lies[side] = trial[i][side] && fft_map_may_lie(&draft, side);
		outcome = fft_map_try(draft, map);
	}
	map->in_place = fft_map_is_in_place(map);
	return outcome == FFT_MAP_FITS;
}

bool fft_map_advance(const struct fft_map *map, struct fft_map_place *place)
{
	for (int i = map->steps - 1; i >= 0; i--) {
		const struct fft_step *step = &map->step[i];
		place->input_bytes += step->input_bytes;
		place->output_bytes += step->output_bytes;
		if (++place->index[i] < step->n)
			return true;
		place->input_bytes -= step->n * step->input_bytes;
		place->output_bytes -= step->n * step->output_bytes;
		place->index[i] = 0;
	}
	return false;
}

/* -- the planes of c2r -- */

/*
 * A plane is `outer` blocks, `pitch` apart, of `inner` adjacent elements. The longer of the two
 * becomes the vector. Fills of vectors with a wide step are not possible.
 */
static void fft_map_fill_runs(struct fft_planes *planes, int64_t inner, int64_t outer,
                              int64_t pitch, int64_t step_most)
{
	if (outer > inner && pitch <= step_most) {
		planes->runs = inner;
		planes->run_step = 1;
		planes->n = outer;
		planes->step = pitch;
	} else {
		planes->runs = outer;
		planes->run_step = pitch;
		planes->n = inner;
		planes->step = 1;
	}
}

/* The input's places without the last dimension. */
static void fft_map_fill_planes(const struct fft_shape *whole, struct fft_planes *planes)
{
	struct fft_shape *shape = &planes->shape;
	const int last = whole->rank - 1;
	*shape = (struct fft_shape){.family = FAMILY_FFT_C2C,
	                            .element = whole->element,
	                            .rank = last,
	                            .batch = whole->batch};
	shape->input.stride = whole->input.stride * whole->input.embed[last];
	shape->input.distance = whole->input.distance;
	for (int i = 0; i < last; i++) {
		shape->n[i] = whole->n[i];
		shape->input.embed[i] = whole->input.embed[i];
		planes->points *= whole->n[i];
	}
	planes->joined = planes->count == 2 && whole->batch == 1;
	if (planes->joined) {
		shape->batch = 2;
		shape->input.distance = planes->apart;
	}
	shape->output = shape->input;
}

void fft_map_find_planes(const struct fft_map *map, int64_t pitch_most_bytes,
                         struct fft_planes *planes)
{
	const struct fft_shape *shape = &map->shape;
	*planes = (struct fft_planes){.points = 1};
	if (shape->family != FAMILY_FFT_C2R)
		return;
	const int64_t n = shape->n[shape->rank - 1], half = n / 2 + 1,
		      all = (int64_t)map->input.count,
		      inner = half == 1 ? all : shape->input.stride;
	planes->count = n % 2 == 0 ? 2 : 1;
	planes->apart = n / 2 * inner;
	fft_map_fill_runs(planes, inner, all / half / inner, half * inner,
	                  pitch_most_bytes / (int64_t)map->input.element_bytes);
	if (shape->rank > 1)
		fft_map_fill_planes(shape, planes);
}

/* Two planes: of each a fill, and with outer dimensions a scaling and two transforms. */
int fft_map_count_operations(const struct fft_problem *problem)
{
	enum { FILLS = 2, OTHERS = 6 };
	bool outer = false;
	if (problem->family != FAMILY_FFT_C2R)
		return 0;
	for (int i = 0; i < problem->rank - 1; i++)
		outer = outer || problem->dims[i].n > 1;
	return FILLS + (outer ? OTHERS : 0);
}
