/* difference.h - compares the outputs of two runs, byte by byte, then words and numbers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_COMPARE_DIFFERENCE_H
#define GPUSHIM_CLI_COMPARE_DIFFERENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { DIFFERENCE_TEXT_BYTES = 161 };

enum difference_kind {
	DIFFERENCE_NONE,    /* equal byte by byte */
	DIFFERENCE_NUMBERS, /* equal except numbers within the tolerance, or blanks */
	DIFFERENCE_FOUND
};

/*
 * deviation: the largest difference of two numbers that agree, divided by the largest number of
 * their line. line, from 1, before, after: the first lines that differ.
 */
struct difference {
	enum difference_kind kind;
	double deviation;
	size_t line;
	char before[DIFFERENCE_TEXT_BYTES], after[DIFFERENCE_TEXT_BYTES];
};

/*
 * Compares two open files from their beginnings; file offsets are neither used nor changed. Two
 * numbers agree if they differ by at most tolerance times the largest number of their line in
 * either file; whole numbers must be equal. A line of 16 MiB or more is compared byte by byte.
 * Needs memory for two such lines. Returns 0 or an error number.
 */
int difference_find(int before, int after, double tolerance, struct difference *difference);

/*
 * Fills in a difference behind the stored parts of the outputs: line is 0, before and after tell
 * how long the outputs are.
 */
void difference_describe_rest(struct difference *difference, uint64_t before_bytes,
                              uint64_t after_bytes);

#endif
