/* pages.h - spans of memory, and sets of pages as bits */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_PAGES_PAGES_H
#define GPUSHIM_SHIM_EXECUTE_GPU_PAGES_PAGES_H

#include <stdbool.h>
#include <stdint.h>

struct pages_span {
	uintptr_t start, end;
};

/* A set of the pages of a span, which begins and ends with a page. */
struct pages_set {
	struct pages_span span;
	uint64_t *bits;
};

/* The size of a page, at least 4096. */
uintptr_t pages_size(void);
/* Pages of a span that begins and ends with one. */
uint64_t pages_in(struct pages_span span);

/* The pages that have bytes of the span; and those that lie in it whole, maybe none. */
struct pages_span pages_around(struct pages_span span);
struct pages_span pages_inside(struct pages_span span);

static inline bool pages_is_empty(struct pages_span span)
{
	return span.start >= span.end;
}

static inline bool pages_meet(struct pages_span a, struct pages_span b)
{
	return a.start < b.end && b.start < a.end;
}

static inline bool pages_hold(struct pages_span outer, struct pages_span inner)
{
	return outer.start <= inner.start && inner.end <= outer.end;
}

struct pages_span pages_meeting(struct pages_span a, struct pages_span b);

/* An empty set; false without memory. pages_end frees it. */
bool pages_begin(struct pages_set *set, struct pages_span span);
void pages_end(struct pages_set *set);

/* Pages outside of the set's span do not count. */
bool pages_has(const struct pages_set *set, uintptr_t address);
void pages_add(struct pages_set *set, struct pages_span span);
void pages_remove(struct pages_set *set, struct pages_span span);
/* Those of both sets, which are of one span. False without memory. */
bool pages_begin_union(struct pages_set *set, const struct pages_set *a, const struct pages_set *b);
/* Of the pages of span only those stay that are in kept too; returns how many did not. */
uint64_t pages_keep(struct pages_set *set, const struct pages_set *kept, struct pages_span span);
uint64_t pages_count(const struct pages_set *set, struct pages_span span);

/*
 * The first run of pages in span that are in the set (or are not, if absent); empty if there is
 * none.
 */
struct pages_span pages_find_run(const struct pages_set *set, struct pages_span span, bool absent);

#endif
