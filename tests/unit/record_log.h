/* record_log.h - a log in a folder of the test's own: what writes it, and what is in it */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_UNIT_RECORD_LOG_H
#define GPUSHIM_TESTS_UNIT_RECORD_LOG_H

#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "shim/base/clock.h"
#include "shim/record/record.h"
#include "shim/table/symbol.h"
#include "tests/driver/whole_messages.h"

enum { RECORD_LOG_BYTES = 1 << 26 };

static char record_log_folder[] = "/tmp/record_log_XXXXXX";
static char record_log_text[RECORD_LOG_BYTES]; /* of the file that was read last */
static const char record_log_begin[] = "{\"time\":\"";

static inline void record_log_enter(void)
{
	cr_assert_not_null(mkdtemp(record_log_folder));
	cr_assert_eq(chdir(record_log_folder), 0);
}

static inline void record_log_leave(void)
{
	char command[sizeof(record_log_folder) + 16];
	snprintf(command, sizeof(command), "rm -rf '%s'", record_log_folder);
	cr_assert_eq(system(command), 0);
}

static inline void record_log_write_line(void)
{
	struct call call = {.symbol = SYMBOL_dgemm_, .family = FAMILY_GEMM, .element = ELEMENT_D};
	const struct decision decision = {.reason = REASON_WARMING_UP,
	                                  .device = -1,
	                                  .predicted_cpu_ns = -1,
	                                  .predicted_gpu_ns = -1};
	record_write(&(struct record){.call = &call,
	                              .decision = &decision,
	                              .start_ns = clock_realtime_ns(),
	                              .elapsed_ns = 17});
}

static inline void record_log_write_ticks(int64_t count)
{
	for (int64_t i = 0; i < count; i++) {
		const uint64_t now = clock_ticks();
		record_tick(&(struct record_tick){now, now + 1000, {i, 1, 1}, SYMBOL_dgemm_, 1});
	}
}

/* The text of a file, with each message of the shim in one line; NULL without a file. */
static inline const char *record_log_read(const char *name)
{
	char *text = record_log_text;
	const int fd = open(name, O_RDONLY);
	size_t used = 0;
	if (fd < 0)
		return NULL;
	for (ssize_t count; (count = read(fd, text + used, RECORD_LOG_BYTES - 1 - used)) > 0;)
		used += (size_t)count;
	text[used] = '\0';
	close(fd);
	/* A log has no messages: its first character is a brace. */
	return text[0] == '{' ? text : whole_messages_join(text);
}

static inline int record_log_count_words(const char *name, const char *words)
{
	int count = 0;
	const char *at = record_log_read(name);
	for (; at != NULL && (at = strstr(at, words)) != NULL; at++)
		count++;
	return count;
}

/* Lines of the file, each of which must be complete; -1 without a file. */
static inline int record_log_count_lines(const char *name)
{
	int lines = 0;
	const char *at = record_log_read(name);
	if (at == NULL)
		return -1;
	for (; *at != '\0'; lines++) {
		const char *end = strchr(at, '\n');
		cr_assert_not_null(end, "the last line is cut: %s", at);
		const size_t begin = sizeof record_log_begin - 1, rest = (size_t)(end - at - 1);
		cr_assert(strncmp(at, record_log_begin, begin) == 0 && end[-1] == '}' &&
		                  memmem(at + 1, rest, record_log_begin, begin) == NULL &&
		                  memchr(at + 1, '{', rest) != NULL,
		          "a torn line: %.300s", at);
		at = end + 1;
	}
	return lines;
}

#endif
