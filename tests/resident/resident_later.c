/* resident_later.c - what forbids tracking when it is opened may end: then operands are tracked */
/* SPDX-License-Identifier: Apache-2.0 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kernel_probe.h"
#include "shim/execute/gpu/resident/resident.h"
#include "writers.h"

/* Guards are asked again in one of 64 calls. */
enum { OPERAND_BYTES = 1 << 20, CALLS = 64 + 2, NOT_POSSIBLE = 77 };

static char *map_memory(void)
{
	char *memory = mmap(NULL, OPERAND_BYTES, PROT_READ | PROT_WRITE,
	                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	return memory == MAP_FAILED ? NULL : memset(memory, 1, OPERAND_BYTES);
}

static bool is_tracked(char *memory)
{
	struct resident_call call;
	struct host_view view;
	host_view_make(&view, memory, OPERAND_BYTES, OPERAND_BYTES, 1);
	resident_begin(&call);
	const bool tracked = resident_plan(&call, &view, RESIDENT_READ)->is_tracked;
	resident_end(&call);
	return tracked;
}

static bool is_tracked_in_the_end(char *memory)
{
	for (int i = 0; i < CALLS; i++)
		if (is_tracked(memory))
			return true;
	return false;
}

static int page_map;

static bool open_map(void)
{
	page_map = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
	return page_map >= 0;
}

static void close_map(void)
{
	close(page_map);
}

static bool pin(void)
{
	return writers_open() && writers_pin(map_memory(), OPERAND_BYTES);
}

static const struct {
	const char *what;
	enum track_reason reason;
	bool (*begin)(void);
	void (*end)(void);
} rows[] = {
	{"an open page map", TRACK_REASON_PAGEMAP, open_map, close_map},
	{"pinned memory", TRACK_REASON_PINNED, pin, writers_unpin},
};

static bool check(const char *what, const char *claim, bool held)
{
	if (!held)
		printf("FAIL %s: %s\n", what, claim);
	return held;
}

/* The status of a child. */
static int run(size_t row)
{
	const struct resident_settings settings = {
		.limit_bytes = 64 << 20, .tracks_at_once = true, .asks_despite_filter = true};
	const char *fault = NULL, *what = rows[row].what;
	char *memory = map_memory();
	if (memory == NULL || !rows[row].begin())
		return NOT_POSSIBLE;
	bool right = check(what, "tracking begins without it",
	                   resident_open(&settings, &fault) == rows[row].reason);
	right &= check(what, "an operand is tracked", !is_tracked_in_the_end(memory));
	right &= check(what, "the reason changes", resident_reason() == rows[row].reason);
	rows[row].end();
	right &= check(what, "nothing is tracked afterwards", is_tracked_in_the_end(memory));
	right &= check(what, "the reason stays", resident_reason() == TRACK_REASON_NONE);
	return !right;
}

int main(void)
{
	int failed = 0, left_out = 0;
	const char *missing = kernel_probe_find_missing();
	if (missing != NULL) {
		printf("skipped: %s\n", missing);
		return NOT_POSSIBLE;
	}
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		int status = 0;
		fflush(stdout);
		const pid_t child = fork();
		if (child == 0) {
			const int result = run(i);
			fflush(stdout);
			_exit(result);
		}
		if (waitpid(child, &status, 0) != child || !WIFEXITED(status))
			failed++;
		else if (WEXITSTATUS(status) == NOT_POSSIBLE)
			left_out++;
		else
			failed += WEXITSTATUS(status) != 0;
	}
	printf("resident_later: %d failed, %d not possible here\n", failed, left_out);
	return failed > 0;
}
