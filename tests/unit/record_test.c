/* record_test.c - the log under full disks, limits, pipes, forks, signals and closed descriptors */
/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "shim/base/clock.h"
#include "shim/record/record.h"
#include "tests/unit/record_log.h"

enum { RING_TICKS = 8192 };

TestSuite(record, .init = record_log_enter, .fini = record_log_leave, .timeout = 60);

static void open_log(const char *name, enum log_level level)
{
	static struct options options = {.enabled = true, .policy = POLICY_THRESHOLD};
	options.log_level = (int)level;
	snprintf(options.log, sizeof(options.log), "%s", name);
	record_open(&options, false);
}

static void send_messages_to(const char *name)
{
	const int fd = open(name, O_WRONLY | O_CREAT | O_APPEND, 0600);
	cr_assert(fd >= 0 && dup2(fd, STDERR_FILENO) >= 0);
	close(fd);
}

/* Waits for that many lines, five seconds at most. */
static int await_lines(const char *name, int wanted)
{
	for (int i = 0; i < 500 && record_log_count_lines(name) < wanted; i++)
		usleep(10000);
	return record_log_count_lines(name);
}

static void end_child(void (*work)(void))
{
	int status = -1;
	record_before_fork();
	const pid_t child = fork();
	if (child == 0) {
		record_after_fork_child();
		work();
		_exit(0);
	}
	record_after_fork_parent();
	cr_assert_eq(waitpid(child, &status, 0), child);
	cr_assert_eq(status, 0, "the child ended with %x", (unsigned)status);
}

Test(record, writes_nothing_before_it_is_opened)
{
	record_log_write_line();
	record_log_write_ticks(10);
	record_close();
}

Test(record, writes_a_decision_at_once)
{
	struct stat status;
	umask(022);
	open_log("log", LOG_DECISION);
	record_log_write_line();
	cr_assert_eq(record_log_count_lines("log"), 1);
	cr_assert_eq(stat("log", &status), 0);
	cr_assert_eq(status.st_mode & 0777, 0644);
	record_log_write_ticks(10);
	record_close();
	cr_assert_eq(record_log_count_lines("log"), 1);
}

Test(record, writes_no_call_at_level_summary)
{
	open_log("log", LOG_SUMMARY);
	record_log_write_line();
	record_log_write_ticks(1);
	cr_assert_eq(record_log_count_lines("log"), 0);
}

Test(record, appends_to_what_is_there)
{
	open_log("log", LOG_DECISION);
	record_log_write_line();
	open_log("log", LOG_DECISION);
	record_log_write_line();
	cr_assert_eq(record_log_count_lines("log"), 2);
}

Test(record, keeps_errno)
{
	open_log("log", LOG_CALL);
	errno = EXDEV;
	record_log_write_line();
	record_log_write_ticks(3 * RING_TICKS);
	record_close();
	record_log_write_ticks(1);
	cr_assert_eq(errno, EXDEV);
}

Test(record, ticks_come_without_being_asked_for)
{
	open_log("log", LOG_CALL);
	record_log_write_ticks(100);
	cr_assert_eq(await_lines("log", 100), 100);
}

Test(record, ticks_are_all_there_and_in_order)
{
	open_log("log", LOG_CALL);
	record_log_write_ticks(5 * RING_TICKS + 17);
	record_close();
	cr_assert_eq(record_log_count_lines("log"), 5 * RING_TICKS + 17);
	char *line = record_log_text;
	for (int i = 0; i < 5 * RING_TICKS + 17; i++) {
		char wanted[32], *end = strchr(line, '\n');
		snprintf(wanted, sizeof(wanted), "\"sizes\":{\"m\":%d,", i);
		*end = '\0';
		cr_assert_not_null(strstr(line, wanted), "no %s in %s", wanted, line);
		line = end + 1;
	}
}

Test(record, ticks_bear_the_time_of_day)
{
	char line[128];
	unsigned hour, minute, second, elapsed_ns;
	struct tm now;
	open_log("log", LOG_CALL);
	const uint64_t begin = clock_ticks();
	const int64_t begin_ns = clock_monotonic_ns();
	usleep(50000);
	record_tick(&(struct record_tick){begin, clock_ticks(), {1, 1, 1}, SYMBOL_dgemm_, 1});
	const int64_t took_ns = clock_monotonic_ns() - begin_ns;
	record_close();
	const time_t seconds = time(NULL);
	gmtime_r(&seconds, &now);
	snprintf(line, sizeof(line), "%.40s", record_log_read("log"));
	cr_assert_eq(sscanf(strchr(line, 'T'), "T%u:%u:%u", &hour, &minute, &second), 3);
	const int of_day = (int)(hour * 3600 + minute * 60 + second),
		  today = now.tm_hour * 3600 + now.tm_min * 60 + now.tm_sec;
	cr_assert((today - of_day + 86400) % 86400 <= 2, "%d s off", today - of_day);
	cr_assert_eq(sscanf(strstr(record_log_text, "\"elapsed_ns\":"), "\"elapsed_ns\":%u",
	                    &elapsed_ns),
	             1);
	cr_assert(elapsed_ns > 49000000 && elapsed_ns < took_ns * 1.01 + 100000, "%u ns of %ld",
	          elapsed_ns, (long)took_ns);
}

Test(record, ticks_give_the_options_as_their_reason)
{
	static struct options never = {
		.enabled = true, .policy = POLICY_NEVER, .log_level = LOG_CALL, .log = "log"};
	routine_policy_clear(&never.policies);
	record_open(&never, false);
	record_log_write_ticks(1);
	record_close();
	cr_assert_eq(
		record_log_count_words("log", "\"target\":\"cpu\",\"reason\":\"policy_never\""), 1);
}

Test(record, closes_twice_and_still_writes_at_once)
{
	open_log("log", LOG_CALL);
	record_log_write_ticks(1);
	record_close();
	record_close();
	cr_assert_eq(record_log_count_lines("log"), 1);
	record_log_write_ticks(5);
	record_log_write_line();
	cr_assert_eq(record_log_count_lines("log"), 7);
}

static void *run_ticks(void *count)
{
	record_log_write_ticks(*(int64_t *)count);
	return NULL;
}

Test(record, threads_that_end_leave_their_ticks)
{
	int64_t count = 10;
	open_log("log", LOG_CALL);
	for (int i = 0; i < 20; i++) {
		pthread_t thread;
		pthread_create(&thread, NULL, run_ticks, &count);
		pthread_join(thread, NULL);
		cr_assert_eq(record_log_count_lines("log"), 10 * (i + 1));
	}
}

Test(record, a_new_thread_after_the_end_writes_at_once)
{
	pthread_t thread;
	int64_t count = 3;
	open_log("log", LOG_CALL);
	record_close();
	pthread_create(&thread, NULL, run_ticks, &count);
	pthread_join(thread, NULL);
	cr_assert_eq(record_log_count_lines("log"), 3);
}

static volatile sig_atomic_t handled;

static void handle_alarm(int signal)
{
	(void)signal;
	handled++;
	record_log_write_ticks(1);
	record_log_write_line();
}

Test(record, signal_handlers_may_call_too)
{
	const struct sigaction action = {.sa_handler = handle_alarm, .sa_flags = SA_RESTART};
	const struct itimerval often = {{0, 200}, {0, 200}}, never = {{0, 0}, {0, 0}};
	int64_t count = 0;
	open_log("log", LOG_CALL);
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &often, NULL);
	for (; handled < 100 && count < 200000; count++)
		record_log_write_ticks(1);
	setitimer(ITIMER_REAL, &never, NULL);
	record_close();
	const int lines = record_log_count_lines("log"), wanted = (int)count + 2 * handled;
	cr_assert_eq(lines, wanted, "%d lines for %d calls", lines, wanted);
}

Test(record, a_full_disk_is_told_once)
{
	send_messages_to("messages");
	open_log("/dev/full", LOG_CALL);
	errno = EXDEV;
	for (int i = 0; i < 20; i++)
		record_log_write_line();
	record_log_write_ticks(2 * RING_TICKS);
	record_close();
	cr_assert_eq(errno, EXDEV);
	cr_assert_eq(record_log_count_words("messages", "\n"), 1);
	cr_assert_eq(
		record_log_count_words("messages",
	                               "cannot write the log '/dev/full': No space left on device"),
		1);
}

Test(record, a_log_that_cannot_be_opened_is_told_once)
{
	send_messages_to("messages");
	open_log("missing/log", LOG_DECISION);
	record_log_write_line();
	cr_assert_eq(
		record_log_count_words(
			"messages", "cannot open the log 'missing/log': No such file or directory"),
		1);
	cr_assert_eq(record_log_count_words("messages", "\n"), 1);
}

Test(record, the_limit_of_file_sizes_does_not_kill)
{
	const struct rlimit limit = {3000, 3000};
	send_messages_to("messages");
	open_log("log", LOG_DECISION);
	cr_assert_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
	for (int i = 0; i < 50; i++)
		record_log_write_line();
	cr_assert_eq(record_log_count_words("messages", "File too large"), 1);
	cr_assert_gt(record_log_count_words("log", "\n"), 5);
}

Test(record, a_pipe_without_reader_holds_nothing_up)
{
	send_messages_to("messages");
	cr_assert_eq(mkfifo("pipe", 0600), 0);
	open_log("pipe", LOG_DECISION);
	record_log_write_line();
	cr_assert_eq(record_log_count_words("messages", "cannot open the log"), 1);
}

Test(record, a_reader_that_goes_away_does_not_kill)
{
	send_messages_to("messages");
	cr_assert_eq(mkfifo("pipe", 0600), 0);
	const int reader = open("pipe", O_RDONLY | O_NONBLOCK);
	open_log("pipe", LOG_DECISION);
	record_log_write_line();
	close(reader);
	record_log_write_line();
	record_log_write_line();
	cr_assert_eq(record_log_count_words("messages", "Broken pipe"), 1);
}

Test(record, a_reader_that_sleeps_holds_the_program_up_once)
{
	char filler[4096] = "";
	send_messages_to("messages");
	cr_assert_eq(mkfifo("pipe", 0600), 0);
	const int both = open("pipe", O_RDWR | O_NONBLOCK);
	while (write(both, filler, sizeof(filler)) > 0)
		;
	open_log("pipe", LOG_DECISION);
	const int64_t begin_ns = clock_monotonic_ns();
	for (int i = 0; i < 10; i++)
		record_log_write_line();
	cr_assert_lt(clock_monotonic_ns() - begin_ns, 3000000000);
	cr_assert_eq(record_log_count_words("messages", "does not read; while the pipe is full"),
	             1);
	close(both);
}

/* Reads a few bytes at a time, so that most writes are short, and copies them to a file. */
static void *run_reader(void *unused)
{
	char some[777];
	const int from = open("pipe", O_RDONLY), to = open("copy", O_WRONLY | O_CREAT, 0600);
	for (ssize_t count; (count = read(from, some, sizeof(some))) > 0;) {
		cr_assert_eq(write(to, some, (size_t)count), count);
		usleep(50);
	}
	close(from);
	close(to);
	return unused;
}

Test(record, short_writes_are_completed)
{
	pthread_t reader;
	cr_assert_eq(mkfifo("pipe", 0600), 0);
	pthread_create(&reader, NULL, run_reader, NULL);
	const int writer = open("pipe", O_WRONLY);
	open_log("pipe", LOG_CALL);
	record_log_write_ticks(RING_TICKS);
	record_close();
	for (int fd = 3; fd < 200; fd++)
		if (fd != writer && fcntl(fd, F_GETFL) >= 0 && (fcntl(fd, F_GETFL) & O_APPEND) != 0)
			close(fd);
	close(writer);
	pthread_join(reader, NULL);
	cr_assert_eq(record_log_count_lines("copy"), RING_TICKS);
}

static int find_log_descriptor(void)
{
	struct stat log, status;
	cr_assert_eq(stat("log", &log), 0);
	for (int fd = 3; fd < 1000; fd++)
		if (fstat(fd, &status) == 0 && status.st_ino == log.st_ino &&
		    status.st_dev == log.st_dev)
			return fd;
	return -1;
}

Test(record, a_descriptor_that_the_program_took_over_is_left_alone)
{
	open_log("log", LOG_DECISION);
	record_log_write_line();
	const int fd = find_log_descriptor();
	cr_assert_gt(fd, 2);
	cr_assert_neq(fcntl(fd, F_GETFD) & FD_CLOEXEC, 0);
	const int own = open("precious", O_RDWR | O_CREAT, 0600);
	cr_assert_eq(dup2(own, fd), fd);
	record_log_write_line();
	cr_assert_eq(record_log_count_words("precious", "\n"), 0);
	cr_assert_eq(record_log_count_lines("log"), 2);
	close(find_log_descriptor());
	record_log_write_line();
	cr_assert_eq(record_log_count_lines("log"), 3);
}

Test(record, never_takes_the_numbers_of_standard_streams)
{
	close(STDIN_FILENO);
	open_log("log", LOG_DECISION);
	record_log_write_line();
	cr_assert_lt(fcntl(STDIN_FILENO, F_GETFD), 0);
	cr_assert_eq(record_log_count_lines("log"), 1);
}

static void work_in_child(void)
{
	record_log_write_line();
	record_log_write_ticks(40);
	record_close();
}

Test(record, a_fork_child_goes_on_in_the_same_file)
{
	open_log("log", LOG_CALL);
	record_log_write_ticks(25);
	end_child(work_in_child);
	record_close();
	cr_assert_eq(record_log_count_lines("log"), 25 + 41);
}

static void idle_in_child(void)
{
}

/* A relative name refers to the folder at the start, also in a child forked after a chdir. */
Test(record, a_fork_child_has_its_own_file_if_the_name_says_so)
{
	char name[64];
	open_log("log.%p", LOG_CALL);
	record_log_write_ticks(25);
	cr_assert_eq(mkdir("elsewhere", 0700), 0);
	cr_assert_eq(chdir("elsewhere"), 0);
	end_child(idle_in_child);
	end_child(work_in_child);
	record_close();
	cr_assert_eq(chdir(".."), 0);
	snprintf(name, sizeof(name), "log.%d", (int)getpid());
	cr_assert_eq(record_log_count_lines(name), 25);
	remove(name);
	cr_assert_eq(system("test $(cat log.* | wc -l) = 41 && test $(ls log.* | wc -l) = 1"), 0);
}
