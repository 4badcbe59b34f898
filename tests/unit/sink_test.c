/* sink_test.c - names of log files with process, host, rank and job; a log whose reader stops */
/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include "shim/base/clock.h"
#include "shim/record/logfile.h"
#include "shim/record/sink.h"
#include "tests/unit/capture.h"

Test(sink, names_hold_process_host_and_rank)
{
	char out[256], expected[256], host[128];
	cr_assert_eq(gethostname(host, sizeof(host)), 0);
	unsetenv("PMI_RANK");
	setenv("OMPI_COMM_WORLD_RANK", "../x", 1);
	setenv("SLURM_PROCID", "3", 1);
	snprintf(expected, sizeof(expected), "/a/%s-%d-3%%x%%%%", host, (int)getpid());
	cr_assert(sink_expand_name("/a/%h-%p-%r%x%%%", out, sizeof(out)));
	cr_assert_str_eq(out, expected);
	cr_assert_not(sink_expand_name("%p", out, 1));
	cr_assert(sink_names_process("a%p") && !sink_names_process("a%%p") &&
	          !sink_names_process("%"));
}

static void expect_job(const char *variable, const char *value, const char *expected)
{
	char out[256];
	if (variable != NULL)
		setenv(variable, value, 1);
	cr_assert(sink_expand_name("log-%j-%%j", out, sizeof(out)));
	cr_expect_str_eq(out, expected);
	if (variable != NULL)
		unsetenv(variable);
}

Test(sink, names_hold_the_job)
{
	expect_job(NULL, NULL, "log-0-%j");
	expect_job("SLURM_JOB_ID", "4711", "log-4711-%j");
	expect_job("PBS_JOBID", "12[3].server", "log-12_3_.server-%j");
	expect_job("PBS_JOBID", "../x", "log-_._x-%j");
	setenv("OMPI_COMM_WORLD_SIZE", "2", 1);
	setenv("OMPI_COMM_WORLD_RANK", "1", 1);
	expect_job("PMIX_NAMESPACE", "99", "log-99-%j");
}

enum { PIPE_LINE = 100, PIPE_LINES = 5000 };

/* Reads all that the pipe holds; the text is terminated. */
static size_t empty_pipe(int fd, char *text, size_t size)
{
	size_t used = 0;
	for (ssize_t got; used + 1 < size && (got = read(fd, text + used, size - used - 1)) > 0;)
		used += (size_t)got;
	text[used] = '\0';
	return used;
}

/* Whether every line has the length of those written, but for at most one that was cut off. */
static void expect_whole_lines(char *text)
{
	int cut = 0;
	for (char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n"))
		cut += strlen(line) != PIPE_LINE - 1;
	cr_expect_leq(cut, 1);
}

Test(logfile, a_reader_that_stops_costs_one_wait_and_gets_later_lines)
{
	static char text[1 << 20];
	char folder[] = "/tmp/gpushim-sink-XXXXXX", path[64], line[PIPE_LINE + 1];
	cr_assert_not_null(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/pipe", folder);
	memset(line, 'x', PIPE_LINE - 1);
	strcpy(line + PIPE_LINE - 1, "\n");
	cr_assert_eq(mkfifo(path, 0600), 0);
	const int reader = open(path, O_RDONLY | O_NONBLOCK);
	cr_assert_geq(reader, 0);
	static struct capture capture;
	capture_begin(&capture);
	logfile_open(path);
	const int64_t begin_ns = clock_monotonic_ns();
	for (int i = 0; i < PIPE_LINES; i++)
		logfile_write(line, PIPE_LINE);
	const int64_t elapsed_ns = clock_monotonic_ns() - begin_ns;
	cr_expect_lt(elapsed_ns, INT64_C(20000000000), "%d waits would take longer", PIPE_LINES);
	cr_expect(logfile_works());
	cr_expect_gt(empty_pipe(reader, text, sizeof(text)), 0);
	expect_whole_lines(text);
	logfile_write(line, PIPE_LINE);
	cr_expect_geq(empty_pipe(reader, text, sizeof(text)), PIPE_LINE);
	cr_expect_str_eq(text + strlen(text) - PIPE_LINE, line);
	close(reader);
	logfile_write(line, PIPE_LINE);
	cr_expect_not(logfile_works(), "the reader is gone");
	cr_expect_eq(capture_count_lines(capture_end_whole(&capture)), 2);
	unlink(path);
	rmdir(folder);
}

static void ignore_signal(int number)
{
	(void)number;
}

/* A pipe with both ends, and no room. */
static int make_full_pipe(int *reader)
{
	static const char filler[4096];
	int ends[2];
	cr_assert_eq(pipe2(ends, O_NONBLOCK), 0);
	while (write(ends[1], filler, sizeof(filler)) > 0)
		;
	*reader = ends[0];
	return ends[1];
}

/* Each signal ends a wait, so that one that begins anew never ends. */
Test(sink, a_timer_of_the_program_does_not_prolong_the_wait)
{
	const struct itimerval often = {{0, 1000}, {0, 1000}}, never = {{0, 0}, {0, 0}};
	int reader;
	const int writer = make_full_pipe(&reader);
	signal(SIGALRM, ignore_signal);
	setitimer(ITIMER_REAL, &often, NULL);
	cr_expect_eq(sink_write(writer, "x", 1), EAGAIN);
	setitimer(ITIMER_REAL, &never, NULL);
}

/* The program's own stderr, which is blocking. */
Test(sink, a_full_stderr_is_not_waited_for_without_end)
{
	static char text[100000];
	int reader;
	const int writer = make_full_pipe(&reader), saved = dup(STDERR_FILENO);
	fcntl(writer, F_SETFL, 0);
	fflush(stderr);
	dup2(writer, STDERR_FILENO);
	const int full = sink_write(STDERR_FILENO, text, sizeof(text));
	cr_assert_eq(read(reader, text, 8192), 8192);
	const int little = sink_write(STDERR_FILENO, text, 100);
	dup2(saved, STDERR_FILENO);
	cr_expect_eq(full, EAGAIN);
	cr_expect_eq(little, 0);
}
