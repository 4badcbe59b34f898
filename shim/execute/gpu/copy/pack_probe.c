/* pack_probe.c - asks the kernel for pages, which it refuses without a signal */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/copy/pack_probe.h"

#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#ifndef MADV_POPULATE_READ
#define MADV_POPULATE_READ 22
#define MADV_POPULATE_WRITE 23
#endif

enum { PACK_PROBE_BEHIND = 64 };

static bool pack_probe_is_handled(int number)
{
	struct sigaction action;
	return sigaction(number, NULL, &action) == 0 && action.sa_handler != SIG_DFL &&
	       action.sa_handler != SIG_IGN;
}

bool pack_probe_is_needed(void)
{
	return pack_probe_is_handled(SIGSEGV) || pack_probe_is_handled(SIGBUS);
}

/* Whole pages, from the one that holds the first byte to the one that holds the last. */
static bool pack_probe_bytes(const char *host, uint64_t size_bytes, bool writes)
{
	const uint64_t page_bytes = (uint64_t)sysconf(_SC_PAGESIZE);
	const uint64_t before_bytes = (uintptr_t)host & (page_bytes - 1);
	const uint64_t bytes = before_bytes + size_bytes;
	char *begin = (char *)(uintptr_t)(host - before_bytes);
	return size_bytes == 0 || madvise(begin, bytes + (-bytes & (page_bytes - 1)),
	                                  writes ? MADV_POPULATE_WRITE : MADV_POPULATE_READ) == 0;
}

bool pack_probe_is_able(void)
{
	const char here = 0;
	return pack_probe_bytes(&here, sizeof here, false);
}

static bool pack_probe_part(const struct pack_area *area, const struct pack_rule *rule, bool writes)
{
	const uint64_t size_bytes = element_size_bytes(rule->element);
	const int64_t count = (int64_t)(area->run_bytes / size_bytes);
	for (uint64_t i = 0; i < area->count; i++) {
		const struct pack_reach reach =
			pack_rule_reach(rule, rule->column + (int64_t)i, count);
		if (!pack_probe_bytes(area->host + i * area->pitch_bytes +
		                              (uint64_t)reach.begin * size_bytes,
		                      (uint64_t)(reach.end - reach.begin) * size_bytes, writes))
			return false;
	}
	return true;
}

bool pack_probe(const struct pack_area *area, const struct pack_rule *rule, bool writes)
{
	const uint64_t page_bytes = (uint64_t)sysconf(_SC_PAGESIZE);
	if (area->count == 0 || area->run_bytes == 0)
		return true;
	if (rule != NULL && rule->part != PACK_WHOLE)
		return pack_probe_part(area, rule, writes);
	/* A gap of less than a page contains no whole page. */
	if (area->count == 1 || area->pitch_bytes - area->run_bytes < page_bytes)
		return pack_probe_bytes(area->host,
		                        (area->count - 1) * area->pitch_bytes + area->run_bytes,
		                        writes);
	for (uint64_t i = 0; i < area->count; i++)
		if (!pack_probe_bytes(area->host + i * area->pitch_bytes, area->run_bytes, writes))
			return false;
	return true;
}

bool pack_probe_behind(const struct pack_area *area)
{
	const uint64_t page_bytes = (uint64_t)sysconf(_SC_PAGESIZE);
	if (area->count == 0 || area->run_bytes == 0)
		return true;
	const char *end = area->host + (area->count - 1) * area->pitch_bytes + area->run_bytes;
	const uint64_t left_bytes = -(uintptr_t)end & (page_bytes - 1);
	return left_bytes >= PACK_PROBE_BEHIND || pack_probe_bytes(end + left_bytes, 1, false) ||
	       !pack_probe_is_able();
}
