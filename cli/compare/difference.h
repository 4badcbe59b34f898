/* difference.h - compares the outputs of two runs, byte by byte, then words and numbers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_COMPARE_DIFFERENCE_H
#define GPUSHIM_CLI_COMPARE_DIFFERENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cli/compare/line_set.h"

enum { DIFFERENCE_TEXT_BYTES = 60, DIFFERENCE_QUOTES = 4 };

/* A line in both texts, around the place where they differ; "" where it was not kept. */
struct difference_quote {
	size_t line;
	char before[DIFFERENCE_TEXT_BYTES], after[DIFFERENCE_TEXT_BYTES];
};

/*
 * How some texts differ from one and the same text. has_numbers: lines agree that are not equal
 * byte by byte; deviation: the largest difference of two numbers that agree, divided by the largest
 * number of their line. lines: those that do not agree. end: the first line that only one of two
 * texts has, 0 if all have the same number of lines. total: lines of the one text. rest_differs:
 * set by the caller where parts differ that are not in the files, of texts of rest_bytes bytes in
 * all.
 */
struct difference {
	bool has_numbers, rest_differs;
	double deviation;
	struct line_set lines;
	size_t end, total, quotes;
	struct difference_quote quote[DIFFERENCE_QUOTES];
	uint64_t rest_bytes[2];
};

/*
 * Adds what the open file after differs from the file before, the same in each call; both are read
 * from their beginnings, and file offsets are neither used nor changed. Two numbers agree if they
 * differ by at most tolerance times the largest number of their line in either file; whole numbers
 * must be equal. A line of 16 MiB or more is compared byte by byte, in parts of that length that
 * count as lines. No quote is kept of the lines in unsteady. Needs memory for two such lines.
 * Returns 0 or an error number.
 */
int difference_add(struct difference *difference, const struct line_set *unsteady, int before,
                   int after, double tolerance);
void difference_free(struct difference *difference);

enum difference_kind {
	DIFFERENCE_NONE,    /* equal byte by byte */
	DIFFERENCE_NUMBERS, /* equal except numbers within the tolerance, or blanks */
	DIFFERENCE_FOUND,
	DIFFERENCE_UNSTEADY /* the texts cannot be compared */
};

/*
 * unsteady: lines that are not compared. line, quote: of DIFFERENCE_FOUND, the first line that does
 * not agree, 0 if it is not in the files; NULL if its quote was not kept.
 */
struct difference_verdict {
	enum difference_kind kind;
	size_t line, unsteady;
	const struct difference_quote *quote;
};

/*
 * Compares outputs with the shim to outputs without it, of which difference knows how they differ
 * from one output without it. Lines that differ among those without it are not compared; nothing
 * can be compared if all do, or if the number of lines differs.
 */
struct difference_verdict difference_judge(const struct difference *with,
                                           const struct difference *without);

#endif
