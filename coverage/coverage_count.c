/* coverage_count.c - what happens at each call: sizes are read, counts go up, the real routine follows */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdatomic.h>

#include "coverage/coverage_plans.h"
#include "coverage/coverage_read.h"
#include "coverage/coverage_store.h"

enum { COUNT_NEST_BYTES = 4096 };

/*
 * The last BLAS call of the thread. A library's own call of the same routine and work, from a frame below one that is
 * still there, is the rest of that call (cblas_dgemm of the reference BLAS calls dgemm_).
 */
struct count_mark {
	const struct coverage_routine *routine;
	const uint64_t *frame;
	uint64_t return_address, flops;
	int64_t n;
	int provider;
};

static _Thread_local struct count_mark count_mark;

static bool coverage_count_is_nested(const struct coverage_binding *binding, const uint64_t *frame,
                                     const struct coverage_reading *reading)
{
	const struct count_mark *mark = &count_mark;
	if (mark->routine != binding->name.routine || mark->provider != binding->caller || frame >= mark->frame ||
	    (uintptr_t)mark->frame - (uintptr_t)frame > COUNT_NEST_BYTES)
		return false;
	return *mark->frame == mark->return_address && mark->flops == reading->flops && mark->n == reading->sizes.n;
}

static void coverage_count_mark(const struct coverage_binding *binding, const uint64_t *frame,
                                const struct coverage_reading *reading)
{
	count_mark = (struct count_mark){binding->name.routine, frame, *frame, reading->flops, reading->sizes.n,
	                                 binding->provider};
}

static void coverage_count_add(_Atomic uint64_t *sum, uint64_t value)
{
	if (value != 0)
		atomic_fetch_add_explicit(sum, value, memory_order_relaxed);
}

/* Without flops the product of the sizes tells which call is the largest. */
static uint64_t coverage_count_weigh(const struct coverage_reading *reading)
{
	const struct coverage_sizes *sizes = &reading->sizes;
	const int64_t factors[] = {sizes->m, sizes->n, sizes->k, sizes->count};
	uint64_t weight = 1;
	if (reading->flops > 0)
		return reading->flops;
	for (int i = 0; i < COVERAGE_SIZES; i++)
		if (factors[i] > 0 && __builtin_mul_overflow(weight, (uint64_t)factors[i], &weight))
			return UINT64_MAX;
	return weight;
}

/* Two threads with a new largest call at once may mix their sizes; nothing is lost but their order. */
static void coverage_count_keep_largest(struct coverage_cell *cell, const struct coverage_reading *reading)
{
	const uint64_t weight = coverage_count_weigh(reading);
	uint64_t largest = atomic_load_explicit(&cell->largest, memory_order_relaxed);
	while (weight > largest)
		if (atomic_compare_exchange_weak_explicit(&cell->largest, &largest, weight, memory_order_relaxed,
		                                          memory_order_relaxed)) {
			atomic_store_explicit(&cell->sizes[0], reading->sizes.m, memory_order_relaxed);
			atomic_store_explicit(&cell->sizes[1], reading->sizes.n, memory_order_relaxed);
			atomic_store_explicit(&cell->sizes[2], reading->sizes.k, memory_order_relaxed);
			atomic_store_explicit(&cell->sizes[3], reading->sizes.count, memory_order_relaxed);
			return;
		}
}

/* A planner's result is wanted: it is called from here, and the stub returns. Its own library's calls are inner ones.
 */
static uintptr_t coverage_count_plan(const struct coverage_binding *binding, struct coverage_frame *frame,
                                     const struct coverage_reading *reading)
{
	if (binding->caller == binding->provider)
		return binding->real;
	coverage_plans_call(binding, frame, reading);
	return coverage_stub_find_return();
}

uintptr_t coverage_count_call(unsigned number, struct coverage_frame *frame)
{
	const struct coverage_binding *binding = &coverage_bindings[number];
	struct coverage_cell *cell = &coverage_store.cells[number];
	struct coverage_reading reading;
	coverage_read_call(binding, frame, &reading);
	if (coverage_count_is_nested(binding, &frame->return_address, &reading)) {
		coverage_count_add(&coverage_store.nested, 1);
		return binding->real;
	}
	coverage_count_mark(binding, &frame->return_address, &reading);
	coverage_count_add(&cell->calls, 1);
	coverage_count_add(&cell->unsized, reading.is_known ? 0 : 1);
	if (coverage_plans_is_planner(&binding->name)) {
		coverage_count_keep_largest(cell, &reading);
		return coverage_count_plan(binding, frame, &reading);
	}
	coverage_count_add(&cell->flops, reading.flops);
	if (reading.is_r2r) {
		coverage_count_add(&cell->r2r_calls, 1);
		coverage_count_add(&cell->r2r_flops, reading.flops);
	} else if (reading.size_bytes >= coverage_store.large_bytes) {
		coverage_count_add(&cell->large_calls, 1);
		coverage_count_add(&cell->large_flops, reading.flops);
	}
	coverage_count_keep_largest(cell, &reading);
	return binding->real;
}
