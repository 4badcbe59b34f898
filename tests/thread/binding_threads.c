/* binding_threads.c - many threads bind the same names and call through them at once */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dlfcn.h>
#include <glob.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "shim/entry/entry_binding.h"
#include "shim/record/counters.h"

enum { THREADS = 8, CALLS = 2000, NAMES = 3 };

typedef void gemm_function(const char *, const char *, const int *, const int *, const int *,
                           const double *, const double *, const int *, const double *, const int *,
                           const double *, double *, const int *, size_t, size_t);
typedef void cblas_function(int, int, int, int, int, int, double, const double *, int,
                            const double *, int, double, double *, int);
typedef void execute_function(void *, void *, void *);

static const char *const names[NAMES] = {"dgemm_", "cblas_dgemm", "fftw_execute_dft"};
static void *real[NAMES], *thunk[NAMES];
static _Atomic(void *) bound[NAMES];
static atomic_long wrong;

/* The first thread's answer holds for all. */
static void *bind_name(int name)
{
	void *expected = NULL, *found = gpushim_bind(names[name], real[name], thunk[name]);
	if (!atomic_compare_exchange_strong(&bound[name], &expected, found) && expected != found)
		atomic_fetch_add(&wrong, 1);
	return found;
}

static void *worker(void *context)
{
	const int n = 4;
	const double one = 1, zero = 0, a[16] = {2}, plan = 7;
	double c[16] = {0};
	for (int i = 0; i < CALLS; i++) {
		((gemm_function *)bind_name(0))("N", "N", &n, &n, &n, &one, a, &n, a, &n, &zero, c,
		                                &n, 1, 1);
		wrong += c[0] != 6;
		((cblas_function *)bind_name(1))(102, 111, 111, 4, 4, 4, 1, a, 4, a, 4, 0, c, 4);
		wrong += c[0] != 6;
		((execute_function *)bind_name(2))((void *)&plan, (void *)a, c);
		wrong += c[0] != 7;
	}
	return context;
}

static void bind_others(void *library)
{
	static const char none[1];
	void *code = dlsym(library, "dgemm_");
	wrong += gpushim_bind("no_such_name", code, thunk[0]) != code;
	wrong += gpushim_bind("dgemm_", thunk[0], thunk[0]) != thunk[0];
	wrong += gpushim_bind("dgemm_", code, code) != code;
	/*
	 * The same routine under another name, or another routine of the same name: another
	 * binding.
	 */
	wrong += gpushim_bind("DGEMM_", code, dlsym(RTLD_DEFAULT, "DGEMM_")) == bound[0];
	wrong += gpushim_bind("dgemm_", (void *)none, thunk[0]) == bound[0];
}

static long long count_calls(const char *folder, int symbol)
{
	static struct counters_file counters;
	char pattern[512];
	glob_t found = {0};
	long long sum = -1;
	snprintf(pattern, sizeof pattern, "%s/gpushim-%d-*", folder, (int)getpid());
	FILE *file = glob(pattern, 0, NULL, &found) == 0 ? fopen(found.gl_pathv[0], "r") : NULL;
	if (file != NULL && fread(&counters, sizeof counters, 1, file) == 1) {
		sum = 0;
		for (int slot = 0; slot < COUNTERS_SLOTS; slot++)
			sum += (long long)counters.forwarded[slot][symbol];
		/* Nothing is known of these plans: the first execution of each is decided. */
		sum += (long long)counters_find_cell(&counters, symbol, REASON_UNKNOWN_PLAN)->calls;
	}
	if (file != NULL)
		fclose(file);
	globfree(&found);
	return sum;
}

static long check_count(const char *folder, const char *name, int symbol)
{
	const long long found = count_calls(folder, symbol), expected = (long long)THREADS * CALLS;
	if (found == expected)
		return 0;
	printf("%s: %lld calls are counted, %lld were made\n", name, found, expected);
	return 1;
}

static void run_threads(void)
{
	pthread_t thread[THREADS];
	for (int i = 0; i < THREADS; i++)
		pthread_create(&thread[i], NULL, worker, NULL);
	for (int i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
}

int main(void)
{
	char folder[] = "/tmp/gpushim-binding-threads-XXXXXX", command[64];
	void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
	if (library == NULL || mkdtemp(folder) == NULL) {
		printf("%s\n", library == NULL ? dlerror() : "no folder");
		return 1;
	}
	setenv("EPOCHLY_GPU_COUNTERS", folder, 1);
	setenv("EPOCHLY_GPU_CUDA_PATH", folder, 1); /* holds no CUDA */
	for (int i = 0; i < NAMES; i++) {
		real[i] = dlsym(library, names[i]);
		thunk[i] = dlsym(RTLD_DEFAULT, names[i]);
	}
	run_threads();
	bind_others(library);
	printf("%ld wrong\n", (long)wrong);
	wrong += check_count(folder, "dgemm_", SYMBOL_dgemm_);
	wrong += check_count(folder, "cblas_dgemm", SYMBOL_cblas_dgemm);
	wrong += check_count(folder, "fftw_execute_dft", SYMBOL_fftw_execute_dft);
	snprintf(command, sizeof command, "rm -r %s", folder);
	return system(command) != 0 || wrong != 0;
}
