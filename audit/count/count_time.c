/* count_time.c - one routine at a time has the clock of a thread; sums without a lock */
/* SPDX-License-Identifier: Apache-2.0 */
#include "audit/count/count_time.h"

#include <stdatomic.h>

#include "audit/count/count_store.h"

enum { TIME_DEPTH = 6, TIME_STACK_BYTES = 1 << 20 };

/* A call in progress. */
struct time_call {
	const uint64_t *slot;
	uint64_t return_address;
	unsigned cell;
};

/*
 * The calls that a thread is in, the innermost last: that one's time runs since then. Those around
 * it wait.
 */
struct time_thread {
	int depth;
	uint64_t since;
	struct time_call call[TIME_DEPTH];
};

static _Thread_local struct time_thread time_thread;

/* change: of the number of threads inside, 1 or -1. */
static void count_time_move(struct count_time *time, uint64_t now, int change)
{
	const uint64_t inside = ((uint64_t)1 << COUNT_ACTIVE_BITS) - 1;
	uint64_t before = atomic_load_explicit(&time->wall, memory_order_relaxed), after;
	do {
		after = before + (uint64_t)change;
		if (change > 0 && (before & inside) == 0)
			after -= now << COUNT_ACTIVE_BITS;
		if (change < 0 && (after & inside) == 0)
			after += now << COUNT_ACTIVE_BITS;
	} while (!atomic_compare_exchange_weak_explicit(
		&time->wall, &before, after, memory_order_relaxed, memory_order_relaxed));
}

static struct count_time *count_time_find_sum(unsigned cell)
{
	return &count_store.group_time[count_bindings[cell].group];
}

static void count_time_start(struct time_thread *thread, unsigned cell, uint64_t now)
{
	count_time_move(&count_store.cells[cell].time, now, 1);
	count_time_move(count_time_find_sum(cell), now, 1);
	thread->since = now;
}

/* since: when the cell's call had the thread's clock. */
static void count_time_stop(unsigned cell, uint64_t since, uint64_t now)
{
	struct count_time *time = &count_store.cells[cell].time;
	count_time_move(time, now, -1);
	count_time_move(count_time_find_sum(cell), now, -1);
	atomic_fetch_add_explicit(&time->thread, now - since, memory_order_relaxed);
}

/* Whether the call is still in progress, seen from a call whose return address is at slot. */
static bool count_time_is_open(const struct time_call *call, const uint64_t *slot)
{
	return call->slot > slot && (uintptr_t)call->slot - (uintptr_t)slot < TIME_STACK_BYTES &&
	       *call->slot == call->return_address;
}

/* A call that an exception has left: what it took after the last one that it made is not known. */
static void count_time_drop(struct time_thread *thread)
{
	const uint64_t since = thread->since;
	const unsigned cell = thread->call[--thread->depth].cell;
	if (thread->depth > 0)
		count_time_start(thread, thread->call[thread->depth - 1].cell, since);
	count_time_stop(cell, since, since);
}

/*
 * Whether a call of the inner group has time of its own within one of the outer group. What a
 * routine does that the GPU would do as a whole is its own time.
 */
static bool count_time_is_apart(enum count_group outer, enum count_group inner)
{
	return outer == COUNT_GROUP_CPU ||
	       (outer == COUNT_GROUP_OUTSIDE && inner == COUNT_GROUP_GPU);
}

bool count_time_begin(unsigned cell, const uint64_t *slot)
{
	struct time_thread *thread = &time_thread;
	while (thread->depth > 0 && !count_time_is_open(&thread->call[thread->depth - 1], slot))
		count_time_drop(thread);
	const unsigned outer = thread->depth > 0 ? thread->call[thread->depth - 1].cell : cell;
	if (thread->depth == TIME_DEPTH ||
	    (thread->depth > 0 &&
	     !count_time_is_apart(count_bindings[outer].group, count_bindings[cell].group)))
		return false;
	const uint64_t since = thread->since, now = count_store_read_clock();
	count_time_start(thread, cell, now);
	if (thread->depth > 0)
		count_time_stop(outer, since, now);
	thread->call[thread->depth++] = (struct time_call){slot, *slot, cell};
	return true;
}

void count_time_end(const uint64_t *slot)
{
	struct time_thread *thread = &time_thread;
	while (thread->depth > 0 && thread->call[thread->depth - 1].slot < slot)
		count_time_drop(thread);
	if (thread->depth == 0 || thread->call[thread->depth - 1].slot != slot)
		return;
	const uint64_t since = thread->since, now = count_store_read_clock();
	const unsigned cell = thread->call[--thread->depth].cell;
	if (thread->depth > 0)
		count_time_start(thread, thread->call[thread->depth - 1].cell, now);
	count_time_stop(cell, since, now);
}

void count_time_leave(void)
{
	struct time_thread *thread = &time_thread;
	if (thread->depth == 0)
		return;
	count_time_stop(thread->call[thread->depth - 1].cell, thread->since,
	                count_store_read_clock());
	thread->depth = 0;
}
