/* host_memory.c - reads what the kernel tells of free memory and of control groups' limits */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/host_memory.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "policy/number.h"

enum { HOST_MEMORY_TEXT_BYTES = 4096, HOST_MEMORY_PATH_BYTES = 512 };

/* The beginning of a file; false where there is none. */
static bool host_memory_read(const char *root, const char *folder, const char *name, char text[HOST_MEMORY_TEXT_BYTES])
{
	char path[HOST_MEMORY_PATH_BYTES];
	const int length = snprintf(path, sizeof path, "%s%s%s", root, folder, name);
	if (length < 0 || (size_t)length >= sizeof path)
		return false;
	const int file = open(path, O_RDONLY | O_CLOEXEC);
	if (file < 0)
		return false;
	const ssize_t bytes = read(file, text, HOST_MEMORY_TEXT_BYTES - 1);
	close(file);
	text[bytes > 0 ? bytes : 0] = '\0';
	return bytes > 0;
}

/* The number behind a word that begins a line; 0 where there is none. */
static uint64_t host_memory_find(const char *text, const char *word)
{
	for (const char *line = text; line != NULL; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (strncmp(line, word, strlen(word)) == 0)
			return number_scan_count(line + strlen(word), NULL);
	}
	return 0;
}

/* What a group may still take: files that it has in memory, and has not used for a while, can go. */
static uint64_t host_memory_read_group(const char *root, const char *folder)
{
	char text[HOST_MEMORY_TEXT_BYTES];
	if (!host_memory_read(root, folder, "/memory.max", text) || *text < '0' || *text > '9')
		return UINT64_MAX;
	const uint64_t most_bytes = number_scan_count(text, NULL);
	if (!host_memory_read(root, folder, "/memory.current", text))
		return UINT64_MAX;
	const uint64_t used_bytes = number_scan_count(text, NULL);
	const uint64_t file_bytes =
		host_memory_read(root, folder, "/memory.stat", text) ? host_memory_find(text, "inactive_file ") : 0;
	const uint64_t kept_bytes = used_bytes > file_bytes ? used_bytes - file_bytes : 0;
	return most_bytes > kept_bytes ? most_bytes - kept_bytes : 0;
}

/* The process's group and all those around it. In a container the path may lead nowhere: the root stays. */
static uint64_t host_memory_read_groups(const char *root)
{
	char text[HOST_MEMORY_TEXT_BYTES], folder[HOST_MEMORY_PATH_BYTES];
	uint64_t least_bytes = host_memory_read_group(root, "/sys/fs/cgroup");
	char *group = host_memory_read(root, "/proc/self/cgroup", "", text) ? strstr(text, "0::/") : NULL;
	if (group == NULL)
		return least_bytes;
	group += strlen("0::");
	group[strcspn(group, "\n")] = '\0';
	for (char *slash = strrchr(group, '/'); slash != NULL; slash = strrchr(group, '/')) {
		const int length = snprintf(folder, sizeof folder, "/sys/fs/cgroup%s", group);
		if (length > 0 && (size_t)length < sizeof folder) {
			const uint64_t room_bytes = host_memory_read_group(root, folder);
			least_bytes = room_bytes < least_bytes ? room_bytes : least_bytes;
		}
		*slash = '\0';
	}
	return least_bytes;
}

uint64_t host_memory_available(const char *root)
{
	char text[HOST_MEMORY_TEXT_BYTES];
	const uint64_t group_bytes = host_memory_read_groups(root);
	uint64_t free_bytes = 0;
	if (host_memory_read(root, "/proc/meminfo", "", text))
		free_bytes = host_memory_find(text, "MemAvailable:") << 10;
	else
		free_bytes = (uint64_t)sysconf(_SC_AVPHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
	return group_bytes < free_bytes ? group_bytes : free_bytes;
}
