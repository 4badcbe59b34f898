/* log_index.c - open addressing, half full at most */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/log/log_index.h"

#include <stdlib.h>

#include "cli/common/say.h"

void log_index_make(struct log_index *index, size_t room)
{
	*index = (struct log_index){.room = room, .slot_count = 1};
	while (index->slot_count < 2 * room)
		index->slot_count *= 2;
	index->slots = say_need(calloc(index->slot_count, sizeof *index->slots));
}

void log_index_free(struct log_index *index)
{
	free(index->slots);
}

size_t log_index_find(struct log_index *index, const struct log_index_query *query, bool *fresh)
{
	*fresh = false;
	/* Programs make the same call again and again. */
	if (index->last < index->count && query->is(query->rows, index->last, query->key))
		return index->last;
	const uint64_t mixed = (query->hash ^ query->hash >> 32) * 0x9e3779b97f4a7c15;
	for (size_t at = (mixed >> 32) % index->slot_count;; at = (at + 1) % index->slot_count) {
		if (index->slots[at] == 0) {
			if (index->count == index->room)
				return LOG_INDEX_FULL;
			*fresh = true;
			index->last = index->count++;
			index->slots[at] = (uint32_t)index->count;
			return index->last;
		}
		if (query->is(query->rows, index->slots[at] - 1, query->key))
			return index->last = index->slots[at] - 1;
	}
}
