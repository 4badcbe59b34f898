/* processors.c - reads processors, CPU quotas and cache sizes from the kernel's files */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/node/processors.h"

#include <stdio.h>
#include <unistd.h>

#include "policy/text/number.h"
#include "shim/execute/gpu/node/affinity.h"
#include "shim/execute/gpu/node/kernel_text.h"

enum { PROCESSORS_PATH_BYTES = 512, PROCESSORS_CACHES = 8 };

/* Both in microseconds; 0: no quota. */
static long processors_round_quota(uint64_t quota, uint64_t period)
{
	const uint64_t count = quota > 0 && period > 0 ? (quota - 1) / period + 1 : CPU_SETSIZE;
	return count < CPU_SETSIZE ? (long)count : CPU_SETSIZE;
}

/* Control groups version 1: two files; a quota of -1 means no limit. */
static long processors_read_old_quota(const char *root)
{
	char text[KERNEL_TEXT_BYTES];
	if (!kernel_text_read(root, "/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "", text))
		return CPU_SETSIZE;
	const uint64_t quota = number_scan_count(text, NULL);
	if (!kernel_text_read(root, "/sys/fs/cgroup/cpu/cpu.cfs_period_us", "", text))
		return CPU_SETSIZE;
	return processors_round_quota(quota, number_scan_count(text, NULL));
}

/* Version 2: "max 100000", or quota and period. */
static uint64_t processors_read_group(const char *root, const char *folder)
{
	char text[KERNEL_TEXT_BYTES];
	const char *end;
	if (!kernel_text_read(root, folder, "/cpu.max", text))
		return CPU_SETSIZE;
	const uint64_t quota = number_scan_count(text, &end);
	return (uint64_t)processors_round_quota(quota, number_scan_count(end, NULL));
}

int processors_quota(const char *root)
{
	const long online = sysconf(_SC_NPROCESSORS_ONLN);
	const long quota = (long)kernel_text_find_least(root, processors_read_group);
	const long old_quota = processors_read_old_quota(root);
	long count = online;
	count = quota < count ? quota : count;
	count = old_quota < count ? old_quota : count;
	return count > 1 ? (int)count : 1;
}

int processors_count(const char *root)
{
	cpu_set_t own;
	const int quota = processors_quota(root);
	const int count = affinity_of_process(&own) ? CPU_COUNT(&own) : quota;
	return count < quota ? count : quota;
}

int processors_divide(int own, int all, int processes)
{
	const int share = processes > 1 ? all / processes : all;
	const int least = share < own ? share : own;
	return least > 1 ? least : 1;
}

/* Parses a list such as "0-15,32-47". */
static void processors_parse(const char *text, cpu_set_t *set)
{
	CPU_ZERO(set);
	while (*text >= '0' && *text <= '9') {
		const char *end;
		const uint64_t first = number_scan_count(text, &end);
		const uint64_t last = *end == '-' ? number_scan_count(end + 1, &end) : first;
		for (uint64_t number = first; number <= last && number < CPU_SETSIZE; number++)
			CPU_SET(number, set);
		text = *end == ',' ? end + 1 : end;
	}
}

/* Version 2 only: a group that has no list has the processors of the group above it. */
static uint64_t processors_read_set(const char *root, const char *folder)
{
	char text[KERNEL_TEXT_BYTES];
	cpu_set_t set;
	if (!kernel_text_read(root, folder, "/cpuset.cpus.effective", text))
		return CPU_SETSIZE;
	processors_parse(text, &set);
	return CPU_COUNT(&set) > 0 ? (uint64_t)CPU_COUNT(&set) : CPU_SETSIZE;
}

int processors_share(const char *root, int processes)
{
	const int quota = processors_quota(root),
		  set = (int)kernel_text_find_least(root, processors_read_set);
	return processors_divide(processors_count(root), set < quota ? set : quota, processes);
}

bool processors_of_node(const char *root, int node, cpu_set_t *set)
{
	char text[KERNEL_TEXT_BYTES], path[PROCESSORS_PATH_BYTES];
	cpu_set_t own, those;
	snprintf(path, sizeof path, "/sys/devices/system/node/node%d/cpulist", node);
	if (node < 0 || !kernel_text_read(root, path, "", text) || !affinity_of_process(&own))
		return false;
	processors_parse(text, &those);
	CPU_AND(set, &those, &own);
	return CPU_COUNT(set) > 0;
}

static uint64_t processors_parse_size(const char *text)
{
	const char *end;
	const uint64_t value = number_scan_count(text, &end);
	return *end == 'K' ? value << 10 : *end == 'M' ? value << 20 : value;
}

/* A text of a cache of the first processor. */
static bool processors_read_cache(const char *root, int index, const char *what, char *text)
{
	char path[PROCESSORS_PATH_BYTES];
	snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cache/index%d/%s", index, what);
	return kernel_text_read(root, path, "", text);
}

/* How many caches like this one the processors of the process have; 1: not told. */
static uint64_t processors_count_caches(const char *root, int index)
{
	char text[KERNEL_TEXT_BYTES];
	cpu_set_t sharers;
	if (!processors_read_cache(root, index, "shared_cpu_list", text))
		return 1;
	processors_parse(text, &sharers);
	const int shared = CPU_COUNT(&sharers), own = processors_count(root);
	return shared > 0 && own > shared ? (uint64_t)(own / shared) : 1;
}

/*
 * sysconf is the fallback only: on some processors it reports the cache of the whole socket, also
 * where the process may use a part of it.
 */
uint64_t processors_cache_bytes(const char *root)
{
	char text[KERNEL_TEXT_BYTES];
	uint64_t largest = 0;
	int last = 0;
	for (int index = 0; index < PROCESSORS_CACHES; index++) {
		const uint64_t size_bytes = processors_read_cache(root, index, "size", text)
		                                    ? processors_parse_size(text)
		                                    : 0;
		last = size_bytes > largest ? index : last;
		largest = size_bytes > largest ? size_bytes : largest;
	}
	if (largest > 0)
		return largest * processors_count_caches(root, last);
	const long told_bytes = sysconf(_SC_LEVEL3_CACHE_SIZE);
	return told_bytes > 0 ? (uint64_t)told_bytes : 0;
}
