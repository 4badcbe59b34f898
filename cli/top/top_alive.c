/* top_alive.c - asks /proc about a process */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/top/top_alive.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "shim/base/clock.h"

/*
 * The name in the second field may hold blanks and parentheses; what follows the last one is
 * numbers.
 */
static bool top_alive_parse(const char *line, char *state, uint64_t *ticks)
{
	unsigned long long start = 0;
	const char *name_end = strrchr(line, ')');
	const int fields =
		name_end == NULL
			? 0
			: sscanf(name_end + 1,
	                         " %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d "
	                         "%*d %*d %*d %llu",
	                         state, &start);
	*ticks = start;
	return fields == 2;
}

bool top_alive_find(int64_t pid, uint64_t *ticks)
{
	char path[64], line[1024], state = '\0';
	snprintf(path, sizeof path, "/proc/%lld/stat", (long long)pid);
	*ticks = 0;
	FILE *file = fopen(path, "re");
	if (file == NULL)
		return kill((pid_t)pid, 0) == 0 || errno == EPERM;
	const bool read =
		fgets(line, sizeof line, file) != NULL && top_alive_parse(line, &state, ticks);
	fclose(file);
	return read && state != 'Z' && state != 'X';
}

/* A process maps its file as long as it lives, or until it becomes another program. */
static bool top_alive_maps(int64_t pid, int64_t file_start_ns)
{
	char path[64], name[64], line[4096];
	bool found = false;
	snprintf(path, sizeof path, "/proc/%lld/maps", (long long)pid);
	snprintf(name, sizeof name, "/gpushim-%lld-%lld.counters", (long long)pid,
	         (long long)file_start_ns);
	FILE *file = fopen(path, "re");
	while (file != NULL && !found && fgets(line, sizeof line, file) != NULL)
		found = strstr(line, name) != NULL;
	if (file != NULL)
		fclose(file);
	return found;
}

bool top_alive_made(int64_t pid, uint64_t ticks, int64_t file_start_ns)
{
	enum { SLACK_NS = 2000000000 }; /* ticks are coarse, and clocks are slewed */
	const int64_t hertz = sysconf(_SC_CLK_TCK);
	if (ticks == 0 || hertz <= 0)
		return true;
	const int64_t boot_ns = clock_realtime_ns() - clock_read_ns(CLOCK_BOOTTIME);
	const int64_t since_boot_ns = (int64_t)((double)ticks / (double)hertz * 1e9);
	/*
	 * A process that seems to have started later than its file: it did, or the clock was put
	 * forward meanwhile.
	 */
	return boot_ns + since_boot_ns - SLACK_NS <= file_start_ns ||
	       top_alive_maps(pid, file_start_ns);
}
