/* cli_log_index.c - open addressing, half full at most */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/cli_log_index.h"

#include <stdlib.h>

#include "cli/cli_say.h"

void cli_log_index_make(struct cli_log_index *index, size_t room)
{
	*index = (struct cli_log_index){.room = room, .slot_count = 1};
	while (index->slot_count < 2 * room)
		index->slot_count *= 2;
	index->slots = cli_say_need(calloc(index->slot_count, sizeof *index->slots));
}

void cli_log_index_free(struct cli_log_index *index)
{
	free(index->slots);
}

size_t cli_log_index_find(struct cli_log_index *index, const struct cli_log_index_query *query, bool *fresh)
{
	*fresh = false;
	/* Programs make the same call again and again. */
	if (index->last < index->count && query->is(query->rows, index->last, query->key))
		return index->last;
	const uint64_t mixed = (query->hash ^ query->hash >> 32) * 0x9e3779b97f4a7c15;
	for (size_t at = (mixed >> 32) % index->slot_count;; at = (at + 1) % index->slot_count) {
		if (index->slots[at] == 0) {
			if (index->count == index->room)
				return CLI_LOG_INDEX_FULL;
			*fresh = true;
			index->last = index->count++;
			index->slots[at] = (uint32_t)index->count;
			return index->last;
		}
		if (query->is(query->rows, index->slots[at] - 1, query->key))
			return index->last = index->slots[at] - 1;
	}
}
