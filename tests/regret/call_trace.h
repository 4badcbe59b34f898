/* call_trace.h - a program's recorded calls: which, how often, in which order, how far apart */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_REGRET_CALL_TRACE_H
#define GPUSHIM_TESTS_REGRET_CALL_TRACE_H

#include "tests/regret/call_trace_line.h"

enum { TRACE_FILE_BYTES = 1 << 20, TRACE_STEPS = 1 << 15 };

struct call_trace {
	char program[TRACE_TEXT_BYTES], version[TRACE_TEXT_BYTES];
	int64_t threads, repeat; /* repeat: how often the whole is done */
	int shape_count, step_count;
	struct call_trace_shape *shape;
	struct call_trace_step *step;
};

/*
 * Reads a trace from text. false with one sentence in message, which begins with the number of the
 * line where one is wrong; then nothing is allocated. After true: call_trace_free.
 */
bool call_trace_parse(const char *text, size_t size_bytes, struct call_trace *trace,
                      char message[TRACE_MESSAGE_BYTES]);

/* Reads a trace from a file; the message begins with its path. */
bool call_trace_read(const char *path, struct call_trace *trace, char message[TRACE_MESSAGE_BYTES]);

void call_trace_free(struct call_trace *trace);

/* A position in a trace, zero at the begin. */
struct call_trace_walk {
	int64_t round, turn;
	int at;
};

/* The next step of calls, with loops and repetitions unrolled; NULL after the last one. */
const struct call_trace_step *call_trace_next(const struct call_trace *trace,
                                              struct call_trace_walk *walk);

#endif
