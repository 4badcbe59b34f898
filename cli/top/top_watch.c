/* top_watch.c - finds counters, and what became of their processes */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/top/top_watch.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/common/say.h"
#include "cli/top/top_memory.h"
#include "policy/text/words.h"
#include "shim/base/clock.h"

/* The place of the process in the sorted list, or the place where it belongs. */
static size_t top_watch_find_place(const struct top_watch *watch, int64_t pid, int64_t start_ns)
{
	size_t low = 0, high = watch->count;
	while (low < high) {
		const size_t middle = (low + high) / 2;
		const struct top_sample *there = &watch->processes[middle]->sample;
		if (there->pid < pid || (there->pid == pid && there->start_ns < start_ns))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static struct top_process *top_watch_find(const struct top_watch *watch, int64_t pid,
                                          int64_t start_ns)
{
	const size_t place = top_watch_find_place(watch, pid, start_ns);
	if (place == watch->count)
		return NULL;
	struct top_process *process = watch->processes[place];
	return process->sample.pid == pid && process->sample.start_ns == start_ns ? process : NULL;
}

static struct top_process *top_watch_add(struct top_watch *watch, const struct top_sample *sample)
{
	const size_t place = top_watch_find_place(watch, sample->pid, sample->start_ns);
	struct top_process *process = say_need(calloc(1, sizeof *process));
	watch->processes = say_need(
		realloc(watch->processes, (watch->count + 1) * sizeof(struct top_process *)));
	memmove(&watch->processes[place + 1], &watch->processes[place],
	        (watch->count - place) * sizeof(struct top_process *));
	watch->processes[place] = process;
	watch->count++;
	process->sample.pid = sample->pid;
	process->sample.start_ns = sample->start_ns;
	return process;
}

/*
 * Counters only grow. One that became smaller was tampered with: it counts as 0 for this interval.
 */
static uint64_t top_watch_subtract(uint64_t now, uint64_t before)
{
	return now > before ? now - before : 0;
}

static void top_watch_take(struct top_process *process, const struct top_sample *sample)
{
	for (int reason = 0; reason < REASON_COUNT; reason++) {
		const struct top_count *now = &sample->reason[reason],
				       *before = &process->sample.reason[reason];
		process->interval[reason] = (struct top_count){
			top_watch_subtract(now->calls, before->calls),
			top_watch_subtract(now->elapsed_ns, before->elapsed_ns),
			top_watch_subtract(now->size_bytes, before->size_bytes),
		};
	}
	const struct top_traffic *now = &sample->traffic, *before = &process->sample.traffic;
	process->traffic = (struct top_traffic){
		top_watch_subtract(now->sent_bytes, before->sent_bytes),
		top_watch_subtract(now->kept_bytes, before->kept_bytes),
	};
	process->sample = *sample;
}

/* At the first look it is not known when a process made its calls. */
static void top_watch_forget_interval(struct top_process *process)
{
	memset(process->interval, 0, sizeof process->interval);
	process->traffic = (struct top_traffic){0};
}

/*
 * The second field, the name, may hold blanks and parentheses; numbers follow its last parenthesis.
 */
static bool top_watch_parse_stat(const char *line, char *state, uint64_t *ticks)
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

/*
 * Whether the process lives, and when it started, in ticks of the kernel (0: not known). A zombie
 * does not live.
 */
static bool top_watch_find_process(int64_t pid, uint64_t *ticks)
{
	char path[64], line[1024], state = '\0';
	snprintf(path, sizeof path, "/proc/%lld/stat", (long long)pid);
	*ticks = 0;
	FILE *file = fopen(path, "re");
	if (file == NULL)
		return kill((pid_t)pid, 0) == 0 || errno == EPERM;
	const bool read =
		fgets(line, sizeof line, file) != NULL && top_watch_parse_stat(line, &state, ticks);
	fclose(file);
	return read && state != 'Z' && state != 'X';
}

/* A process maps its file until it ends or becomes another program. */
static bool top_watch_maps_file(int64_t pid, int64_t file_start_ns)
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

/*
 * Whether the process can have made the file with this start (CLOCK_REALTIME) in its name: another
 * process may have got the number of a dead one. To be asked once; afterwards the ticks have to
 * stay the same, which no change of the clock touches.
 */
static bool top_watch_made_file(int64_t pid, uint64_t ticks, int64_t file_start_ns)
{
	enum { SLACK_NS = 2000000000 }; /* the resolution of ticks, and adjustments of the clock */
	const int64_t hertz = sysconf(_SC_CLK_TCK);
	if (ticks == 0 || hertz <= 0)
		return true;
	const int64_t boot_ns = clock_realtime_ns() - clock_read_ns(CLOCK_BOOTTIME);
	const int64_t since_boot_ns = (int64_t)((double)ticks / (double)hertz * 1e9);
	/*
	 * The process seems to have started after its file: either it did, or the clock was set
	 * forward.
	 */
	return boot_ns + since_boot_ns - SLACK_NS <= file_start_ns ||
	       top_watch_maps_file(pid, file_start_ns);
}

static enum top_state top_watch_find_state(struct top_process *process)
{
	const struct top_sample *sample = &process->sample;
	uint64_t ticks = 0;
	if (process->state != TOP_RUNNING)
		return process->state;
	if (sample->end_ns != 0)
		return TOP_ENDED;
	if (!sample->is_known)
		return TOP_RUNNING;
	if (!top_watch_find_process(sample->pid, &ticks))
		return TOP_KILLED;
	const bool known = process->ticks != 0;
	if (known && ticks != process->ticks)
		return TOP_KILLED;
	if (!known && sample->kind != TOP_SEGMENT &&
	    !top_watch_made_file(sample->pid, ticks, sample->start_ns))
		return TOP_KILLED;
	process->ticks = ticks;
	return TOP_RUNNING;
}

static void top_watch_note_sample(struct top_watch *watch, const struct top_sample *sample)
{
	struct top_process *process = top_watch_find(watch, sample->pid, sample->start_ns);
	const bool is_new = process == NULL;
	if (is_new)
		process = top_watch_add(watch, sample);
	else if (process->seen)
		return; /* the same folder under two names */
	top_watch_take(process, sample);
	if (is_new && !watch->looked)
		top_watch_forget_interval(process);
	process->seen = true;
	process->state = top_watch_find_state(process);
	if (is_new && !watch->looked)
		process->shown = process->state != TOP_RUNNING;
}

static void top_watch_leave_out(struct top_watch *watch, enum top_fault fault, const char *name)
{
	struct top_left_out *left_out = &watch->left_out[fault];
	if (left_out->count++ == 0)
		snprintf(left_out->name, sizeof left_out->name, "%s", name);
}

static void top_watch_see(void *watch, enum top_fault fault, const char *name,
                          const struct top_sample *sample)
{
	if (fault == TOP_FINE)
		top_watch_note_sample(watch, sample);
	else
		top_watch_leave_out(watch, fault, name);
}

/* Its process, where it is known, is not shown as ended: the file is only unreadable. */
static void top_watch_note_fault(struct top_watch *watch, enum top_fault fault, const char *name)
{
	int64_t pid = 0, start_ns = 0;
	if (fault == TOP_GONE)
		return;
	top_watch_leave_out(watch, fault, name);
	struct top_process *process =
		top_read_name(name, &pid, &start_ns) ? top_watch_find(watch, pid, start_ns) : NULL;
	if (process != NULL)
		process->shown = true;
}

static void top_watch_scan(struct top_watch *watch, int folder, bool with_runs);

/* A folder of `gpushim run` is private: one of another user is skipped. */
static void top_watch_scan_run(struct top_watch *watch, int folder, const char *name)
{
	struct stat status;
	const int fd = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return;
	if (fstat(fd, &status) == 0 && status.st_uid == geteuid())
		top_watch_scan(watch, fd, false);
	else
		close(fd);
}

static void top_watch_scan_name(struct top_watch *watch, int folder, const char *name)
{
	static struct top_sample sample;
	if (!words_match(words_of("gpushim-*.counters"), name))
		return;
	const enum top_fault fault = top_read_file(folder, name, &sample);
	if (fault == TOP_FINE)
		top_watch_note_sample(watch, &sample);
	else
		top_watch_note_fault(watch, fault, name);
}

/* Closes the folder. */
static void top_watch_scan(struct top_watch *watch, int folder, bool with_runs)
{
	DIR *list = fdopendir(folder);
	if (list == NULL)
		close(folder);
	for (const struct dirent *entry; list != NULL && (entry = readdir(list)) != NULL;) {
		if (with_runs && words_match(words_of("gpushim-run-*"), entry->d_name))
			top_watch_scan_run(watch, dirfd(list), entry->d_name);
		else
			top_watch_scan_name(watch, dirfd(list), entry->d_name);
	}
	if (list != NULL)
		closedir(list);
}

/*
 * A process that became another program has two files; the older one is not of the running program.
 */
static bool top_watch_is_superseded(const struct top_watch *watch, size_t place)
{
	if (place + 1 >= watch->count)
		return false;
	const struct top_process *next = watch->processes[place + 1];
	return next->seen && next->state == TOP_RUNNING &&
	       next->sample.pid == watch->processes[place]->sample.pid;
}

static void top_watch_conclude(struct top_watch *watch)
{
	for (size_t i = 0; i < watch->count; i++) {
		struct top_process *process = watch->processes[i];
		if (process->state == TOP_RUNNING && top_watch_is_superseded(watch, i)) {
			process->state = TOP_REPLACED;
			process->shown = !watch->looked;
		}
		if (process->state == TOP_RUNNING && !process->seen)
			process->state = TOP_ENDED;
		if (!process->seen)
			top_watch_forget_interval(process);
		watch->dead_files += process->seen && process->state == TOP_KILLED &&
		                     process->sample.kind == TOP_FILE;
	}
}

void top_watch_look(struct top_watch *watch, const char *const folders[], bool memory)
{
	const int64_t now_ns = clock_monotonic_ns();
	watch->seconds = watch->looked ? (double)(now_ns - watch->looked_ns) / 1e9 : 0;
	watch->looked_ns = now_ns;
	watch->dead_files = 0;
	for (int fault = 0; fault < TOP_FAULTS; fault++)
		watch->left_out[fault] =
			(struct top_left_out){.before = watch->left_out[fault].count};
	for (size_t i = 0; i < watch->count; i++)
		watch->processes[i]->seen = false;
	for (; *folders != NULL; folders++) {
		const int fd = open(*folders, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		if (fd >= 0)
			top_watch_scan(watch, fd, true);
	}
	if (memory)
		top_memory_visit(top_watch_see, watch);
	top_watch_conclude(watch);
	watch->looked = true;
}

void top_watch_settle(struct top_watch *watch)
{
	size_t kept = 0;
	for (size_t i = 0; i < watch->count; i++) {
		struct top_process *process = watch->processes[i];
		if (process->state != TOP_RUNNING)
			process->shown = true;
		if (process->state == TOP_RUNNING || process->seen)
			watch->processes[kept++] = process;
		else
			free(process);
	}
	watch->count = kept;
}

void top_watch_free(struct top_watch *watch)
{
	for (size_t i = 0; i < watch->count; i++)
		free(watch->processes[i]);
	free(watch->processes);
	*watch = (struct top_watch){0};
}
