/* cli_capture.h - keeps what a program writes, up to a bound, while it runs */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_CLI_CAPTURE_H
#define GPUSHIM_CLI_CLI_CAPTURE_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

/* Of the output that many bytes are kept and compared as text; what follows counts by a sum over its bytes. */
enum { CLI_CAPTURE_KEPT_BYTES = 1 << 28 };

/*
 * file: what is kept, without a name, -1 before the start. inlet: for the program to write to. total_bytes: all that it
 * wrote; rest: the sum over what was not kept. error: why something could not be kept, an error number.
 */
struct cli_capture {
	int file, inlet, outlet, stop;
	uint64_t total_bytes, rest;
	int error;
	pthread_t thread;
};

/* false after a sentence; nothing is to be freed then. */
bool cli_capture_start(struct cli_capture *capture);

/* To be called when the program has ended. What its descendants write later is lost. */
void cli_capture_finish(struct cli_capture *capture);

/* Closes the file, which finish leaves open. */
void cli_capture_free(struct cli_capture *capture);

/* A file without a name in $TMPDIR, else /tmp; -1 after a sentence. */
int cli_capture_make_file(void);

#endif
