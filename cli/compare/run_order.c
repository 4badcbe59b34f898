/* run_order.c - random orders, each followed by its reverse */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/compare/run_order.h"

/* Steele, Lea and Flood's SplitMix, Fast splittable pseudorandom number generators, OOPSLA 2014. */
static uint64_t run_order_draw(uint64_t *state)
{
	uint64_t bits = *state += 0x9e3779b97f4a7c15;
	bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9;
	bits = (bits ^ bits >> 27) * 0x94d049bb133111eb;
	return bits ^ bits >> 31;
}

static void run_order_swap(size_t *a, size_t *b)
{
	const size_t kept = *a;
	*a = *b;
	*b = kept;
}

void run_order_find(uint64_t seed, size_t round, size_t sides, size_t order[RUN_ORDER_SIDES])
{
	uint64_t state = seed;
	state = run_order_draw(&state) + round / 2;
	for (size_t i = 0; i < sides; i++)
		order[i] = i;
	for (size_t i = sides; i > 1; i--)
		run_order_swap(&order[i - 1], &order[run_order_draw(&state) % i]);
	for (size_t i = 0; round % 2 == 1 && i < sides / 2; i++)
		run_order_swap(&order[i], &order[sides - 1 - i]);
}
