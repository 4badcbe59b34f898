/* call_trace_line.h - one line of a trace, as words */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_REGRET_CALL_TRACE_LINE_H
#define GPUSHIM_TESTS_REGRET_CALL_TRACE_LINE_H

#include "tests/regret/call_trace.h"

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
