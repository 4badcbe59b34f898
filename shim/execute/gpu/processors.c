/* processors.c - reads what the kernel tells of processors, control groups and caches */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/processors.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "policy/number.h"

enum { PROCESSORS_TEXT_BYTES = 4096, PROCESSORS_PATH_BYTES = 512, PROCESSORS_CACHES = 8 };

/* The beginning of a file; false where there is none. */
static bool processors_read(const char *root, const char *path, char text[PROCESSORS_TEXT_BYTES])
{
	char whole[PROCESSORS_PATH_BYTES];
	const int length = snprintf(whole, sizeof whole, "%s%s", root, path);
	if (length < 0 || (size_t)length >= sizeof whole)
		return false;
	const int file = open(whole, O_RDONLY | O_CLOEXEC);
	if (file < 0)
		return false;
	const ssize_t bytes = read(file, text, PROCESSORS_TEXT_BYTES - 1);
	close(file);
	text[bytes > 0 ? bytes : 0] = '\0';
	return bytes > 0;
}

/* In microseconds, both; 0: none. */
static long processors_round_quota(uint64_t quota, uint64_t period)
{
	const uint64_t count = quota > 0 && period > 0 ? (quota - 1) / period + 1 : CPU_SETSIZE;
	return count < CPU_SETSIZE ? (long)count : CPU_SETSIZE;
}

/* Version 1 has two files; a quota of -1 is none. */
static long processors_read_old_quota(const char *root)
{
	char text[PROCESSORS_TEXT_BYTES];
	if (!processors_read(root, "/sys/fs/cgroup/cpu/cpu.cfs_quota_us", text))
		return CPU_SETSIZE;
	const uint64_t quota = number_scan_count(text, NULL);
	if (!processors_read(root, "/sys/fs/cgroup/cpu/cpu.cfs_period_us", text))
		return CPU_SETSIZE;
	return processors_round_quota(quota, number_scan_count(text, NULL));
}

/* "max 100000", or the quota and the period. */
static long processors_read_group(const char *root, const char *group)
{
	char text[PROCESSORS_TEXT_BYTES], path[PROCESSORS_PATH_BYTES];
	const char *end;
	const int length = snprintf(path, sizeof path, "/sys/fs/cgroup%s/cpu.max", group);
	if (length < 0 || (size_t)length >= sizeof path || !processors_read(root, path, text))
		return CPU_SETSIZE;
	const uint64_t quota = number_scan_count(text, &end);
	return processors_round_quota(quota, number_scan_count(end, NULL));
}

/* Version 2: the process's group and all those around it. In a container the path may lead nowhere: the root stays. */
static long processors_read_quota(const char *root)
{
	char text[PROCESSORS_TEXT_BYTES];
	long least = processors_read_group(root, "");
	char *group = processors_read(root, "/proc/self/cgroup", text) ? strstr(text, "0::/") : NULL;
	if (group == NULL)
		return least;
	group += strlen("0::");
	group[strcspn(group, "\n")] = '\0';
	for (char *slash = strrchr(group, '/'); slash != NULL; slash = strrchr(group, '/')) {
		const long quota = processors_read_group(root, group);
		least = quota < least ? quota : least;
		*slash = '\0';
	}
	return least;
}

int processors_count(const char *root)
{
	cpu_set_t own;
	const long online = sysconf(_SC_NPROCESSORS_ONLN), quota = processors_read_quota(root);
	const long old_quota = processors_read_old_quota(root);
	long count = sched_getaffinity(0, sizeof own, &own) == 0 ? CPU_COUNT(&own) : online;
	count = quota < count ? quota : count;
	count = old_quota < count ? old_quota : count;
	return count > 1 ? (int)count : 1;
}

/* A list such as "0-15,32-47". */
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

bool processors_of_node(const char *root, int node, cpu_set_t *set)
{
	char text[PROCESSORS_TEXT_BYTES], path[PROCESSORS_PATH_BYTES];
	cpu_set_t own, those;
	snprintf(path, sizeof path, "/sys/devices/system/node/node%d/cpulist", node);
	if (node < 0 || !processors_read(root, path, text) || sched_getaffinity(0, sizeof own, &own) != 0)
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

/* The C library's number is the whole socket's on some processors, of which each one reaches a part only. */
uint64_t processors_cache_bytes(const char *root)
{
	char text[PROCESSORS_TEXT_BYTES], path[PROCESSORS_PATH_BYTES];
	uint64_t largest = 0;
	for (int index = 0; index < PROCESSORS_CACHES; index++) {
		snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cache/index%d/size", index);
		const uint64_t size_bytes = processors_read(root, path, text) ? processors_parse_size(text) : 0;
		largest = size_bytes > largest ? size_bytes : largest;
	}
	const long told_bytes = largest == 0 ? sysconf(_SC_LEVEL3_CACHE_SIZE) : 0;
	return told_bytes > 0 ? (uint64_t)told_bytes : largest;
}
