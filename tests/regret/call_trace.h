/* call_trace.h - the large calls of a program, recorded: which, how often, in which order, how far apart */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_REGRET_CALL_TRACE_H
#define GPUSHIM_TESTS_REGRET_CALL_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "policy/call/call.h"

/* The format is described in bench/traces/README.md. */
enum {
	TRACE_TEXT_BYTES = 128,
	TRACE_MESSAGE_BYTES = 256,
	TRACE_FILE_BYTES = 1 << 20,
	TRACE_STEPS = 1 << 15,
	TRACE_FFT_RANK = FFT_GPU_RANK
};

/* What calls have in common: two steps with equal ones share an entry of trace.shape. */
struct trace_shape {
	enum family family;
	enum element element;
	enum side side;
	enum transpose transa, transb;
	int64_t m, n, k; /* of BLAS; of a square operand k is the order */
	int rank;        /* of a transform */
	int64_t length[TRACE_FFT_RANK], howmany;
	bool in_place;
};

/* TRACE_LOOP and TRACE_END enclose steps that are done count times; loops do not nest. */
enum trace_kind { TRACE_CALLS, TRACE_LOOP, TRACE_END };

/* count calls of one shape, each gap_ns after the end of the one before. */
struct trace_step {
	enum trace_kind kind;
	int shape;
	int64_t count;
	double gap_ns;
};

struct trace {
	char program[TRACE_TEXT_BYTES], version[TRACE_TEXT_BYTES];
	int64_t threads, repeat; /* all steps are done repeat times */
	int shape_count, step_count;
	struct trace_shape *shape;
	struct trace_step *step;
};

/*
 * Reads a trace from text. false with one sentence in message, the number of the line in front of
 * it where one is to blame, and nothing allocated; else trace_free.
 */
bool trace_parse(const char *text, size_t size_bytes, struct trace *trace,
                 char message[TRACE_MESSAGE_BYTES]);

/* The same from a file; the message begins with its path. */
bool trace_read(const char *path, struct trace *trace, char message[TRACE_MESSAGE_BYTES]);

void trace_free(struct trace *trace);

/* Where a walk through a trace is. Begins zeroed. */
struct trace_walk {
	int64_t round, turn;
	int at;
};

/* The next step of calls, loops and repetitions unrolled; NULL after the last. */
const struct trace_step *trace_next(const struct trace *trace, struct trace_walk *walk);

#endif
