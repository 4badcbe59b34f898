/* peers_contestant.c - the contestants: CPU library, shim, NVIDIA's preloads, plain CUDA */
/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/peers/peers_contestant.h"

#include <dlfcn.h>
#include <link.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/common/spawn.h"

const int peers_tile_sizes[PEERS_TILE_SIZES] = {2048, 4096, 8192};

/* name, meaning; whether it runs BLAS and FFTs; whether its data are on the device. */
static const struct peers_contestant contestants[PEERS_COUNT] = {
	[PEERS_CPU] = {"CPU library", "OpenBLAS, FFTW measured for some seconds", true, true,
                       .free_of_link = false},
	[PEERS_SHIM] = {"shim", "libgpushim.so, policy always", true, true, .free_of_link = false},
	[PEERS_NVBLAS] = {"NVBLAS", "no setting but the CPU library", true, false,
                          .free_of_link = false},
	[PEERS_NVBLAS_TUNED] = {"NVBLAS tuned", "best tile size, page-locking", true, false,
                                .free_of_link = false},
	[PEERS_CUFFTW] = {"cuFFTW", "preloaded", false, true, .free_of_link = false},
	[PEERS_NAIVE] = {"plain CUDA", "cudaMemcpy, cuBLAS or cuFFT, cudaMemcpy", true, true,
                         .free_of_link = false},
	[PEERS_PINNED] = {"plain pinned", "the same, operands in page-locked memory", true, true,
                          .free_of_link = false},
	[PEERS_RESIDENT] = {"on the device", "the same without copies", true, true,
                            .free_of_link = true},
};

/* The library of that name in a folder, or where the loader finds it if the folder is "". */
static bool peers_contestant_is_there(const char *folder, const char *name,
                                      char path[PEERS_PATH_BYTES])
{
	struct link_map *map = NULL;
	snprintf(path, PEERS_PATH_BYTES, "%s/%s", folder, name);
	if (folder[0] != '\0')
		return access(path, R_OK) == 0;
	void *handle = dlopen(name, RTLD_LAZY | RTLD_LOCAL);
	if (handle == NULL || dlinfo(handle, RTLD_DI_LINKMAP, &map) != 0)
		return false;
	snprintf(path, PEERS_PATH_BYTES, "%s", map->l_name);
	return true;
}

/*
 * Finds a library in CUDA's folders, the newest name first in each: those of the libraries that the
 * shim takes come first, since their versions match.
 */
static bool peers_contestant_find_library(const struct peers_setup *setup, const char *const *names,
                                          char path[PEERS_PATH_BYTES])
{
	for (size_t i = 0; setup->cuda_folders[i] != NULL; i++)
		for (const char *const *name = names; *name != NULL; name++)
			if (peers_contestant_is_there(setup->cuda_folders[i], *name, path))
				return true;
	return false;
}

/* Finds the library that peers_host is linked with. */
static bool peers_contestant_find_blas(char path[PEERS_PATH_BYTES])
{
	struct link_map *map = NULL;
	void *handle = dlopen("libopenblas.so.0", RTLD_LAZY | RTLD_LOCAL);
	if (handle == NULL || dlinfo(handle, RTLD_DI_LINKMAP, &map) != 0)
		return false;
	snprintf(path, PEERS_PATH_BYTES, "%s", map->l_name);
	return true;
}

__attribute__((format(printf, 2, 3))) static void peers_contestant_set(struct peers_child *child,
                                                                       const char *format, ...)
{
	va_list arguments;
	int free_row = 0;
	while (free_row < PEERS_SETTINGS - 1 && child->setting[free_row][0] != '\0')
		free_row++;
	va_start(arguments, format);
	vsnprintf(child->setting[free_row], sizeof child->setting[free_row], format, arguments);
	va_end(arguments);
}

/* Sets a preload, and the search path so that it finds the libraries beside it first. */
static void peers_contestant_set_preload(struct peers_child *child, const char *path)
{
	const char *before = getenv("LD_LIBRARY_PATH"), *slash = strrchr(path, '/');
	peers_contestant_set(child, "LD_PRELOAD=%s", path);
	if (slash != NULL)
		peers_contestant_set(child, "LD_LIBRARY_PATH=%.*s%s%s", (int)(slash - path), path,
		                     before == NULL ? "" : ":", before == NULL ? "" : before);
}

static void peers_contestant_arrange_shim(const struct peers_setup *setup,
                                          struct peers_contestant *shim)
{
	snprintf(shim->log, sizeof shim->log, "%.900s/shim.log", setup->folder);
	/* The loader cuts the variable at blanks and colons, which this link's path has not. */
	char link[PEERS_PATH_BYTES];
	snprintf(link, sizeof link, "%.900s/libgpushim.so", setup->folder);
	if (symlink(spawn_beside("libgpushim.so", true), link) != 0)
		snprintf(shim->missing, sizeof shim->missing, "%.500s cannot be made", link);
	peers_contestant_set(&shim->child, "LD_PRELOAD=%s", link);
	peers_contestant_set(&shim->child, "EPOCHLY_GPU_POLICY=always");
	peers_contestant_set(&shim->child, "EPOCHLY_GPU_WARMUP=wait");
	peers_contestant_set(&shim->child, "EPOCHLY_GPU_LOG=%s", shim->log);
	if (setup->profile != NULL)
		peers_contestant_set(&shim->child, "EPOCHLY_GPU_PROFILE=%s", setup->profile);
	if (access(spawn_beside("libgpushim.so", true), R_OK) != 0)
		snprintf(shim->missing, sizeof shim->missing, "there is no libgpushim.so");
}

static void peers_contestant_write_nvblas_settings(const struct peers_setup *setup,
                                                   struct peers_contestant *nvblas, int tile_size)
{
	char path[PEERS_PATH_BYTES], library[PEERS_PATH_BYTES];
	snprintf(path, sizeof path, "%.900s/%s.conf", setup->folder,
	         tile_size > 0 ? "tuned" : "untuned");
	FILE *file = fopen(path, "we");
	if (file == NULL || !peers_contestant_find_blas(library)) {
		snprintf(nvblas->missing, sizeof nvblas->missing, "%s",
		         file == NULL ? "its settings cannot be written"
		                      : "there is no libopenblas.so.0 for its CPU part");
	} else {
		/* The log costs a line per call, and is the only sign that the GPU was used. */
		fprintf(file,
		        "NVBLAS_CPU_BLAS_LIB %s\nNVBLAS_LOGFILE %s\nNVBLAS_TRACE_LOG_ENABLED\n",
		        library, nvblas->log);
		if (tile_size > 0)
			fprintf(file, "NVBLAS_TILE_DIM %d\nNVBLAS_AUTOPIN_MEM_ENABLED\n",
			        tile_size);
	}
	if (file != NULL)
		fclose(file);
}

void peers_contestant_tune(const struct peers_setup *setup, struct peers_contestant *nvblas,
                           int tile_size)
{
	peers_contestant_write_nvblas_settings(setup, nvblas, tile_size);
}

static void peers_contestant_arrange_nvblas(const struct peers_setup *setup,
                                            struct peers_contestant *nvblas, int tile_size)
{
	static const char *const names[] = {"libnvblas.so.13", "libnvblas.so.12", "libnvblas.so.11",
	                                    NULL};
	const char *name = tile_size > 0 ? "tuned" : "untuned";
	char path[PEERS_PATH_BYTES];
	if (!peers_contestant_find_library(setup, names, path)) {
		snprintf(nvblas->missing, sizeof nvblas->missing,
		         "there is no libnvblas.so.13, .12 or .11");
		return;
	}
	nvblas->tells_late = true;
	snprintf(nvblas->log, sizeof nvblas->log, "%.900s/nvblas_%s.log", setup->folder, name);
	peers_contestant_set_preload(&nvblas->child, path);
	peers_contestant_set(&nvblas->child, "NVBLAS_CONFIG_FILE=%s/%s.conf", setup->folder, name);
	peers_contestant_write_nvblas_settings(setup, nvblas, tile_size);
}

static void peers_contestant_arrange_cufftw(const struct peers_setup *setup,
                                            struct peers_contestant *cufftw)
{
	static const char *const names[] = {"libcufftw.so.12", "libcufftw.so.11", "libcufftw.so.10",
	                                    NULL};
	char path[PEERS_PATH_BYTES];
	if (peers_contestant_find_library(setup, names, path))
		peers_contestant_set_preload(&cufftw->child, path);
	else
		snprintf(cufftw->missing, sizeof cufftw->missing,
		         "there is no libcufftw.so.12, .11 or .10");
}

void peers_contestant_list(const struct peers_setup *setup,
                           struct peers_contestant list[PEERS_COUNT])
{
	memcpy(list, contestants, sizeof contestants);
	static const char *const modes[PEERS_COUNT] = {
		[PEERS_NAIVE] = "naive", [PEERS_PINNED] = "pinned", [PEERS_RESIDENT] = "resident"};
	for (int who = 0; who < PEERS_COUNT; who++) {
		struct peers_child *child = &list[who].child;
		const bool is_cuda = modes[who] != NULL;
		int count = 0;
		snprintf(child->program, sizeof child->program, "%.1000s",
		         spawn_beside(is_cuda ? "peers_cuda" : "peers_host", false));
		snprintf(child->errors, sizeof child->errors, "%.900s/errors_%d.txt", setup->folder,
		         who);
		if (is_cuda)
			child->arguments[count++] = modes[who];
		if (who == PEERS_CPU)
			child->arguments[count++] = "--measure";
		if (setup->quick)
			child->arguments[count++] = "--quick";
	}
	peers_contestant_arrange_shim(setup, &list[PEERS_SHIM]);
	peers_contestant_arrange_nvblas(setup, &list[PEERS_NVBLAS], 0);
	peers_contestant_arrange_nvblas(setup, &list[PEERS_NVBLAS_TUNED],
	                                setup->tile_size > 0 ? setup->tile_size
	                                                     : peers_tile_sizes[0]);
	peers_contestant_arrange_cufftw(setup, &list[PEERS_CUFFTW]);
}

/* Reads the value of a key in a line of JSON whose values hold no quotation marks. */
static void peers_contestant_read_value(const char *line, const char *key, char value[64])
{
	const char *found = strstr(line, key);
	value[0] = '\0';
	if (found != NULL)
		sscanf(found + strlen(key), ":\"%63[^\"]", value);
}

void peers_contestant_read_log(const struct peers_contestant *contestant,
                               char words[PEERS_SENTENCE_BYTES])
{
	char line[4096], last[4096] = "", target[64], reason[64];
	words[0] = '\0';
	FILE *file = contestant->log[0] != '\0' ? fopen(contestant->log, "re") : NULL;
	while (file != NULL && fgets(line, sizeof line, file) != NULL)
		if (strstr(line, "\"target\"") != NULL || strstr(line, "[gpu]") != NULL ||
		    strstr(line, "[cpu]") != NULL)
			strcpy(last, line);
	if (file != NULL)
		fclose(file);
	peers_contestant_read_value(last, "\"target\"", target);
	peers_contestant_read_value(last, "\"reason\"", reason);
	if (strcmp(target, "cpu") == 0)
		snprintf(words, PEERS_SENTENCE_BYTES, "ran on the CPU (%s)", reason);
	else if (strstr(last, "[cpu]") != NULL)
		snprintf(words, PEERS_SENTENCE_BYTES, "ran on the CPU");
	else if (last[0] == '\0' && contestant->log[0] != '\0')
		snprintf(words, PEERS_SENTENCE_BYTES, "its log says nothing");
}
