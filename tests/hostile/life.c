/* life.c - how processes begin and end: usage life WAY */
/* SPDX-License-Identifier: Apache-2.0 */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "hostile_work.h"

static char *self;
static int wrong;

static void work(int rounds)
{
	for (int i = 0; i < rounds; i++)
		wrong += work_dgemm(20 + i) + work_cblas(30 + i) + work_fft(16 + i);
}

/* Unbuffered: no line is lost or doubled by a fork or a kill. */
static void say(const char *text)
{
	char line[120];
	const int length = snprintf(line, sizeof line, "%s, %d wrong results\n", text, wrong);
	if (write(1, line, (size_t)length) != length)
		_exit(9);
}

static void wait_for(pid_t child, const char *who)
{
	int status = -1;
	char line[80];
	waitpid(child, &status, 0);
	snprintf(line, sizeof line, "%s ended with %d, signal %d", who,
	         WIFEXITED(status) ? WEXITSTATUS(status) : -1,
	         WIFSIGNALED(status) ? WTERMSIG(status) : 0);
	say(line);
}

/* A child that works and forks a child that works. */
static void fork_family(int rounds)
{
	const pid_t child = fork();
	if (child == 0) {
		work(rounds);
		const pid_t grandchild = fork();
		if (grandchild == 0) {
			work(rounds);
			say("grandchild");
			exit(wrong ? 1 : 5);
		}
		wait_for(grandchild, "grandchild");
		say("child");
		exit(wrong ? 1 : 6);
	}
	work(rounds);
	wait_for(child, "child");
}

static void fork_first(void)
{
	fork_family(3);
	say("parent");
}

static void fork_later(void)
{
	work(4);
	fork_family(3);
	work(2);
	say("parent");
}

/* Forks many children while warm-up is in any of its library calls. */
static void fork_often(void)
{
	work(1);
	for (int i = 0; i < 12; i++) {
		const pid_t child = fork();
		if (child == 0) {
			work(1);
			_exit(wrong ? 1 : 0);
		}
		wait_for(child, "child");
		work(1);
	}
	say("parent");
}

static double seconds(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Ends while warm-up is in a slow call; the driver's time limit detects a hang. */
static void end_early(void)
{
	work(1);
	say("ends");
	exit(7);
}

static void end_at_once(void)
{
	work(3);
	say("ends at once");
	_exit(8);
}

static void run_another(void)
{
	work(2);
	say("becomes another");
	execl(self, self, "plain", (char *)NULL);
}

static void run_beside(void)
{
	work(2);
	const pid_t child = vfork();
	if (child == 0) {
		execl(self, self, "plain", (char *)NULL);
		_exit(9);
	}
	wait_for(child, "beside");
	work(1);
	say("parent");
}

static void run_shell(void)
{
	work(1);
	fflush(stdout);
	printf("system %d\n", system("exit 3") >> 8);
	fflush(stdout);
	work(1);
	say("parent");
}

static void be_ended(int number)
{
	work(5);
	say("waits for its end");
	raise(number);
	say("not reached");
}

static void end_terminated(void)
{
	be_ended(SIGTERM);
}

static void end_killed(void)
{
	be_ended(SIGKILL);
}

static void end_aborted(void)
{
	const struct rlimit none = {0, 0};
	setrlimit(RLIMIT_CORE, &none);
	be_ended(SIGABRT);
}

/* The file size limit is 0: the log and the counters are lost, and no SIGXFSZ may be raised. */
static void limit_files(void)
{
	const struct rlimit small = {8192, 8192};
	setrlimit(RLIMIT_FSIZE, &small);
	work(60);
	say("small files");
}

static void no_descriptors(void)
{
	struct rlimit few;
	getrlimit(RLIMIT_NOFILE, &few);
	few.rlim_cur = 3;
	setrlimit(RLIMIT_NOFILE, &few);
	work(5);
	say("no descriptors");
}

/* Starts without stdin, stdout and stderr: the program's next open must get their numbers. */
static void close_standard(void)
{
	const int keep = fcntl(1, F_DUPFD_CLOEXEC, 200);
	close(0);
	close(1);
	close(2);
	work(4);
	const int first = open("/dev/null", O_RDWR), second = open("/dev/null", O_RDWR);
	const int third = open("/dev/null", O_RDWR);
	work(4);
	dup2(keep, 1);
	printf("opened %d %d %d\n", first, second, third);
	fflush(stdout);
	say("closed");
}

/* Programs that close every descriptor that they did not open. */
static void close_all(void)
{
	work(3);
	for (int fd = 3; fd < 1024; fd++)
		close(fd);
	const int mine = open("/dev/null", O_RDWR);
	work(3);
	printf("closed all, mine is still mine: %d\n",
	       mine == 3 && write(mine, "x", 1) == 1 && close(mine) == 0);
	fflush(stdout);
	say("closed all");
}

static void *run_exit(void *unused)
{
	(void)unused;
	work(1);
	say("a thread ends all");
	exit(wrong ? 1 : 11);
}

static void end_from_thread(void)
{
	pthread_t thread;
	work(1);
	pthread_create(&thread, NULL, run_exit, NULL);
	pthread_join(thread, NULL);
}

/* No call of BLAS or FFTW is a cancellation point, neither a thread's first one nor a later one. */
static void *run_cancelled(void *done)
{
	pthread_cancel(pthread_self());
	work(3);
	*(int *)done = 1;
	pthread_testcancel();
	return NULL;
}

static void cancel_thread(void)
{
	pthread_t thread;
	void *answer = NULL;
	int done = 0;
	pthread_create(&thread, NULL, run_cancelled, &done);
	pthread_join(thread, &answer);
	say(done && answer == PTHREAD_CANCELED ? "cancelled after its work"
	                                       : "cancelled in the middle of its work");
	work(2);
	fork_family(1);
}

static void work_at_exit(void)
{
	work(2);
	say("at exit");
}

static void end_with_handler(void)
{
	work(1);
	atexit(work_at_exit);
	work(1);
	exit(12);
}

static void plain(void)
{
	work(3);
	say("plain");
}

/*
 * Upper bound for the exit during a slow warm-up: the one call that is in progress, and a margin.
 */
static void time_end(void)
{
	const double begin = seconds();
	const pid_t child = fork();
	if (child == 0) {
		work(1);
		exit(0);
	}
	wait_for(child, "hurried");
	const double taken = seconds() - begin;
	say(taken < 1.5 ? "in time" : "held up");
	if (taken >= 1.5)
		fprintf(stderr, "the end took %.2f s\n", taken);
}

static const struct {
	const char *name;
	void (*run)(void);
} ways[] = {
	{"plain", plain},
	{"fork-first", fork_first},
	{"fork-later", fork_later},
	{"fork-often", fork_often},
	{"end-early", end_early},
	{"end-at-once", end_at_once},
	{"exec", run_another},
	{"vfork", run_beside},
	{"system", run_shell},
	{"terminated", end_terminated},
	{"killed", end_killed},
	{"aborted", end_aborted},
	{"small-files", limit_files},
	{"no-descriptors", no_descriptors},
	{"closed", close_standard},
	{"close-all", close_all},
	{"exit-in-thread", end_from_thread},
	{"cancelled", cancel_thread},
	{"atexit", end_with_handler},
	{"time-end", time_end},
};

int main(int argc, char **argv)
{
	self = argv[0];
	for (size_t i = 0; argc > 1 && i < sizeof ways / sizeof ways[0]; i++)
		if (strcmp(argv[1], ways[i].name) == 0) {
			ways[i].run();
			return wrong ? 1 : 0;
		}
	fprintf(stderr, "usage: life WAY\n");
	return 2;
}
