/* count_calls.c - at each call: reads the sizes, counts, and names the routine to go to */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdatomic.h>

#include "audit/count/count_plans.h"
#include "audit/count/count_store.h"
#include "audit/count/count_time.h"

/* dgejsv_ has 21 arguments and 6 lengths of texts, cblas_dgemm_batch_strided 18 arguments. */
enum { COUNT_NEST_BYTES = 4096, CALLS_WORDS = 16, CALLS_LAPACK_WORDS = 40 };

/*
 * The last BLAS call of the thread. Where its frame is still there, a call of the same routine with
 * the same work from a frame below it belongs to that call: cblas_dgemm of the reference BLAS calls
 * dgemm_.
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

/* By flops; the calls of a routine without flops are compared by the product of their sizes. */
static uint64_t count_calls_weigh(const struct count_reading *reading,
                                  const int64_t size[COUNT_SIZES])
{
	uint64_t weight = 1;
	if (reading->flops > 0)
		return reading->flops;
	for (int i = 0; i < COUNT_SIZES; i++)
		if (size[i] > 0 && __builtin_mul_overflow(weight, (uint64_t)size[i], &weight))
			return UINT64_MAX;
	return weight;
}

/* Two threads that store a new largest call at once may mix its sizes; no count is wrong then. */
static void count_calls_keep_largest(struct count_cell *cell, const struct count_reading *reading)
{
	const struct count_sizes *sizes = &reading->sizes;
	const int64_t size[COUNT_SIZES] = {sizes->m, sizes->n, sizes->k, sizes->count};
	const uint64_t weight = count_calls_weigh(reading, size);
	uint64_t largest = atomic_load_explicit(&cell->largest, memory_order_relaxed);
	while (weight > largest)
		if (atomic_compare_exchange_weak_explicit(&cell->largest, &largest, weight,
		                                          memory_order_relaxed,
		                                          memory_order_relaxed)) {
			for (int i = 0; i < COUNT_SIZES; i++)
				atomic_store_explicit(&cell->sizes[i], size[i],
				                      memory_order_relaxed);
			return;
		}
}

/*
 * A planner is called from here, since its result is needed; then the stub returns to the caller. A
 * planner that its own library calls is part of another one's work.
 */
static struct count_target count_calls_plan(unsigned cell, struct count_frame *frame,
                                            const struct count_reading *reading)
{
	const struct count_binding *binding = &count_bindings[cell];
	if (binding->caller == binding->provider)
		return (struct count_target){binding->real, COUNT_JUMP};
	const bool is_timed = count_time_begin(cell, &frame->return_address);
	count_plans_call(binding, frame, reading);
	if (is_timed)
		count_time_end(&frame->return_address);
	return (struct count_target){count_stub_find_return(), COUNT_JUMP};
}

/* Words of the stack that hold arguments: no routine of the library has more. */
static int64_t count_calls_find_words(const struct count_binding *binding)
{
	return binding->name.routine->library == COUNT_LAPACK ? CALLS_LAPACK_WORDS : CALLS_WORDS;
}

static void count_calls_read(const struct count_binding *binding, const struct count_frame *frame,
                             struct count_reading *reading)
{
	const struct count_name *name = &binding->name;
	*reading = (struct count_reading){.is_known = binding->reads_sizes, .barred = COUNT_BARRED};
	if (!binding->reads_sizes)
		return;
	if (name->routine->form == COUNT_FORM_EXECUTE)
		reading->is_known = count_plans_find(count_plans_locate(name, frame), reading);
	else if (name->routine->library == COUNT_FFTW)
		count_plans_read(name, frame, reading);
	else
		count_read_matrix(name, frame, reading);
}

static void count_calls_count(struct count_cell *cell, const struct count_reading *reading)
{
	count_calls_add(&cell->flops, reading->flops);
	if (reading->barred < COUNT_BARRED) {
		count_calls_add(&cell->barred_calls[reading->barred], 1);
		count_calls_add(&cell->barred_flops[reading->barred], reading->flops);
	} else if (reading->size_bytes >= count_store.large_bytes) {
		count_calls_add(&cell->large_calls, 1);
		count_calls_add(&cell->large_flops, reading->flops);
	}
}

struct count_target count_calls_call(unsigned number, struct count_frame *frame)
{
	const struct count_binding *binding = &count_bindings[number];
	struct count_cell *cell = &count_store.cells[number];
	const struct count_target jump = {binding->real, COUNT_JUMP};
	struct count_reading reading;
	if (count_read_is_query(binding, frame))
		return jump;
	count_calls_read(binding, frame, &reading);
	if (count_calls_is_nested(binding, &frame->return_address, &reading)) {
		count_calls_add(&count_store.nested, 1);
		return jump;
	}
	count_calls_mark(binding, &frame->return_address, &reading);
	count_calls_add(&cell->calls, 1);
	count_calls_add(&cell->unsized, reading.is_known ? 0 : 1);
	count_calls_keep_largest(cell, &reading);
	if (count_plans_is_planner(&binding->name))
		return count_calls_plan(number, frame, &reading);
	count_calls_count(cell, &reading);
	if (!count_time_begin(number, &frame->return_address))
		return jump;
	return (struct count_target){binding->real, count_calls_find_words(binding)};
}

void count_calls_return(const struct count_frame *frame)
{
	count_time_end(&frame->return_address);
}
