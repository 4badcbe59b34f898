/* plan_cache.c - a table of the planner's choices; the least recently used one is replaced */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/blas/plan_cache.h"

#include <pthread.h>
#include <stddef.h>
#include <string.h>

#include "policy/plan/panel_writers.h"

enum { PLAN_CACHE_ENTRIES = 64 };

/* Memory sizes are rounded down to so many parts of a power of two. */
enum { PLAN_CACHE_PARTS = 64 };

/*
 * Upper bound of what a plan's arena needs beside the operands: a part of their bytes, bytes per
 * row and column, and a constant.
 */
enum { PLAN_CACHE_PADDING_PART = 16, PLAN_CACHE_PADDING_SIDE_BYTES = 16 };
static const uint64_t plan_cache_padding_bytes = UINT64_C(1) << 20;

struct plan_cache_entry {
	struct panel_problem problem;
	struct panel_rates rates;
	struct panel_choice choice;
	double time_ns;
	uint64_t used; /* 0: the entry is free */
};

static pthread_mutex_t plan_cache_mutex = PTHREAD_MUTEX_INITIALIZER;
static struct plan_cache_entry plan_cache_entries[PLAN_CACHE_ENTRIES];
static uint64_t plan_cache_uses, plan_cache_found;

/* Whether all operands fit with their padding: then plans do not depend on the amount of memory. */
static bool plan_cache_has_room(const struct panel_problem *problem, uint64_t memory_bytes)
{
	const struct blas_call *blas = &problem->blas;
	const uint64_t sides = (uint64_t)blas->m + (uint64_t)blas->n + (uint64_t)blas->k;
	uint64_t bytes = 0;
	for (enum operand operand = OPERAND_A; operand < OPERAND_COUNT; operand++) {
		struct matrix matrix;
		if (operand_find(problem->family, blas, operand, &matrix))
			bytes = operand_add_bytes(bytes,
			                          operand_size_bytes(&matrix, problem->element));
	}
	bytes = operand_add_bytes(bytes,
	                          bytes / PLAN_CACHE_PADDING_PART + plan_cache_padding_bytes);
	return operand_add_bytes(bytes, PLAN_CACHE_PADDING_SIDE_BYTES * sides) <= memory_bytes;
}

static uint64_t plan_cache_round_memory(uint64_t memory_bytes)
{
	uint64_t part = 1;
	while (memory_bytes / part / 2 >= PLAN_CACHE_PARTS)
		part *= 2;
	return memory_bytes - memory_bytes % part;
}

/* Plans do not depend on scalars, addresses or diag. */
static bool plan_cache_is_same_call(const struct panel_problem *x, const struct panel_problem *y)
{
	const struct blas_call *a = &x->blas, *b = &y->blas;
	return x->family == y->family && x->element == y->element && x->same == y->same &&
	       x->moves == y->moves && a->m == b->m && a->n == b->n && a->k == b->k &&
	       a->side == b->side && a->uplo == b->uplo && a->transa == b->transa &&
	       a->transb == b->transb && memcmp(x->held, y->held, sizeof x->held) == 0;
}

static bool plan_cache_is_same_machine(const struct panel_rates *a, const struct panel_rates *b)
{
	return a->up_bytes_s == b->up_bytes_s && a->down_bytes_s == b->down_bytes_s &&
	       a->duplex == b->duplex && a->work_flops_s == b->work_flops_s &&
	       a->operation_ns == b->operation_ns && a->copy_ns == b->copy_ns &&
	       a->tile == b->tile && a->units == b->units && a->copy_bytes == b->copy_bytes &&
	       a->memory_bytes == b->memory_bytes;
}

/* The call's entry, or the one to replace. The mutex is held. */
static struct plan_cache_entry *plan_cache_find(const struct panel_problem *problem,
                                                const struct panel_rates *rates, bool *found)
{
	struct plan_cache_entry *oldest = &plan_cache_entries[0];
	*found = true;
	for (int i = 0; i < PLAN_CACHE_ENTRIES; i++) {
		struct plan_cache_entry *entry = &plan_cache_entries[i];
		if (entry->used > 0 && plan_cache_is_same_call(&entry->problem, problem) &&
		    plan_cache_is_same_machine(&entry->rates, rates))
			return entry;
		oldest = entry->used < oldest->used ? entry : oldest;
	}
	*found = false;
	return oldest;
}

static bool plan_cache_recall(const struct panel_problem *problem, const struct panel_rates *rates,
                              struct panel_choice *choice, double *time_ns)
{
	bool found;
	pthread_mutex_lock(&plan_cache_mutex);
	struct plan_cache_entry *entry = plan_cache_find(problem, rates, &found);
	if (found) {
		entry->used = ++plan_cache_uses;
		*choice = entry->choice;
		*time_ns = entry->time_ns;
		plan_cache_found++;
	}
	pthread_mutex_unlock(&plan_cache_mutex);
	return found;
}

static void plan_cache_keep(const struct panel_problem *problem, const struct panel_rates *rates,
                            const struct panel_plan *plan)
{
	bool found;
	pthread_mutex_lock(&plan_cache_mutex);
	struct plan_cache_entry *entry = plan_cache_find(problem, rates, &found);
	*entry = (struct plan_cache_entry){*problem, *rates, plan->choice, plan->time_ns,
	                                   ++plan_cache_uses};
	pthread_mutex_unlock(&plan_cache_mutex);
}

bool plan_cache_plan(const struct panel_problem *problem, const struct panel_rates *rates,
                     struct panel_plan *plan)
{
	const bool room = plan_cache_has_room(problem, rates->memory_bytes);
	struct panel_rates within = *rates, key = *rates;
	struct panel_choice choice;
	double time_ns;
	if (!room)
		within.memory_bytes = plan_cache_round_memory(rates->memory_bytes);
	key.memory_bytes = room ? UINT64_MAX : within.memory_bytes;
	if (plan_cache_recall(problem, &key, &choice, &time_ns) &&
	    panel_writers_write(problem, &within, &choice, plan)) {
		plan->time_ns = time_ns;
		return true;
	}
	if (!panels_plan(problem, &within, plan))
		return false;
	plan_cache_keep(problem, &key, plan);
	return true;
}

uint64_t plan_cache_count_found(void)
{
	pthread_mutex_lock(&plan_cache_mutex);
	const uint64_t found = plan_cache_found;
	pthread_mutex_unlock(&plan_cache_mutex);
	return found;
}
