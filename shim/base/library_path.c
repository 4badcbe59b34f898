/* library_path.c - looks for a library in the relative elements of LD_LIBRARY_PATH */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/base/library_path.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "shim/base/variables.h"

static bool library_path_exists(const char *element, size_t length, const char *below)
{
	char path[PATH_MAX];
	const char *folder = length > 0 ? element : ".";
	const int size =
		snprintf(path, sizeof path, "%.*s/%s", length > 0 ? (int)length : 1, folder, below);
	return size >= (int)sizeof path || (size > 0 && access(path, F_OK) == 0);
}

/* Below glibc-hwcaps the loader searches folders of its own, for newer processors. */
static bool library_path_holds(const char *element, size_t length, const char *name)
{
	return library_path_exists(element, length, name) ||
	       library_path_exists(element, length, "glibc-hwcaps");
}

bool library_path_is_relative(const char *name)
{
	const char *element = strchr(name, '/') == NULL ? variables_find("LD_LIBRARY_PATH") : NULL;
	const int saved_errno = errno;
	bool found = false;
	if (element == NULL || element[0] == '\0')
		return false;
	while (!found && element != NULL) {
		const size_t length = strcspn(element, ":;");
		found = element[0] != '/' && length < PATH_MAX &&
		        library_path_holds(element, length, name);
		element = element[length] != '\0' ? element + length + 1 : NULL;
	}
	errno = saved_errno;
	return found;
}
