/* diag_test.c - messages to people, in a process that may be in any state */
/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "shim/base/diag.h"

static char output[65536];

/* Runs say in a child whose stderr is a pipe; its output, and its status. */
static int run(void (*say)(void))
{
	int ends[2], status;
	cr_assert_eq(pipe(ends), 0);
	const pid_t pid = fork();
	if (pid == 0) {
		dup2(ends[1], 2);
		close(ends[0]);
		close(ends[1]);
		say();
		_exit(0);
	}
	close(ends[1]);
	size_t used = 0;
	ssize_t got;
	while ((got = read(ends[0], output + used, sizeof output - 1 - used)) > 0)
		used += (size_t)got;
	output[used] = '\0';
	close(ends[0]);
	waitpid(pid, &status, 0);
	return status;
}

static void say_one(void)
{
	errno = EDOM;
	diag_warn("cannot read %s: %d", "this", 42);
	if (errno != EDOM)
		_exit(1);
}

Test(diag, form)
{
	cr_assert_eq(run(say_one), 0);
	cr_assert_str_eq(output, "gpushim: warn: cannot read this: 42\n");
}

static void say_long(void)
{
	char text[2000];
	memset(text, 'x', sizeof text);
	text[sizeof text - 1] = '\0';
	diag_warn("%s", text);
}

Test(diag, long_messages_are_cut_and_end_their_line)
{
	cr_assert_eq(run(say_long), 0);
	cr_assert(strlen(output) > DIAG_LINE_BYTES - 8 && strlen(output) <= DIAG_LINE_BYTES);
	cr_assert_str_eq(output + strlen(output) - 4, "...\n");
}

static void say_many(void)
{
	for (int i = 0; i < 100; i++)
		diag_warn("number %d", i);
}

Test(diag, there_is_an_end)
{
	int lines = 0;
	cr_assert_eq(run(say_many), 0);
	for (const char *at = output; (at = strchr(at, '\n')) != NULL; at++)
		lines++;
	cr_assert_eq(lines, DIAG_MESSAGES_MAX);
}

static void say_closed(void)
{
	close(2);
	say_one();
}

Test(diag, closed_stderr)
{
	cr_assert_eq(run(say_closed), 0);
	cr_assert_str_eq(output, "");
}

static void say_broken(void)
{
	int ends[2];
	if (pipe(ends) != 0)
		_exit(1);
	close(ends[0]);
	dup2(ends[1], 2);
	say_one();
}

Test(diag, broken_pipe_does_not_kill)
{
	cr_assert_eq(run(say_broken), 0);
}

Test(diag, once)
{
	static atomic_flag said = ATOMIC_FLAG_INIT;
	cr_assert(diag_once(&said));
	cr_assert_not(diag_once(&said));
}
