/* cli_launch.h - starts a program, waits for it, and tells what it took */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_CLI_LAUNCH_H
#define GPUSHIM_CLI_CLI_LAUNCH_H

#include <stdint.h>
#include <sys/types.h>

#include "cli/cli_environment.h"

/* Descriptors that become the program's; -1: it has the tool's own. */
struct cli_launch {
	char *const *words;
	const struct cli_environment *environment;
	int input, output, error;
};

/* start_error: why it could not be started (an error number), 0 if it ran. status as of waitpid. */
struct cli_outcome {
	pid_t pid;
	int start_error, status;
	int64_t start_realtime_ns, wall_ns, user_ns, system_ns;
};

/*
 * Runs the program to its end. Meanwhile SIGINT, SIGQUIT, SIGTERM and SIGHUP that a process sent to the tool are sent
 * on to the program; those that the terminal made reach it anyway.
 */
void cli_launch_program(const struct cli_launch *launch, struct cli_outcome *outcome);

/* As a shell counts: the status, 128 + signal, 126 or 127 where it did not start. */
int cli_launch_status(const struct cli_outcome *outcome);

/* The signal that asked the tool to end while a program ran, or 0. */
int cli_launch_interrupted(void);

#endif
