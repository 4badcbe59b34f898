/* child_output.h - stores the output of a running program in a file, up to a limit */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_PROCESS_CHILD_OUTPUT_H
#define GPUSHIM_CLI_PROCESS_CHILD_OUTPUT_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

/* So many bytes of the output are stored; of the bytes behind them only a hash is kept. */
enum { CHILD_OUTPUT_KEPT_BYTES = 1 << 28 };

/*
 * file: the stored bytes, a file without a name; -1 before the start. inlet: the end of the pipe
 * that the program writes to. outlet, stop, thread: of the thread that empties it. total_bytes: all
 * that was written; rest: the hash of what is not stored. error: the error number if storing
 * failed, else 0. held: at the end of the program another process still had the pipe.
 */
struct child_output {
	int file, inlet, outlet, stop;
	uint64_t total_bytes, rest;
	int error;
	bool held;
	pthread_t thread;
};

/* Starts the thread. false after a message; then there is nothing to free. */
bool child_output_start(struct child_output *capture);

/* Ends the thread; call it when the program has ended. What descendants write later is lost. */
void child_output_finish(struct child_output *capture);

/* Closes the file, which finish leaves open. */
void child_output_free(struct child_output *capture);

/* Opens a file without a name in $TMPDIR, else /tmp; -1 after a message. */
int child_output_make_file(void);

#endif
