/* child.h - runs a program to its end and measures its time */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_PROCESS_CHILD_H
#define GPUSHIM_CLI_PROCESS_CHILD_H

#include <stdint.h>
#include <sys/types.h>

#include "cli/common/environment.h"

/*
 * words: argv. input, output, error: descriptors that become the program's stdin, stdout and
 * stderr; -1: it inherits the tool's.
 */
struct child {
	char *const *words;
	const struct environment *environment;
	int input, output, error;
};

/*
 * start_error: the error number if the program could not be started, else 0. status: as waitpid
 * returns it. user_ns, system_ns: processor time, of descendants too that it has waited for.
 */
struct child_outcome {
	pid_t pid;
	int start_error, status;
	int64_t start_realtime_ns, wall_ns, user_ns, system_ns;
};

/*
 * Starts the program and waits for its end. Meanwhile a SIGINT, SIGQUIT, SIGTERM or SIGHUP that a
 * process sends to the tool is forwarded to the program; one from the terminal reaches both anyway.
 * From the first call on the tool ignores SIGPIPE. One program at a time.
 */
void child_run(const struct child *launch, struct child_outcome *outcome);

/* As a shell returns it: the exit status, 128 + signal, 127 not found, 126 not started. */
int child_status(const struct child_outcome *outcome);

/* Prints a message if a signal ended the program. */
void child_print_signal(const struct child_outcome *outcome);

/* "ended with status 7", "was killed by signal 11 (SEGV)", to be freed. */
char *child_describe_end(const struct child_outcome *outcome);

/* The last of the signals above that the tool received while a program ran, or 0. */
int child_interrupted(void);

/*
 * From here on these signals do not end the tool, also while no program runs, and child_interrupted
 * tells of them. A program that goes on for ten seconds after such a signal, or for one second and
 * until the next signal, is killed; after an interruption none is started (start_error is EINTR).
 */
void child_insist(void);

#endif
