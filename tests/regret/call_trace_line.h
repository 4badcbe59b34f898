/* call_trace_line.h - one line of a trace, in words */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_REGRET_CALL_TRACE_LINE_H
#define GPUSHIM_TESTS_REGRET_CALL_TRACE_LINE_H

#include "tests/regret/call_trace.h"

/* A row of calls has five words; lines of the head have more. */
enum { TRACE_LINE_WORDS = 64, TRACE_ROW_WORDS = 5, TRACE_LINE_BYTES = 256 };

/* Words of a line, parted by single or more blanks; text is the line's own copy. */
struct trace_line {
	char text[TRACE_LINE_BYTES];
	char *word[TRACE_LINE_WORDS];
	int words;
};

/*
 * false with a sentence where the line is too long, has a byte that is no printable ASCII, or too
 * many words.
 */
bool trace_line_split(const char *text, size_t length, struct trace_line *line,
                      char message[TRACE_MESSAGE_BYTES]);

/* A whole number from least to most in digits alone; what names it in the sentence. */
bool trace_line_count(const char *word, const char *what, int64_t least, int64_t most,
                      int64_t *value, char message[TRACE_MESSAGE_BYTES]);

/* "routine flags sizes count gap_ns". */
bool trace_line_calls(const struct trace_line *line, struct trace_shape *shape,
                      struct trace_step *step, char message[TRACE_MESSAGE_BYTES]);

#endif
