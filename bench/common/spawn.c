/* spawn.c - runs a program with given variables, and measures it from outside */
/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/common/spawn.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "shim/base/clock.h"

static void spawn_die(const char *what)
{
	fprintf(stderr, "bench: %s: %s\n", what, strerror(errno));
	exit(1);
}

static void spawn_collect(int fd, struct spawn_result *result)
{
	size_t used = 0;
	char rest[4096];
	for (;;) {
		const bool room = used + 1 < sizeof result->output;
		const ssize_t got = read(fd, room ? result->output + used : rest,
		                         room ? sizeof result->output - 1 - used : sizeof rest);
		if (got <= 0)
			break;
		used += room ? (size_t)got : 0;
	}
	result->output[used] = '\0';
	close(fd);
}

void spawn_run(char *const argv[], char *const environment[], bool capture,
               struct spawn_result *result)
{
	int ends[2] = {-1, -1};
	struct rusage usage;
	if (capture && pipe(ends) != 0)
		spawn_die("pipe");
	const int64_t begin_ns = clock_monotonic_ns();
	const pid_t pid = vfork();
	if (pid < 0)
		spawn_die("vfork");
	if (pid == 0) {
		if (capture) {
			dup2(ends[1], 1);
			dup2(ends[1], 2);
			close(ends[0]);
			close(ends[1]);
		}
		execve(argv[0], argv, environment);
		_exit(127);
	}
	result->output[0] = '\0';
	if (capture) {
		close(ends[1]);
		spawn_collect(ends[0], result);
	}
	if (wait4(pid, &result->status, 0, &usage) != pid)
		spawn_die("wait4");
	result->wall_ns = (double)(clock_monotonic_ns() - begin_ns);
	result->max_rss_kb = usage.ru_maxrss;
	if (WIFEXITED(result->status) && WEXITSTATUS(result->status) == 127)
		spawn_die(argv[0]);
}

const char *spawn_beside(const char *name, bool up)
{
	static char path[4096];
	const ssize_t length = readlink("/proc/self/exe", path, sizeof path - strlen(name) - 2);
	if (length < 0)
		spawn_die("/proc/self/exe");
	path[length] = '\0';
	for (int i = 0; i < (up ? 2 : 1); i++)
		*strrchr(path, '/') = '\0';
	strcat(path, "/");
	return strcat(path, name);
}
