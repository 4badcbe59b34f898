/* reload_threads.c - threads call BLAS in plug-ins, while others are opened, called and closed */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#include "tests/thread/thread_check.h"

/*
 * usage: reload_threads ROUNDS STAYING GUEST GUEST
 *
 * Each plug-in returns the number of its library, plus 1, in the first element.
 */
enum { THREADS = 4, GUESTS = 2 };

typedef void call_function(double *c);

#if defined(__SANITIZE_THREAD__)
/*
 * The sanitizer does not know the loader's lock, under which dlopen writes the list of objects and
 * dl_iterate_phdr calls back. It finds this function by the dynamic symbol table.
 */
__attribute__((visibility("default"))) const char *__tsan_default_suppressions(void);
const char *__tsan_default_suppressions(void)
{
	return "race:dl_iterate_phdr_cb\n";
}
#endif

static atomic_bool over;
static atomic_long wrong, calls;

static call_function *find(void *plugin, const char *name)
{
	void *found = plugin != NULL ? dlsym(plugin, name) : NULL;
	if (found == NULL) {
		printf("%s\n", dlerror());
		exit(3);
	}
	return __extension__(call_function *) found;
}

static bool is_right(call_function *call, double value)
{
	double c[4] = {0};
	call(c);
	return c[0] > value && c[0] < value + 2;
}

static void *stay(void *plugin)
{
	call_function *const call = find(plugin, "plugin_call");
	call_function *const cblas = find(plugin, "plugin_call_cblas");
	while (!atomic_load(&over)) {
		for (int i = 0; i < 100; i++)
			wrong += !is_right(call, 3000) + !is_right(cblas, -3324);
		atomic_fetch_add(&calls, 1);
	}
	return NULL;
}

/* The guests have libraries of their own, and are loaded at the same addresses in turn. */
static void come_and_go(char *const paths[GUESTS], int rounds)
{
	for (int round = 0; round < rounds; round++) {
		void *plugin = dlopen(paths[round % GUESTS], RTLD_NOW | RTLD_LOCAL);
		const double value = 1000 * (1 + round % GUESTS);
		for (int i = 0; i < 3; i++)
			wrong += !is_right(find(plugin, "plugin_call"), value) +
			         !is_right(find(plugin, "plugin_call_cblas"), -value - 324);
		dlclose(plugin);
	}
}

int main(int argc, char **argv)
{
	pthread_t threads[THREADS];
	if (argc != 5)
		return 2;
	void *plugin = dlopen(argv[2], RTLD_NOW | RTLD_LOCAL);
	find(plugin, "plugin_call");
	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, stay, plugin);
	come_and_go(argv + 3, atoi(argv[1]));
	/* The threads may have had no processor until now. */
	while (atomic_load(&calls) < THREADS)
		sched_yield();
	atomic_store(&over, true);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	thread_check("wrong results", wrong, 0);
	return thread_check_end();
}
