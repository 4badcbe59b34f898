/* leave.c - main that ends before its threads, and a process of one thread; usage: leave WAY */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "hostile_work.h"

enum { LEAVE_LIMIT_MS = 10000, LEAVE_STEP_MS = 5 };

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

static void pause_ms(int ms)
{
	nanosleep(&(struct timespec){ms / 1000, ms % 1000 * 1000000L}, NULL);
}

/* Waits for an event by looking again and again; false: it did not come. */
static int await(int (*happened)(int), int argument)
{
	for (int waited_ms = 0; waited_ms < LEAVE_LIMIT_MS; waited_ms += LEAVE_STEP_MS) {
		if (happened(argument))
			return 1;
		pause_ms(LEAVE_STEP_MS);
	}
	return 0;
}

static int child_status;

static int has_ended(int child)
{
	return waitpid(child, &child_status, WNOHANG) == child;
}

/* Of a process whose main has left: the thread of main is a zombie. */
static int has_no_main(int process)
{
	char path[64], text[256] = "";
	snprintf(path, sizeof path, "/proc/%d/task/%d/stat", process, process);
	FILE *file = fopen(path, "r");
	const size_t length = file == NULL ? 0 : fread(text, 1, sizeof text - 1, file);
	if (file != NULL)
		fclose(file);
	text[length] = '\0';
	const char *end = strrchr(text, ')');
	return end != NULL && end[2] == 'Z';
}

static int is_alone(int unused)
{
	int count = -2; /* . and .. */
	DIR *tasks = opendir("/proc/self/task");
	(void)unused;
	while (tasks != NULL && readdir(tasks) != NULL)
		count++;
	if (tasks != NULL)
		closedir(tasks);
	return count == 1;
}

/* -- children whose main leaves -- */

static void at_exit(void)
{
	work(1);
	say("exit handlers run");
}

static void *run_after_main(void *unused)
{
	if (!await(has_no_main, getpid()))
		say("main does not leave");
	work(3);
	say("a thread after main");
	return unused;
}

static void *run_until_ended(void *unused)
{
	work(1);
	for (;;)
		pause();
	return unused;
}

static void leave_alone(void)
{
	work(5);
	pthread_exit(NULL);
}

static void leave_behind(void *(*run)(void *))
{
	pthread_t thread;
	work(5);
	if (pthread_create(&thread, NULL, run, NULL) != 0 || pthread_detach(thread) != 0)
		exit(9);
	pthread_exit(NULL);
}

static void leave_thread(void)
{
	leave_behind(run_after_main);
}

static void leave_waiting(void)
{
	leave_behind(run_until_ended);
}

/* number: a signal for the process once main has left; 0: none. */
static void watch(void (*leave)(void), int number, const char *who)
{
	char line[100];
	const pid_t child = fork();
	if (child == 0) {
		atexit(at_exit);
		leave();
		_exit(9);
	}
	if (number != 0 && await(has_no_main, child))
		kill(child, number);
	if (await(has_ended, child)) {
		snprintf(line, sizeof line, "%s ended with %d, signal %d", who,
		         WIFEXITED(child_status) ? WEXITSTATUS(child_status) : -1,
		         WIFSIGNALED(child_status) ? WTERMSIG(child_status) : 0);
	} else {
		snprintf(line, sizeof line, "%s does not end", who);
		kill(child, SIGKILL);
		waitpid(child, NULL, 0);
	}
	say(line);
}

static void leave_main(void)
{
	watch(leave_alone, 0, "alone");
	watch(leave_thread, 0, "with a thread");
	watch(leave_waiting, SIGTERM, "terminated");
}

/* -- a process of one thread -- */

static void be_alone(void)
{
	work(5);
	printf("alone %d\n", await(is_alone, 0));
	printf("namespace %d\n", unshare(CLONE_NEWUSER) == 0 ? 0 : errno);
	fflush(stdout);
	work(5);
	say("goes on");
}

int main(int argc, char **argv)
{
	if (argc > 1 && strcmp(argv[1], "main") == 0)
		leave_main();
	else
		be_alone();
	return wrong != 0;
}
