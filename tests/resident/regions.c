/* regions.c - stores, frees, moves and maps */
/* SPDX-License-Identifier: Apache-2.0 */
#include "regions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "chance.h"
#include "writers.h"

#ifndef MADV_PAGEOUT
#define MADV_PAGEOUT 21
#endif
#ifndef MADV_COLLAPSE
#define MADV_COLLAPSE 25
#endif

enum { PAGE = 4096, LARGE = 2 << 20, ANYWHERE = MAP_PRIVATE | MAP_ANONYMOUS };
static const int readable = PROT_READ | PROT_WRITE;

static char *map(size_t bytes)
{
	char *memory = mmap(NULL, bytes, readable, ANYWHERE, -1, 0);
	if (memory == MAP_FAILED)
		abort();
	return memory;
}

static void fill(char *memory, size_t bytes)
{
	for (size_t i = 0; i + 64 <= bytes; i += 64)
		chance_fill(memory + i, chance_grain);
}

/* Neighbours share a page; some operands have gaps. */
static void make_views(struct region *region)
{
	const size_t cut = region->bytes / 2 - region->bytes / 2 % 8 + 8;
	const size_t width = 2 * PAGE + 8 * chance_below(3 * PAGE),
		     pitch = width + 8 * (1 + chance_below(PAGE));
	region->view[0] = (struct region_view){0, region->bytes, region->bytes, 1};
	region->view[1] = (struct region_view){0, cut, cut, 1};
	region->view[2] = (struct region_view){cut, region->bytes - cut, region->bytes - cut, 1};
	region->view[3] = (struct region_view){8, width, pitch, region->bytes / pitch};
	if (region->kind != REGION_ROWS)
		return;
	const size_t row = (REGION_ROW_PAGES + 1) * PAGE;
	for (int i = 0; i < REGION_VIEWS; i++) {
		const size_t first = i > 1 ? 100 : 0, last = i % 2 == 0 ? 0 : 72;
		region->view[i] = (struct region_view){
			first, REGION_ROW_PAGES * PAGE - first - last, row, region->bytes / row};
	}
}

static void make_rows(struct region *region)
{
	const size_t row = (REGION_ROW_PAGES + 1) * PAGE;
	region->bytes = (4 + chance_below(12)) * row;
	region->memory = map(region->bytes);
	for (size_t at = 0; at < region->bytes; at += row)
		mprotect(region->memory + at + row - PAGE, PAGE, PROT_NONE);
}

static void make_large(struct region *region)
{
	region->bytes = LARGE + chance_below(2) * LARGE + chance_below(9) * 1000;
	region->reserved = region->bytes + 2 * LARGE;
	region->second = map(region->reserved);
	region->memory = region->second + (LARGE - (uintptr_t)region->second % LARGE) % LARGE;
	madvise(region->memory, region->bytes, MADV_HUGEPAGE);
}

static void make_shared(struct region *region)
{
	const int file = memfd_create("resident", MFD_CLOEXEC);
	region->bytes = (8 + chance_below(32)) * PAGE;
	if (file < 0 || ftruncate(file, (off_t)region->bytes) != 0)
		abort();
	region->memory = mmap(NULL, region->bytes, readable, MAP_SHARED, file, 0);
	region->second = mmap(NULL, region->bytes, readable, MAP_SHARED, file, 0);
	if (region->memory == MAP_FAILED || region->second == MAP_FAILED)
		abort();
	close(file);
}

void region_make(struct region *region, enum region_kind kind)
{
	*region = (struct region){.kind = kind};
	switch (kind) {
	case REGION_ROWS: make_rows(region); break;
	case REGION_LARGE: make_large(region); break;
	case REGION_SHARED: make_shared(region); break;
	case REGION_HEAP:
		region->bytes = 8 * PAGE + chance_below(60) * 5000;
		region->memory = malloc(region->bytes);
		break;
	default:
		region->bytes = (16 + chance_below(100)) * PAGE;
		region->memory = map(region->bytes);
	}
	make_views(region);
	if (kind != REGION_ROWS && chance_draw() % 4 != 0)
		fill(region->memory, region->bytes);
}

void region_end(struct region *region)
{
	if (region->kind == REGION_HEAP) {
		free(region->memory);
	} else if (region->kind == REGION_LARGE) {
		munmap(region->second, region->reserved);
	} else {
		munmap(region->memory, region->bytes);
		if (region->second != NULL)
			munmap(region->second, region->bytes);
	}
	region->memory = NULL;
}

struct region_view region_choose_view(const struct region *region)
{
	if (region->kind == REGION_ROWS || chance_draw() % 5 != 0)
		return region->view[chance_draw() % REGION_VIEWS];
	struct region_view view = {.offset = chance_below(region->bytes - 9000), .rows = 1};
	view.width = view.pitch = 9000 + chance_below(region->bytes - view.offset - 9000);
	return view;
}

/* A part of the region that may be written: of rows, one row. */
static char *choose_part(const struct region *region, size_t *bytes)
{
	size_t limit = region->bytes;
	char *from = region->memory;
	if (region->kind == REGION_ROWS) {
		const size_t row = (REGION_ROW_PAGES + 1) * PAGE;
		from += chance_below(region->bytes / row) * row;
		limit = REGION_ROW_PAGES * PAGE;
	}
	const size_t at = chance_below((limit - 64) / chance_grain) * chance_grain;
	const size_t most = chance_draw() % 4 == 0 ? limit - at : 64;
	*bytes = (1 + chance_below(most / chance_grain)) * chance_grain;
	return from + at;
}

static void store_byte(struct region *region)
{
	size_t bytes;
	char *memory = choose_part(region, &bytes);
	if (chance_grain == 1)
		*memory ^= (char)(1 + chance_draw() % 255);
	else
		chance_fill(memory, chance_grain);
}

static void store_part(struct region *region)
{
	size_t bytes;
	char *memory = choose_part(region, &bytes);
	chance_fill(memory, bytes);
}

static void write_part(struct region *region)
{
	size_t bytes;
	char *memory = choose_part(region, &bytes);
	if (bytes < 1024 && region->kind != REGION_ROWS) {
		memory = region->memory;
		bytes = region->bytes < 65536 ? region->bytes : 65536;
	}
	const struct writers_row *row = &writers_all[chance_draw() % writers_count];
	chance_step = row->name;
	row->write(memory, bytes < (1 << 20) ? bytes : 1 << 20);
}

static void store_second(struct region *region)
{
	if (region->kind == REGION_SHARED)
		chance_fill(region->second +
		                    chance_below(region->bytes / chance_grain) * chance_grain,
		            chance_grain);
}

static void renew(struct region *region)
{
	const enum region_kind kind = region->kind;
	region_end(region);
	region_make(region, kind);
}

static void resize(struct region *region)
{
	const size_t bytes = 8 * PAGE + chance_below(60) * 5000;
	if (region->kind != REGION_HEAP)
		return;
	char *memory = realloc(region->memory, bytes);
	if (memory == NULL)
		abort();
	region->memory = memory;
	region->bytes = bytes;
	make_views(region);
}

static void move(struct region *region)
{
	if (region->kind != REGION_MAPPED)
		return;
	char *memory = mremap(region->memory, region->bytes, region->bytes + PAGE, MREMAP_MAYMOVE);
	if (memory == MAP_FAILED)
		return;
	region->memory = memory;
	region->bytes += PAGE;
	char *place = map(region->bytes);
	memory = mremap(memory, region->bytes, region->bytes, MREMAP_MAYMOVE | MREMAP_FIXED, place);
	if (memory != MAP_FAILED)
		region->memory = memory;
	make_views(region);
}

/* Pages of the region; whole large blocks of it now and then. */
static char *choose_pages(const struct region *region, size_t *bytes)
{
	const uintptr_t start = ((uintptr_t)region->memory + PAGE - 1) & ~(uintptr_t)(PAGE - 1);
	const uintptr_t end = ((uintptr_t)region->memory + region->bytes) & ~(uintptr_t)(PAGE - 1);
	size_t first = chance_below((end - start) / PAGE),
	       count = 1 + chance_below((end - start) / PAGE - first);
	if (region->kind == REGION_LARGE && chance_draw() % 2 == 0) {
		first = 0;
		count = LARGE / PAGE;
	}
	*bytes = count * PAGE;
	return (char *)start + first * PAGE;
}

static void advise(const struct region *region, int advice)
{
	size_t bytes;
	char *pages = choose_pages(region, &bytes);
	madvise(pages, bytes, advice);
}

static void give_back(struct region *region)
{
	advise(region, MADV_DONTNEED);
}

/*
 * What could not be reclaimed at once would lose its contents at any time from then on, in the
 * middle of a call too: it is written, which ends that.
 */
static void keep_rest(char *pages, size_t bytes)
{
	const size_t page_bytes = (size_t)sysconf(_SC_PAGESIZE);
	for (size_t at = 0; at < bytes; at += page_bytes) {
		volatile char *first = pages + at;
		unsigned char present = 0;
		if (mincore(pages + at, page_bytes, &present) == 0 && (present & 1) != 0)
			*first = *first;
	}
}

/* Reclaimed at once; a page that is only to be freed may be read before, or after. */
static void give_back_later(struct region *region)
{
	size_t bytes;
	char *pages = choose_pages(region, &bytes);
	if (region->kind == REGION_SHARED || region->kind == REGION_ROWS)
		return;
	madvise(pages, bytes, MADV_FREE);
	madvise(pages, bytes, MADV_PAGEOUT);
	keep_rest(pages, bytes);
}

static void collapse(struct region *region)
{
	if (region->kind == REGION_LARGE)
		madvise(region->memory, LARGE, MADV_COLLAPSE);
}

static void protect(struct region *region)
{
	size_t bytes;
	char *pages = choose_pages(region, &bytes);
	if (region->kind == REGION_ROWS)
		return;
	mprotect(pages, bytes, chance_draw() % 2 == 0 ? PROT_READ : PROT_NONE);
	mprotect(pages, bytes, readable);
}

static void replace(struct region *region)
{
	size_t bytes;
	char *pages = choose_pages(region, &bytes);
	if (region->kind != REGION_MAPPED && region->kind != REGION_LARGE)
		return;
	if (chance_draw() % 2 == 0)
		munmap(pages, bytes);
	if (mmap(pages, bytes, readable, ANYWHERE | MAP_FIXED, -1, 0) == MAP_FAILED)
		abort();
}

const struct region_event region_events[] = {
	{"a store of one byte", store_byte},
	{"a store of one byte", store_byte},
	{"a store", store_part},
	{"a system call", write_part},
	{"a system call", write_part},
	{"a store by the second mapping", store_second},
	{"free and malloc", renew},
	{"realloc", resize},
	{"mremap", move},
	{"MADV_DONTNEED", give_back},
	{"MADV_FREE", give_back_later},
	{"MADV_COLLAPSE", collapse},
	{"mprotect", protect},
	{"MAP_FIXED", replace},
};
const size_t region_event_count = sizeof region_events / sizeof *region_events;
