/* panel_orders.c - what the writers of plans share: cutting a dimension, and buffers that take turns */
/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/plan/panel_orders.h"

static int64_t panel_orders_round(int64_t count)
{
	return (count + PANEL_GRAIN - 1) / PANEL_GRAIN * PANEL_GRAIN;
}

static int64_t panel_orders_least(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

bool panel_orders_next(const struct panel_cut *cut, struct panel_span *span)
{
	const int64_t before = span->count, begin = span->begin + before, left = cut->size - begin;
	if (left <= 0)
		return false;
	int64_t count = before == 0 ? cut->first : cut->width;
	if (cut->growing && before > 0)
		count = panel_orders_least(count, 2 * before);
	const int64_t half = left / 2 > cut->last ? left / 2 : cut->last;
	if (before > 0)
		count = panel_orders_least(count, half);
	*span = (struct panel_span){begin, panel_orders_least(panel_orders_round(count), left)};
	return true;
}

bool panel_orders_fit(const struct panel_builder *builder, uint64_t extra_bytes)
{
	const struct panel_problem *problem = builder->problem;
	const struct blas_call *blas = &problem->blas;
	const uint64_t cuts =
		(uint64_t)(blas->m / PANEL_GRAIN + blas->n / PANEL_GRAIN + blas->k / PANEL_GRAIN) +
		16;
	uint64_t bytes = operand_add_bytes(extra_bytes, 4 * cuts * PANEL_ALIGNMENT_BYTES);
	for (enum operand operand = OPERAND_A; operand < OPERAND_COUNT; operand++) {
		struct matrix matrix;
		if (operand_find(problem->family, blas, operand, &matrix))
			bytes = operand_add_bytes(bytes,
			                          operand_size_bytes(&matrix, problem->element));
	}
	return bytes <= builder->memory_bytes;
}

int panel_orders_take(struct panel_builder *builder, struct panel_ring *ring, int64_t rows,
                      int64_t columns)
{
	if (!ring->reuse)
		return panel_builder_add_buffer(builder, rows, columns);
	const int turn = ring->taken++ % PANEL_RING_BUFFERS;
	if (ring->taken <= PANEL_RING_BUFFERS)
		ring->buffers[turn] = panel_builder_add_buffer(builder, ring->rows, ring->columns);
	return ring->buffers[turn];
}
