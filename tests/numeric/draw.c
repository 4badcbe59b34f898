/* draw.c - pseudorandom numbers that repeat with their seed */
/* SPDX-License-Identifier: Apache-2.0 */
#include "draw.h"

static uint64_t draw_state;

/* Knuth's MMIX generator; its high bits. */
static uint32_t draw_next(void)
{
	draw_state = draw_state * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(draw_state >> 32);
}

void draw_begin(uint64_t seed, uint64_t number)
{
	draw_state = (seed * 0x9e3779b97f4a7c15u) ^ (number * 0xbf58476d1ce4e5b9u);
	for (int i = 0; i < 4; i++)
		draw_next();
}

unsigned draw_below(unsigned below)
{
	return (unsigned)(((uint64_t)draw_next() * below) >> 32);
}

bool draw_one_in(unsigned many)
{
	return draw_below(many) == 0;
}
