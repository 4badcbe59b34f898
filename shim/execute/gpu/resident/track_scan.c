/* track_scan.c - PAGEMAP_SCAN: which pages are unchanged since they were armed */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>

#include "shim/execute/gpu/resident/track.h"
#include "shim/execute/gpu/resident/track_abi.h"

enum { TRACK_REGIONS = 64, TRACK_PART = 4096, TRACK_MAPPINGS = 8, TRACK_MAPPINGS_MOST = 64 };

/*
 * The kernel's manual asks for written pages and takes the others for clean. But a part of the span
 * without mapping, or without page table, is not reported, though its contents are gone. So this
 * asks for pages that are registered, not written, and present or swapped out.
 */
static const struct track_scan_argument track_clean_question = {
	.size = sizeof track_clean_question,
	.inverted = TRACK_PAGE_WRITTEN,
	.all_of = TRACK_PAGE_ALLOWED | TRACK_PAGE_WRITTEN,
	.any_of = TRACK_PAGE_PRESENT | TRACK_PAGE_SWAPPED,
	.wanted = TRACK_PAGE_ALLOWED,
};

/*
 * The manual's question, which the kernel answers ten times as fast; an error where some of the
 * span is not registered. What it does not report has to be found in memory as well, but by kernels
 * that report parts without page table too, see track_scan_trust.
 */
static const struct track_scan_argument track_written_question = {
	.size = sizeof track_written_question,
	.flags = TRACK_SCAN_REGISTERED,
	.all_of = TRACK_PAGE_WRITTEN,
	.wanted = TRACK_PAGE_WRITTEN,
};

static const struct track_scan_argument track_large_question = {
	.size = sizeof track_large_question,
	.all_of = TRACK_PAGE_LARGE,
	.wanted = TRACK_PAGE_LARGE,
};

/* Regions of the answer, or an error (-1). */
static int track_scan_ask(const struct track_scan_argument *question, struct pages_span span,
                          struct track_region region[], uintptr_t *walk_end)
{
	struct track_scan_argument scan = *question;
	scan.start = span.start;
	scan.end = span.end;
	scan.regions = (uintptr_t)region;
	scan.regions_max = TRACK_REGIONS;
	const int found = track_control_map(TRACK_SCAN, &scan);
	*walk_end = scan.walk_end;
	return found < 0 || scan.walk_end <= span.start ? -1 : found;
}

typedef void track_scan_visitor(void *self, struct pages_span found);

static void track_scan_visit(const struct track_scan_argument *question, struct pages_span span,
                             track_scan_visitor *visit, void *self)
{
	struct track_region region[TRACK_REGIONS];
	while (!pages_is_empty(span)) {
		const int found = track_scan_ask(question, span, region, &span.start);
		for (int i = 0; i < found; i++)
			visit(self, (struct pages_span){region[i].start, region[i].end});
		if (found < 0)
			return;
	}
}

static void track_scan_add_clean(void *clean, struct pages_span found)
{
	pages_add(clean, found);
}

/* Whether eight pages in a row are in memory, of whose states only the lowest bit is defined. */
static bool track_scan_has_eight(const unsigned char state[])
{
	uint64_t eight;
	memcpy(&eight, state, sizeof eight);
	return (~eight & UINT64_C(0x0101010101010101)) == 0;
}

/* The first page from `from` on that is not in memory, or pages. */
static uintptr_t track_scan_seek_absent(const unsigned char state[], uintptr_t from,
                                        uintptr_t pages)
{
	while (from + sizeof(uint64_t) <= pages && track_scan_has_eight(state + from))
		from += sizeof(uint64_t);
	while (from < pages && (state[from] & 1) != 0)
		from++;
	return from;
}

/* A page without page table is in no memory. One that is swapped out is left out too. */
static bool track_scan_add_present_part(struct pages_span span, struct pages_set *clean)
{
	const uintptr_t page = pages_size(), pages = (span.end - span.start) / page;
	unsigned char present[TRACK_PART];
	if (mincore((void *)span.start, span.end - span.start, present) != 0)
		return false;
	for (uintptr_t first = 0; first < pages;) {
		const uintptr_t absent = track_scan_seek_absent(present, first, pages);
		pages_add(clean, (struct pages_span){span.start + first * page,
		                                     span.start + absent * page});
		first = absent + 1;
	}
	return true;
}

static bool track_scan_add_present(struct pages_span span, struct pages_set *clean)
{
	const uintptr_t most = TRACK_PART * pages_size();
	bool known = true;
	while (known && !pages_is_empty(span)) {
		struct pages_span part = span;
		if (part.end - part.start > most)
			part.end = part.start + most;
		known = track_scan_add_present_part(part, clean);
		span.start = part.end;
	}
	return known;
}

/* What the test has found of this kernel. */
static atomic_bool track_scan_names_losses;

/* Memory of devices is not reported, nor what is not mapped. */
static bool track_scan_allows(uintptr_t page)
{
	struct track_scan_argument scan = {.size = sizeof scan,
	                                   .start = page,
	                                   .end = page + pages_size(),
	                                   .regions_max = 1,
	                                   .all_of = TRACK_PAGE_ALLOWED,
	                                   .wanted = TRACK_PAGE_ALLOWED};
	struct track_region region;
	scan.regions = (uintptr_t)&region;
	return track_control_map(TRACK_SCAN, &scan) == 1;
}

static bool track_scan_is_registered(const struct track_mapping *mapping, uintptr_t page)
{
	return mapping->node == 0 && (mapping->flags & TRACK_MAPPING_SHARED) == 0 &&
	       track_scan_allows(page);
}

bool track_scan_is_there(struct pages_span span)
{
	return track_scan_allows(span.start) && track_scan_allows(span.end - pages_size());
}

/* Whether all of the span is mapped and registered, by a few mappings. */
static bool track_scan_is_covered(struct pages_span span)
{
	for (int i = 0; i < TRACK_MAPPINGS && !pages_is_empty(span); i++) {
		struct track_mapping mapping = {.size = sizeof mapping, .address = span.start};
		if (track_control_layout(TRACK_MAPPING, &mapping) != 0 ||
		    mapping.end <= span.start || !track_scan_is_registered(&mapping, span.start))
			return false;
		span.start = mapping.end;
	}
	return pages_is_empty(span);
}

/* A mapping of the shim's is registered already, so that nothing happens to it. */
static bool track_scan_is_other(const struct track_mapping *mapping, uintptr_t page)
{
	if (mapping->node != 0 || (mapping->flags & TRACK_MAPPING_SHARED) != 0)
		return true;
	const struct pages_span all = {mapping->start, mapping->end};
	return track_scan_is_registered(mapping, page) && track_register(all) != 0;
}

bool track_scan_is_own(struct pages_span span)
{
	for (int i = 0; i < TRACK_MAPPINGS_MOST && !pages_is_empty(span); i++) {
		struct track_mapping mapping = {.size = sizeof mapping,
		                                .question = TRACK_MAPPING_NEXT,
		                                .address = span.start};
		if (track_control_layout(TRACK_MAPPING, &mapping) != 0 || mapping.start >= span.end)
			return true;
		const uintptr_t page = mapping.start > span.start ? mapping.start : span.start;
		if (mapping.end <= span.start || track_scan_is_other(&mapping, page))
			return false;
		span.start = mapping.end;
	}
	return pages_is_empty(span);
}

bool track_scan_names_all(struct pages_span span)
{
	struct track_region region[TRACK_REGIONS];
	uintptr_t end;
	return track_scan_ask(&track_written_question, span, region, &end) == 1 &&
	       region[0].start == span.start && region[0].end == span.end;
}

void track_scan_trust(bool names_losses)
{
	atomic_store(&track_scan_names_losses, names_losses);
}

/* Pages that are not reported as written. trusts: they have contents then. */
static bool track_scan_add_unnamed(struct pages_span span, bool trusts, struct pages_set *clean)
{
	if (!trusts)
		return track_scan_add_present(span, clean);
	if (!pages_is_empty(span))
		pages_add(clean, span);
	return true;
}

/* The pages of the span that lie between the regions. */
static bool track_scan_add_between(const struct track_region region[], int regions,
                                   struct pages_span span, bool trusts, struct pages_set *clean)
{
	bool known = true;
	for (int i = 0; i < regions && known; i++) {
		known = track_scan_add_unnamed((struct pages_span){span.start, region[i].start},
		                               trusts, clean);
		span.start = region[i].end;
	}
	return known && track_scan_add_unnamed(span, trusts, clean);
}

/* How far an answer goes. A full one says nothing of what follows its last region. */
static uintptr_t track_scan_find_end(const struct track_region region[], int regions,
                                     uintptr_t walk_end)
{
	if (regions == 0)
		return walk_end;
	const uintptr_t last = region[regions - 1].end;
	return regions == TRACK_REGIONS || last > walk_end ? last : walk_end;
}

void track_scan(struct pages_span span, struct pages_set *clean)
{
	struct track_region region[TRACK_REGIONS];
	const bool trusts = atomic_load(&track_scan_names_losses) && track_scan_is_covered(span);
	while (!pages_is_empty(span)) {
		struct pages_span part = span;
		const int written =
			track_scan_ask(&track_written_question, span, region, &part.end);
		if (written >= 0)
			part.end = track_scan_find_end(region, written, part.end);
		if (written < 0 || !track_scan_add_between(region, written, part, trusts, clean)) {
			track_scan_visit(&track_clean_question, span, track_scan_add_clean, clean);
			return;
		}
		span.start = part.end;
	}
}

static void track_scan_add_count(void *count, struct pages_span found)
{
	*(uint64_t *)count += (found.end - found.start) / pages_size();
}

uint64_t track_count_large(struct pages_span span)
{
	uint64_t count = 0;
	track_scan_visit(&track_large_question, span, track_scan_add_count, &count);
	return count;
}
