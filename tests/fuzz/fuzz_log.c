/* fuzz_log.c - logs read by the tool: each line a record or not, and sums that add up */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cli/log/log.h"
#include "cli/log/log_sum.h"
#include "tests/fuzz/fuzz.h"

static void check_words(struct words words, const char *begin, const char *end)
{
	if (words.length == 0)
		return;
	FUZZ_CHECK(words.text >= begin && words.text + words.length <= end);
}

static void check_lines(const char *text, size_t size)
{
	const char *const end = text + size;
	for (const char *line = text; line < end;) {
		const char *const stop = memchr(line, '\n', (size_t)(end - line));
		const size_t length = (size_t)((stop != NULL ? stop : end) - line);
		/* A block of its own: a read beyond the line is seen. */
		char *const copy = malloc(length == 0 ? 1 : length);
		struct log_record record;
		struct words unknown = {0};
		memcpy(copy, line, length);
		if (log_parse(copy, length, &record, &unknown)) {
			check_words(record.symbol_name, copy, copy + length);
			check_words(record.reason_name, copy, copy + length);
			check_words(record.object, copy, copy + length);
			FUZZ_CHECK(record.rank >= 0 && record.rank <= FFT_RANK_MAX);
			FUZZ_CHECK(record.family >= -1 && record.family < FAMILY_COUNT);
			FUZZ_CHECK(record.reason >= -1 && record.reason < REASON_COUNT);
		}
		check_words(unknown, copy, copy + length);
		free(copy);
		line += length + 1;
	}
}

/* The whole file: each line is counted once, and each record once in the sums. */
static void check_file(const uint8_t *data, size_t size)
{
	char path[64];
	const int fd = memfd_create("fuzz", MFD_CLOEXEC);
	FUZZ_CHECK(fd >= 0 && write(fd, data, size) == (ssize_t)size);
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	const char *const paths[] = {path};
	struct log *log = log_open(paths, 1);
	struct log_sum *sum = log_sum_make();
	struct log_record record;
	uint64_t records = 0;
	while (log_next(log, &record)) {
		log_sum_add(sum, &record);
		records++;
	}
	log_sum_end(sum);
	FUZZ_CHECK(sum->total.side[0].calls + sum->total.side[1].calls == records);
	log_sum_free(sum);
	log_close(log);
	close(fd);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	check_lines((const char *)data, size);
	check_file(data, size);
	return 0;
}
