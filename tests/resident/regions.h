/* regions.h - the memory of the stress test, and what happens to it */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_RESIDENT_REGIONS_H
#define GPUSHIM_TESTS_RESIDENT_REGIONS_H

#include <stddef.h>
#include <stdint.h>

enum region_kind {
	REGION_HEAP,   /* malloc */
	REGION_MAPPED, /* mmap */
	REGION_LARGE,  /* mmap, with large pages if the system has them */
	REGION_ROWS,   /* rows of pages, with a page between them that must not be read */
	REGION_SHARED, /* two mappings of one file in memory */
	REGION_KINDS
};

enum { REGION_VIEWS = 4, REGION_ROW_PAGES = 6 };

/* An operand of the program, which calls use again and again. */
struct region_view {
	size_t offset, width, pitch, rows;
};

struct region {
	enum region_kind kind;
	char *memory, *second; /* second: of shared memory */
	size_t bytes, reserved;
	struct region_view view[REGION_VIEWS];
};

void region_make(struct region *region, enum region_kind kind);
void region_end(struct region *region);
/* One of the operands, or another part of the region. */
struct region_view region_choose_view(const struct region *region);

struct region_event {
	const char *name;
	void (*happen)(struct region *region);
};
extern const struct region_event region_events[];
extern const size_t region_event_count;

#endif
