/* host_memory.c - reads free memory and control-group limits from the kernel's files */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/node/host_memory.h"

#include <string.h>
#include <unistd.h>

#include "policy/text/number.h"
#include "shim/execute/gpu/node/kernel_text.h"

/* The number after a word at the beginning of a line; 0 where there is none. */
static uint64_t host_memory_find(const char *text, const char *word)
{
	for (const char *line = text; line != NULL; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (strncmp(line, word, strlen(word)) == 0)
			return number_scan_count(line + strlen(word), NULL);
	}
	return 0;
}

/* Bytes that a group may still allocate. Inactive file pages can be reclaimed and count as free. */
static uint64_t host_memory_read_group(const char *root, const char *folder)
{
	char text[KERNEL_TEXT_BYTES];
	if (!kernel_text_read(root, folder, "/memory.max", text) || *text < '0' || *text > '9')
		return UINT64_MAX;
	const uint64_t most_bytes = number_scan_count(text, NULL);
	if (!kernel_text_read(root, folder, "/memory.current", text))
		return UINT64_MAX;
	const uint64_t used_bytes = number_scan_count(text, NULL);
	const uint64_t file_bytes = kernel_text_read(root, folder, "/memory.stat", text)
	                                    ? host_memory_find(text, "inactive_file ")
	                                    : 0;
	const uint64_t kept_bytes = used_bytes > file_bytes ? used_bytes - file_bytes : 0;
	return most_bytes > kept_bytes ? most_bytes - kept_bytes : 0;
}

uint64_t host_memory_available(const char *root)
{
	char text[KERNEL_TEXT_BYTES];
	const uint64_t group_bytes = kernel_text_find_least(root, host_memory_read_group);
	uint64_t free_bytes = 0;
	if (kernel_text_read(root, "/proc/meminfo", "", text))
		free_bytes = host_memory_find(text, "MemAvailable:") << 10;
	else
		free_bytes = (uint64_t)sysconf(_SC_AVPHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
	return group_bytes < free_bytes ? group_bytes : free_bytes;
}
