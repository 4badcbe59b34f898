/* child_output.h - keeps what a program writes, up to a bound, while it runs */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_PROCESS_CHILD_OUTPUT_H
#define GPUSHIM_CLI_PROCESS_CHILD_OUTPUT_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * Of the output that many bytes are kept and compared as text; what follows counts by a sum over
 * its bytes.
 */
enum { CHILD_OUTPUT_KEPT_BYTES = 1 << 28 };

/*
 * file: what is kept, without a name, -1 before the start. inlet: for the program to write to.
 * total_bytes: all that it wrote; rest: the sum over what was not kept. error: why something could
 * not be kept, an error number.
 */
struct child_output {
	int file, inlet, outlet, stop;
	uint64_t total_bytes, rest;
	int error;
	pthread_t thread;
};

/* false after a sentence; nothing is to be freed then. */
bool child_output_start(struct child_output *capture);

/* To be called when the program has ended. What its descendants write later is lost. */
void child_output_finish(struct child_output *capture);

/* Closes the file, which finish leaves open. */
void child_output_free(struct child_output *capture);

/* A file without a name in $TMPDIR, else /tmp; -1 after a sentence. */
int child_output_make_file(void);

#endif
