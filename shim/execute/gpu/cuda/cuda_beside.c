/* cuda_beside.c - cudart's own folder, pip's beside it, the HPC SDK's math_libs, the path */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/cuda/cuda_beside.h"

#include <dirent.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "shim/base/variables.h"

/*
 * BESIDE_ENTRIES: entries of a folder that are read. BESIDE_PARENTS: math_libs is searched in so
 * many folders above the one of cudart, which is cuda/VERSION/targets/x86_64-linux/lib at most.
 */
enum { BESIDE_ENTRIES = 1 << 16, BESIDE_PARENTS = 5 };

bool cuda_beside_format(char path[CUDA_PATH_BYTES], const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	const int length = vsnprintf(path, CUDA_PATH_BYTES, format, arguments);
	va_end(arguments);
	return length > 0 && length < CUDA_PATH_BYTES;
}

bool cuda_beside_is_folder(const char *path)
{
	struct stat status;
	return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

/* Sort key: "cuda-12.4" is 12.4, "cuda" is 0. */
static int cuda_beside_version(const char *name)
{
	int number[2] = {0, 0};
	int part = 0;
	for (const char *c = name + strcspn(name, "0123456789"); *c != '\0' && part < 2; c++)
		if (*c == '.')
			part++;
		else if (*c >= '0' && *c <= '9' && number[part] < 1000)
			number[part] = number[part] * 10 + (*c - '0');
	return number[0] * 10000 + number[1];
}

static int cuda_beside_compare_versions(const void *a, const void *b)
{
	return cuda_beside_version(b) - cuda_beside_version(a);
}

int cuda_beside_read_folder(const char *folder, const char *prefix,
                            char (*names)[CUDA_BESIDE_NAME_BYTES])
{
	DIR *directory = opendir(folder);
	const struct dirent *entry;
	int count = 0;
	if (directory == NULL)
		return 0;
	for (int i = 0; i < BESIDE_ENTRIES && count < CUDA_BESIDE_NAMES &&
	                (entry = readdir(directory)) != NULL;
	     i++)
		if (entry->d_name[0] != '.' &&
		    strncmp(entry->d_name, prefix, strlen(prefix)) == 0 &&
		    strlen(entry->d_name) < CUDA_BESIDE_NAME_BYTES)
			strcpy(names[count++], entry->d_name);
	closedir(directory);
	qsort(names, (size_t)count, sizeof names[0], cuda_beside_compare_versions);
	return count;
}

static void cuda_beside_add(struct cuda_beside *beside, const char *folder)
{
	for (int i = 0; i < beside->count; i++)
		if (strcmp(beside->folder[i], folder) == 0)
			return;
	if (beside->count < CUDA_BESIDE_FOLDERS && cuda_beside_is_folder(folder))
		cuda_beside_format(beside->folder[beside->count++], "%s", folder);
}

/* pip installs each library in its own folder: nvidia/cublas/lib beside nvidia/cuda_runtime/lib. */
static void cuda_beside_add_pip(struct cuda_beside *beside, const char *folder,
                                enum cuda_library library)
{
	static const char *const name[CUDA_LIBRARY_COUNT] = {"cuda_runtime", "cublas", "cufft"};
	const char *end = strstr(folder, "/nvidia/cuda_runtime/lib");
	char path[CUDA_PATH_BYTES];
	if (end != NULL && cuda_beside_format(path, "%.*s/nvidia/%s/lib", (int)(end - folder),
	                                      folder, name[library]))
		cuda_beside_add(beside, path);
}

/* Both folders of one version, or (version "") those of the default version. */
static void cuda_beside_add_version(struct cuda_beside *beside, const char *libraries,
                                    const char *version)
{
	static const char *const below[] = {"lib64", "targets/x86_64-linux/lib"};
	char path[CUDA_PATH_BYTES];
	for (size_t i = 0; i < sizeof below / sizeof below[0]; i++)
		if (cuda_beside_format(path, "%s%s%s/%s", libraries, version[0] == '\0' ? "" : "/",
		                       version, below[i]))
			cuda_beside_add(beside, path);
}

/* Whether the path has a component of this name. */
static bool cuda_beside_has_part(const char *path, const char *name)
{
	const size_t length = strlen(name);
	for (const char *at = strstr(path, name); at != NULL; at = strstr(at + 1, name))
		if (at > path && at[-1] == '/' && (at[length] == '/' || at[length] == '\0'))
			return true;
	return false;
}

/* The version of cudart's path first, then the default one, then all others. */
static void cuda_beside_add_math(struct cuda_beside *beside, const char *parent, const char *folder)
{
	char names[CUDA_BESIDE_NAMES][CUDA_BESIDE_NAME_BYTES], libraries[CUDA_PATH_BYTES];
	if (!cuda_beside_format(libraries, "%s/math_libs", parent) ||
	    !cuda_beside_is_folder(libraries))
		return;
	const int count = cuda_beside_read_folder(libraries, "", names);
	for (int i = 0; i < count; i++)
		if (cuda_beside_has_part(folder, names[i]))
			cuda_beside_add_version(beside, libraries, names[i]);
	cuda_beside_add_version(beside, libraries, "");
	for (int i = 0; i < count; i++)
		cuda_beside_add_version(beside, libraries, names[i]);
}

static void cuda_beside_add_parents(struct cuda_beside *beside, const char *folder)
{
	char parent[CUDA_PATH_BYTES];
	if (!cuda_beside_format(parent, "%s", folder))
		return;
	for (int i = 0; i < BESIDE_PARENTS; i++) {
		char *slash = strrchr(parent, '/');
		if (slash == NULL || slash == parent)
			return;
		*slash = '\0';
		cuda_beside_add_math(beside, parent, folder);
	}
}

void cuda_beside_list(const char *runtime, enum cuda_library library, struct cuda_beside *beside)
{
	const char *slash = strrchr(runtime, '/');
	char folder[CUDA_PATH_BYTES], resolved[PATH_MAX];
	beside->count = 0;
	if (slash == NULL || runtime[0] != '/' ||
	    !cuda_beside_format(folder, "%.*s", (int)(slash - runtime), runtime))
		return;
	cuda_beside_add(beside, folder);
	cuda_beside_add_pip(beside, folder, library);
	cuda_beside_add_parents(beside, folder);
	if (realpath(folder, resolved) != NULL && cuda_beside_format(folder, "%s", resolved))
		cuda_beside_add_parents(beside, folder);
}

void cuda_beside_list_path(struct cuda_beside *beside)
{
	const char *at = variables_find("LD_LIBRARY_PATH");
	char folder[CUDA_PATH_BYTES];
	beside->count = 0;
	for (size_t length; at != NULL && *at != '\0'; at += length + (at[length] != '\0')) {
		length = strcspn(at, ":;");
		if (at[0] == '/' && length < sizeof folder &&
		    cuda_beside_format(folder, "%.*s", (int)length, at))
			cuda_beside_add(beside, folder);
	}
}
