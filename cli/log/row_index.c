/* row_index.c - a hash table of numbers of rows */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/log/row_index.h"

#include <stdlib.h>

#include "cli/common/say.h"

void row_index_make(struct row_index *index, size_t room)
{
	*index = (struct row_index){.room = room, .slot_count = 1};
	while (index->slot_count < 2 * room)
		index->slot_count *= 2;
	index->slots = say_need(calloc(index->slot_count, sizeof *index->slots));
}

void row_index_free(struct row_index *index)
{
	free(index->slots);
	index->slots = NULL;
}

size_t row_index_find(struct row_index *index, const struct row_query *query, bool *fresh)
{
	*fresh = false;
	/* Programs often repeat the same call. */
	if (index->last < index->count && query->is(query->rows, index->last, query->key))
		return index->last;
	const uint64_t mixed = (query->hash ^ query->hash >> 32) * 0x9e3779b97f4a7c15;
	for (size_t at = (mixed >> 32) % index->slot_count;; at = (at + 1) % index->slot_count) {
		if (index->slots[at] == 0) {
			if (index->count == index->room)
				return ROW_INDEX_FULL;
			*fresh = true;
			index->last = index->count++;
			index->slots[at] = (uint32_t)index->count;
			return index->last;
		}
		if (query->is(query->rows, index->slots[at] - 1, query->key))
			return index->last = index->slots[at] - 1;
	}
}
