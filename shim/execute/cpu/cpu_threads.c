/* cpu_threads.c - asks the CPU library how many threads it would use */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/cpu/cpu_threads.h"

#include <errno.h>
#include <limits.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "policy/text/number.h"
#include "shim/base/aside.h"
#include "shim/base/lifetime.h"
#include "shim/base/loader.h"
#include "shim/base/variables.h"
#include "shim/execute/gpu/node/processors.h"

/*
 * count: the library's function; BLIS's returns 64 or 32 bits, as it was built, and the lower half
 * is the number. parallel: OpenBLAS's function that tells what runs its threads.
 */
static const struct threads_row {
	const char *count, *parallel;
} threads_rows[] = {
	{"openblas_get_num_threads", "openblas_get_parallel"},
	{"openblas_get_num_threads64_", "openblas_get_parallel64_"},
	{"openblas_get_num_threads_64", "openblas_get_parallel_64"},
	{"scipy_openblas_get_num_threads", "scipy_openblas_get_parallel"},
	{"scipy_openblas_get_num_threads64_", "scipy_openblas_get_parallel64_"},
	{"MKL_Get_Max_Threads", NULL},
	{"mkl_get_max_threads", NULL},
	{"bli_thread_get_num_threads", NULL},
	{"nvpl_blas_get_max_threads", NULL},
	{"armpl_get_num_threads", NULL},
	{"flexiblas_get_num_threads", NULL},
};
enum { THREADS_ROWS = sizeof threads_rows / sizeof threads_rows[0] };

/* What parallel returns for OpenMP. Source: OpenBLAS's cblas.h. */
enum { THREADS_OPENBLAS_OPENMP = 2 };

typedef int threads_question(void);

/*
 * count: the library's own function, or OpenMP's; NULL: the number is told, 0 if unknown.
 * openmp_max: its result is used unless count says 1. openmp_inside: asked because the threads are
 * OpenMP's. does_fft: transforms use these threads too.
 */
struct threads_library {
	threads_question *count, *openmp_max, *openmp_procs, *openmp_inside;
	int told;
	bool does_fft;
};

/* What was found for the object at map, while lifetime lasts. Written as a cpu_site is. */
struct threads_place {
	_Atomic uint64_t lifetime;
	_Atomic(const void *) map;
	_Atomic(threads_question *) count, openmp_max, openmp_procs, openmp_inside;
	_Atomic int told;
	_Atomic bool does_fft;
};

enum { THREADS_LIBRARIES = 16, THREADS_MAX = 1 << 16 };
static struct threads_place threads_places[THREADS_LIBRARIES];
static atomic_flag threads_lock = ATOMIC_FLAG_INIT; /* of those who write; never waited for */

static threads_question *cpu_threads_cast(void *found)
{
	threads_question *question = NULL;
	if (found != NULL)
		memcpy(&question, &found, sizeof question);
	return question;
}

/*
 * In the library or its dependencies: Debian's libblas.so.3 of OpenBLAS has its threads in
 * libopenblas.so.0.
 */
static threads_question *cpu_threads_search(const void *code, const char *name)
{
	return name != NULL ? cpu_threads_cast(loader_find_from(code, name)) : NULL;
}

static int cpu_threads_read_variable(const char *name)
{
	const char *text = variables_find(name);
	const uint64_t count = text != NULL ? number_scan_count(text, NULL) : 0;
	return count < THREADS_MAX ? (int)count : THREADS_MAX;
}

/*
 * The product of BLIS's ways to split its loops, 0 if none is set. Source: BLIS,
 * docs/Multithreading.md.
 */
static int cpu_threads_read_ways(void)
{
	static const char *const name[] = {"BLIS_JC_NT", "BLIS_IC_NT", "BLIS_JR_NT", "BLIS_IR_NT"};
	int ways = 0;
	for (size_t i = 0; i < sizeof name / sizeof name[0]; i++) {
		const int part = cpu_threads_read_variable(name[i]);
		if (part > 0 && (ways == 0 || part <= THREADS_MAX / ways))
			ways = ways > 0 ? ways * part : part;
	}
	return ways;
}

/* BLIS uses one thread unless the environment sets more. */
static int cpu_threads_read_blis(void)
{
	const int ways = cpu_threads_read_ways();
	int count = ways > 0 ? ways : cpu_threads_read_variable("BLIS_NUM_THREADS");
	if (count == 0)
		count = cpu_threads_read_variable("OMP_NUM_THREADS");
	return count > 0 ? count : 1;
}

/* By the name of its file or folder: Debian's libblas.so.3 of BLIS has no symbol of BLIS's. */
static bool cpu_threads_is_blis(const void *code)
{
	const char *path = loader_path_of(code);
	bool found = false;
	/* With NULL, realpath would ask the program's malloc, while free here is libc's. */
	char *real = malloc(PATH_MAX);
	if (real != NULL && path != NULL && path[0] != '\0' && realpath(path, real) != NULL) {
		const char *folder = strrchr(real, '/');
		while (folder > real && folder[-1] != '/')
			folder--;
		found = strstr(folder, "blis") != NULL;
	}
	free(real);
	return found;
}

static bool cpu_threads_may_start(const void *code)
{
	return loader_imports(code, "pthread_create", true) ||
	       loader_imports(code, "GOMP_parallel", true) ||
	       loader_imports(code, "__kmpc_fork", true);
}

/* For a library without a function for it. */
static void cpu_threads_guess(const void *code, struct threads_library *library)
{
	if (cpu_threads_is_blis(code))
		library->told = cpu_threads_read_blis();
	else if (library->openmp_max != NULL)
		library->count = library->openmp_max;
	else
		library->told = cpu_threads_may_start(code)
		                        ? cpu_threads_read_variable("OMP_NUM_THREADS")
		                        : 1;
}

static void cpu_threads_find_openmp(const void *code, struct threads_library *library)
{
	library->openmp_max = cpu_threads_search(code, "omp_get_max_threads");
	library->openmp_procs = cpu_threads_search(code, "omp_get_num_procs");
	library->openmp_inside = cpu_threads_search(code, "omp_in_parallel");
	if (library->openmp_max == NULL || library->openmp_procs == NULL ||
	    library->openmp_inside == NULL)
		library->openmp_max = library->openmp_procs = library->openmp_inside = NULL;
}

static void cpu_threads_look_at(const void *code, struct threads_library *library)
{
	threads_question *parallel = NULL;
	cpu_threads_find_openmp(code, library);
	for (int i = 0; i < THREADS_ROWS && library->count == NULL; i++) {
		library->count = cpu_threads_search(code, threads_rows[i].count);
		parallel = cpu_threads_search(code, threads_rows[i].parallel);
	}
	library->does_fft = loader_find_beside(code, "MKL_Get_Max_Threads") != NULL;
	if (library->count == NULL)
		cpu_threads_guess(code, library);
	else if (parallel == NULL)
		library->openmp_max = NULL;
	else if (parallel() != THREADS_OPENBLAS_OPENMP)
		library->openmp_max = library->openmp_procs = library->openmp_inside = NULL;
}

struct threads_quest {
	const void *code;
	struct threads_library *library;
};

static void cpu_threads_look_aside(void *context)
{
	const struct threads_quest *quest = context;
	cpu_threads_look_at(quest->code, quest->library);
}

/* What is known of a library; false if it is new. */
static bool cpu_threads_recall(const void *map, struct threads_library *library)
{
	for (int i = 0; i < THREADS_LIBRARIES; i++) {
		const struct threads_place *place = &threads_places[i];
		const uint64_t lifetime = place->lifetime;
		if (place->map != map)
			continue;
		*library = (struct threads_library){place->count,        place->openmp_max,
		                                    place->openmp_procs, place->openmp_inside,
		                                    place->told,         place->does_fft};
		if (lifetime_lasts(lifetime))
			return true;
	}
	return false;
}

static void cpu_threads_write(struct threads_place *place, const void *map,
                              const struct threads_library *library, uint64_t lifetime)
{
	place->lifetime = LIFETIME_OVER;
	place->count = library->count;
	place->openmp_max = library->openmp_max;
	place->openmp_procs = library->openmp_procs;
	place->openmp_inside = library->openmp_inside;
	place->told = library->told;
	place->does_fft = library->does_fft;
	place->map = map;
	place->lifetime = lifetime;
}

/*
 * Two threads may both keep a library that they meet at the same time. Without room nothing is
 * kept.
 */
static void cpu_threads_keep(const void *map, const struct threads_library *library,
                             uint64_t lifetime)
{
	int i = 0;
	if (atomic_flag_test_and_set(&threads_lock))
		return;
	while (i < THREADS_LIBRARIES && threads_places[i].map != NULL &&
	       lifetime_lasts(threads_places[i].lifetime))
		i++;
	if (i < THREADS_LIBRARIES)
		cpu_threads_write(&threads_places[i], map, library, lifetime);
	atomic_flag_clear(&threads_lock);
}

/*
 * OpenMP may have bound this thread to one processor, and knows how many there are. Other libraries
 * start their threads where the process's first thread may run.
 */
static int cpu_threads_count_processors(const struct threads_library *library)
{
	static atomic_int kept_quota;
	cpu_set_t first;
	int quota = atomic_load_explicit(&kept_quota, memory_order_relaxed);
	if (quota == 0) {
		quota = processors_quota("");
		atomic_store_explicit(&kept_quota, quota, memory_order_relaxed);
	}
	int count = quota;
	if (library != NULL && library->openmp_procs != NULL)
		count = library->openmp_procs();
	else if (sched_getaffinity(getpid(), sizeof first, &first) == 0)
		count = CPU_COUNT(&first);
	return count < quota ? count : quota;
}

/* Returns 0 for one thread per processor. */
static int cpu_threads_ask(const struct threads_library *library)
{
	if (library->openmp_inside != NULL && library->openmp_inside() != 0)
		return 1;
	int count = library->count != NULL ? library->count() : library->told;
	/* BLIS's function returns -1 if nothing, or only the ways, are set. */
	if (library->count != NULL && count < 1)
		count = cpu_threads_read_ways() > 0 ? cpu_threads_read_ways() : 1;
	if (count > 1 && library->openmp_max != NULL)
		count = library->openmp_max();
	return count;
}

static int cpu_threads_bound(const struct threads_library *library, int count)
{
	const int processors = count == 1 ? 1 : cpu_threads_count_processors(library);
	if (count == 0 || count > processors)
		count = processors;
	return count > 1 ? count : 1;
}

/* False if code is of no library. */
static bool cpu_threads_meet(const void *code, struct threads_library *library)
{
	const void *map = code != NULL ? loader_map_of(code) : NULL;
	if (map == NULL || cpu_threads_recall(map, library))
		return map != NULL;
	const uint64_t lifetime = lifetime_find(code);
	*library = (struct threads_library){.count = NULL};
	struct threads_quest quest = {code, library};
	aside_run_anyway(STACK_FOR_CPU, cpu_threads_look_aside, &quest);
	cpu_threads_keep(map, library, lifetime);
	return true;
}

static int cpu_threads_count(const void *code)
{
	struct threads_library library;
	if (!cpu_threads_meet(code, &library))
		return 1;
	return cpu_threads_bound(&library, cpu_threads_ask(&library));
}

static int cpu_threads_count_fft(const void *code, int planned)
{
	struct threads_library library;
	if (cpu_threads_meet(code, &library) && library.does_fft)
		return cpu_threads_bound(&library, cpu_threads_ask(&library));
	return cpu_threads_bound(NULL, planned > 1 ? planned : 1);
}

/* The program's OpenMP need not be the library's. */
static bool cpu_threads_look_inside(const void *code)
{
	struct threads_library library;
	threads_question *inside = cpu_threads_cast(loader_find_next("omp_in_parallel"));
	if (inside != NULL && inside() != 0)
		return true;
	return cpu_threads_meet(code, &library) && library.openmp_inside != NULL &&
	       library.openmp_inside() != 0;
}

bool cpu_threads_is_inside(const void *code)
{
	const int saved_errno = errno;
	const bool inside = cpu_threads_look_inside(code);
	errno = saved_errno;
	return inside;
}

int cpu_threads_find(const void *code)
{
	const int saved_errno = errno;
	const int count = cpu_threads_count(code);
	errno = saved_errno;
	return count;
}

int cpu_threads_find_fft(const void *code, int planned)
{
	const int saved_errno = errno;
	const int count = cpu_threads_count_fft(code, planned);
	errno = saved_errno;
	return count;
}

void cpu_threads_after_fork_child(void)
{
	atomic_flag_clear(&threads_lock);
}
