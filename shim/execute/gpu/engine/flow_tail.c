/* flow_tail.c - who carries out a step: the flow, or the thread that takes its end over */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/engine/flow_tail.h"

enum { FLOW_TAIL_BITS = 32 };

static uint64_t flow_tail_join(struct flow_tail_range range)
{
	return (uint64_t)range.end << FLOW_TAIL_BITS | range.begun;
}

static struct flow_tail_range flow_tail_split(uint64_t word)
{
	return (struct flow_tail_range){(uint32_t)word, (uint32_t)(word >> FLOW_TAIL_BITS)};
}

void flow_tail_open(struct flow_tail *tail, uint32_t first, uint32_t count)
{
	atomic_store(&tail->range, flow_tail_join((struct flow_tail_range){0, count}));
	tail->first = first;
}

struct flow_tail_range flow_tail_read(const struct flow_tail *tail)
{
	return flow_tail_split(atomic_load(&tail->range));
}

bool flow_tail_begin(struct flow_tail *tail, uint32_t number)
{
	uint64_t word = atomic_load(&tail->range);
	for (;;) {
		struct flow_tail_range range = flow_tail_split(word);
		if (number >= range.end)
			return false;
		if (number < range.begun)
			return true;
		range.begun = number + 1;
		if (atomic_compare_exchange_weak(&tail->range, &word, flow_tail_join(range)))
			return true;
	}
}

bool flow_tail_take(struct flow_tail *tail, uint32_t begin)
{
	uint64_t word = atomic_load(&tail->range);
	for (;;) {
		struct flow_tail_range range = flow_tail_split(word);
		if (begin < range.begun || begin < tail->first || begin >= range.end)
			return false;
		range.end = begin;
		if (atomic_compare_exchange_weak(&tail->range, &word, flow_tail_join(range)))
			return true;
	}
}
