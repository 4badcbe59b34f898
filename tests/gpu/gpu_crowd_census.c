/* gpu_crowd_census.c - the threads and descriptors of this process, from /proc */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dirent.h>
#include <string.h>

#include "gpu_crowd.h"

/* Reads a file of the thread as one text. Empty when the thread has just ended. */
static void census_read(const char *thread, const char *name, char *text, size_t size)
{
	char path[64];
	snprintf(path, sizeof path, "/proc/self/task/%.20s/%s", thread, name);
	FILE *file = fopen(path, "r");
	const size_t length = file == NULL ? 0 : fread(text, 1, size - 1, file);
	text[length] = '\0';
	if (file != NULL)
		fclose(file);
}

static void census_add_helper(struct crowd_census *census, const char *thread)
{
	char text[512];
	long long run_ns = 0;
	census_read(thread, "stat", text, sizeof text);
	const char *state = strrchr(text, ')');
	census->awake += state != NULL && strncmp(state, ") S ", 4) != 0;
	census_read(thread, "schedstat", text, sizeof text);
	if (sscanf(text, "%lld", &run_ns) == 1)
		census->helpers_ns += run_ns;
	census->helpers++;
}

static void census_add_thread(struct crowd_census *census, const char *thread)
{
	char name[64];
	census->threads++;
	census_read(thread, "comm", name, sizeof name);
	if (strncmp(name, "gpushim-", 8) == 0)
		census_add_helper(census, thread);
}

struct crowd_census crowd_take_census(void)
{
	struct crowd_census census = {0};
	DIR *tasks = opendir("/proc/self/task");
	for (struct dirent *entry; tasks != NULL && (entry = readdir(tasks)) != NULL;)
		if (entry->d_name[0] != '.')
			census_add_thread(&census, entry->d_name);
	if (tasks != NULL)
		closedir(tasks);
	DIR *descriptors = opendir("/proc/self/fd");
	for (struct dirent *entry; descriptors != NULL && (entry = readdir(descriptors)) != NULL;)
		census.descriptors += entry->d_name[0] != '.';
	if (descriptors != NULL)
		closedir(descriptors);
	return census;
}
