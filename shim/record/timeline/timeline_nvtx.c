/* timeline_nvtx.c - passes ranges to a profiler by NVTX 3, or by the library of NVTX 2 */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/record/timeline/timeline_nvtx.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "shim/base/diag.h"
#include "shim/base/library_path.h"
#include "shim/base/scope.h"
#include "shim/base/variables.h"

/*
 * NVTX 3 has no library of its own: each client loads the one that the variable names, calls its
 * function, and offers tables of pointers, by module and number of the function, into which the
 * library writes its functions. The tables are complete, since a profiler may fill any entry; two
 * are used.
 */
enum { NVTX_TABLE_CALLBACKS = 1, NVTX_TABLE_VERSION = 3 };
enum { NVTX_CORE = 1, NVTX_MODULES = 7, NVTX_SLOTS = 16 };
enum { NVTX_RANGE_PUSH = 9, NVTX_RANGE_POP = 11 };
enum { NVTX_VERSION = 3 };

typedef void nvtx_function(void);

struct nvtx_callbacks {
	size_t size_bytes;
	int (*find_functions)(int module, nvtx_function ****table, unsigned *count);
};

struct nvtx_version {
	size_t size_bytes;
	uint32_t version, reserved;
	void (*set_version)(uint32_t version);
};

/* Functions of each module, with number 0, which is none. Modules are numbered from 1. */
static const unsigned nvtx_count[NVTX_MODULES] = {0, 16, 9, 15, 7, 16, 7};
static nvtx_function *nvtx_slot[NVTX_MODULES][NVTX_SLOTS];
static nvtx_function **nvtx_table[NVTX_MODULES][NVTX_SLOTS + 1];

static int (*nvtx_push)(const char *name);
static int (*nvtx_pop)(void);

static int timeline_nvtx_find_functions(int module, nvtx_function ****table, unsigned *count)
{
	if (module < NVTX_CORE || module >= NVTX_MODULES)
		return 0;
	if (table != NULL)
		*table = nvtx_table[module];
	if (count != NULL)
		*count = nvtx_count[module];
	return 1;
}

/* Tells the profiler's version; the two functions are the same in all. */
static void timeline_nvtx_set_version(uint32_t version)
{
	(void)version;
}

static const void *timeline_nvtx_find_table(uint32_t number)
{
	static const struct nvtx_callbacks callbacks = {sizeof callbacks,
	                                                timeline_nvtx_find_functions};
	static const struct nvtx_version version = {sizeof version, NVTX_VERSION, 0,
	                                            timeline_nvtx_set_version};
	switch (number) {
	case NVTX_TABLE_CALLBACKS: return &callbacks;
	case NVTX_TABLE_VERSION: return &version;
	default: return NULL;
	}
}

static void timeline_nvtx_fill_tables(void)
{
	for (unsigned module = NVTX_CORE; module < NVTX_MODULES; module++)
		for (unsigned i = 1; i < nvtx_count[module]; i++)
			nvtx_table[module][i] = &nvtx_slot[module][i];
}

/* A relative path would mean the folder that the program happens to run in. */
static void *timeline_nvtx_open_client(void)
{
	const char *path = variables_find("NVTX_INJECTION64_PATH");
	if (path == NULL || path[0] == '\0' || library_path_is_relative(path))
		return NULL;
	if (path[0] != '/' && strchr(path, '/') != NULL) {
		diag_warn("NVTX_INJECTION64_PATH holds no absolute path; that profiler gets no "
		          "ranges");
		return NULL;
	}
	return dlopen(path, RTLD_LAZY);
}

static bool timeline_nvtx_open_injection(void)
{
	void *library = timeline_nvtx_open_client();
	if (library == NULL)
		return false;
	int (*initialize)(const void *(*)(uint32_t)) =
		(int (*)(const void *(*)(uint32_t)))dlsym(library, "InitializeInjectionNvtx2");
	timeline_nvtx_fill_tables();
	if (initialize == NULL || initialize(timeline_nvtx_find_table) == 0)
		return false;
	nvtx_push = (int (*)(const char *))nvtx_slot[NVTX_CORE][NVTX_RANGE_PUSH];
	nvtx_pop = (int (*)(void))nvtx_slot[NVTX_CORE][NVTX_RANGE_POP];
	return nvtx_push != NULL && nvtx_pop != NULL;
}

/*
 * Without a profiler the library of NVTX 2 does nothing, so it is not loaded, only found. By its
 * functions: asking the loader for a missing library searches every folder. dlsym is not called
 * without need, because a thread that waits for this one may hold the loader's lock.
 */
static bool timeline_nvtx_open_library(void)
{
	if (scope_count("nvtxRangePushA", NULL, NULL) == 0)
		return false;
	nvtx_push = (int (*)(const char *))dlsym(RTLD_DEFAULT, "nvtxRangePushA");
	nvtx_pop = (int (*)(void))dlsym(RTLD_DEFAULT, "nvtxRangePop");
	return nvtx_push != NULL && nvtx_pop != NULL;
}

bool timeline_nvtx_open(void)
{
	if (timeline_nvtx_open_injection() || timeline_nvtx_open_library())
		return true;
	nvtx_push = NULL;
	nvtx_pop = NULL;
	return false;
}

bool timeline_nvtx_works(void)
{
	return nvtx_push != NULL;
}

void timeline_nvtx_push(const char *name)
{
	if (nvtx_push != NULL)
		nvtx_push(name);
}

void timeline_nvtx_pop(void)
{
	if (nvtx_pop != NULL)
		nvtx_pop();
}
