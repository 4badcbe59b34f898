/* session_leave.c - tells CUDA's threads and the shim's from those of the program */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/session/session_leave.h"

#include <dirent.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "shim/base/fp_environment.h"
#include "shim/base/futex.h"
#include "shim/execute/gpu/node/kernel_text.h"

/* LEAVE_LOOKS: so often in a row no thread of the program is found before the process ends. */
enum { LEAVE_PERIOD_NS = 100000000, LEAVE_LOOKS = 2 };

/* Standard signals as /proc shows them, but SIGKILL and SIGSTOP, which nobody blocks. */
static const uint64_t leave_signals = UINT64_C(0x7ffbfeff);

static const char leave_tasks[] = "/proc/self/task/";

static atomic_flag leave_looks = ATOMIC_FLAG_INIT;
static sigset_t leave_mask; /* of the thread that ended */

/* The text behind key in a status file; "" without. */
static const char *session_leave_find(const char *status, const char *key)
{
	const char *found = strstr(status, key);
	return found != NULL ? found + strlen(key) : "";
}

static uint64_t session_leave_scan(const char *digits)
{
	uint64_t value = 0;
	for (; *digits != '\n' && *digits != '\0'; digits++)
		value = value << 4 |
		        (uint64_t)(*digits <= '9' ? *digits - '0' : *digits - 'a' + 10);
	return value;
}

static bool session_leave_is_named(const char *status, const char *name)
{
	return strncmp(session_leave_find(status, "Name:\t"), name, strlen(name)) == 0;
}

/*
 * CUDA's threads are made by the one that starts it, and inherit its mask, in which all signals are
 * blocked; and CUDA gives them names. A thread of which only one holds counts as the program's.
 */
static bool session_leave_is_cudas(const char *status)
{
	const uint64_t blocked = session_leave_scan(session_leave_find(status, "SigBlk:\t"));
	return session_leave_is_named(status, "cuda") && (blocked & leave_signals) == leave_signals;
}

/* main's thread stays visible until the process ends. */
static bool session_leave_has_ended(const char *status)
{
	const char state = session_leave_find(status, "State:\t")[0];
	return state == 'Z' || state == 'X';
}

/* A thread that cannot be looked at counts as the program's, unless it is gone. */
static bool session_leave_is_programs(const char *number)
{
	char folder[64], status[KERNEL_TEXT_BYTES];
	const size_t length = strlen(number);
	if (number[0] == '.' || length + sizeof leave_tasks > sizeof folder - 1)
		return false;
	memcpy(folder, leave_tasks, sizeof leave_tasks - 1);
	memcpy(folder + sizeof leave_tasks - 1, number, length);
	memcpy(folder + sizeof leave_tasks - 1 + length, "/", 2);
	if (!kernel_text_read("", folder, "status", status))
		return access(folder, F_OK) == 0;
	return !session_leave_is_named(status, "gpushim-") && !session_leave_is_cudas(status) &&
	       !session_leave_has_ended(status);
}

static bool session_leave_finds_program(void)
{
	DIR *tasks = opendir(leave_tasks);
	bool found = tasks == NULL;
	for (const struct dirent *entry; !found && (entry = readdir(tasks)) != NULL;)
		found = session_leave_is_programs(entry->d_name);
	if (tasks != NULL)
		closedir(tasks);
	return found;
}

static void *session_leave_run(void *unused)
{
	static _Atomic uint32_t never;
	int looks = 0;
	fp_environment_forget();
	pthread_setname_np(pthread_self(), "gpushim-end");
	while (looks < LEAVE_LOOKS) {
		futex_wait(&never, 0, LEAVE_PERIOD_NS);
		looks = session_leave_finds_program() ? 0 : looks + 1;
	}
	pthread_sigmask(SIG_SETMASK, &leave_mask, NULL);
	exit(0);
	return unused;
}

static bool session_leave_main_has_ended(void)
{
	char status[KERNEL_TEXT_BYTES];
	if (gettid() == getpid())
		return true; /* it is ending */
	return kernel_text_read("", "/proc/self/", "status", status) &&
	       session_leave_has_ended(status);
}

/* The thread runs the program's exit handlers, so it has a stack of the usual size. */
static void session_leave_look(void)
{
	pthread_attr_t attributes;
	pthread_t thread;
	sigset_t all;
	sigfillset(&all);
	if (pthread_attr_init(&attributes) != 0)
		return;
	pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
	pthread_sigmask(SIG_SETMASK, &all, &leave_mask);
	if (pthread_create(&thread, &attributes, session_leave_run, NULL) != 0)
		atomic_flag_clear(&leave_looks);
	pthread_sigmask(SIG_SETMASK, &leave_mask, NULL);
	pthread_attr_destroy(&attributes);
}

void session_leave_thread(void)
{
	if (session_leave_main_has_ended() && !atomic_flag_test_and_set(&leave_looks))
		session_leave_look();
}

void session_leave_after_fork_child(void)
{
	atomic_flag_clear(&leave_looks);
}
