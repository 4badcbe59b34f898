/* cuda_places.c - lists the folders where CUDA's installers, pip and conda put the libraries */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/base/variables.h"
#include "shim/execute/gpu/cuda/cuda_check.h"

#include <link.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "shim/execute/gpu/cuda/cuda_beside.h"

/* Bounds on the packages' folders that are searched. */
enum { PLACES_SITES = 24 };

struct places_sites {
	int count;
	char path[PLACES_SITES][CUDA_PATH_BYTES];
};

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
	if (path[0] != '\0' && !cuda_beside_is_folder(path))
		return;
	cuda_beside_format(search->place[search->place_count++], "%s", path);
}

static void cuda_places_add_below(struct cuda_search *search, const char *folder, const char *below)
{
	char path[CUDA_PATH_BYTES];
	if (folder != NULL && folder[0] != '\0' && cuda_beside_format(path, "%s/%s", folder, below))
		cuda_places_add(search, path);
}

static void cuda_places_add_toolkit(struct cuda_search *search, const char *folder)
{
	cuda_places_add_below(search, folder, "lib64");
	cuda_places_add_below(search, folder, "lib");
	cuda_places_add_below(search, folder, "targets/x86_64-linux/lib");
}

/* A relative path would mean the folder that the program happens to run in. */
static const char *cuda_places_read(struct cuda_search *search, const char *variable)
{
	const char *folder = variables_find(variable);
	if (folder == NULL || folder[0] == '\0' || folder[0] == '/')
		return folder;
	search->relative = variable;
	return NULL;
}

static void cuda_places_add_versions(struct cuda_search *search)
{
	char names[CUDA_BESIDE_NAMES][CUDA_BESIDE_NAME_BYTES], path[CUDA_PATH_BYTES];
	const int count = cuda_beside_read_folder("/usr/local", "cuda", names);
	for (int i = 0; i < count; i++)
		if (cuda_beside_format(path, "/usr/local/%s", names[i]))
			cuda_places_add_toolkit(search, path);
}

/* NVIDIA's HPC SDK: as its modules say, then where it is installed by default. */
static void cuda_places_add_hpc_sdk(struct cuda_search *search)
{
	static const char *const roots[] = {"/opt/nvidia/hpc_sdk/Linux_x86_64",
	                                    "/opt/nvidia/hpc_sdk/Linux_aarch64"};
	char names[CUDA_BESIDE_NAMES][CUDA_BESIDE_NAME_BYTES], path[CUDA_PATH_BYTES];
	cuda_places_add_toolkit(search, cuda_places_read(search, "NVHPC_CUDA_HOME"));
	cuda_places_add_below(search, cuda_places_read(search, "NVHPC_ROOT"), "cuda/lib64");
	for (size_t k = 0; k < sizeof roots / sizeof roots[0]; k++) {
		const int count = cuda_beside_read_folder(roots[k], "", names);
		for (int i = 0; i < count; i++)
			if (cuda_beside_format(path, "%s/%s/cuda/lib64", roots[k], names[i]))
				cuda_places_add(search, path);
	}
}

static void cuda_places_note_site(struct places_sites *sites, const char *path, int length)
{
	char site[CUDA_PATH_BYTES];
	if (sites->count == PLACES_SITES || !cuda_beside_format(site, "%.*s", length, path))
		return;
	if (!cuda_places_has(sites->path, sites->count, site) && cuda_beside_is_folder(site))
		strcpy(sites->path[sites->count++], site);
}

/*
 * The folders of a Python installation that pip installs to: site-packages, and Debian's
 * dist-packages. lib64: compiled packages of Red Hat's.
 */
static void cuda_places_note_prefix(struct places_sites *sites, const char *prefix)
{
	static const char *const libraries[] = {"lib", "lib64"}, *const packages[] = {
									 "site-packages",
									 "dist-packages"};
	char folder[CUDA_PATH_BYTES], site[CUDA_PATH_BYTES],
		names[CUDA_BESIDE_NAMES][CUDA_BESIDE_NAME_BYTES];
	if (prefix == NULL || prefix[0] != '/')
		return;
	for (int k = 0; k < 2; k++) {
		if (!cuda_beside_format(folder, "%s/%s", prefix, libraries[k]))
			return;
		const int count = cuda_beside_read_folder(folder, "python3", names);
		for (int i = 0; i < 2 * count; i++)
			if (cuda_beside_format(site, "%s/%s/%s", folder, names[i / 2],
			                       packages[i % 2]))
				cuda_places_note_site(sites, site, (int)strlen(site));
	}
}

/* Packages that a user installed without privileges. */
static void cuda_places_note_user(struct places_sites *sites)
{
	const char *base = variables_find("PYTHONUSERBASE"), *home = variables_find("HOME");
	char path[CUDA_PATH_BYTES];
	if (base != NULL && base[0] != '\0')
		cuda_places_note_prefix(sites, base);
	else if (home != NULL && cuda_beside_format(path, "%s/.local", home))
		cuda_places_note_prefix(sites, path);
}

/*
 * Extension modules are loaded from the site-packages that the program uses. A relative name was
 * relative to a working directory that may be another one now.
 */
static int cuda_places_note_object(struct dl_phdr_info *info, size_t size, void *sites)
{
	static const char *const folder[] = {"/site-packages/", "/dist-packages/"};
	(void)size;
	if (info->dlpi_name == NULL || info->dlpi_name[0] != '/')
		return 0;
	for (size_t i = 0; i < sizeof folder / sizeof folder[0]; i++) {
		const char *found = strstr(info->dlpi_name, folder[i]);
		if (found != NULL)
			cuda_places_note_site(
				sites, info->dlpi_name,
				(int)(found - info->dlpi_name + (ptrdiff_t)strlen(folder[i]) - 1));
	}
	return 0;
}

/* The site-packages that the shim itself was installed to. */
static int cuda_places_note_own(struct dl_phdr_info *info, size_t size, void *sites)
{
	const uintptr_t here = (uintptr_t)cuda_places_note_own;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *part = &info->dlpi_phdr[i];
		if (part->p_type == PT_LOAD &&
		    here - (info->dlpi_addr + part->p_vaddr) < part->p_memsz) {
			cuda_places_note_object(info, size, sites);
			return 1;
		}
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

static void cuda_places_add_wheels(struct cuda_search *search, const struct places_sites *sites)
{
	static const char *const below[] = {"nvidia/cu13/lib", "nvidia/cuda_runtime/lib",
	                                    "nvidia/cublas/lib", "nvidia/cufft/lib"};
	for (int i = 0; i < sites->count; i++)
		for (size_t k = 0; k < sizeof below / sizeof below[0]; k++)
			cuda_places_add_below(search, sites->path[i], below[k]);
}

/* Who installs the shim with NVIDIA's wheels means these, and not another CUDA of the machine. */
static void cuda_places_add_own(struct cuda_search *search)
{
	struct places_sites sites = {.count = 0};
	dl_iterate_phdr(cuda_places_note_own, &sites);
	cuda_places_add_wheels(search, &sites);
}

static void cuda_places_add_sites(struct cuda_search *search)
{
	struct places_sites sites = {.count = 0};
	cuda_places_note_prefix(&sites, variables_find("VIRTUAL_ENV"));
	dl_iterate_phdr(cuda_places_note_object, &sites);
	cuda_places_note_executable(&sites);
	cuda_places_note_user(&sites);
	cuda_places_note_prefix(&sites, "/usr/local");
	cuda_places_note_prefix(&sites, "/usr");
	cuda_places_add_wheels(search, &sites);
}

void cuda_places_list(const char *cuda_path, struct cuda_search *search)
{
	search->place_count = 0;
	search->relative = NULL;
	if (cuda_path[0] != '\0')
		cuda_places_add(search, cuda_path);
	cuda_places_add_below(search, cuda_path, "lib64");
	cuda_places_add_below(search, cuda_path, "lib");
	cuda_places_add_toolkit(search, cuda_places_read(search, "CUDA_PATH"));
	cuda_places_add_toolkit(search, cuda_places_read(search, "CUDA_HOME"));
	cuda_places_add_own(search);
	cuda_places_add(search, "");
	cuda_places_add_versions(search);
	cuda_places_add_hpc_sdk(search);
	cuda_places_add_sites(search);
	cuda_places_add_below(search, cuda_places_read(search, "CONDA_PREFIX"), "lib");
}
