/* top_read.c - reads a file of counters while its process writes it; checks everything in it */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/top/top_read.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "policy/text/number.h"

const char *top_read_describe(enum top_fault fault)
{
	switch (fault) {
	case TOP_NO_FILE: return "it is no regular file";
	case TOP_FOREIGN: return "it belongs to another user";
	case TOP_UNREADABLE: return "it cannot be read";
	case TOP_SHORT: return "it is cut short";
	case TOP_NO_COUNTERS: return "it is no file of counters";
	case TOP_VERSION: return "another version of the shim made it";
	case TOP_MISNAMED: return "its name is not that of the process in it";
	default: return "";
	}
}

bool top_read_name(const char *name, int64_t *pid, int64_t *start_ns)
{
	static const char front[] = "gpushim-";
	const char *at = name;
	if (strncmp(name, front, strlen(front)) != 0)
		return false;
	at += strlen(front);
	const uint64_t process = number_scan_count(at, &at);
	if (process == 0 || process > INT32_MAX || *at++ != '-')
		return false;
	const uint64_t start = number_scan_count(at, &at);
	if (start > INT64_MAX || strcmp(at, ".counters") != 0)
		return false;
	*pid = (int64_t)process;
	*start_ns = (int64_t)start;
	return true;
}

static enum top_fault top_read_check_status(const struct stat *status)
{
	if (!S_ISREG(status->st_mode))
		return TOP_NO_FILE;
	return status->st_uid == geteuid() ? TOP_FINE : TOP_FOREIGN;
}

/*
 * Checks the file before it is opened, since opening a device may act on it, and again afterwards,
 * since the file may have been replaced.
 */
static enum top_fault top_read_open(int folder, const char *name, int *fd)
{
	struct stat status;
	if (fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) != 0)
		return errno == ENOENT ? TOP_GONE : TOP_UNREADABLE;
	enum top_fault fault = top_read_check_status(&status);
	if (fault != TOP_FINE)
		return fault;
	*fd = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (*fd < 0)
		return errno == ENOENT ? TOP_GONE : TOP_UNREADABLE;
	fault = fstat(*fd, &status) == 0 ? top_read_check_status(&status) : TOP_UNREADABLE;
	if (fault != TOP_FINE)
		close(*fd);
	return fault;
}

/* Reads the file and does not map it: a mapped file that is truncated raises SIGBUS. */
static enum top_fault top_read_bytes(int fd, void *into, size_t size)
{
	size_t got = 0;
	while (got < size) {
		const ssize_t more = read(fd, (char *)into + got, size - got);
		if (more < 0 && errno == EINTR)
			continue;
		if (more < 0)
			return TOP_UNREADABLE;
		if (more == 0)
			return TOP_SHORT;
		got += (size_t)more;
	}
	return TOP_FINE;
}

/* A file is full of zeros until its process has written the head. */
enum top_fault top_read_check_head(const struct counters_file *file)
{
	static const char none[sizeof file->magic];
	if (memcmp(file->magic, none, sizeof none) == 0)
		return TOP_SHORT;
	if (memcmp(file->magic, "gpushim", sizeof file->magic) != 0)
		return TOP_NO_COUNTERS;
	if (file->version != COUNTERS_VERSION || file->symbols != SYMBOL_COUNT ||
	    file->reasons != REASON_COUNT || file->slots != COUNTERS_SLOTS)
		return TOP_VERSION;
	return TOP_FINE;
}

static void top_read_add(struct top_count *to, const struct counters_cell *cell)
{
	to->calls += atomic_load_explicit(&cell->calls, memory_order_relaxed);
	to->elapsed_ns += atomic_load_explicit(&cell->elapsed_ns, memory_order_relaxed);
	to->size_bytes += atomic_load_explicit(&cell->size_bytes, memory_order_relaxed);
}

static void top_read_decided(const struct counters_file *file, struct top_sample *sample)
{
	for (int i = 0; i < COUNTERS_DECIDED; i++) {
		const uint64_t key =
			atomic_load_explicit(&file->decided[i].key, memory_order_relaxed);
		const uint64_t symbol = (key - 1) / REASON_COUNT;
		if (key != 0 && symbol < SYMBOL_COUNT && symbol_table[symbol].role == ROLE_COMPUTE)
			top_read_add(&sample->reason[(key - 1) % REASON_COUNT],
			             &file->decided[i].cell);
	}
	top_read_add(&sample->reason[REASON_NONE], &file->undecided);
}

static void top_read_forwarded(const struct counters_file *file, struct top_sample *sample)
{
	for (int symbol = 0; symbol < SYMBOL_COUNT; symbol++) {
		struct top_count *to = &sample->reason[counters_find_gate_reason(file, symbol)];
		if (symbol_table[symbol].role != ROLE_COMPUTE)
			continue;
		to->calls += counters_count_forwarded(file, symbol);
	}
}

/*
 * A program's name may hold control characters, which a terminal would obey: they become question
 * marks.
 */
static void top_read_program(const struct counters_file *file, char program[COUNTERS_PROGRAM_BYTES])
{
	char path[COUNTERS_PROGRAM_BYTES];
	memcpy(path, file->program, sizeof path);
	path[sizeof path - 1] = '\0';
	const char *slash = strrchr(path, '/');
	strcpy(program, slash != NULL ? slash + 1 : path);
	for (char *letter = program; *letter != '\0'; letter++)
		if (*letter < ' ' || *letter > '~')
			*letter = '?';
	if (program[0] == '\0')
		strcpy(program, "?");
}

static uint64_t top_read_positive(const _Atomic int64_t *value)
{
	const int64_t now = atomic_load_explicit(value, memory_order_relaxed);
	return now > 0 ? (uint64_t)now : 0;
}

void top_read_counters(const struct counters_file *file, enum top_kind kind,
                       struct top_sample *sample)
{
	*sample = (struct top_sample){.kind = kind,
	                              .is_known = true,
	                              .pid = file->pid,
	                              .start_ns = file->start_realtime_ns};
	sample->end_ns = atomic_load_explicit(&file->end_realtime_ns, memory_order_relaxed);
	sample->device_bytes = top_read_positive(&file->device_bytes);
	sample->device_bytes_peak = top_read_positive(&file->device_bytes_peak);
	sample->traffic.sent_bytes =
		atomic_load_explicit(&file->traffic.sent_bytes, memory_order_relaxed);
	sample->traffic.kept_bytes =
		atomic_load_explicit(&file->traffic.kept_bytes, memory_order_relaxed);
	top_read_program(file, sample->program);
	top_read_decided(file, sample);
	top_read_forwarded(file, sample);
}

enum top_fault top_read_file(int folder, const char *name, struct top_sample *sample)
{
	static struct counters_file file;
	int64_t pid = 0, start_ns = 0;
	int fd = -1;
	enum top_fault fault = top_read_open(folder, name, &fd);
	if (fault != TOP_FINE)
		return fault;
	fault = top_read_bytes(fd, &file, sizeof file);
	close(fd);
	if (fault == TOP_FINE)
		fault = top_read_check_head(&file);
	if (fault == TOP_FINE && (!top_read_name(name, &pid, &start_ns) || file.pid != pid ||
	                          file.start_realtime_ns != start_ns))
		fault = TOP_MISNAMED;
	if (fault == TOP_FINE)
		top_read_counters(&file, TOP_FILE, sample);
	return fault;
}
