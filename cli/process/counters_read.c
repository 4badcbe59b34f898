/* counters_read.c - reads counts that other processes wrote, and checks what it reads */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/process/counters_read.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/common/say.h"
#include "policy/text/number.h"
#include "policy/text/words.h"

char *counters_read_make_folder(void)
{
	const char *runtime = getenv("XDG_RUNTIME_DIR");
	const char *const places[] = {runtime != NULL && runtime[0] == '/' ? runtime : "/dev/shm",
	                              "/dev/shm", "/tmp"};
	int error = 0;
	for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
		char *folder = say_text("%s/gpushim-run-%d-XXXXXX", places[i], (int)getpid());
		if (mkdtemp(folder) != NULL)
			return folder;
		error = errno;
		free(folder);
	}
	say("cannot make a folder for the counters: %s", say_error(error));
	return NULL;
}

void counters_read_remove_folder(char *folder)
{
	DIR *list = opendir(folder);
	for (const struct dirent *entry; list != NULL && (entry = readdir(list)) != NULL;)
		unlinkat(dirfd(list), entry->d_name, 0);
	if (list != NULL)
		closedir(list);
	rmdir(folder);
	free(folder);
}

static const char *counters_read_find_fault(const struct counters_file *file, size_t got)
{
	if (got < sizeof *file)
		return "it is cut short";
	if (memcmp(file->magic, "gpushim", sizeof file->magic) != 0)
		return "it is no file of counters";
	if (file->version != COUNTERS_VERSION || file->symbols != SYMBOL_COUNT ||
	    file->reasons != REASON_COUNT || file->slots != COUNTERS_SLOTS)
		return "another version of the shim made it";
	return NULL;
}

size_t counters_read_bytes(int fd, void *into, size_t size)
{
	size_t got = 0;
	while (got < size) {
		const ssize_t more = read(fd, (char *)into + got, size - got);
		if (more < 0 && errno == EINTR)
			continue;
		if (more <= 0)
			break;
		got += (size_t)more;
	}
	return got;
}

/* Mapped, so that pages that nobody writes take no memory. */
struct counters_file *counters_read_new_file(void)
{
	void *file = mmap(NULL, sizeof(struct counters_file), PROT_READ | PROT_WRITE,
	                  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	return say_need(file == MAP_FAILED ? NULL : file);
}

static void counters_read_drop(const struct counters_file *file)
{
	munmap((void *)file, sizeof *file);
}

static void counters_read_add(struct counters_read *counters, struct counters_file *file)
{
	const size_t size = (counters->count + 1) * sizeof(const struct counters_file *);
	file->program[COUNTERS_PROGRAM_BYTES - 1] = '\0';
	counters->files = say_need(realloc(counters->files, size));
	counters->files[counters->count++] = file;
}

void counters_read_take(struct counters_read *counters, struct counters_file *file, size_t got,
                        const char *name, int64_t since_ns)
{
	const char *fault = counters_read_find_fault(file, got);
	if (fault == NULL && file->start_realtime_ns >= since_ns) {
		counters_read_add(counters, file);
		return;
	}
	if (fault != NULL) {
		say("the counters '%s' cannot be used: %s; they are left out", name, fault);
		counters->refused++;
	}
	counters_read_drop(file);
}

/* O_NONBLOCK: opening a FIFO of that name must not block. */
static void counters_read_load(struct counters_read *counters, int folder, const char *name,
                               int64_t since_ns)
{
	const int fd = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0) {
		say("cannot read the counters '%s': %s; they are left out", name, say_error(errno));
		counters->refused++;
		return;
	}
	struct counters_file *file = counters_read_new_file();
	const size_t got = counters_read_bytes(fd, file, sizeof *file);
	close(fd);
	counters_read_take(counters, file, got, name, since_ns);
}

static int counters_read_compare_start(const void *a, const void *b)
{
	const struct counters_file *const *left = a, *const *right = b;
	return ((*left)->start_realtime_ns > (*right)->start_realtime_ns) -
	       ((*left)->start_realtime_ns < (*right)->start_realtime_ns);
}

void counters_read_sort(struct counters_read *counters)
{
	if (counters->count > 1)
		qsort(counters->files, counters->count, sizeof(const struct counters_file *),
		      counters_read_compare_start);
}

void counters_read_add_rank(struct counters_read *counters, uint64_t rank, uint64_t ranks)
{
	if (rank >= POOL_RANKS || ranks > UINT32_MAX)
		return;
	if (counters->present == NULL)
		counters->present = say_need(calloc(POOL_RANKS / 64, sizeof *counters->present));
	counters->present[rank / 64] |= (uint64_t)1 << rank % 64;
	if (ranks > counters->ranks)
		counters->ranks = (uint32_t)ranks;
}

/* A file named rank-R-of-N is empty. */
static void counters_read_note_rank(struct counters_read *counters, const char *name)
{
	struct words rest = words_of(name);
	uint64_t rank = 0, ranks = 0;
	if (!words_skip(&rest, "rank-"))
		return;
	const char *end = rest.text;
	rank = number_scan_count(end, &end);
	rest = words_of(end);
	if (!words_skip(&rest, "-of-"))
		return;
	ranks = number_scan_count(rest.text, &end);
	if (*end == '\0')
		counters_read_add_rank(counters, rank, ranks);
}

void counters_read_folder(struct counters_read *counters, const char *folder, int64_t since_ns)
{
	DIR *list = opendir(folder);
	for (const struct dirent *entry; list != NULL && (entry = readdir(list)) != NULL;)
		if (words_match(words_of("gpushim-*.counters"), entry->d_name))
			counters_read_load(counters, dirfd(list), entry->d_name, since_ns);
		else
			counters_read_note_rank(counters, entry->d_name);
	if (list != NULL)
		closedir(list);
	counters_read_sort(counters);
}

void counters_read_free(struct counters_read *counters)
{
	for (size_t i = 0; i < counters->count; i++)
		counters_read_drop(counters->files[i]);
	free(counters->files);
	free(counters->present);
	*counters = (struct counters_read){0};
}

static uint64_t counters_read_count_file(const struct counters_file *file, enum reason reason)
{
	uint64_t calls = 0;
	for (int symbol = 0; symbol < SYMBOL_COUNT; symbol++) {
		if (symbol_table[symbol].role != ROLE_COMPUTE)
			continue;
		calls += atomic_load_explicit(&counters_find_cell(file, symbol, reason)->calls,
		                              memory_order_relaxed);
		if (reason == counters_find_gate_reason(file, symbol))
			calls += counters_count_forwarded(file, symbol);
	}
	return calls;
}

uint64_t counters_read_count_reason(const struct counters_read *counters, enum reason reason)
{
	uint64_t calls = 0;
	for (size_t i = 0; i < counters->count; i++)
		calls += counters_read_count_file(counters->files[i], reason);
	return calls;
}

uint64_t counters_read_count_calls(const struct counters_read *counters)
{
	uint64_t calls = 0;
	for (int reason = 0; reason < REASON_COUNT; reason++)
		calls += counters_read_count_reason(counters, (enum reason)reason);
	return calls;
}

uint64_t counters_read_sum_elapsed(const struct counters_read *counters, enum reason reason)
{
	uint64_t elapsed_ns = 0;
	for (size_t i = 0; i < counters->count; i++)
		for (int symbol = 0; symbol < SYMBOL_COUNT; symbol++)
			elapsed_ns += atomic_load_explicit(
				&counters_find_cell(counters->files[i], symbol, reason)->elapsed_ns,
				memory_order_relaxed);
	return elapsed_ns;
}

/* The process id in gpushim-<pid>-<start ns>.counters or gpushim-run-<pid>-XXXXXX, or 0. */
static pid_t counters_read_find_process(const char *name, bool *is_run)
{
	int pid = 0, used = 0;
	*is_run = sscanf(name, "gpushim-run-%9d-%*6[A-Za-z0-9]%n", &pid, &used) == 1 && used > 0;
	if (*is_run && name[used] == '\0')
		return pid;
	used = 0;
	*is_run = false;
	if (sscanf(name, "gpushim-%9d-%*20[0-9].counters%n", &pid, &used) == 1 && used > 0 &&
	    name[used] == '\0')
		return pid;
	return 0;
}

static bool counters_read_is_gone(pid_t pid)
{
	return pid > 0 && kill(pid, 0) != 0 && errno == ESRCH;
}

static bool counters_read_is_own(int folder, const char *name, bool is_run)
{
	struct stat status;
	if (fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) != 0 || status.st_uid != getuid())
		return false;
	return is_run ? S_ISDIR(status.st_mode) : S_ISREG(status.st_mode);
}

static bool counters_read_remove(int at, const char *folder, const char *name, bool is_run)
{
	if (!is_run)
		return unlinkat(at, name, 0) == 0;
	counters_read_remove_folder(say_text("%s/%s", folder, name));
	return faccessat(at, name, F_OK, AT_SYMLINK_NOFOLLOW) != 0;
}

size_t counters_read_sweep(const char *folder)
{
	size_t removed = 0;
	bool is_run = false;
	DIR *list = opendir(folder);
	for (const struct dirent *entry; list != NULL && (entry = readdir(list)) != NULL;) {
		const pid_t pid = counters_read_find_process(entry->d_name, &is_run);
		if (counters_read_is_gone(pid) &&
		    counters_read_is_own(dirfd(list), entry->d_name, is_run))
			removed += counters_read_remove(dirfd(list), folder, entry->d_name, is_run);
	}
	if (list != NULL)
		closedir(list);
	return removed;
}
