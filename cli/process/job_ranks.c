/* job_ranks.c - counts ranks and launches */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/process/job_ranks.h"

#include <stdlib.h>
#include <string.h>

#include "cli/common/say.h"

/* Sorts by launch, then by rank; those that are no ranks come last. */
static int job_ranks_compare(const void *a, const void *b)
{
	const struct counters_file *const left = *(const struct counters_file *const *)a,
					  *const right = *(const struct counters_file *const *)b;
	if ((left->rank < 0) != (right->rank < 0))
		return left->rank < 0 ? 1 : -1;
	if (left->launch != right->launch)
		return left->launch < right->launch ? -1 : 1;
	return (left->rank > right->rank) - (left->rank < right->rank);
}

/* Adds ranks without a call that have no counts by another process of theirs. */
static void job_ranks_add_present(const struct counters_read *counters, struct rank_count *sum)
{
	if (counters->present == NULL)
		return;
	uint64_t counted[POOL_RANKS / 64] = {0};
	for (size_t i = 0; i < counters->count; i++) {
		const int32_t rank = counters->files[i]->rank;
		if (rank >= 0 && rank < POOL_RANKS)
			counted[rank / 64] |= (uint64_t)1 << rank % 64;
	}
	for (size_t i = 0; i < POOL_RANKS / 64; i++)
		sum->reported += (uint64_t)__builtin_popcountll(counters->present[i] & ~counted[i]);
	if (sum->started < counters->ranks)
		sum->started = counters->ranks;
	if (sum->reported > sum->started)
		sum->reported = sum->started;
}

struct rank_count job_ranks_count(const struct counters_read *counters)
{
	struct rank_count sum = {0};
	const size_t size = counters->count * sizeof(const struct counters_file *);
	const struct counters_file **files = say_need(malloc(size + 1)), *last = NULL;
	uint64_t started = 0;
	if (size > 0)
		memcpy(files, counters->files, size);
	qsort(files, counters->count, sizeof(const struct counters_file *), job_ranks_compare);
	for (size_t i = 0; i < counters->count && files[i]->rank >= 0; last = files[i++]) {
		if (last == NULL || last->launch != files[i]->launch) {
			sum.started += started;
			started = 0;
		}
		if (files[i]->ranks > (int64_t)started)
			started = (uint64_t)files[i]->ranks;
		sum.reported += last == NULL || last->launch != files[i]->launch ||
		                last->rank != files[i]->rank;
	}
	sum.started += started;
	job_ranks_add_present(counters, &sum);
	free(files);
	return sum;
}
