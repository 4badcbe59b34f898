/* refuse.c - runs a program for which one system call of tracking fails, and counts these calls */
/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

/*
 * usage: refuse RULE FILE PROGRAM [ARGUMENT...]
 *
 * A debugger, not a filter of system calls: the program sees a kernel as any other. FILE gets a
 * line of counts; -: none.
 */
enum {
	API = 0x3f,
	REGISTER = 0x00,
	PROTECT = 0x06,
	SCAN = 16,
	FAULTS = 0xaa,
	MAP = 'f',
	TASKS = 256
};

struct rule {
	const char *name;
	long call;
	unsigned type, number; /* of an ioctl */
	long first;            /* the calls from this one on, counted from 1 */
	int error;
};

static const struct rule rules[] = {
	{"nothing", -1, 0, 0, 1, 0},
	{"userfaultfd-unknown", SYS_userfaultfd, 0, 0, 1, ENOSYS},
	{"userfaultfd-forbidden", SYS_userfaultfd, 0, 0, 1, EPERM},
	{"user-mode-unknown", SYS_userfaultfd, 0, 0, 1, EINVAL},
	{"userfaultfd-no-files", SYS_userfaultfd, 0, 0, 1, EMFILE},
	{"features-unknown", SYS_ioctl, FAULTS, API, 1, EINVAL},
	{"scan-unknown", SYS_ioctl, MAP, SCAN, 1, ENOTTY},
	{"scan-refused", SYS_ioctl, MAP, SCAN, 1, EINVAL},
	{"scan-ends", SYS_ioctl, MAP, SCAN, 60, ENOMEM},
	{"register-refused", SYS_ioctl, FAULTS, REGISTER, 1, EINVAL},
	{"register-busy", SYS_ioctl, FAULTS, REGISTER, 2, EBUSY},
	{"protect-refused", SYS_ioctl, FAULTS, PROTECT, 1, EINVAL},
	{"protect-ends", SYS_ioctl, FAULTS, PROTECT, 16, ENOENT},
};

struct task {
	pid_t number;
	bool is_refused;
};

static const struct rule *rule = &rules[0];
static struct task tasks[TASKS];
static long made, arms, scans, registrations;

static struct task *find(pid_t number)
{
	for (int i = 0; i < TASKS; i++)
		if (tasks[i].number == number || tasks[i].number == 0) {
			tasks[i].number = number;
			return &tasks[i];
		}
	abort();
}

static bool is_request(unsigned long request, unsigned type, unsigned number)
{
	return ((request >> 8) & 0xff) == type && (request & 0xff) == number;
}

static void count(const struct __ptrace_syscall_info *call)
{
	if (call->entry.nr != SYS_ioctl)
		return;
	arms += is_request(call->entry.args[1], FAULTS, PROTECT);
	scans += is_request(call->entry.args[1], MAP, SCAN);
	registrations += is_request(call->entry.args[1], FAULTS, REGISTER);
}

static bool is_ruled(const struct __ptrace_syscall_info *call)
{
	return (long)call->entry.nr == rule->call &&
	       (rule->call != SYS_ioctl ||
	        is_request(call->entry.args[1], rule->type, rule->number)) &&
	       ++made >= rule->first;
}

/* Instead of the call, one that no kernel has; then its answer is another one. */
static void change(pid_t number, bool begins)
{
	struct user_regs_struct registers;
	ptrace(PTRACE_GETREGS, number, NULL, &registers);
	if (begins)
		registers.orig_rax = (unsigned long long)-1;
	else
		registers.rax = (unsigned long long)-rule->error;
	ptrace(PTRACE_SETREGS, number, NULL, &registers);
}

static void stop_at_call(pid_t number)
{
	struct __ptrace_syscall_info call;
	struct task *task = find(number);
	if (ptrace(PTRACE_GET_SYSCALL_INFO, number, sizeof call, &call) <= 0)
		return;
	if (call.op == PTRACE_SYSCALL_INFO_ENTRY) {
		count(&call);
		task->is_refused = is_ruled(&call);
		if (task->is_refused)
			change(number, true);
	} else if (call.op == PTRACE_SYSCALL_INFO_EXIT && task->is_refused) {
		task->is_refused = false;
		change(number, false);
	}
}

static int follow(pid_t first)
{
	int status, result = 1;
	pid_t number;
	while ((number = waitpid(-1, &status, __WALL)) > 0) {
		if (WIFEXITED(status) || WIFSIGNALED(status)) {
			if (number == first)
				result = WIFEXITED(status) ? WEXITSTATUS(status)
				                           : 128 + WTERMSIG(status);
			continue;
		}
		int sent = WSTOPSIG(status);
		if (sent == (SIGTRAP | 0x80))
			stop_at_call(number);
		if (sent == (SIGTRAP | 0x80) || sent == SIGTRAP || sent == SIGSTOP)
			sent = 0;
		ptrace(PTRACE_SYSCALL, number, NULL, sent);
	}
	return result;
}

static int run(char **words)
{
	const long options = PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK |
	                     PTRACE_O_TRACEVFORK | PTRACE_O_TRACEEXEC | PTRACE_O_EXITKILL;
	const pid_t child = fork();
	if (child == 0) {
		ptrace(PTRACE_TRACEME, 0, NULL, NULL);
		raise(SIGSTOP);
		execvp(words[0], words);
		_exit(127);
	}
	int status;
	if (waitpid(child, &status, 0) < 0 || !WIFSTOPPED(status) ||
	    ptrace(PTRACE_SETOPTIONS, child, NULL, options) != 0) {
		printf("a child cannot be traced here: %s\n", strerror(errno));
		return 77;
	}
	ptrace(PTRACE_SYSCALL, child, NULL, 0);
	return follow(child);
}

int main(int count_words, char **word)
{
	if (count_words < 4)
		return 2;
	for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
		if (strcmp(word[1], rules[i].name) == 0)
			rule = &rules[i];
	const int result = run(word + 3);
	FILE *file = strcmp(word[2], "-") != 0 ? fopen(word[2], "a") : NULL;
	if (file != NULL) {
		fprintf(file, "\"registrations\":%ld,\"arms\":%ld,\"scans\":%ld\n", registrations,
		        arms, scans);
		fclose(file);
	}
	return result;
}
