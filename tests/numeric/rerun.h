/* rerun.h - options that tests of random calls share, and the call that a signal ended */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_NUMERIC_RERUN_H
#define GPUSHIM_TESTS_NUMERIC_RERUN_H

#include <getopt.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Rows of a table for getopt_long. */
/* clang-format off */
#define RERUN_OPTIONS \
	{"seed", required_argument, NULL, 's'}, {"first", required_argument, NULL, 'f'}, \
	{"count", required_argument, NULL, 'c'}, {"all", no_argument, NULL, 'a'}, \
	{"verbose", no_argument, NULL, 'v'}, {"twice", no_argument, NULL, 't'}, \
	{"shared", no_argument, NULL, 'S'}
/* clang-format on */

/*
 * --seed S --first I --count N --all (do not stop at the 10th failure) --verbose --twice (each call
 * is made once before, with the same arguments, so that operands may have stayed on the device)
 * --shared (the library computes parts of calls that are on the device)
 */
extern struct rerun {
	uint64_t seed, first, count;
	bool all, verbose, twice, shared;
} rerun;

/* Takes the option that getopt_long has found; false: it is none of these. */
bool rerun_take(int key);

/* Whether another call follows. */
bool rerun_goes_on(uint64_t calls, uint64_t failures);

/* Makes memory what it was before a call, by writing the pages that differ and no others. */
void rerun_restore(char *now, const char *before, size_t size_bytes);

/* From now on a signal says that this call met it, and ends the program. */
void rerun_watch(void);
void rerun_note(uint64_t number);

#endif
