/* matrix.h - the situations in which each route of a call is tried: docs/reliability.md */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_MATRIX_MATRIX_H
#define GPUSHIM_TESTS_MATRIX_MATRIX_H

#include <stddef.h>
#include <sys/types.h>

/*
 * run returns the exit status of the program, or ends it. promise: what holds then, for
 * docs/reliability.md. Lists end with a NULL name.
 */
struct situation {
	const char *name;
	int (*run)(void);
	const char *promise;
};

extern const struct situation matrix_processes[], matrix_endings[], matrix_lives[],
	matrix_signals[], matrix_places[], matrix_limits[], matrix_starts[];

/* The program's own path. */
extern const char *matrix_self;

/* A few checked products and transforms; products alone. What is wrong is counted. */
void matrix_work(void);
void matrix_products(void);

/* One line to stdout at once: the text, and how many results were wrong so far. */
void matrix_say(const char *text);

/* Ends a child: 0 if all its results were right. */
void matrix_end_child(void);

/* Waits for a child, and says how it ended. */
void matrix_wait(pid_t child);

/* Ends the program as skipped: where even without the shim the situation cannot be made here. */
void matrix_skip(const char *why);

#endif
