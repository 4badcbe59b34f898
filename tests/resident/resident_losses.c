/* resident_losses.c - armed pages that lose their contents are not clean, however they lose them */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kernel_probe.h"
#include "shim/execute/gpu/resident/track.h"

enum { NOT_POSSIBLE = 77, BLOCKS = 3, PAGE = 4096, DONT_UNMAP = 4 };
static const size_t block = 2 << 20;

/* The middle one of three blocks, or its second page. */
struct lost {
	char *start;
	size_t bytes;
};

static int map_at(struct lost lost, int flags)
{
	return mmap(lost.start, lost.bytes, PROT_READ | PROT_WRITE,
	            flags | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED;
}

static int give_back(struct lost lost)
{
	return madvise(lost.start, lost.bytes, MADV_DONTNEED);
}

static int unmap(struct lost lost)
{
	return munmap(lost.start, lost.bytes);
}

static int map_anew(struct lost lost)
{
	return map_at(lost, MAP_PRIVATE);
}

static int map_shared(struct lost lost)
{
	return map_at(lost, MAP_SHARED);
}

static int move_away(struct lost lost)
{
	char *to = mmap(NULL, lost.bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	return to == MAP_FAILED ||
	       mremap(lost.start, lost.bytes, lost.bytes, MREMAP_MAYMOVE | MREMAP_FIXED, to) != to;
}

static int move_and_keep(struct lost lost)
{
	char *to = mmap(NULL, lost.bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	return to == MAP_FAILED || mremap(lost.start, lost.bytes, lost.bytes,
	                                  MREMAP_MAYMOVE | MREMAP_FIXED | DONT_UNMAP, to) != to;
}

/* A page of the kernel's, as those of devices are: PAGEMAP_SCAN leaves them out. */
static int map_kernel_page(struct lost lost)
{
	char line[256];
	unsigned long start = 0, end = 0;
	FILE *maps = fopen("/proc/self/maps", "re");
	while (maps != NULL && start == 0 && fgets(line, sizeof line, maps) != NULL)
		if (strstr(line, "[vvar") != NULL)
			sscanf(line, "%lx-%lx", &start, &end);
	if (maps != NULL)
		fclose(maps);
	const size_t bytes = end - start < lost.bytes ? end - start : lost.bytes;
	if (start == 0 || bytes > lost.bytes)
		return -1;
	/* Only whole: the kernel refuses to move a part. */
	return bytes < end - start ||
	       syscall(SYS_mremap, start, bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED,
	               lost.start) != (long)lost.start;
}

static const struct {
	const char *what;
	int (*lose)(struct lost lost);
	bool is_small; /* of a few pages, where the system has them at all */
} ways[] = {
	{"given back", give_back, false},
	{"unmapped", unmap, false},
	{"another mapping", map_anew, false},
	{"a shared mapping", map_shared, false},
	{"moved away", move_away, false},
	{"moved away, its place kept", move_and_keep, false},
	{"a page of the kernel", map_kernel_page, true},
};
enum { WAYS = sizeof ways / sizeof *ways };

static char *make_blocks(bool large)
{
	char *memory = mmap(NULL, (BLOCKS + 1) * block, PROT_READ | PROT_WRITE,
	                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED)
		exit(1);
	memory = (char *)(((uintptr_t)memory + block - 1) & ~(block - 1));
	madvise(memory, BLOCKS * block, large ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
	memset(memory, 1, BLOCKS * block);
	return memory;
}

/* Of the lost pages none is clean, and all others are. */
static int judge(const char *what, struct pages_span all, struct pages_span lost)
{
	struct pages_set clean;
	if (!pages_begin(&clean, all))
		return 1;
	track_scan(all, &clean);
	const uint64_t stale = pages_count(&clean, lost), found = pages_count(&clean, all);
	const uint64_t kept = (all.end - all.start - (lost.end - lost.start)) / PAGE;
	pages_end(&clean);
	if (stale == 0 && found <= kept)
		return 0;
	printf("FAIL %s: %lu lost pages are clean, of %lu\n", what, (unsigned long)stale,
	       (unsigned long)found);
	return 1;
}

/* In a process of its own. */
static int lose(int way, bool large, bool whole)
{
	char *memory = make_blocks(large);
	const struct pages_span all = {(uintptr_t)memory, (uintptr_t)memory + BLOCKS * block};
	const size_t page_at = block + PAGE;
	struct lost lost = {memory + (whole ? block : page_at), whole ? block : 4 * PAGE};
	const struct pages_span span = {(uintptr_t)lost.start, (uintptr_t)lost.start + lost.bytes};
	if (track_register(all) != 0 || track_arm(all) != 0)
		return 1;
	const int before = judge("nothing", all, (struct pages_span){all.start, all.start});
	if (ways[way].lose(lost) != 0)
		return ways[way].is_small ? NOT_POSSIBLE : 1;
	return before + judge(ways[way].what, all, span);
}

static int try(int way, bool large, bool whole)
{
	int status = 0;
	fflush(stdout);
	const pid_t child = fork();
	if (child == 0) {
		if (track_open() != TRACK_REASON_NONE)
			_Exit(1);
		track_scan_trust(true);
		const int result = lose(way, large, whole);
		fflush(stdout);
		_Exit(result);
	}
	waitpid(child, &status, 0);
	const int result = WIFEXITED(status) ? WEXITSTATUS(status) : 1;
	if (result == NOT_POSSIBLE)
		printf("not possible here: %s\n", ways[way].what);
	else if (result != 0)
		printf("FAIL %s, %s pages, %s\n", ways[way].what, large ? "large" : "small",
		       whole ? "a block" : "some pages");
	return result != 0 && result != NOT_POSSIBLE;
}

/* Whether this kernel may be trusted, by the module's own look at memory that was never touched. */
static bool names_untouched(void)
{
	char *memory =
		mmap(NULL, 2 * block, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	const struct pages_span span = {(uintptr_t)memory, (uintptr_t)memory + 2 * block};
	const bool names = memory != MAP_FAILED && track_open() == TRACK_REASON_NONE &&
	                   track_register(span) == 0 && track_scan_names_all(span);
	track_close();
	return names;
}

/*
 * A span of many blocks is armed by both requests of the kernel, from a page inside a block on:
 * all of it is clean, then all but a page of each block.
 */
static int arm_long(bool large)
{
	enum { LONG_BLOCKS = 24 };
	const size_t bytes = LONG_BLOCKS * block;
	char *memory =
		mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	const struct pages_span whole = {(uintptr_t)memory, (uintptr_t)memory + bytes},
				armed = {whole.start + PAGE, whole.end - PAGE};
	const uint64_t pages = bytes / PAGE - 2;
	struct pages_set clean;
	if (memory == MAP_FAILED || madvise(memory, bytes, large ? MADV_HUGEPAGE : MADV_NOHUGEPAGE))
		return 1;
	memset(memory, 1, bytes);
	if (track_open() != TRACK_REASON_NONE || track_register(whole) != 0 ||
	    track_arm(armed) != 0 || !pages_begin(&clean, whole))
		return 1;
	track_scan(whole, &clean);
	int failed = pages_count(&clean, whole) != pages;
	for (int i = 0; i < LONG_BLOCKS; i++)
		memory[i * block + block / 2] = 2;
	pages_remove(&clean, whole);
	track_scan(whole, &clean);
	failed |= pages_count(&clean, whole) != pages - LONG_BLOCKS;
	for (int i = 0; i < LONG_BLOCKS; i++)
		failed |= pages_has(&clean, whole.start + i * block + block / 2);
	pages_end(&clean);
	track_close();
	munmap(memory, bytes);
	printf("%s%d blocks of %s pages\n", failed ? "FAIL " : "", LONG_BLOCKS,
	       large ? "large" : "small");
	return failed;
}

int main(void)
{
	const char *missing = kernel_probe_find_missing();
	int failed = 0;
	if (missing != NULL || !names_untouched()) {
		printf("skipped: %s\n", missing != NULL ? missing : "the kernel hides losses");
		return NOT_POSSIBLE;
	}
	for (int way = 0; way < WAYS; way++)
		for (int kind = 0; kind < (ways[way].is_small ? 2 : 4); kind++)
			failed += try(way, (kind & 1) != 0, (kind & 2) != 0);
	printf("%d ways to lose pages, %d failed\n", 4 * WAYS - 2, failed);
	failed += arm_long(false) + arm_long(true);
	return failed > 0;
}
