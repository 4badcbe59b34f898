/* cuda_places.c - lists the folders where CUDA's installers, pip and conda put the libraries */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/cuda/cuda_check.h"

#include <dirent.h>
#include <link.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Bounds on the site-packages folders and /usr/local versions that are searched. */
enum { PLACES_SITES = 8, PLACES_VERSIONS = 16, PLACES_NAME_BYTES = 64 };

struct places_sites {
	int count;
	char path[PLACES_SITES][CUDA_PATH_BYTES];
};

/* printf into a path; false where it does not fit. */
__attribute__((format(printf, 2, 3))) static bool cuda_places_format(char path[CUDA_PATH_BYTES],
                                                                     const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	const int length = vsnprintf(path, CUDA_PATH_BYTES, format, arguments);
	va_end(arguments);
	return length > 0 && length < CUDA_PATH_BYTES;
}

static bool cuda_places_is_folder(const char *path)
{
	struct stat status;
	return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

static bool cuda_places_has(char (*list)[CUDA_PATH_BYTES], int count, const char *path)
{
	for (int i = 0; i < count; i++)
		if (strcmp(list[i], path) == 0)
			return true;
	return false;
}

static void cuda_places_add(struct cuda_search *search, const char *path)
{
	if (search->place_count == CUDA_PLACES ||
	    cuda_places_has(search->place, search->place_count, path))
		return;
	if (path[0] != '\0' && !cuda_places_is_folder(path))
		return;
	cuda_places_format(search->place[search->place_count++], "%s", path);
}

static void cuda_places_add_below(struct cuda_search *search, const char *folder, const char *below)
{
	char path[CUDA_PATH_BYTES];
	if (folder != NULL && folder[0] != '\0' && cuda_places_format(path, "%s/%s", folder, below))
		cuda_places_add(search, path);
}

static void cuda_places_add_toolkit(struct cuda_search *search, const char *folder)
{
	cuda_places_add_below(search, folder, "lib64");
	cuda_places_add_below(search, folder, "lib");
	cuda_places_add_below(search, folder, "targets/x86_64-linux/lib");
}

/* Sort key: "cuda-12.4" is 12.4, "cuda" is 0. */
static int cuda_places_version(const char *name)
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

static int cuda_places_compare_versions(const void *a, const void *b)
{
	return cuda_places_version(b) - cuda_places_version(a);
}

/* Lists the names in folder that start with prefix; returns their number. */
static int cuda_places_read_folder(const char *folder, const char *prefix,
                                   char (*names)[PLACES_NAME_BYTES])
{
	DIR *directory = opendir(folder);
	int count = 0;
	if (directory == NULL)
		return 0;
	for (const struct dirent *entry;
	     count < PLACES_VERSIONS && (entry = readdir(directory)) != NULL;)
		if (strncmp(entry->d_name, prefix, strlen(prefix)) == 0 &&
		    strlen(entry->d_name) < PLACES_NAME_BYTES)
			strcpy(names[count++], entry->d_name);
	closedir(directory);
	return count;
}

static void cuda_places_add_versions(struct cuda_search *search)
{
	char names[PLACES_VERSIONS][PLACES_NAME_BYTES];
	char path[CUDA_PATH_BYTES];
	const int count = cuda_places_read_folder("/usr/local", "cuda", names);
	qsort(names, (size_t)count, sizeof names[0], cuda_places_compare_versions);
	for (int i = 0; i < count; i++)
		if (cuda_places_format(path, "/usr/local/%s", names[i]))
			cuda_places_add_toolkit(search, path);
}

static void cuda_places_note_site(struct places_sites *sites, const char *path, int length)
{
	char site[CUDA_PATH_BYTES];
	if (sites->count == PLACES_SITES || !cuda_places_format(site, "%.*s", length, path))
		return;
	if (!cuda_places_has(sites->path, sites->count, site) && cuda_places_is_folder(site))
		strcpy(sites->path[sites->count++], site);
}

/* prefix/lib/python3.N/site-packages of a Python installation. */
static void cuda_places_note_prefix(struct places_sites *sites, const char *prefix)
{
	char folder[CUDA_PATH_BYTES], site[CUDA_PATH_BYTES],
		names[PLACES_VERSIONS][PLACES_NAME_BYTES];
	if (prefix == NULL || prefix[0] == '\0' || !cuda_places_format(folder, "%s/lib", prefix))
		return;
	const int count = cuda_places_read_folder(folder, "python3", names);
	for (int i = 0; i < count; i++)
		if (cuda_places_format(site, "%s/lib/%s/site-packages", prefix, names[i]))
			cuda_places_note_site(sites, site, (int)strlen(site));
}

/* Extension modules are loaded from the site-packages that the program uses. */
static int cuda_places_note_object(struct dl_phdr_info *info, size_t size, void *sites)
{
	static const char *const folder[] = {"/site-packages/", "/dist-packages/"};
	(void)size;
	for (size_t i = 0; info->dlpi_name != NULL && i < sizeof folder / sizeof folder[0]; i++) {
		const char *found = strstr(info->dlpi_name, folder[i]);
		if (found != NULL)
			cuda_places_note_site(
				sites, info->dlpi_name,
				(int)(found - info->dlpi_name + (ptrdiff_t)strlen(folder[i]) - 1));
	}
	return 0;
}

/* For a Python without libpython: its executable is prefix/bin/python*. */
static void cuda_places_note_executable(struct places_sites *sites)
{
	char path[CUDA_PATH_BYTES];
	const ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
	if (length <= 0)
		return;
	path[length] = '\0';
	char *name = strrchr(path, '/');
	if (name == NULL || strncmp(name, "/python", 7) != 0)
		return;
	*name = '\0';
	char *bin = strrchr(path, '/');
	if (bin == NULL)
		return;
	*bin = '\0';
	cuda_places_note_prefix(sites, path);
}

static void cuda_places_add_sites(struct cuda_search *search)
{
	static const char *const below[] = {"nvidia/cu13/lib", "nvidia/cuda_runtime/lib",
	                                    "nvidia/cublas/lib", "nvidia/cufft/lib"};
	struct places_sites sites = {.count = 0};
	cuda_places_note_prefix(&sites, getenv("VIRTUAL_ENV"));
	dl_iterate_phdr(cuda_places_note_object, &sites);
	cuda_places_note_executable(&sites);
	for (int i = 0; i < sites.count; i++)
		for (size_t k = 0; k < sizeof below / sizeof below[0]; k++)
			cuda_places_add_below(search, sites.path[i], below[k]);
}

void cuda_places_list(const char *cuda_path, struct cuda_search *search)
{
	search->place_count = 0;
	if (cuda_path[0] != '\0')
		cuda_places_add(search, cuda_path);
	cuda_places_add_below(search, cuda_path, "lib64");
	cuda_places_add_below(search, cuda_path, "lib");
	cuda_places_add_toolkit(search, getenv("CUDA_PATH"));
	cuda_places_add_toolkit(search, getenv("CUDA_HOME"));
	cuda_places_add(search, "");
	cuda_places_add_versions(search);
	cuda_places_add_sites(search);
	cuda_places_add_below(search, getenv("CONDA_PREFIX"), "lib");
}
