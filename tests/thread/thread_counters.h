/* thread_counters.h - reads the process's own counters file in the thread tests */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_THREAD_THREAD_COUNTERS_H
#define GPUSHIM_TESTS_THREAD_THREAD_COUNTERS_H

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "shim/record/counters.h"

/* NULL where there is none. */
static inline const struct counters_file *thread_counters_map(const char *folder)
{
	char path[512];
	const struct counters_file *file = MAP_FAILED;
	DIR *directory = opendir(folder);
	const struct dirent *entry;
	while (directory != NULL && (entry = readdir(directory)) != NULL) {
		char mark[32];
		snprintf(mark, sizeof mark, "gpushim-%d-", (int)getpid());
		if (strncmp(entry->d_name, mark, strlen(mark)) != 0)
			continue;
		snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
		const int fd = open(path, O_RDONLY);
		file = mmap(NULL, sizeof *file, PROT_READ, MAP_SHARED, fd, 0);
		close(fd);
	}
	if (directory != NULL)
		closedir(directory);
	return file == MAP_FAILED ? NULL : file;
}

static inline long long thread_counters_forwarded(const struct counters_file *file, int symbol)
{
	long long sum = 0;
	for (int slot = 0; slot < COUNTERS_SLOTS; slot++)
		sum += (long long)atomic_load(&file->forwarded[slot][symbol]);
	return sum;
}

static inline long long thread_counters_decided(const struct counters_file *file, int symbol)
{
	long long sum = 0;
	for (int reason = 0; reason < REASON_COUNT; reason++)
		sum += (long long)atomic_load(&counters_find_cell(file, symbol, reason)->calls);
	return sum;
}

static inline void thread_counters_empty_folder(const char *folder)
{
	char path[512];
	DIR *directory = opendir(folder);
	const struct dirent *entry;
	while (directory != NULL && (entry = readdir(directory)) != NULL) {
		snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
		unlink(path);
	}
	if (directory != NULL)
		closedir(directory);
	rmdir(folder);
}

#endif
