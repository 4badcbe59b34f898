/* difference.h - compares the outputs of two runs: bytes, then words and numbers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_COMPARE_DIFFERENCE_H
#define GPUSHIM_CLI_COMPARE_DIFFERENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { DIFFERENCE_TEXT_BYTES = 161 };

enum difference_kind {
	DIFFERENCE_NONE,    /* equal byte by byte */
	DIFFERENCE_NUMBERS, /* equal but for numbers within the tolerance, or blanks between words */
	DIFFERENCE_FOUND
};

/*
 * deviation: the largest met, relative to the largest number of its line. line and texts: of the
 * first difference.
 */
struct difference {
	enum difference_kind kind;
	double deviation;
	size_t line;
	char before[DIFFERENCE_TEXT_BYTES], after[DIFFERENCE_TEXT_BYTES];
};

/*
 * Compares two open files from their beginnings; their offsets do not matter and are not kept. Two
 * numbers agree if they differ by at most tolerance times the largest number of their line in
 * either file; whole numbers must be equal. A line of 16 MiB and more is compared byte by byte.
 * Memory for two such lines is all that is needed. Returns 0 or an error number.
 */
int difference_find(int before, int after, double tolerance, struct difference *difference);

/*
 * Of outputs whose kept parts agree and whose rests do not: line is 0, the texts tell how long they
 * are.
 */
void difference_describe_rest(struct difference *difference, uint64_t before_bytes,
                              uint64_t after_bytes);

#endif
