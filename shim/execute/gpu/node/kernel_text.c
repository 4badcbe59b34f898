/* kernel_text.c - reads small kernel files, and walks the process's control groups */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/node/kernel_text.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { KERNEL_TEXT_PATH_BYTES = 512 };

bool kernel_text_read(const char *root, const char *folder, const char *name,
                      char text[KERNEL_TEXT_BYTES])
{
	char path[KERNEL_TEXT_PATH_BYTES];
	const int length = snprintf(path, sizeof path, "%s%s%s", root, folder, name);
	if (length < 0 || (size_t)length >= sizeof path)
		return false;
	const int file = open(path, O_RDONLY | O_CLOEXEC);
	if (file < 0)
		return false;
	const ssize_t bytes = read(file, text, KERNEL_TEXT_BYTES - 1);
	close(file);
	text[bytes > 0 ? bytes : 0] = '\0';
	return bytes > 0;
}

/*
 * The process's version-2 group. noinline keeps its buffer off the caller's frame: threads of
 * programs may have small stacks.
 */
static __attribute__((noinline)) bool kernel_text_read_group(const char *root,
                                                             char group[KERNEL_TEXT_PATH_BYTES])
{
	char text[KERNEL_TEXT_BYTES];
	const char *line =
		kernel_text_read(root, "/proc/self/cgroup", "", text) ? strstr(text, "0::/") : NULL;
	if (line == NULL)
		return false;
	line += strlen("0::");
	const size_t length = strcspn(line, "\n");
	if (length >= KERNEL_TEXT_PATH_BYTES)
		return false;
	memcpy(group, line, length);
	group[length] = '\0';
	return true;
}

uint64_t kernel_text_find_least(const char *root, kernel_text_measure *measure)
{
	char group[KERNEL_TEXT_PATH_BYTES], folder[KERNEL_TEXT_PATH_BYTES];
	uint64_t least = measure(root, "/sys/fs/cgroup");
	if (!kernel_text_read_group(root, group))
		return least;
	for (char *slash = strrchr(group, '/'); slash != NULL; slash = strrchr(group, '/')) {
		const int length = snprintf(folder, sizeof folder, "/sys/fs/cgroup%s", group);
		if (length > 0 && (size_t)length < sizeof folder) {
			const uint64_t found = measure(root, folder);
			least = found < least ? found : least;
		}
		*slash = '\0';
	}
	return least;
}
