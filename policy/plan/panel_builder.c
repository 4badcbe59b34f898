/* panel_builder.c - steps, what each waits for, and the place of each buffer */
/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/plan/panel_builder.h"

#include <stdlib.h>

enum { BUILDER_FIRST_ROOM = 64 };

static const uint32_t builder_steps_max = UINT32_MAX / 2;

struct panel_builder panel_builder_start(const struct panel_problem *problem, uint64_t memory_bytes,
                                         struct panel_plan *plan)
{
	*plan = (struct panel_plan){.arena_bytes = 0};
	return (struct panel_builder){
		.problem = problem, .memory_bytes = memory_bytes, .plan = plan};
}

bool panel_builder_end(struct panel_builder *builder)
{
	free(builder->buffers);
	builder->buffers = NULL;
	if (!builder->failed && !builder->too_large)
		return true;
	panel_plan_free(builder->plan);
	return false;
}

/*
 * Grows the array to hold one more element. Without memory it returns the old array and sets
 * failed.
 */
static void *panel_builder_grow(struct panel_builder *builder, void *array, size_t count,
                                size_t *room, size_t size_bytes)
{
	if (count < *room)
		return array;
	const size_t more = *room == 0 ? BUILDER_FIRST_ROOM : 2 * *room;
	void *grown = realloc(array, more * size_bytes);
	builder->failed = builder->failed || grown == NULL;
	if (grown == NULL)
		return array;
	*room = more;
	return grown;
}

static uint64_t panel_builder_multiply(uint64_t x, uint64_t y)
{
	uint64_t product;
	return __builtin_mul_overflow(x, y, &product) ? UINT64_MAX : product;
}

/* Adds a buffer that nothing has used yet and returns its number. */
static int panel_builder_append(struct panel_builder *builder, uint64_t place_bytes,
                                uint64_t size_bytes)
{
	size_t room = (size_t)builder->buffer_room;
	if (builder->failed || builder->too_large)
		return 0;
	builder->buffers =
		panel_builder_grow(builder, builder->buffers, (size_t)builder->buffer_count, &room,
	                           sizeof *builder->buffers);
	builder->buffer_room = (int)room;
	if (builder->failed)
		return 0;
	builder->buffers[builder->buffer_count] =
		(struct panel_buffer){.place_bytes = place_bytes, .size_bytes = size_bytes};
	return builder->buffer_count++;
}

int panel_builder_add_buffer(struct panel_builder *builder, int64_t rows, int64_t columns)
{
	struct panel_plan *plan = builder->plan;
	const uint64_t elements = panel_builder_multiply((uint64_t)rows, (uint64_t)columns);
	uint64_t size_bytes =
		panel_builder_multiply(elements, element_size_bytes(builder->problem->element));
	size_bytes = operand_add_bytes(size_bytes, PANEL_ALIGNMENT_BYTES - 1);
	if (size_bytes == UINT64_MAX || plan->arena_bytes > builder->memory_bytes ||
	    size_bytes - size_bytes % PANEL_ALIGNMENT_BYTES >
	            builder->memory_bytes - plan->arena_bytes)
		builder->too_large = true;
	if (builder->failed || builder->too_large)
		return 0;
	size_bytes -= size_bytes % PANEL_ALIGNMENT_BYTES;
	const uint64_t place_bytes = plan->arena_bytes;
	plan->arena_bytes += size_bytes;
	return panel_builder_append(builder, place_bytes, size_bytes);
}

int panel_builder_add_buffer_of(struct panel_builder *builder, enum operand operand, int64_t rows,
                                int64_t columns)
{
	if (builder->problem->held[operand])
		return panel_builder_append(builder, 0, 0);
	return panel_builder_add_buffer(builder, rows, columns);
}

int panel_builder_add_part(struct panel_builder *builder, int buffer)
{
	if (builder->failed || builder->too_large)
		return 0;
	return panel_builder_append(builder, builder->buffers[buffer].place_bytes,
	                            builder->buffers[buffer].size_bytes);
}

struct panel_block panel_builder_find(const struct panel_builder *builder,
                                      const struct panel_image *image, struct panel_span row,
                                      struct panel_span column)
{
	const uint64_t size = element_size_bytes(builder->problem->element);
	const int64_t offset =
		row.begin - image->first_row + (column.begin - image->first_column) * image->ld;
	const uint64_t begin = image->buffer < builder->buffer_count
	                               ? builder->buffers[image->buffer].place_bytes
	                               : 0;
	return (struct panel_block){image->operand, row, column, begin + (uint64_t)offset * size,
	                            image->ld};
}

/* Adds a step at the end of the list; NULL on failure. */
static struct panel_step *panel_builder_add(struct panel_builder *builder, enum panel_kind kind)
{
	struct panel_plan *plan = builder->plan;
	size_t room = builder->step_room;
	if (plan->count >= builder_steps_max)
		builder->too_large = true;
	if (builder->failed || builder->too_large)
		return NULL;
	plan->steps =
		panel_builder_grow(builder, plan->steps, plan->count, &room, sizeof *plan->steps);
	builder->step_room = (uint32_t)room;
	if (builder->failed)
		return NULL;
	struct panel_step *step = &plan->steps[plan->count++];
	*step = (struct panel_step){.kind = kind};
	plan->kind_count[kind]++;
	return step;
}

static void panel_builder_wait(struct panel_step *step, const uint32_t last[PANEL_KINDS])
{
	for (int kind = 0; kind < PANEL_KINDS; kind++)
		if (kind != (int)step->kind && last[kind] > step->after[kind])
			step->after[kind] = last[kind];
}

/*
 * A reader waits for the writers, a writer for readers too. Steps of one kind are in order anyway.
 */
static void panel_builder_use(struct panel_builder *builder, struct panel_step *step, int number,
                              bool writes)
{
	struct panel_buffer *buffer = &builder->buffers[number];
	const uint32_t own = builder->plan->kind_count[step->kind];
	panel_builder_wait(step, buffer->written);
	if (writes)
		panel_builder_wait(step, buffer->read);
	if (writes)
		buffer->written[step->kind] = own;
	else
		buffer->read[step->kind] = own;
}

static uint64_t panel_builder_block_bytes(const struct panel_builder *builder,
                                          const struct panel_block *block)
{
	return (uint64_t)block->row.count * (uint64_t)block->column.count *
	       element_size_bytes(builder->problem->element);
}

static bool panel_builder_is_empty(struct panel_span row, struct panel_span column)
{
	return row.count <= 0 || column.count <= 0;
}

void panel_builder_load(struct panel_builder *builder, const struct panel_image *image,
                        struct panel_span row, struct panel_span column)
{
	if (builder->problem->held[image->operand] || panel_builder_is_empty(row, column))
		return;
	struct panel_step *step = panel_builder_add(builder, PANEL_LOAD);
	if (step == NULL)
		return;
	step->block = panel_builder_find(builder, image, row, column);
	builder->plan->load_bytes += panel_builder_block_bytes(builder, &step->block);
	panel_builder_use(builder, step, image->buffer, true);
}

void panel_builder_store(struct panel_builder *builder, const struct panel_image *image,
                         struct panel_span row, struct panel_span column)
{
	struct panel_step *step = panel_builder_is_empty(row, column)
	                                  ? NULL
	                                  : panel_builder_add(builder, PANEL_STORE);
	if (step == NULL)
		return;
	step->block = panel_builder_find(builder, image, row, column);
	builder->plan->store_bytes += panel_builder_block_bytes(builder, &step->block);
	panel_builder_use(builder, step, image->buffer, false);
}

void panel_builder_work(struct panel_builder *builder, const struct panel_work *work, int x_buffer,
                        int y_buffer, int z_buffer)
{
	struct panel_step *step = panel_builder_is_empty(work->z.row, work->z.column)
	                                  ? NULL
	                                  : panel_builder_add(builder, PANEL_WORK);
	if (step == NULL)
		return;
	step->work = *work;
	panel_builder_use(builder, step, x_buffer, false);
	if (work->has_y)
		panel_builder_use(builder, step, y_buffer, false);
	panel_builder_use(builder, step, z_buffer, true);
}

static int64_t panel_builder_round(int64_t count)
{
	return (count + PANEL_GRAIN - 1) / PANEL_GRAIN * PANEL_GRAIN;
}

static int64_t panel_builder_least(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

bool panel_builder_next(const struct panel_cut *cut, struct panel_span *span)
{
	const int64_t before = span->count, begin = span->begin + before, left = cut->size - begin;
	if (left <= 0)
		return false;
	int64_t count = before == 0 ? cut->first : cut->width;
	if (cut->growing && before > 0)
		count = panel_builder_least(count, 2 * before);
	const int64_t half = left / 2 > cut->last ? left / 2 : cut->last;
	if (before > 0)
		count = panel_builder_least(count, half);
	*span = (struct panel_span){begin, panel_builder_least(panel_builder_round(count), left)};
	return true;
}

bool panel_builder_fit(const struct panel_builder *builder, uint64_t extra_bytes)
{
	const struct panel_problem *problem = builder->problem;
	const struct blas_call *blas = &problem->blas;
	const uint64_t cuts =
		(uint64_t)(blas->m / PANEL_GRAIN + blas->n / PANEL_GRAIN + blas->k / PANEL_GRAIN) +
		16;
	uint64_t bytes = operand_add_bytes(extra_bytes, 4 * cuts * PANEL_ALIGNMENT_BYTES);
	for (enum operand operand = OPERAND_A; operand < OPERAND_COUNT; operand++) {
		struct matrix matrix;
		if (!problem->held[operand] &&
		    operand_find(problem->family, blas, operand, &matrix))
			bytes = operand_add_bytes(bytes,
			                          operand_size_bytes(&matrix, problem->element));
	}
	return bytes <= builder->memory_bytes;
}

int panel_builder_take(struct panel_builder *builder, struct panel_ring *ring, int64_t rows,
                       int64_t columns)
{
	if (!ring->reuse || builder->problem->held[ring->operand])
		return panel_builder_add_buffer_of(builder, ring->operand, rows, columns);
	const int turn = ring->taken++ % PANEL_RING_BUFFERS;
	if (ring->taken <= PANEL_RING_BUFFERS)
		ring->buffers[turn] = panel_builder_add_buffer(builder, ring->rows, ring->columns);
	return ring->buffers[turn];
}
