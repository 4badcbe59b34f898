/* line_set.h - a set of line numbers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_COMPARE_LINE_SET_H
#define GPUSHIM_CLI_COMPARE_LINE_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Line n, from 1, is bit (n - 1) % 64 of word (n - 1) / 64. All zero is the empty set. */
struct line_set {
	uint64_t *words;
	size_t length;
};

void line_set_add(struct line_set *set, size_t line);
bool line_set_has(const struct line_set *set, size_t line);
size_t line_set_count(const struct line_set *set);

/* The first line that is in set and not in other; 0 if there is none. */
size_t line_set_find_beyond(const struct line_set *set, const struct line_set *other);

void line_set_free(struct line_set *set);

#endif
