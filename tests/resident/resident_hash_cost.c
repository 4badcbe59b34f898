/* resident_hash_cost.c - hashes end where sending takes less time, or memory must not be read */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "shim/execute/gpu/pages/digest.h"
#include "shim/execute/gpu/resident/resident.h"

enum { OPERAND_BYTES = 4 << 20, CALLS = 12, NOT_POSSIBLE = 77 };
static const double slow_bytes_s = 1, fast_bytes_s = 1e18;

static int failed;
static char *memory;
static const char *refused; /* a byte of it must not be read; NULL: all may be */

static void check(const char *what, bool held)
{
	if (held)
		return;
	failed++;
	printf("FAIL %s\n", what);
}

static bool may_read(const void *start, uint64_t bytes)
{
	const char *first = start;
	return refused == NULL || refused < first || refused >= first + bytes;
}

static void open_hashing(void)
{
	const struct resident_settings settings = {
		.mode = RESIDENT_HASH, .limit_bytes = 64 << 20, .may_read = may_read};
	const char *fault = NULL;
	check("hashing is possible", resident_open(&settings, &fault) == TRACK_REASON_NONE);
}

/* A call reads the operand; the bytes of it that are sent. */
static uint64_t read_operand(double send_bytes_s)
{
	struct resident_call call;
	struct host_view view;
	host_view_make(&view, memory, OPERAND_BYTES, OPERAND_BYTES, 1);
	resident_set_rate(send_bytes_s);
	resident_begin(&call);
	struct resident_operand *operand = resident_plan(&call, &view, RESIDENT_READ);
	const uint64_t sent = operand->is_tracked ? operand->send_bytes : OPERAND_BYTES;
	resident_sent_all(operand);
	resident_end(&call);
	return sent;
}

static void read_often(double send_bytes_s)
{
	for (int i = 0; i < CALLS; i++)
		read_operand(send_bytes_s);
}

static void test_rates(void)
{
	open_hashing();
	read_often(slow_bytes_s);
	check("beside a slow link nothing is sent", read_operand(slow_bytes_s) == 0);
	read_operand(fast_bytes_s);
	check("beside a fast one all is sent", read_operand(fast_bytes_s) == OPERAND_BYTES);
	const uint64_t hashed = resident_stats_get().hashed_bytes;
	read_often(fast_bytes_s);
	check("and nothing is hashed", resident_stats_get().hashed_bytes == hashed);
	check("the reason is told", resident_reason() == TRACK_REASON_HASH_SLOW);
	read_often(slow_bytes_s);
	check("then it is kept again", read_operand(slow_bytes_s) == 0);
	check("and there is no reason", resident_reason() == TRACK_REASON_NONE);
	resident_close();
}

static void test_refused(void)
{
	open_hashing();
	read_often(slow_bytes_s);
	check("what may be read is kept", read_operand(slow_bytes_s) == 0);
	refused = memory + OPERAND_BYTES - 1;
	check("what may not is sent", read_operand(slow_bytes_s) == OPERAND_BYTES);
	check("each time", read_operand(slow_bytes_s) == OPERAND_BYTES);
	memory[0]++;
	refused = NULL;
	check("what was not seen is sent", read_operand(slow_bytes_s) == OPERAND_BYTES);
	read_often(slow_bytes_s);
	check("and then it is kept again", read_operand(slow_bytes_s) == 0);
	resident_close();
}

/*
 * With the secret of xxhash.h two numbers of these may change places: a product that they are in is
 * 0, since their lower halves are those of the secret.
 */
static void test_secret(void)
{
	enum { WORDS = OPERAND_BYTES / sizeof(uint64_t), STRIPE = 8 };
	uint64_t *word = (uint64_t *)(void *)memory;
	const struct pages_span page = {(uintptr_t)memory, (uintptr_t)memory + pages_size()};
	const uint64_t first = UINT64_C(3) << 32, second = UINT64_C(5) << 32;
	struct digest before, after;
	memset(memory, 0, WORDS * sizeof *word);
	word[0] = first | 0x396cfeb8;
	word[STRIPE] = second | 0x2c81017c;
	digest_take(page, &before);
	word[0] = second | 0x396cfeb8;
	word[STRIPE] = first | 0x2c81017c;
	digest_take(page, &after);
	check("numbers that change places are another page", !digest_equals(before, after));
}

int main(void)
{
	if (!digest_is_built()) {
		printf("skipped: the library was built without hashing\n");
		return NOT_POSSIBLE;
	}
	memory = mmap(NULL, OPERAND_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
	              0);
	if (memory == MAP_FAILED)
		return 1;
	memset(memory, 1, OPERAND_BYTES);
	test_rates();
	test_refused();
	test_secret();
	printf("resident_hash_cost: %d failed\n", failed);
	return failed > 0;
}
