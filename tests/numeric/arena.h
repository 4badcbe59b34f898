/* arena.h - the memory of a trial: for the shim's call, the library's, and before the call */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_NUMERIC_ARENA_H
#define GPUSHIM_TESTS_NUMERIC_ARENA_H

#include "grid.h"

/*
 * Each has a slot per operand. The shim's slots have pages without access before, between and after
 * them.
 */
struct arena {
	char *before, *shim, *library;
};

/* Ends the program where there is no memory. */
struct arena arena_open(void);

/* Chooses the places of the operands. */
void arena_place(struct trial *t);

/*
 * Fills everything: random values where the routine may read, and what must not be read with the
 * filler.
 */
void arena_fill(const struct arena *arena, const struct trial *t);

/* Sets spans of A and B of the shim's call to zero; makes its memory what arena_fill left. */
void arena_spoil(const struct arena *arena, const struct trial *t);
void arena_restore(const struct arena *arena, const struct trial *t);

/* Removes all access to A and B, or write access only; restores it. */
void arena_protect(const struct arena *arena, const struct trial *t, bool on);

/* Whether both calls left the same bytes. */
bool arena_is_same(const struct arena *arena, const struct trial *t);

/* Whether nothing but the result's elements changed. Spends arena->before. */
bool arena_is_clean(const struct arena *arena, const struct trial *t, char *after);

#endif
