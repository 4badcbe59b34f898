/* pack_populate.c - populates the pages of results before the results arrive */
/* SPDX-License-Identifier: Apache-2.0 */
#include <sys/mman.h>
#include <unistd.h>

#include "shim/execute/gpu/copy/pack.h"

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

/* Shorter runs between gaps would need too many calls. The samples decide for the whole area. */
enum { POPULATE_RUN_PAGES = 16, POPULATE_SAMPLES = 8 };

/* Samples pages from the first to the last. Errors count as backed. */
static bool pack_populate_is_backed(const struct pack_area *runs, uint64_t page_bytes)
{
	if (runs->run_bytes == 0)
		return true;
	const uint64_t last = runs->run_bytes * runs->count - 1;
	for (uint64_t i = 0; i < POPULATE_SAMPLES; i++) {
		const uint64_t byte = last / (POPULATE_SAMPLES - 1) * i;
		char *at = runs->host + byte / runs->run_bytes * runs->pitch_bytes +
		           byte % runs->run_bytes;
		unsigned char backed = 0;
		if (mincore(at - ((uintptr_t)at & (page_bytes - 1)), page_bytes, &backed) != 0)
			return true;
		if ((backed & 1) == 0)
			return false;
	}
	return true;
}

/*
 * Populates whole pages. Needs Linux 5.14; on older kernels the first store to a page faults as
 * usual.
 */
static void pack_populate_bytes(char *host, uint64_t size_bytes, uint64_t page_bytes)
{
	const uint64_t skip_bytes = -(uintptr_t)host & (page_bytes - 1);
	if (size_bytes < skip_bytes + page_bytes)
		return;
	const uint64_t whole_bytes = (size_bytes - skip_bytes) / page_bytes * page_bytes;
	(void)madvise(host + skip_bytes, whole_bytes, MADV_POPULATE_WRITE);
}

/* The referenced part of column i. */
static struct pack_area pack_populate_find(const struct pack_area *area,
                                           const struct pack_rule *rule, uint64_t i)
{
	const uint64_t size_bytes = element_size_bytes(rule->element);
	const struct pack_reach reach = pack_rule_reach(rule, rule->column + (int64_t)i,
	                                                (int64_t)(area->run_bytes / size_bytes));
	const uint64_t run_bytes = (uint64_t)(reach.end - reach.begin) * size_bytes;
	return (struct pack_area){area->host + i * area->pitch_bytes +
	                                  (uint64_t)reach.begin * size_bytes,
	                          run_bytes, 1, run_bytes};
}

/* The longest column decides for all. */
static void pack_populate_part(const struct pack_area *area, const struct pack_rule *rule,
                               uint64_t page_bytes)
{
	const uint64_t longest = rule->part == PACK_UPPER ? area->count - 1 : 0;
	const uint64_t least_bytes = POPULATE_RUN_PAGES * page_bytes;
	struct pack_area run = pack_populate_find(area, rule, longest);
	if (run.run_bytes < least_bytes || pack_populate_is_backed(&run, page_bytes))
		return;
	for (uint64_t i = 0; i < area->count; i++) {
		run = pack_populate_find(area, rule, i);
		if (run.run_bytes >= least_bytes)
			pack_populate_bytes(run.host, run.run_bytes, page_bytes);
	}
}

void pack_populate(const struct pack_area *area, const struct pack_rule *rule)
{
	const uint64_t page_bytes = (uint64_t)sysconf(_SC_PAGESIZE);
	struct pack_area runs = *area;
	if (runs.count == 0 || runs.run_bytes == 0)
		return;
	if (rule != NULL && rule->part != PACK_WHOLE) {
		pack_populate_part(area, rule, page_bytes);
		return;
	}
	/* A gap of less than a page contains no whole page. */
	if (runs.count == 1 || runs.pitch_bytes - runs.run_bytes < page_bytes) {
		runs.run_bytes += (runs.count - 1) * runs.pitch_bytes;
		runs.count = 1;
	} else if (runs.run_bytes < POPULATE_RUN_PAGES * page_bytes) {
		return;
	}
	if (pack_populate_is_backed(&runs, page_bytes))
		return;
	for (uint64_t i = 0; i < runs.count; i++)
		pack_populate_bytes(runs.host + i * runs.pitch_bytes, runs.run_bytes, page_bytes);
}
