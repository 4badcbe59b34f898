/* count_plans.c - reads planners' arguments, calls planners, keeps their plans in a table */
/* SPDX-License-Identifier: Apache-2.0 */
#include "audit/count/count_plans.h"

#include <stdatomic.h>
#include <string.h>

#include "policy/call/call.h"

enum {
	PLANS_SLOTS = 4096,
	PLANS_PROBES = 8, /* where all are taken, the first of them is overwritten */
	PLANS_RANKS = 16, /* no program is known that has more */
	PLANS_ARGUMENTS_STACK = 10
};

/* plan: 0 while the reading is being written. */
struct plans_entry {
	_Atomic uintptr_t plan;
	struct count_reading reading;
};

static struct plans_entry plans_table[PLANS_SLOTS];

/*
 * All arguments of planners are integers and pointers, at most 16. A planner does not look at
 * further words.
 */
typedef uintptr_t plans_planner(uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t,
                                uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t,
                                uint64_t, uint64_t, uint64_t, uint64_t);

bool count_plans_is_planner(const struct count_name *name)
{
	return name->routine->library == COUNT_FFTW && name->routine->form != COUNT_FORM_EXECUTE;
}

static bool count_plans_is_fortran(const struct count_name *name)
{
	return name->convention == COUNT_FFTW_FORTRAN;
}

/* Fortran has the plan in front, and passes integers by reference. */
static const void *count_plans_take_address(const struct count_name *name,
                                            const struct count_frame *frame, int position)
{
	return count_read_address(frame, position + (count_plans_is_fortran(name) ? 1 : 0));
}

static int64_t count_plans_take_integer(const struct count_name *name,
                                        const struct count_frame *frame, int position)
{
	if (count_plans_is_fortran(name))
		return *(const int32_t *)count_plans_take_address(name, frame, position);
	return (int32_t)count_read_raw(frame, position);
}

/* An array of sizes: integers, or records of the guru interface that begin with one. */
struct plans_array {
	const char *first;
	int64_t count;
	size_t step;
	bool is_wide;
};

static int64_t count_plans_take_size(const struct plans_array *array, int64_t index)
{
	const char *size = array->first + (size_t)index * array->step;
	return array->is_wide ? *(const int64_t *)size : *(const int32_t *)size;
}

/* Up to three sizes are kept one by one, more as their product. */
static void count_plans_read_ranks(struct count_reading *reading, const struct plans_array *array)
{
	struct count_sizes *sizes = &reading->sizes;
	int64_t size[PLANS_RANKS] = {1}, product = 1;
	for (int64_t i = 0; i < array->count && i < PLANS_RANKS; i++) {
		size[i] = count_plans_take_size(array, i);
		product *= size[i];
	}
	const bool is_large = array->count > FFT_GPU_RANK;
	if (is_large)
		reading->barred = COUNT_BARRED_RANK;
	sizes->m = is_large ? product : size[0];
	sizes->n = is_large ? 0 : size[1];
	sizes->k = is_large ? 0 : size[2];
}

/*
 * The arguments are rank, dims, number of loops, their dims, in, out; in Fortran each dims is three
 * arrays. Returns the position of in.
 */
static int count_plans_read_guru(const struct count_name *name, const struct count_frame *frame,
                                 struct count_reading *reading)
{
	struct count_sizes *sizes = &reading->sizes;
	const bool is_fortran = count_plans_is_fortran(name);
	const bool is_wide = name->routine->form == COUNT_FORM_PLAN_GURU64 && !is_fortran;
	const size_t record = is_wide ? 3 * sizeof(int64_t) : 3 * sizeof(int32_t);
	const int loops = is_fortran ? 4 : 2;
	struct plans_array array = {count_plans_take_address(name, frame, 1),
	                            count_plans_take_integer(name, frame, 0),
	                            is_fortran ? sizeof(int32_t) : record, is_wide};
	count_plans_read_ranks(reading, &array);
	array.first = count_plans_take_address(name, frame, loops + 1);
	array.count = count_plans_take_integer(name, frame, loops);
	if (array.count > FFT_LOOPS_MAX && reading->barred == COUNT_BARRED)
		reading->barred = COUNT_BARRED_LOOPS;
	sizes->count = 1;
	for (int64_t i = 0; i < array.count && i < PLANS_RANKS; i++)
		sizes->count *= count_plans_take_size(&array, i);
	return is_fortran ? 8 : 4;
}

/* Reads the sizes. Returns the position of the input array; the output array is *out behind. */
static int count_plans_read_sizes(const struct count_name *name, const struct count_frame *frame,
                                  struct count_reading *reading, int *out)
{
	struct count_sizes *sizes = &reading->sizes;
	const int form = name->routine->form, rank = form - COUNT_FORM_PLAN_1 + 1;
	*out = form == COUNT_FORM_PLAN_MANY ? 4 : 1;
	sizes->count = 1;
	if (form == COUNT_FORM_PLAN_GURU || form == COUNT_FORM_PLAN_GURU64)
		return count_plans_read_guru(name, frame, reading);
	if (form == COUNT_FORM_PLAN_ND || form == COUNT_FORM_PLAN_MANY) {
		const struct plans_array array = {count_plans_take_address(name, frame, 1),
		                                  count_plans_take_integer(name, frame, 0),
		                                  sizeof(int32_t), false};
		count_plans_read_ranks(reading, &array);
		if (form == COUNT_FORM_PLAN_MANY)
			sizes->count = count_plans_take_integer(name, frame, 2);
		return form == COUNT_FORM_PLAN_MANY ? 3 : 2;
	}
	sizes->m = count_plans_take_integer(name, frame, 0);
	sizes->n = rank > 1 ? count_plans_take_integer(name, frame, 1) : 0;
	sizes->k = rank > 2 ? count_plans_take_integer(name, frame, 2) : 0;
	return rank;
}

static uint64_t count_plans_find_real_bytes(char element)
{
	switch (element) {
	case 's': return sizeof(float);
	case 'd': return sizeof(double);
	default: return sizeof(long double);
	}
}

static void count_plans_weigh(const struct count_name *name, struct count_reading *reading,
                              bool in_place)
{
	const struct count_sizes *sizes = &reading->sizes;
	if (strstr(name->routine->stem, "r2r") != NULL)
		reading->barred = COUNT_BARRED_REAL;
	if (strstr(name->routine->stem, "split") != NULL)
		reading->barred = COUNT_BARRED_SPLIT;
	const bool is_half = strstr(name->routine->stem, "2r") != NULL ||
	                     strstr(name->routine->stem, "r2") != NULL;
	int64_t points = sizes->m;
	if (sizes->n > 0)
		points *= sizes->n;
	if (sizes->k > 0)
		points *= sizes->k;
	reading->flops = count_flops_count_transform(points, sizes->count, is_half);
	if (reading->flops > 0)
		reading->size_bytes = (uint64_t)points * (uint64_t)sizes->count *
		                      (is_half ? 1 : 2) * (in_place ? 1 : 2) *
		                      count_plans_find_real_bytes(name->element);
}

void count_plans_read(const struct count_name *name, const struct count_frame *frame,
                      struct count_reading *reading)
{
	int out = 0;
	reading->is_known = name->routine->form != COUNT_FORM_PLAN_OTHER;
	if (!reading->is_known)
		return;
	const int in = count_plans_read_sizes(name, frame, reading, &out);
	count_plans_weigh(name, reading,
	                  count_plans_take_address(name, frame, in) ==
	                          count_plans_take_address(name, frame, in + out));
}

static size_t count_plans_hash(uintptr_t plan)
{
	return (size_t)((plan >> 4) * 0x9e3779b97f4a7c15u >> 40) % PLANS_SLOTS;
}

static void count_plans_remember(uintptr_t plan, const struct count_reading *reading)
{
	const size_t first = count_plans_hash(plan);
	struct plans_entry *entry = &plans_table[first];
	for (size_t i = 0; i < PLANS_PROBES; i++) {
		struct plans_entry *next = &plans_table[(first + i) % PLANS_SLOTS];
		const uintptr_t present = atomic_load_explicit(&next->plan, memory_order_relaxed);
		if (present == 0 || present == plan) {
			entry = next;
			break;
		}
	}
	atomic_store_explicit(&entry->plan, 0, memory_order_release);
	entry->reading = *reading;
	atomic_store_explicit(&entry->plan, plan, memory_order_release);
}

void count_plans_call(const struct count_binding *binding, struct count_frame *frame,
                      const struct count_reading *reading)
{
	const uint64_t *r = frame->registers;
	uint64_t s[PLANS_ARGUMENTS_STACK];
	memcpy(s, frame->stack, sizeof s);
	plans_planner *const real = (plans_planner *)binding->real;
	frame->result = real(r[0], r[1], r[2], r[3], r[4], r[5], s[0], s[1], s[2], s[3], s[4], s[5],
	                     s[6], s[7], s[8], s[9]);
	uintptr_t plan = frame->result;
	if (count_plans_is_fortran(&binding->name))
		plan = *(const uintptr_t *)r[0];
	if (plan != 0 && reading->is_known)
		count_plans_remember(plan, reading);
}

const void *count_plans_locate(const struct count_name *name, const struct count_frame *frame)
{
	const void *plan = (const void *)frame->registers[0];
	return count_plans_is_fortran(name) ? *(const void *const *)plan : plan;
}

bool count_plans_find(const void *plan, struct count_reading *reading)
{
	const size_t first = count_plans_hash((uintptr_t)plan);
	for (size_t i = 0; plan != NULL && i < PLANS_PROBES; i++) {
		struct plans_entry *entry = &plans_table[(first + i) % PLANS_SLOTS];
		if (atomic_load_explicit(&entry->plan, memory_order_acquire) != (uintptr_t)plan)
			continue;
		*reading = entry->reading;
		return true;
	}
	return false;
}
