/* record_head_test.c - the keys of a process's first record: once, escaped, in the first line */
/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "shim/base/clock.h"
#include "shim/record/record.h"
#include "shim/table/symbol.h"

enum { TICKS = 20000, TEXT_BYTES = 1 << 24 };

static char folder[] = "/tmp/record_head_test_XXXXXX";
static char text[TEXT_BYTES];

static void enter_folder(void)
{
	cr_assert_not_null(mkdtemp(folder));
	cr_assert_eq(chdir(folder), 0);
}

static void leave_folder(void)
{
	unlink("log");
	cr_assert_eq(chdir("/"), 0);
	cr_assert_eq(rmdir(folder), 0);
}

TestSuite(record_head, .init = enter_folder, .fini = leave_folder, .timeout = 60);

static void open_log(enum log_level level)
{
	static struct options options = {.enabled = true, .log = "log"};
	options.log_level = (int)level;
	record_open(&options, false);
}

static void write_line(void)
{
	struct call call = {.symbol = SYMBOL_dgemm_, .family = FAMILY_GEMM, .element = ELEMENT_D};
	const struct decision decision = {.reason = REASON_WARMING_UP, .device = -1};
	record_write(&(struct record){.call = &call,
	                              .decision = &decision,
	                              .start_ns = clock_realtime_ns(),
	                              .elapsed_ns = 17});
}

static void write_ticks(int64_t count)
{
	for (int64_t i = 0; i < count; i++) {
		const uint64_t now = clock_ticks();
		record_tick(&(struct record_tick){now, now + 1000, {i, 1, 1}, SYMBOL_dgemm_, 1});
	}
}

static void read_log(void)
{
	const int fd = open("log", O_RDONLY);
	size_t used = 0;
	for (ssize_t count; (count = read(fd, text + used, sizeof(text) - 1 - used)) > 0;)
		used += (size_t)count;
	text[used] = '\0';
	close(fd);
}

static int count_words(const char *words)
{
	int count = 0;
	read_log();
	for (const char *at = text; (at = strstr(at, words)) != NULL; at++)
		count++;
	return count;
}

/* Lines, each of which must be whole. */
static int count_lines(void)
{
	int lines = 0;
	read_log();
	for (const char *at = text; *at != '\0'; lines++) {
		const char *end = strchr(at, '\n');
		cr_assert_not_null(end, "the last line is cut: %s", at);
		cr_assert(strncmp(at, "{\"time\":\"", 9) == 0 && end[-1] == '}', "%.300s", at);
		at = end + 1;
	}
	return lines;
}

static void write_in_child(void)
{
	int status = -1;
	record_before_fork();
	const pid_t child = fork();
	if (child == 0) {
		record_after_fork_child();
		write_line();
		_exit(0);
	}
	record_after_fork_parent();
	cr_assert_eq(waitpid(child, &status, 0), child);
	cr_assert_eq(status, 0);
}

/* Names that JSON escapes, in two alphabets, and bytes of another encoding. */
static void set_head(void)
{
	record_set_head(
		&(struct record_head){"a \"b\" \\ \u05e9 \U0001f600 \x1b\xff\xed\xa0\x80\xc0\x80",
	                              "2026-11-21T10:00:00Z"});
}

static const char head_machine[] = "\"machine\":\"a \\\"b\\\" \\\\ \u05e9 \U0001f600 ???????\",";

Test(record_head, the_first_line_of_a_process_names_program_host_and_machine)
{
	set_head();
	open_log(LOG_DECISION);
	cr_assert_eq(count_lines(), 0);
	write_line();
	write_line();
	cr_assert_eq(count_lines(), 2);
	cr_assert_eq(count_words(head_machine), 1, "%s", text);
	cr_assert_eq(count_words(",\"program\":\""), 1);
	cr_assert_eq(count_words(",\"host\":\""), 1);
	cr_assert_eq(count_words("\"measured\":\"2026-11-21T10:00:00Z\",\"object\""), 1);
	cr_assert_lt(strstr(text, "program"), strchr(text, '\n'));
	write_in_child();
	write_in_child();
	cr_assert_eq(count_lines(), 4);
	cr_assert_eq(count_words(head_machine), 3, "each child is a process");
}

Test(record_head, a_tick_may_be_the_first_line)
{
	set_head();
	open_log(LOG_CALL);
	write_ticks(TICKS);
	record_close();
	cr_assert_eq(count_lines(), TICKS);
	cr_assert_eq(count_words(head_machine), 1);
	cr_assert_lt(strstr(text, "program"), strchr(text, '\n'));
}

Test(record_head, a_long_name_leaves_the_line_whole)
{
	static char name[4000];
	memset(name, '"', sizeof(name) - 1);
	record_set_head(&(struct record_head){name, name});
	open_log(LOG_DECISION);
	write_line();
	cr_assert_eq(count_lines(), 1);
	cr_assert_eq(count_words("\"measured\":\"\\\""), 1);
	cr_assert_eq(count_words("\\\"\",\"object\""), 1);
}
