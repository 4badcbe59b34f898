/* record_head_test.c - the keys of a process's first record: once, escaped, in the first line */
/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "shim/record/record.h"
#include "tests/unit/record_log.h"

enum { TICKS = 20000 };

TestSuite(record_head, .init = record_log_enter, .fini = record_log_leave, .timeout = 60);

static void open_log(enum log_level level)
{
	static struct options options = {.enabled = true, .log = "log"};
	options.log_level = (int)level;
	record_open(&options, false);
}

static void write_in_child(void)
{
	int status = -1;
	record_before_fork();
	const pid_t child = fork();
	if (child == 0) {
		record_after_fork_child();
		record_log_write_line();
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
	cr_assert_eq(record_log_count_lines("log"), 0);
	record_log_write_line();
	record_log_write_line();
	cr_assert_eq(record_log_count_lines("log"), 2);
	cr_assert_eq(record_log_count_words("log", head_machine), 1, "%s", record_log_text);
	cr_assert_eq(record_log_count_words("log", ",\"program\":\""), 1);
	cr_assert_eq(record_log_count_words("log", ",\"host\":\""), 1);
	cr_assert_eq(
		record_log_count_words("log", "\"measured\":\"2026-11-21T10:00:00Z\",\"object\""),
		1);
	cr_assert_lt(strstr(record_log_text, "program"), strchr(record_log_text, '\n'));
	write_in_child();
	write_in_child();
	cr_assert_eq(record_log_count_lines("log"), 4);
	cr_assert_eq(record_log_count_words("log", head_machine), 3, "each child is a process");
}

Test(record_head, ranks_and_jobs_are_told_where_there_are_any)
{
	record_set_head(&(struct record_head){"", ""});
	open_log(LOG_DECISION);
	record_log_write_line();
	cr_assert_eq(record_log_count_words("log", "\"measured\":\"\",\"object\""), 1);
	setenv("OMPI_COMM_WORLD_SIZE", "8", 1);
	setenv("OMPI_COMM_WORLD_RANK", "5", 1);
	setenv("OMPI_COMM_WORLD_LOCAL_SIZE", "4", 1);
	setenv("OMPI_COMM_WORLD_LOCAL_RANK", "1", 1);
	setenv("PMIX_NAMESPACE", "9\"9", 1);
	setenv("SLURM_JOB_ID", "4711", 1);
	record_set_head(&(struct record_head){"", ""});
	write_in_child();
	cr_assert_eq(record_log_count_words("log", "\"measured\":\"\",\"rank\":\"5\",\"size\":"
	                                           "\"8\",\"local_rank\":\"1\",\"launcher\":"
	                                           "\"Open MPI\",\"job\":\"4711\",\"step\":"
	                                           "\"9_9\",\"object\""),
	             1, "%s", record_log_text);
}

Test(record_head, a_tick_may_be_the_first_line)
{
	set_head();
	open_log(LOG_CALL);
	record_log_write_ticks(TICKS);
	record_close();
	cr_assert_eq(record_log_count_lines("log"), TICKS);
	cr_assert_eq(record_log_count_words("log", head_machine), 1);
	cr_assert_lt(strstr(record_log_text, "program"), strchr(record_log_text, '\n'));
}

Test(record_head, a_long_name_leaves_the_line_whole)
{
	static char name[4000];
	memset(name, '"', sizeof(name) - 1);
	record_set_head(&(struct record_head){name, name});
	open_log(LOG_DECISION);
	record_log_write_line();
	cr_assert_eq(record_log_count_lines("log"), 1);
	cr_assert_eq(record_log_count_words("log", "\"measured\":\"\\\""), 1);
	cr_assert_eq(record_log_count_words("log", "\\\"\",\"object\""), 1);
}
