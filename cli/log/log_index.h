/* log_index.h - finds rows of a table by their key, and takes a fresh one until the table is full */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_LOG_LOG_INDEX_H
#define GPUSHIM_CLI_LOG_LOG_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LOG_INDEX_FULL SIZE_MAX

/*
 * Rows are numbered from 0 in the order in which they came; last is the row that was asked for
 * last.
 */
struct log_index {
	size_t count, room, slot_count, last;
	uint32_t *slots; /* row + 1, or 0 */
};

/* Whether the row of rows has this key. */
struct log_index_query {
	uint64_t hash;
	const void *key, *rows;
	bool (*is)(const void *rows, size_t row, const void *key);
};

/* For at most room rows. Ends the tool where there is no memory. */
void log_index_make(struct log_index *index, size_t room);
void log_index_free(struct log_index *index);

/*
 * The row of the key; where there was none a fresh one, which the caller fills, or LOG_INDEX_FULL.
 */
size_t log_index_find(struct log_index *index, const struct log_index_query *query, bool *fresh);

#endif
