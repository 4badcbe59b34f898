/* line_set.c - bits in an array that grows */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/compare/line_set.h"

#include <stdlib.h>
#include <string.h>

#include "cli/common/say.h"

enum { LINE_SET_BITS = 64 };

static void line_set_grow(struct line_set *set, size_t least)
{
	const size_t length = 2 * set->length > least ? 2 * set->length : least;
	set->words = say_resize(set->words, length, sizeof *set->words);
	memset(set->words + set->length, 0, (length - set->length) * sizeof *set->words);
	set->length = length;
}

void line_set_add(struct line_set *set, size_t line)
{
	const size_t word = (line - 1) / LINE_SET_BITS;
	if (word >= set->length)
		line_set_grow(set, word + 1);
	set->words[word] |= UINT64_C(1) << (line - 1) % LINE_SET_BITS;
}

static uint64_t line_set_read(const struct line_set *set, size_t word)
{
	return word < set->length ? set->words[word] : 0;
}

bool line_set_has(const struct line_set *set, size_t line)
{
	return line_set_read(set, (line - 1) / LINE_SET_BITS) >> (line - 1) % LINE_SET_BITS & 1;
}

size_t line_set_count(const struct line_set *set)
{
	size_t count = 0;
	for (size_t word = 0; word < set->length; word++)
		count += (size_t)__builtin_popcountll(set->words[word]);
	return count;
}

size_t line_set_find_beyond(const struct line_set *set, const struct line_set *other)
{
	for (size_t word = 0; word < set->length; word++) {
		const uint64_t left = set->words[word] & ~line_set_read(other, word);
		if (left != 0)
			return word * LINE_SET_BITS + (size_t)__builtin_ctzll(left) + 1;
	}
	return 0;
}

void line_set_free(struct line_set *set)
{
	free(set->words);
	*set = (struct line_set){0};
}
