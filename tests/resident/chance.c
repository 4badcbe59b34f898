/* chance.c - a generator by xorshift, one for each thread */
/* SPDX-License-Identifier: Apache-2.0 */
#include "chance.h"

#include <string.h>

#define CHANCE_START UINT64_C(88172645463325252)

size_t chance_grain = 1;
void (*chance_filler)(char *memory, size_t bytes);
__thread const char *chance_step = "start";

static __thread uint64_t chance_state = CHANCE_START;

uint64_t chance_draw(void)
{
	chance_state ^= chance_state << 13;
	chance_state ^= chance_state >> 7;
	chance_state ^= chance_state << 17;
	return chance_state;
}

void chance_seed(uint64_t seed)
{
	chance_state = CHANCE_START ^ (seed * UINT64_C(0x9e3779b97f4a7c15));
	for (int i = 0; i < 8; i++)
		chance_draw();
}

size_t chance_below(size_t limit)
{
	return limit > 0 ? (size_t)(chance_draw() % limit) : 0;
}

void chance_fill(char *memory, size_t bytes)
{
	if (chance_filler != NULL) {
		chance_filler(memory, bytes);
		return;
	}
	for (size_t i = 0; i < bytes; i += 8) {
		const uint64_t word = chance_draw();
		memcpy(memory + i, &word, bytes - i < 8 ? bytes - i : 8);
	}
}
