/* schedule_blocks.c - what a product in little memory has to copy, by following its blocks */
/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/schedule/schedule_check.h"

enum { BLOCKS_KEPT = 8 };

/* The slices of one operand that are on the device, the last used first. */
struct blocks_kept {
	struct blocks_slice {
		int64_t own, inner;
	} slice[BLOCKS_KEPT];
	int count, room;
};

/* Uses a slice: it becomes the last used one. Returns whether it has to be copied first. */
static bool blocks_use(struct blocks_kept *kept, int64_t own, int64_t inner)
{
	int found = 0;
	while (found < kept->count &&
	       (kept->slice[found].own != own || kept->slice[found].inner != inner))
		found++;
	const bool moves = found == kept->count;
	if (moves && kept->count < kept->room)
		kept->count++;
	for (int i = found < kept->count ? found : kept->count - 1; i > 0; i--)
		kept->slice[i] = kept->slice[i - 1];
	kept->slice[0] = (struct blocks_slice){own, inner};
	return moves;
}

static int64_t blocks_count(int64_t size, int64_t part)
{
	return (size + part - 1) / part;
}

static double blocks_size(int64_t size, int64_t part, int64_t number)
{
	return (double)(size - number * part < part ? size - number * part : part);
}

double schedule_blocks_count(const struct schedule_call *call, int kept_a, int kept_b)
{
	struct blocks_kept a = {.room = kept_a}, b = {.room = kept_b};
	const int64_t rows = blocks_count(call->m, call->group),
		      columns = blocks_count(call->n, call->width);
	const int64_t slices = blocks_count(call->k, call->slice), all = rows * columns * slices;
	double elements = 0;
	for (int64_t step = 0; step < all; step++) {
		const int64_t block = step / slices, row = block / columns, turn = block % columns;
		const int64_t column = row % 2 == 0 ? turn : columns - 1 - turn;
		const int64_t slice = block % 2 == 0 ? step % slices : slices - 1 - step % slices;
		const double inner = blocks_size(call->k, call->slice, slice);
		if (blocks_use(&a, row, slice))
			elements += inner * blocks_size(call->m, call->group, row);
		if (blocks_use(&b, column, slice))
			elements += inner * blocks_size(call->n, call->width, column);
	}
	return elements;
}
