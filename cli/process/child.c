/* child.c - fork, exec and wait, with signals forwarded to the child */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/process/child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/common/say.h"
#include "shim/base/clock.h"

static const int launch_signals[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP};
enum { LAUNCH_SIGNALS = sizeof launch_signals / sizeof launch_signals[0] };

/*
 * The action for SIGPIPE that the tool was started with; children get it back. The tool itself
 * ignores the signal, because it has to remove files at its end.
 */
static struct sigaction child_pipe;
static bool child_pipe_known;

static volatile sig_atomic_t launch_child, launch_interrupted;

/* After child_insist; seconds since the first signal. */
enum { LAUNCH_PATIENCE_SECONDS = 10 };
static volatile sig_atomic_t launch_insists, launch_seconds;

/* The mask and the actions before, to be restored. */
struct launch_signals {
	sigset_t mask;
	struct sigaction action[LAUNCH_SIGNALS];
};

static void child_forward_signal(int signal, siginfo_t *info, void *context)
{
	const int saved_errno = errno;
	(void)context;
	if (launch_insists && launch_interrupted == 0)
		alarm(1);
	launch_interrupted = signal;
	if (launch_seconds > 0 && launch_child > 0)
		kill((pid_t)launch_child, SIGKILL);
	/* A positive code is the kernel's: the terminal sent the signal to the program too. */
	else if (info->si_code <= 0 && launch_child > 0)
		kill((pid_t)launch_child, signal);
	errno = saved_errno;
}

/* Each second after the first signal. */
static void child_count_second(int signal)
{
	static const char told[] = "gpushim: waiting for the program to end; the same signal again "
				   "(Ctrl-C) kills it\n";
	const int saved_errno = errno;
	(void)signal;
	launch_seconds++;
	if (launch_child > 0 && launch_seconds == 1 &&
	    write(STDERR_FILENO, told, sizeof told - 1) < 0)
		errno = 0; /* stderr is closed */
	if (launch_child > 0 && launch_seconds >= LAUNCH_PATIENCE_SECONDS)
		kill((pid_t)launch_child, SIGKILL);
	alarm(1);
	errno = saved_errno;
}

static void child_ignore_pipe(void)
{
	const struct sigaction ignore = {.sa_handler = SIG_IGN};
	if (!child_pipe_known)
		sigaction(SIGPIPE, &ignore, &child_pipe);
	child_pipe_known = true;
}

/*
 * Blocks the signals until launch_child is set. A signal that was ignored stays ignored, as under
 * nohup.
 */
static void child_begin_signals(struct launch_signals *before)
{
	struct sigaction action = {.sa_sigaction = child_forward_signal,
	                           .sa_flags = SA_SIGINFO | SA_RESTART};
	sigset_t blocked;
	sigemptyset(&blocked);
	sigemptyset(&action.sa_mask);
	for (int i = 0; i < LAUNCH_SIGNALS; i++)
		sigaddset(&blocked, launch_signals[i]);
	launch_child = 0;
	sigprocmask(SIG_BLOCK, &blocked, &before->mask);
	for (int i = 0; i < LAUNCH_SIGNALS; i++) {
		sigaction(launch_signals[i], NULL, &before->action[i]);
		if (before->action[i].sa_handler != SIG_IGN)
			sigaction(launch_signals[i], &action, NULL);
	}
}

/* In the child: a handler of the tool must not take a signal that is the program's. */
static void child_give_signals(const struct launch_signals *before)
{
	for (int i = 0; i < LAUNCH_SIGNALS; i++)
		if (before->action[i].sa_handler != SIG_IGN)
			signal(launch_signals[i], SIG_DFL);
}

static void child_end_signals(const struct launch_signals *before)
{
	for (int i = 0; i < LAUNCH_SIGNALS; i++)
		sigaction(launch_signals[i], &before->action[i], NULL);
}

/* dup2 keeps the close-on-exec flag of a descriptor that is already in its place. */
static void child_connect(int from, int to)
{
	if (from == to)
		fcntl(to, F_SETFD, 0);
	else if (from >= 0)
		dup2(from, to);
}

/* The kernel says of a folder what it says of a file without the right to run it. */
static int child_explain(const char *name, int error)
{
	struct stat status;
	const bool is_folder = error == EACCES && strchr(name, '/') != NULL &&
	                       stat(name, &status) == 0 && S_ISDIR(status.st_mode);
	return is_folder ? EISDIR : error;
}

/* In the child. A successful exec closes report; after a failed one it carries the error number. */
__attribute__((noreturn)) static void child_exec(const struct child *launch,
                                                 const struct launch_signals *before, int report)
{
	child_give_signals(before);
	sigaction(SIGPIPE, &child_pipe, NULL);
	sigprocmask(SIG_SETMASK, &before->mask, NULL);
	child_connect(launch->input, STDIN_FILENO);
	child_connect(launch->output, STDOUT_FILENO);
	child_connect(launch->error, STDERR_FILENO);
	execvpe(launch->words[0], launch->words, launch->environment->entries);
	const int error = child_explain(launch->words[0], errno);
	if (write(report, &error, sizeof error) < 0)
		_exit(125);
	_exit(127);
}

static int64_t child_convert_time(struct timeval time)
{
	return (int64_t)time.tv_sec * 1000000000 + (int64_t)time.tv_usec * 1000;
}

static void child_wait(struct child_outcome *outcome, int64_t start_ns)
{
	struct rusage usage = {0};
	while (wait4(outcome->pid, &outcome->status, 0, &usage) < 0 && errno == EINTR)
		;
	outcome->wall_ns = clock_monotonic_ns() - start_ns;
	outcome->user_ns = child_convert_time(usage.ru_utime);
	outcome->system_ns = child_convert_time(usage.ru_stime);
}

static void child_follow(struct child_outcome *outcome, int report, int64_t start_ns)
{
	int error = 0;
	ssize_t got;
	do
		got = read(report, &error, sizeof error);
	while (got < 0 && errno == EINTR);
	child_wait(outcome, start_ns);
	if (got == (ssize_t)sizeof error)
		outcome->start_error = error;
}

void child_run(const struct child *launch, struct child_outcome *outcome)
{
	struct launch_signals before;
	int report[2];
	*outcome = (struct child_outcome){.start_realtime_ns = clock_realtime_ns()};
	if (pipe2(report, O_CLOEXEC) != 0) {
		outcome->start_error = errno;
		return;
	}
	child_ignore_pipe();
	child_begin_signals(&before);
	const int64_t start_ns = clock_monotonic_ns();
	const bool late = launch_insists && launch_interrupted != 0;
	outcome->pid = late ? -1 : fork();
	if (outcome->pid == 0)
		child_exec(launch, &before, report[1]);
	outcome->start_error = late ? EINTR : outcome->pid < 0 ? errno : 0;
	launch_child = outcome->pid > 0 ? outcome->pid : 0;
	sigprocmask(SIG_SETMASK, &before.mask, NULL);
	close(report[1]);
	if (outcome->pid > 0)
		child_follow(outcome, report[0], start_ns);
	launch_child = 0;
	close(report[0]);
	child_end_signals(&before);
}

int child_status(const struct child_outcome *outcome)
{
	if (outcome->start_error != 0)
		return outcome->start_error == ENOENT || outcome->start_error == ENOTDIR ? 127
		                                                                         : 126;
	if (WIFSIGNALED(outcome->status))
		return 128 + WTERMSIG(outcome->status);
	return WEXITSTATUS(outcome->status);
}

int child_interrupted(void)
{
	return launch_interrupted;
}

void child_insist(void)
{
	struct sigaction forward = {.sa_sigaction = child_forward_signal,
	                            .sa_flags = SA_SIGINFO | SA_RESTART};
	const struct sigaction count = {.sa_handler = child_count_second, .sa_flags = SA_RESTART};
	struct sigaction before;
	sigemptyset(&forward.sa_mask);
	launch_insists = 1;
	for (int i = 0; i < LAUNCH_SIGNALS; i++)
		if (sigaction(launch_signals[i], NULL, &before) == 0 &&
		    before.sa_handler != SIG_IGN)
			sigaction(launch_signals[i], &forward, NULL);
	if (sigaction(SIGALRM, NULL, &before) == 0 && before.sa_handler != SIG_IGN)
		sigaction(SIGALRM, &count, NULL);
}

char *child_describe_end(const struct child_outcome *outcome)
{
	if (!WIFSIGNALED(outcome->status))
		return say_text("ended with status %d", child_status(outcome));
	const int signal = WTERMSIG(outcome->status);
	return say_text("was killed by signal %d (%s)", signal, say_signal(signal));
}

void child_print_signal(const struct child_outcome *outcome)
{
	if (outcome->start_error != 0 || !WIFSIGNALED(outcome->status))
		return;
	char *end = child_describe_end(outcome);
	say("the program %s", end);
	free(end);
}
