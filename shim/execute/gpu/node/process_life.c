/* process_life.c - reads state and start of processes from /proc */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/node/process_life.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "policy/text/number.h"
#include "shim/base/clock.h"
#include "shim/execute/gpu/node/kernel_text.h"

/* Fields of /proc/PID/stat behind the name, counted from the state; proc(5). */
enum { LIFE_THREADS = 17, LIFE_START = 19, LIFE_PATH_BYTES = 64 };

struct process_life_stat {
	char state;
	uint64_t threads, start;
};

/* The name may hold blanks and brackets. */
static bool process_life_parse(const char *text, struct process_life_stat *found)
{
	const char *field = strrchr(text, ')');
	if (field == NULL || field[1] != ' ')
		return false;
	field += 2;
	found->state = *field;
	for (int i = 0; i < LIFE_START; i++) {
		if (i == LIFE_THREADS)
			found->threads = number_scan_count(field, NULL);
		field = strchr(field, ' ');
		if (field == NULL)
			return false;
		field++;
	}
	found->start = number_scan_count(field, NULL);
	return true;
}

static bool process_life_read(const char *root, pid_t pid, struct process_life_stat *found)
{
	char path[LIFE_PATH_BYTES], text[KERNEL_TEXT_BYTES];
	snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
	return kernel_text_read(root, path, "", text) && process_life_parse(text, found);
}

/* The machine since its start, and the process's space of numbers on it. */
static uint64_t process_life_find_space(const char *root)
{
	char text[KERNEL_TEXT_BYTES] = "";
	struct stat space;
	uint64_t hash = UINT64_C(14695981039346656037);
	if (!kernel_text_read(root, "/proc/sys/kernel/random/boot_id", "", text))
		text[0] = '\0';
	for (const char *byte = text; *byte != '\0'; byte++)
		hash = (hash ^ (unsigned char)*byte) * UINT64_C(1099511628211);
	if (stat("/proc/self/ns/pid", &space) == 0)
		hash = (hash ^ (uint64_t)space.st_ino) * UINT64_C(1099511628211);
	return hash;
}

struct process_life process_life_own(const char *root)
{
	struct process_life_stat found = {.start = 0};
	const pid_t pid = getpid();
	const bool told = process_life_read(root, pid, &found);
	return (struct process_life){pid, told ? found.start : 0, process_life_find_space(root)};
}

int64_t process_life_age_ns(const char *root)
{
	struct process_life_stat found;
	const int64_t hertz = sysconf(_SC_CLK_TCK), now_ns = clock_read_ns(CLOCK_BOOTTIME);
	if (hertz <= 0 || !process_life_read(root, getpid(), &found))
		return 0;
	const int64_t begin_ns = (int64_t)((double)found.start / (double)hertz * 1e9);
	return found.start > 0 && begin_ns < now_ns ? now_ns - begin_ns : 0;
}

bool process_life_is_foreign(const struct process_life *life, uint64_t space)
{
	return life->space != space;
}

/* The first thread of a process looks dead where it has ended before the others. */
bool process_life_goes_on(const char *root, const struct process_life *life)
{
	struct process_life_stat found;
	if (life->pid <= 0)
		return false;
	if (!process_life_read(root, life->pid, &found))
		return kill(life->pid, 0) == 0 || errno == EPERM;
	if (found.state == 'X' || (found.state == 'Z' && found.threads <= 1))
		return false;
	return life->start == 0 || found.start == life->start;
}
