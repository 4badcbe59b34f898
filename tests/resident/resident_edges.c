/* resident_edges.c - how much of a result is armed while the rest of it is still to be stored */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "kernel_probe.h"
#include "shim/execute/gpu/resident/resident.h"
#include "shim/execute/gpu/resident/track.h"

enum { NOT_POSSIBLE = 77, BLOCKS = 4, PAGE = 4096 };
static const size_t block = 2 << 20;

/* Four blocks, from an edge of large pages on. */
static char *map_blocks(bool large)
{
	const size_t bytes = (BLOCKS + 1) * block;
	char *memory =
		mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED || madvise(memory, bytes, large ? MADV_HUGEPAGE : MADV_NOHUGEPAGE))
		return NULL;
	memset(memory, 1, bytes);
	return (char *)(((uintptr_t)memory + block - 1) & ~(uintptr_t)(block - 1));
}

static bool is_large(const char *memory)
{
	const uintptr_t start = (uintptr_t)memory;
	return track_count_large((struct pages_span){start, start + BLOCKS * block}) ==
	       BLOCKS * block / PAGE;
}

/* The pages that are armed once the first bytes of a result are stored. */
static uint64_t count_armed(const char *memory, size_t stored)
{
	struct host_view view;
	struct resident_call call;
	const uint64_t before = resident_stats_get().armed_pages;
	resident_begin(&call);
	if (!host_view_make(&view, memory, BLOCKS * block, BLOCKS * block, 1))
		return 0;
	resident_arm(resident_plan(&call, &view, RESIDENT_WRITE), (uintptr_t)memory + stored);
	const uint64_t armed = resident_stats_get().armed_pages - before;
	resident_abort(&call);
	return armed;
}

static int check(const char *pages, size_t stored, uint64_t expected, uint64_t armed)
{
	const int failed = armed != expected;
	printf("%s%zu bytes in %s pages: %llu armed, not %llu\n", failed ? "FAIL " : "", stored,
	       pages, (unsigned long long)armed, (unsigned long long)expected);
	return failed;
}

/* A page is armed once all of it is stored, be it a small one or a large one. */
static int check_edges(bool large)
{
	const size_t stored[] = {block + block / 2 + PAGE / 2, 2 * block, 3 * block + PAGE - 1};
	const char *memory = map_blocks(large), *pages = large ? "large" : "small";
	int failed = memory == NULL;
	if (memory != NULL && large && !is_large(memory)) {
		printf("large pages: skipped, the system gives none\n");
		return 0;
	}
	for (size_t i = 0; i < sizeof stored / sizeof *stored && !failed; i++) {
		const size_t page = large ? block : PAGE;
		failed = check(pages, stored[i], stored[i] / page * (page / PAGE),
		               count_armed(memory, stored[i]));
	}
	return failed;
}

int main(void)
{
	const struct resident_settings settings = {.limit_bytes = UINT64_MAX,
	                                           .tracks_at_once = true};
	const char *missing = kernel_probe_find_missing(), *fault;
	if (missing != NULL) {
		printf("skipped: %s\n", missing);
		return NOT_POSSIBLE;
	}
	if (resident_open(&settings, &fault) != TRACK_REASON_NONE)
		return 1;
	const int failed = check_edges(false) + check_edges(true);
	resident_close();
	return failed;
}
