/* count_calls.c - what happens at each call: sizes are read, counts go up, the real routine follows */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdatomic.h>

#include "audit/count/count_plans.h"
#include "audit/count/count_read.h"
#include "audit/count/count_store.h"

enum { COUNT_NEST_BYTES = 4096 };

/*
 * The last BLAS call of the thread. A library's own call of the same routine and work, from a frame
 * below one that is still there, is the rest of that call (cblas_dgemm of the reference BLAS calls
 * dgemm_).
 */
struct count_mark {
	const struct count_routine *routine;
	const uint64_t *frame;
	uint64_t return_address, flops;
	int64_t n;
	int provider;
};

static _Thread_local struct count_mark count_mark;

static bool count_calls_is_nested(const struct count_binding *binding, const uint64_t *frame,
                                  const struct count_reading *reading)
{
	const struct count_mark *mark = &count_mark;
	if (mark->routine != binding->name.routine || mark->provider != binding->caller ||
	    frame >= mark->frame || (uintptr_t)mark->frame - (uintptr_t)frame > COUNT_NEST_BYTES)
		return false;
	return *mark->frame == mark->return_address && mark->flops == reading->flops &&
	       mark->n == reading->sizes.n;
}

static void count_calls_mark(const struct count_binding *binding, const uint64_t *frame,
                             const struct count_reading *reading)
{
	count_mark = (struct count_mark){
		binding->name.routine, frame, *frame, reading->flops, reading->sizes.n,
		binding->provider};
}

static void count_calls_add(_Atomic uint64_t *sum, uint64_t value)
{
	if (value != 0)
		atomic_fetch_add_explicit(sum, value, memory_order_relaxed);
}

/* Without flops the product of the sizes tells which call is the largest. */
static uint64_t count_calls_weigh(const struct count_reading *reading)
{
	const struct count_sizes *sizes = &reading->sizes;
	const int64_t factors[] = {sizes->m, sizes->n, sizes->k, sizes->count};
	uint64_t weight = 1;
	if (reading->flops > 0)
		return reading->flops;
	for (int i = 0; i < COUNT_SIZES; i++)
		if (factors[i] > 0 && __builtin_mul_overflow(weight, (uint64_t)factors[i], &weight))
			return UINT64_MAX;
	return weight;
}

/*
 * Two threads with a new largest call at once may mix their sizes; nothing is lost but their order.
 */
static void count_calls_keep_largest(struct count_cell *cell, const struct count_reading *reading)
{
	const uint64_t weight = count_calls_weigh(reading);
	uint64_t largest = atomic_load_explicit(&cell->largest, memory_order_relaxed);
	while (weight > largest)
		if (atomic_compare_exchange_weak_explicit(&cell->largest, &largest, weight,
		                                          memory_order_relaxed,
		                                          memory_order_relaxed)) {
			atomic_store_explicit(&cell->sizes[0], reading->sizes.m,
			                      memory_order_relaxed);
			atomic_store_explicit(&cell->sizes[1], reading->sizes.n,
			                      memory_order_relaxed);
			atomic_store_explicit(&cell->sizes[2], reading->sizes.k,
			                      memory_order_relaxed);
			atomic_store_explicit(&cell->sizes[3], reading->sizes.count,
			                      memory_order_relaxed);
			return;
		}
}

/* A planner's result is wanted: it is called from here, and the stub returns. Its own library's calls are inner ones.
 */
static uintptr_t count_calls_plan(const struct count_binding *binding, struct count_frame *frame,
                                  const struct count_reading *reading)
{
	if (binding->caller == binding->provider)
		return binding->real;
	count_plans_call(binding, frame, reading);
	return count_stub_find_return();
}

uintptr_t count_calls_call(unsigned number, struct count_frame *frame)
{
	const struct count_binding *binding = &count_bindings[number];
	struct count_cell *cell = &count_store.cells[number];
	struct count_reading reading;
	count_read_call(binding, frame, &reading);
	if (count_calls_is_nested(binding, &frame->return_address, &reading)) {
		count_calls_add(&count_store.nested, 1);
		return binding->real;
	}
	count_calls_mark(binding, &frame->return_address, &reading);
	count_calls_add(&cell->calls, 1);
	count_calls_add(&cell->unsized, reading.is_known ? 0 : 1);
	if (count_plans_is_planner(&binding->name)) {
		count_calls_keep_largest(cell, &reading);
		return count_calls_plan(binding, frame, &reading);
	}
	count_calls_add(&cell->flops, reading.flops);
	if (reading.is_r2r) {
		count_calls_add(&cell->r2r_calls, 1);
		count_calls_add(&cell->r2r_flops, reading.flops);
	} else if (reading.size_bytes >= count_store.large_bytes) {
		count_calls_add(&cell->large_calls, 1);
		count_calls_add(&cell->large_flops, reading.flops);
	}
	count_calls_keep_largest(cell, &reading);
	return binding->real;
}
