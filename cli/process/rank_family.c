/* rank_family.c - names a launch by its launcher's variables, or by its process */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/process/rank_family.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/process/counters_read.h"

enum { FAMILY_DEPTH = 64, FAMILY_STAT_BYTES = 1024, FAMILY_ENVIRON_BYTES = 1 << 20 };

static uint64_t rank_family_hash(uint64_t hash, const void *bytes, size_t size)
{
	const unsigned char *byte = bytes;
	for (size_t i = 0; i < size; i++)
		hash = (hash ^ byte[i]) * 0x100000001b3u;
	return hash;
}

/* Reads /proc/PID/WHAT; returns its length, 0 where it cannot be read. The text is terminated. */
static size_t rank_family_read(pid_t pid, const char *what, char *into, size_t size)
{
	char path[64];
	snprintf(path, sizeof path, "/proc/%d/%s", (int)pid, what);
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	const size_t got = fd >= 0 ? counters_read_bytes(fd, into, size - 1) : 0;
	into[got] = '\0';
	if (fd >= 0)
		close(fd);
	return got;
}

/* The parent, and when the process started; the program's name may hold blanks and brackets. */
static pid_t rank_family_find_parent(pid_t pid, unsigned long long *start)
{
	char stat[FAMILY_STAT_BYTES];
	int parent = 0;
	*start = 0;
	rank_family_read(pid, "stat", stat, sizeof stat);
	const char *behind = strrchr(stat, ')');
	if (behind == NULL ||
	    sscanf(behind + 1,
	           " %*c %d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d "
	           "%*d %*d %llu",
	           &parent, start) != 2)
		return 0;
	return parent;
}

/* Whether the process has the same number of ranks in its variables, as all ranks do. */
static bool rank_family_is_rank(pid_t pid, const char *entry, char *buffer)
{
	const size_t length = rank_family_read(pid, "environ", buffer, FAMILY_ENVIRON_BYTES);
	for (size_t at = 0; at < length; at += strlen(buffer + at) + 1)
		if (strncmp(buffer + at, entry, strlen(entry)) == 0)
			return true;
	return false;
}

/* Launchers without a name for their launch: Hydra, and others that set PMI_RANK. */
static uint64_t rank_family_find_ancestor(void)
{
	char *buffer = malloc(FAMILY_ENVIRON_BYTES);
	unsigned long long start = 0, ignored = 0;
	pid_t pid = getppid();
	for (int depth = 0; buffer != NULL && depth < FAMILY_DEPTH && pid > 1; depth++) {
		if (!rank_family_is_rank(pid, "PMI_RANK=", buffer))
			break;
		pid = rank_family_find_parent(pid, &ignored);
	}
	rank_family_find_parent(pid, &start);
	free(buffer);
	return rank_family_hash(rank_family_hash(0xcbf29ce484222325u, &pid, sizeof pid), &start,
	                        sizeof start);
}

uint64_t rank_family_find(const struct launch_world *world)
{
	if (world->step[0] == '\0')
		return rank_family_find_ancestor();
	const uint64_t job =
		rank_family_hash(0xcbf29ce484222325u, world->job, strlen(world->job) + 1);
	return rank_family_hash(job, world->step, strlen(world->step));
}
