/* chance.h - random numbers, and what memory is filled with */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_RESIDENT_CHANCE_H
#define GPUSHIM_TESTS_RESIDENT_CHANCE_H

#include <stddef.h>
#include <stdint.h>

/* Of this thread. */
void chance_seed(uint64_t seed);
uint64_t chance_draw(void);
/* Below the limit; 0 if that is 0. */
size_t chance_below(size_t limit);

/*
 * Fills memory that begins and ends at a multiple of chance_grain. At first the grain is 1, and
 * chance_filler NULL: random bytes. A program that computes with the memory sets its numbers.
 */
void chance_fill(char *memory, size_t bytes);
extern size_t chance_grain;
extern void (*chance_filler)(char *memory, size_t bytes);

/* What is done now, for the message of a mismatch. */
extern __thread const char *chance_step;

#endif
