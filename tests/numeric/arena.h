/* arena.h - the memory of a trial three times: for the shim's call, for the library's, and as it was before */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_NUMERIC_ARENA_H
#define GPUSHIM_TESTS_NUMERIC_ARENA_H

#include "grid.h"

/*
 * Each has a slot per operand; of the shim's, there are pages without access before, between and
 * behind them.
 */
struct arena {
	char *before, *shim, *library;
};

/* Ends the program where there is no memory. */
struct arena arena_open(void);

/* Chooses where the operands lie. */
void arena_place(struct trial *t);

/*
 * Fills everything: random values where the routine may read, and what must not be read with the
 * filler.
 */
void arena_fill(const struct arena *arena, const struct trial *t);

/* Takes the access to A and B away, or to write to them; gives it back. */
void arena_protect(const struct arena *arena, const struct trial *t, bool on);

/* Whether both calls left the same bytes. */
bool arena_is_same(const struct arena *arena, const struct trial *t);

/* Whether nothing but the result's elements changed. Spends arena->before. */
bool arena_is_clean(const struct arena *arena, const struct trial *t, char *after);

#endif
