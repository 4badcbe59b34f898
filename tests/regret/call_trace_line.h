/* call_trace_line.h - one line of a trace, as words */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_REGRET_CALL_TRACE_LINE_H
#define GPUSHIM_TESTS_REGRET_CALL_TRACE_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "policy/call/call.h"

/* The format is described in bench/traces/README.md. */
enum { TRACE_TEXT_BYTES = 128, TRACE_MESSAGE_BYTES = 256, TRACE_FFT_RANK = FFT_GPU_RANK };

/*
 * The routine, flags and sizes of calls; steps with equal ones share an entry of call_trace.shape.
 */
struct call_trace_shape {
	enum family family;
	enum element element;
	enum side side;
	enum transpose transa, transb;
	int64_t m, n, k; /* of BLAS; the order of a square operand is k */
	int rank;        /* transforms */
	int64_t length[TRACE_FFT_RANK], howmany;
	bool in_place;
};

/* Steps between TRACE_LOOP and TRACE_END are done count times; loops do not nest. */
enum call_trace_kind { TRACE_CALLS, TRACE_LOOP, TRACE_END };

/* count calls of one shape, each gap_ns after the end of the call before it. */
struct call_trace_step {
	enum call_trace_kind kind;
	int shape;
	int64_t count;
	double gap_ns;
};

/* A row of calls has five words; a line of the head may have more. */
enum { TRACE_LINE_WORDS = 64, TRACE_ROW_WORDS = 5, TRACE_LINE_BYTES = 256 };

/* The words of a line, which blanks separate. They point into text, a copy of the line. */
struct call_trace_line {
	char text[TRACE_LINE_BYTES];
	char *word[TRACE_LINE_WORDS];
	int words;
};

/* Writes a sentence. Returns false. */
__attribute__((format(printf, 2, 3))) bool call_trace_refuse(char message[TRACE_MESSAGE_BYTES],
                                                             const char *format, ...);

/*
 * false with a sentence where the line is too long, has too many words, or has a byte that is not
 * printable ASCII.
 */
bool call_trace_line_split(const char *text, size_t length, struct call_trace_line *line,
                           char message[TRACE_MESSAGE_BYTES]);

/* Reads a whole number from least to most, digits only. what: its name in the sentence. */
bool call_trace_line_count(const char *word, const char *what, int64_t least, int64_t most,
                           int64_t *value, char message[TRACE_MESSAGE_BYTES]);

/* Reads "routine flags sizes count gap_ns". */
bool call_trace_line_calls(const struct call_trace_line *line, struct call_trace_shape *shape,
                           struct call_trace_step *step, char message[TRACE_MESSAGE_BYTES]);

#endif
