/* pages.c - sets of pages */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/pages/pages.h"

#include <stdlib.h>
#include <unistd.h>

enum { PAGES_PER_WORD = 64 };

/* The size as a power of 2, because operands of many rows have their pages counted row by row. */
static unsigned pages_shift(void)
{
	static unsigned shift;
	unsigned known = __atomic_load_n(&shift, __ATOMIC_RELAXED);
	if (known != 0)
		return known;
	const long found = sysconf(_SC_PAGESIZE);
	known = (unsigned)__builtin_ctzl(found > 4096 ? (unsigned long)found : 4096);
	__atomic_store_n(&shift, known, __ATOMIC_RELAXED);
	return known;
}

uintptr_t pages_size(void)
{
	return (uintptr_t)1 << pages_shift();
}

uint64_t pages_in(struct pages_span span)
{
	return (span.end - span.start) >> pages_shift();
}

static uintptr_t pages_round(uintptr_t address)
{
	return address & ~(pages_size() - 1);
}

struct pages_span pages_around(struct pages_span span)
{
	return (struct pages_span){pages_round(span.start),
	                           pages_round(span.end + pages_size() - 1)};
}

struct pages_span pages_inside(struct pages_span span)
{
	return (struct pages_span){pages_round(span.start + pages_size() - 1),
	                           pages_round(span.end)};
}

struct pages_span pages_meeting(struct pages_span a, struct pages_span b)
{
	return (struct pages_span){a.start > b.start ? a.start : b.start,
	                           a.end < b.end ? a.end : b.end};
}

static uint64_t pages_index(const struct pages_set *set, uintptr_t address)
{
	return (address - set->span.start) >> pages_shift();
}

bool pages_begin(struct pages_set *set, struct pages_span span)
{
	*set = (struct pages_set){.span = span};
	const uint64_t pages = pages_index(set, span.end);
	set->bits = calloc(pages / PAGES_PER_WORD + 1, sizeof *set->bits);
	return set->bits != NULL;
}

void pages_end(struct pages_set *set)
{
	free(set->bits);
	set->bits = NULL;
}

static bool pages_test(const struct pages_set *set, uint64_t page)
{
	return (set->bits[page / PAGES_PER_WORD] >> page % PAGES_PER_WORD & 1) != 0;
}

bool pages_has(const struct pages_set *set, uintptr_t address)
{
	return address >= set->span.start && address < set->span.end &&
	       pages_test(set, pages_index(set, address));
}

/* The bits of word that stand for pages from first to before end. */
static uint64_t pages_mask(uint64_t word, uint64_t first, uint64_t end)
{
	const uint64_t begin = word * PAGES_PER_WORD, after = begin + PAGES_PER_WORD;
	uint64_t mask = ~UINT64_C(0);
	if (first > begin)
		mask &= ~UINT64_C(0) << (first - begin);
	if (end < after)
		mask &= ~(~UINT64_C(0) << (end - begin));
	return mask;
}

struct pages_part {
	uint64_t first, end;
};

/* The pages of span in the set, by their numbers. */
static struct pages_part pages_cut(const struct pages_set *set, struct pages_span span)
{
	const struct pages_span cut = pages_meeting(pages_around(span), set->span);
	if (pages_is_empty(cut))
		return (struct pages_part){0, 0};
	return (struct pages_part){pages_index(set, cut.start), pages_index(set, cut.end)};
}

void pages_add(struct pages_set *set, struct pages_span span)
{
	const struct pages_part part = pages_cut(set, span);
	for (uint64_t word = part.first / PAGES_PER_WORD; word * PAGES_PER_WORD < part.end; word++)
		set->bits[word] |= pages_mask(word, part.first, part.end);
}

void pages_remove(struct pages_set *set, struct pages_span span)
{
	const struct pages_part part = pages_cut(set, span);
	for (uint64_t word = part.first / PAGES_PER_WORD; word * PAGES_PER_WORD < part.end; word++)
		set->bits[word] &= ~pages_mask(word, part.first, part.end);
}

bool pages_begin_union(struct pages_set *set, const struct pages_set *a, const struct pages_set *b)
{
	if (!pages_begin(set, a->span))
		return false;
	const uint64_t pages = pages_index(set, set->span.end);
	for (uint64_t word = 0; word * PAGES_PER_WORD < pages; word++)
		set->bits[word] = a->bits[word] | b->bits[word];
	return true;
}

/* Pages outside of the set are in none of its words. */
static uint64_t pages_load(const struct pages_set *set, int64_t word)
{
	const int64_t last = (int64_t)(pages_index(set, set->span.end) / PAGES_PER_WORD);
	return word < 0 || word > last ? 0 : set->bits[word];
}

/* The set's bits of the pages that word has in `like`, which may begin at another page. */
static uint64_t pages_word(const struct pages_set *set, const struct pages_set *like, uint64_t word)
{
	const int64_t per_word = PAGES_PER_WORD;
	const int64_t between =
		((int64_t)like->span.start - (int64_t)set->span.start) / (int64_t)pages_size();
	const int64_t first = between + (int64_t)word * per_word;
	const int64_t bit = ((first % per_word) + per_word) % per_word;
	const int64_t at = (first - bit) / per_word;
	const uint64_t low = pages_load(set, at) >> bit;
	return bit == 0 ? low : low | pages_load(set, at + 1) << (per_word - bit);
}

uint64_t pages_keep(struct pages_set *set, const struct pages_set *kept, struct pages_span span)
{
	const struct pages_part part = pages_cut(set, span);
	const bool alike = set->span.start == kept->span.start && set->span.end == kept->span.end;
	uint64_t lost = 0;
	for (uint64_t word = part.first / PAGES_PER_WORD; word * PAGES_PER_WORD < part.end;
	     word++) {
		const uint64_t old = set->bits[word];
		if (old == 0)
			continue;
		const uint64_t allowed = alike ? kept->bits[word] : pages_word(kept, set, word);
		set->bits[word] &= allowed | ~pages_mask(word, part.first, part.end);
		/* To count bits is slow where it is no instruction, and mostly there are none. */
		if (old != set->bits[word])
			lost += (uint64_t)__builtin_popcountll(old & ~set->bits[word]);
	}
	return lost;
}

uint64_t pages_count(const struct pages_set *set, struct pages_span span)
{
	const struct pages_part part = pages_cut(set, span);
	uint64_t count = 0;
	for (uint64_t word = part.first / PAGES_PER_WORD; word * PAGES_PER_WORD < part.end; word++)
		count += (uint64_t)__builtin_popcountll(set->bits[word] &
		                                        pages_mask(word, part.first, part.end));
	return count;
}

/* The first page from `from` on whose bit is `bit`, or end. */
static uint64_t pages_seek(const struct pages_set *set, uint64_t from, uint64_t end, bool bit)
{
	while (from < end) {
		const uint64_t word = set->bits[from / PAGES_PER_WORD];
		const uint64_t left = (bit ? word : ~word) >> from % PAGES_PER_WORD;
		if (left != 0) {
			const uint64_t found = from + (uint64_t)__builtin_ctzll(left);
			return found < end ? found : end;
		}
		from = (from / PAGES_PER_WORD + 1) * PAGES_PER_WORD;
	}
	return end;
}

struct pages_span pages_find_run(const struct pages_set *set, struct pages_span span, bool absent)
{
	const struct pages_part part = pages_cut(set, span);
	const uint64_t first = pages_seek(set, part.first, part.end, !absent);
	const uint64_t end = pages_seek(set, first, part.end, absent);
	return (struct pages_span){set->span.start + first * pages_size(),
	                           set->span.start + end * pages_size()};
}
