/* resident_age.c - what page faults may cost depends on how long the process has lived */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "kernel_probe.h"
#include "shim/execute/gpu/resident/resident.h"

/* To rewrite all of it takes more than the page faults that are always free. */
enum { OPERAND_BYTES = 256 << 20, NOT_POSSIBLE = 77 };

static int failed;
static char *memory;

static void check(const char *what, bool held)
{
	if (held)
		return;
	failed++;
	printf("FAIL %s\n", what);
}

/* One call with the operand; whether it is tracked. The link is slow, so that this pays. */
static bool call(enum resident_access access)
{
	struct resident_call call;
	struct host_view view;
	host_view_make(&view, memory, OPERAND_BYTES, OPERAND_BYTES, 1);
	resident_set_rate(1);
	resident_begin(&call);
	struct resident_operand *operand = resident_plan(&call, &view, access);
	const bool is_tracked = operand->is_tracked;
	if (access == RESIDENT_WRITE)
		resident_commit(operand, OPERAND_BYTES);
	resident_sent_all(operand);
	resident_end(&call);
	return is_tracked;
}

/* A result is tracked at the first call that reads it, or at the second one. */
static bool tracks_first_read(int64_t age_ns)
{
	const struct resident_settings settings = {.limit_bytes = UINT64_MAX, .age_ns = age_ns};
	const char *fault = NULL;
	check("the tracking opens", resident_open(&settings, &fault) == TRACK_REASON_NONE);
	check("a result is not tracked", !call(RESIDENT_WRITE));
	const bool first = call(RESIDENT_READ), second = call(RESIDENT_READ);
	check("what was read twice is tracked", second);
	resident_close();
	return first;
}

int main(void)
{
	const char *missing = kernel_probe_find_missing();
	if (missing != NULL) {
		printf("skipped: %s\n", missing);
		return NOT_POSSIBLE;
	}
	memory = mmap(NULL, OPERAND_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
	              0);
	if (memory == MAP_FAILED)
		return 1;
	memset(memory, 1, OPERAND_BYTES);
	check("not at the first read in a young process", !tracks_first_read(0));
	check("at once in an old one", tracks_first_read(INT64_C(3600000000000)));
	printf("resident_age: %d failed\n", failed);
	return failed > 0;
}
