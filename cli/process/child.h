/* child.h - starts a program, waits for it, and tells what it took */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_PROCESS_CHILD_H
#define GPUSHIM_CLI_PROCESS_CHILD_H

#include <stdint.h>
#include <sys/types.h>

#include "cli/common/environment.h"

/* Descriptors that become the program's; -1: it has the tool's own. */
struct child {
	char *const *words;
	const struct environment *environment;
	int input, output, error;
};

/* start_error: why it could not be started (an error number), 0 if it ran. status as of waitpid. */
struct tool_outcome {
	pid_t pid;
	int start_error, status;
	int64_t start_realtime_ns, wall_ns, user_ns, system_ns;
};

/*
 * Runs the program to its end. Meanwhile SIGINT, SIGQUIT, SIGTERM and SIGHUP that a process sent to
 * the tool are sent on to the program; those that the terminal made reach it anyway.
 */
void child_program(const struct child *launch, struct tool_outcome *outcome);

/* As a shell counts: the status, 128 + signal, 126 or 127 where it did not start. */
int child_status(const struct tool_outcome *outcome);

/* The signal that asked the tool to end while a program ran, or 0. */
int child_interrupted(void);

#endif
