/* row_index.h - finds rows of a table of limited size by their key */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_LOG_ROW_INDEX_H
#define GPUSHIM_CLI_LOG_ROW_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Finds rows by open addressing in slots that are at most half full. Rows are numbered from 0 in
 * the order in which they came. last: the row of the last query.
 */
struct row_index {
	size_t count, room, slot_count, last;
	uint32_t *slots; /* row + 1, or 0 */
};

/* is: whether the row of rows has this key; rows with equal hashes are told apart by it. */
struct row_query {
	uint64_t hash;
	const void *key, *rows;
	bool (*is)(const void *rows, size_t row, const void *key);
};

#define ROW_INDEX_FULL SIZE_MAX

/* For at most room rows. Ends the tool where there is no memory. */
void row_index_make(struct row_index *index, size_t room);
void row_index_free(struct row_index *index);

/*
 * The row of the key; where there is none a fresh one, for the caller to fill, or ROW_INDEX_FULL.
 */
size_t row_index_find(struct row_index *index, const struct row_query *query, bool *fresh);

#endif
