/* fuzz_counters.c - counters of other processes, as `gpushim top` reads them */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/top/top_read.h"
#include "shim/record/pool.h"
#include "tests/fuzz/fuzz.h"

static struct counters_file file;

/* What is shown on a terminal must not control it. */
static void check_program(const struct top_sample *sample)
{
	FUZZ_CHECK(memchr(sample->program, '\0', sizeof sample->program) != NULL);
	for (const char *at = sample->program; *at != '\0'; at++)
		FUZZ_CHECK(*at >= ' ' && *at <= '~');
}

static void check_names(const char *text)
{
	char again[POOL_NAME_BYTES];
	uint64_t nonce;
	int64_t pid, start_ns;
	int id;
	if (top_read_name(text, &pid, &start_ns))
		FUZZ_CHECK(pid > 0 && start_ns >= 0);
	if (!pool_is_name(text) || !pool_parse_name(text, &id, &nonce))
		return;
	pool_format_name(id, nonce, again);
	FUZZ_CHECK(pool_parse_name(again, &id, &nonce));
}

/* The input is the file's begin; the rest of it holds zeros, or (odd sizes) its bytes again. */
static void lay_out(const uint8_t *data, size_t size)
{
	char *const bytes = (char *)&file;
	memset(&file, 0, sizeof file);
	for (size_t at = 0; at < sizeof file && size > 0; at += size) {
		memcpy(bytes + at, data, size < sizeof file - at ? size : sizeof file - at);
		if (size % 2 == 0)
			break;
	}
}

static void check_head(const uint8_t *data, size_t size)
{
	struct pool_head head;
	if (size < sizeof head)
		return;
	memcpy(&head, data, sizeof head);
	if (pool_is_head(&head, size))
		FUZZ_CHECK(head.capacity == 0 || head.stride <= size);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct top_sample sample;
	char *const text = fuzz_copy_text(data, size);
	check_names(text);
	free(text);
	check_head(data, size);
	lay_out(data, size);
	if (top_read_check_head(&file) != TOP_FINE)
		return 0;
	memset(&sample, 0, sizeof sample);
	top_read_counters(&file, TOP_FILE, &sample);
	check_program(&sample);
	return 0;
}
