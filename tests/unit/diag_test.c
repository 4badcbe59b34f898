/* diag_test.c - messages: form, length, number, and no change of the program's state */
/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <sys/time.h>

#include "shim/base/diag.h"
#include "tests/unit/capture.h"

static struct capture capture;

Test(diag, has_a_form)
{
	capture_begin(&capture);
	diag_warn("cannot load %s: %s; BLAS stays on the CPU", "libcublas.so.13", "no such file");
	diag_note("%d calls of %lu, %zu, %u", -3, 18446744073709551615ul, (size_t)7, 9u);
	cr_expect_str_eq(
		capture_end(&capture),
		"gpushim: warn: cannot load libcublas.so.13: no such file; BLAS stays on the CPU\n"
		"gpushim: note: -3 calls of 18446744073709551615, 7, 9\n");
}

/* Breaks at the last blank of 80 columns, whatever the words are. */
Test(diag, is_broken_between_words)
{
	static const char long_word[] =
		"a_word_that_is_so_long_that_no_line_of_a_terminal_with_eighty_columns_can_have_it";
	capture_begin(&capture);
	diag_warn("the line ends with the word of column 80, and this one is just so long; rest");
	diag_warn("%s: %s", "/a/path",
	          "this word is in the line, and one column more is too much: x");
	diag_warn("%s %s %s", long_word, "is first;", long_word);
	diag_note("%s", "\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4 letters of two bytes take one "
	                "column each, so that this fit");
	cr_expect_str_eq(
		capture_end(&capture),
		"gpushim: warn: the line ends with the word of column 80, and this one is just so\n"
		"         long; rest\n"
		"gpushim: warn: /a/path: this word is in the line, and one column more is too\n"
		"         much: x\n"
		"gpushim: warn: a_word_that_is_so_long_that_no_line_of_a_terminal_with_eighty_"
		"columns_can_have_it\n"
		"         is first;\n"
		"         a_word_that_is_so_long_that_no_line_of_a_terminal_with_eighty_columns_"
		"can_have_it\n"
		"gpushim: note: \xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4 letters of two bytes "
		"take one column each, so that this fit\n");
}

static char *capture_words(int columns, const char *text)
{
	capture_begin(&capture);
	diag_break_lines(columns);
	diag_warn("%s", text);
	capture_end(&capture);
	cr_assert_eq(capture.text[strlen(capture.text) - 1], '\n');
	cr_assert_leq(strlen(capture.text), DIAG_LINE_BYTES + 16 * 9);
	return capture.text;
}

/* Nine blanks are put behind a newline as long as there is room; no word is lost in any case. */
Test(diag, keeps_its_words_in_any_width)
{
	static const int widths[] = {1, 9, 12, 20, 40, 79, 80, 81, 200, 600};
	char text[2000];
	for (size_t i = 0; i + 1 < sizeof text; i++)
		text[i] = i % 7 == 6 ? ' ' : (char)('a' + i % 26);
	text[sizeof text - 1] = '\0';
	for (size_t i = 0; i < sizeof widths / sizeof widths[0]; i++) {
		const char *word = strtok(capture_words(widths[i], text), " \n");
		cr_assert_str_eq(word, "gpushim:");
		cr_assert_str_eq(strtok(NULL, " \n"), "warn:");
		for (const char *at = text; (word = strtok(NULL, " \n")) != NULL; at += 7)
			cr_assert(strncmp(word, at, 6) == 0 || strchr(word, '.') != NULL,
			          "%d columns: %s", widths[i], word);
	}
}

static char diverted[64];
static int diverted_count;

static void divert(const char *line, size_t length)
{
	snprintf(diverted, sizeof diverted, "%.*s", (int)length, line);
	diverted_count++;
}

/* All of them, also beyond those that a process may print. */
Test(diag, is_diverted)
{
	capture_begin(&capture);
	diag_divert(divert);
	for (int i = 0; i <= DIAG_MESSAGES_MAX; i++)
		diag_warn("number %d", i);
	diag_divert(NULL);
	diag_warn("to stderr");
	cr_expect_str_eq(capture_end(&capture), "gpushim: warn: to stderr\n");
	cr_expect_str_eq(diverted, "gpushim: warn: number 16\n");
	cr_expect_eq(diverted_count, DIAG_MESSAGES_MAX + 1);
}

Test(diag, keeps_errno)
{
	capture_begin(&capture);
	errno = ERANGE;
	diag_warn("x");
	cr_expect_eq(errno, ERANGE);
	capture_end(&capture);
}

/* One byte less than the limit, the limit, one more, and far more. */
Test(diag, is_cut_to_its_length)
{
	static const size_t heads = sizeof "gpushim: warn: " - 1;
	char text[2000];
	for (size_t length = DIAG_LINE_BYTES - 20; length <= DIAG_LINE_BYTES - 8; length++) {
		memset(text, 'x', sizeof text);
		text[length] = '\0';
		capture_begin(&capture);
		diag_warn("%s", text);
		const char *got = capture_end(&capture);
		const size_t got_length = strlen(got);
		const bool fits = heads + length + 1 < DIAG_LINE_BYTES;
		cr_expect_leq(got_length, DIAG_LINE_BYTES, "%zu", length);
		cr_expect_eq(got[got_length - 1], '\n', "%zu", length);
		cr_expect_eq(strcmp(got + got_length - 4, "...\n") == 0, !fits, "%zu", length);
		if (fits)
			cr_expect_eq(got_length, heads + length + 1);
	}
	text[sizeof text - 1] = '\0';
	memset(text, 'x', sizeof text - 1);
	capture_begin(&capture);
	diag_warn("%s", text);
	cr_expect_geq(strlen(capture_end(&capture)), DIAG_LINE_BYTES - 1);
}

Test(diag, keeps_to_one_line)
{
	capture_begin(&capture);
	diag_warn("'%s'", "a\nb\x1b[31m\x7f\xc3\xa4");
	cr_expect_str_eq(capture_end(&capture), "gpushim: warn: 'a?b?[31m?\xc3\xa4'\n");
}

Test(diag, ends_after_its_number)
{
	char text[2000];
	memset(text, 'x', sizeof text - 1);
	text[sizeof text - 1] = '\0';
	capture_begin(&capture);
	for (int i = 1; i < DIAG_MESSAGES_MAX; i++)
		diag_note("number %d", i);
	diag_warn("%s", text);
	for (int i = 0; i < 100; i++)
		diag_warn("too many");
	const char *got = capture_end_whole(&capture);
	cr_expect_eq(capture_count_lines(got), DIAG_MESSAGES_MAX);
	cr_expect_not_null(strstr(got, "number 15\n"));
	cr_expect_null(strstr(got, "too many"));
	cr_expect_not_null(strstr(got, "xxx...; further messages are left out\n"), "%s", got);
	cr_expect_leq(strlen(strstr(got, "gpushim: warn: ")), DIAG_LINE_BYTES);
}

static void *say_ten(void *unused)
{
	for (int i = 0; i < 10; i++)
		diag_warn("from a thread");
	return unused;
}

Test(diag, counts_all_threads)
{
	pthread_t thread[4];
	capture_begin(&capture);
	for (int i = 0; i < 4; i++)
		pthread_create(&thread[i], NULL, say_ten, NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(thread[i], NULL);
	const char *got = capture_end(&capture);
	cr_expect_eq(capture_count_lines(got), DIAG_MESSAGES_MAX, "%s", got);
}

Test(diag, says_once)
{
	static atomic_flag said = ATOMIC_FLAG_INIT;
	cr_expect(diag_once(&said));
	cr_expect_not(diag_once(&said));
}

Test(diag, bears_a_closed_stderr)
{
	const int saved = dup(STDERR_FILENO);
	close(STDERR_FILENO);
	errno = 0;
	diag_warn("nobody hears this");
	cr_expect_eq(errno, 0);
	dup2(saved, STDERR_FILENO);
}

Test(diag, bears_a_full_disk)
{
	const int full = open("/dev/full", O_WRONLY);
	if (full < 0)
		cr_skip_test("there is no /dev/full");
	const int saved = dup(STDERR_FILENO);
	dup2(full, STDERR_FILENO);
	errno = 0;
	diag_warn("nobody hears this");
	cr_expect_eq(errno, 0);
	dup2(saved, STDERR_FILENO);
}

static int pipes[2];

/* Makes fd 2 the writing end of a pipe. Returns the former fd 2. */
static int pipe_begin(void)
{
	cr_assert_eq(pipe(pipes), 0);
	const int saved = dup(STDERR_FILENO);
	dup2(pipes[1], STDERR_FILENO);
	return saved;
}

static int pipe_signals_seen;

static void count_signal(int number)
{
	pipe_signals_seen += number == SIGPIPE;
}

Test(diag, hides_the_signal_of_a_broken_pipe)
{
	signal(SIGPIPE, count_signal);
	const int saved = pipe_begin();
	close(pipes[0]);
	diag_warn("nobody hears this");
	dup2(saved, STDERR_FILENO);
	cr_expect_eq(pipe_signals_seen, 0);
	sigset_t mask;
	pthread_sigmask(SIG_SETMASK, NULL, &mask);
	cr_expect_not(sigismember(&mask, SIGPIPE), "the mask is as before");
}

Test(diag, lives_through_a_broken_pipe)
{
	signal(SIGPIPE, SIG_DFL);
	const int saved = pipe_begin();
	close(pipes[0]);
	diag_warn("nobody hears this");
	dup2(saved, STDERR_FILENO);
}

Test(diag, keeps_a_signal_of_the_program)
{
	sigset_t set, pending;
	signal(SIGPIPE, count_signal);
	sigemptyset(&set);
	sigaddset(&set, SIGPIPE);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	raise(SIGPIPE);
	const int saved = pipe_begin();
	close(pipes[0]);
	diag_warn("nobody hears this");
	dup2(saved, STDERR_FILENO);
	sigpending(&pending);
	cr_expect(sigismember(&pending, SIGPIPE));
	pthread_sigmask(SIG_UNBLOCK, &set, NULL);
	cr_expect_eq(pipe_signals_seen, 1);
}

/*
 * Interrupts a diag_warn that waits in write for room in the pipe: writes a message itself, then
 * empties the pipe.
 */
static void speak_and_drain(int number)
{
	char drained[65536];
	(void)number;
	diag_warn("from inside");
	if (read(pipes[0], drained, sizeof drained) < 0)
		abort();
}

Test(diag, is_silent_inside_itself, .timeout = 30)
{
	char text[65536];
	const struct itimerval soon = {{0, 0}, {0, 50000}};
	const struct sigaction action = {.sa_handler = speak_and_drain};
	sigaction(SIGALRM, &action, NULL);
	const int saved = pipe_begin();
	fcntl(pipes[1], F_SETPIPE_SZ, (int)sizeof text);
	memset(text, '.', sizeof text);
	cr_assert_eq(write(pipes[1], text, sizeof text), (ssize_t)sizeof text);
	setitimer(ITIMER_REAL, &soon, NULL);
	diag_warn("from outside");
	dup2(saved, STDERR_FILENO);
	close(pipes[1]);
	const ssize_t got = read(pipes[0], text, sizeof text - 1);
	text[got > 0 ? got : 0] = '\0';
	cr_expect_str_eq(text, "gpushim: warn: from outside\n");
}

static void *cancel_myself(void *unused)
{
	pthread_cancel(pthread_self());
	diag_warn("still here");
	*(bool *)unused = true;
	return NULL;
}

Test(diag, is_no_cancellation_point)
{
	bool came_back = false;
	pthread_t thread;
	capture_begin(&capture);
	pthread_create(&thread, NULL, cancel_myself, &came_back);
	pthread_join(thread, NULL);
	capture_end(&capture);
	cr_expect(came_back);
}

Test(diag, takes_no_memory)
{
	char text[600];
	memset(text, 'x', sizeof text - 1);
	text[sizeof text - 1] = '\0';
	capture_begin(&capture);
	const size_t before_bytes = mallinfo2().uordblks;
	diag_warn("%s %d %lu %zu", text, 1, 2ul, (size_t)3);
	const size_t after_bytes = mallinfo2().uordblks;
	capture_end(&capture);
	cr_expect_eq(before_bytes, after_bytes);
}

Test(diag, does_not_wait_for_a_full_stderr)
{
	static char filler[4096], text[1 << 17];
	int ends[2];
	memset(filler, '.', sizeof filler);
	cr_assert_eq(pipe2(ends, O_NONBLOCK), 0);
	while (write(ends[1], filler, sizeof filler) > 0)
		;
	fcntl(ends[1], F_SETFL, 0);
	fflush(stderr);
	const int saved = dup(STDERR_FILENO);
	dup2(ends[1], STDERR_FILENO);
	diag_warn("lost");
	cr_assert_gt(read(ends[0], text, 8192), 0);
	diag_warn("kept");
	dup2(saved, STDERR_FILENO);
	const ssize_t got = read(ends[0], text, sizeof text - 1);
	cr_assert_gt(got, 20);
	text[got] = '\0';
	cr_expect_str_eq(text + got - strlen("gpushim: warn: kept\n"), "gpushim: warn: kept\n");
	cr_expect_null(strstr(text, "lost"));
}
