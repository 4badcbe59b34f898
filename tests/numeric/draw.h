/* draw.h - pseudorandom numbers that repeat with their seed */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_NUMERIC_DRAW_H
#define GPUSHIM_TESTS_NUMERIC_DRAW_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Begins call `number` of this seed. Each call has its own sequence, so that one can be replayed.
 */
void draw_begin(uint64_t seed, uint64_t number);

/* 0 to below - 1. */
unsigned draw_below(unsigned below);

/* True once in `many`, on average. */
bool draw_one_in(unsigned many);

#endif
