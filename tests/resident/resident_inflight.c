/* resident_inflight.c - a direct read is under way into a page that an operand shares */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "card.h"
#include "chance.h"
#include "kernel_probe.h"
#include "shim/execute/gpu/resident/track.h"
#include "slow_file.h"

/*
 * The operand ends within a page, and the neighbour's memory begins there. The read has pinned that
 * page before the call on the operand arms it, so its bytes arrive without a trace: a page that the
 * call keeps as unchanged would hide them from the next call on the neighbour.
 */
enum { PAGES = 16, READ_BYTES = 1000 };

static char *memory;
static size_t bytes, cut;

static bool has_arrived(void)
{
	return memory[cut] == SLOW_FILE_BYTE;
}

/* Without the module: a page that is armed while the read is under way stays clean. */
static bool kernel_misses_it(void)
{
	const struct pages_span all = {(uintptr_t)memory, (uintptr_t)memory + bytes};
	struct pages_set clean;
	if (track_open() != TRACK_REASON_NONE || track_register(all) != 0 ||
	    !pages_begin(&clean, all))
		return false;
	memset(memory, 1, bytes);
	slow_file_begin(memory + cut, READ_BYTES);
	const bool armed = track_arm(all) == 0;
	slow_file_end();
	track_scan(all, &clean);
	const bool missed = armed && has_arrived() && pages_has(&clean, (uintptr_t)memory + cut);
	pages_end(&clean);
	track_close();
	return missed;
}

static void call(size_t from, size_t count)
{
	card_call(memory + from, count, count, 1, RESIDENT_READ, CARD_ENDS, NULL, NULL);
}

/*
 * The same where the operand has a copy of its own, which keeps its part of that page: it is as it
 * was, and the neighbour's copy has lost the page.
 */
static bool keeps_parts(void)
{
	resident_flush();
	memset(memory, 2, bytes);
	call(cut, bytes - cut);
	slow_file_begin(memory + cut, READ_BYTES);
	call(0, cut);
	slow_file_end();
	const uint64_t before = card_counts.sent_bytes;
	call(0, cut);
	const bool kept = card_counts.sent_bytes == before;
	call(cut, bytes - cut);
	printf("the operand's part of the page is %s\n", kept ? "kept" : "sent again");
	return kept && has_arrived();
}

int main(void)
{
	const char *why = kernel_probe_find_missing();
	if (why != NULL || slow_file_open(&why) == NULL) {
		printf("skipped: %s\n", why);
		return 77;
	}
	bytes = PAGES * pages_size();
	cut = bytes / 2 + 512;
	memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED)
		return 1;
	if (!kernel_misses_it()) {
		printf("FAIL the kernel noted the read: this test tells nothing any more\n");
		return 1;
	}
	memset(memory, 1, bytes);
	if (!card_open())
		return 1;
	chance_step = "a direct read that was under way";
	call(0, bytes);
	slow_file_begin(memory + cut, READ_BYTES);
	call(0, cut);
	slow_file_end();
	call(0, bytes);
	call(cut, bytes - cut);
	const bool kept = has_arrived() && keeps_parts();
	printf("%llu operands compared, none stale; the read arrived: %s\n",
	       (unsigned long long)card_counts.checks, has_arrived() ? "yes" : "no");
	slow_file_close();
	resident_close();
	card_free_retired();
	return kept && card_counts.checks == 8 ? 0 : 1;
}
