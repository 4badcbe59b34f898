/* matrix_lives.c - calls from constructors, destructors and plug-ins */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "matrix.h"

static int early, late;

__attribute__((constructor)) static void work_early(int argc, char **argv)
{
	early = argc == 2 && strcmp(argv[1], "constructor") == 0;
	late = argc == 2 && strcmp(argv[1], "destructor") == 0;
	if (early)
		matrix_work();
}

__attribute__((destructor)) static void work_late(void)
{
	if (!late)
		return;
	matrix_work();
	matrix_say("destructor");
}

static int run_plain(void)
{
	matrix_work();
	matrix_say("main");
	return 0;
}

static void work_at_thread_end(void *unused)
{
	(void)unused;
	matrix_work();
	matrix_say("destructor of a thread's value");
}

static void *live_in_thread(void *key)
{
	pthread_setspecific(*(pthread_key_t *)key, key);
	matrix_work();
	return NULL;
}

static int run_thread_values(void)
{
	pthread_key_t key;
	pthread_t thread;
	matrix_work();
	if (pthread_key_create(&key, work_at_thread_end) != 0 ||
	    pthread_create(&thread, NULL, live_in_thread, &key) != 0)
		return 3;
	pthread_join(thread, NULL);
	matrix_work();
	matrix_say("main");
	return 0;
}

/* The plug-in beside the program: it works when it is loaded, when asked, and when it goes. */
static void *open_plugin(Lmid_t space, int flags)
{
	char path[4096];
	snprintf(path, sizeof path, "%s_plugin.so", matrix_self);
	return space == LM_ID_BASE ? dlopen(path, flags) : dlmopen(space, path, flags);
}

static int use_plugin(Lmid_t space, int flags)
{
	void *plugin = open_plugin(space, flags);
	int (*work)(void) = plugin == NULL ? NULL : (int (*)(void))dlsym(plugin, "matrix_plugin");
	if (work == NULL)
		return 3;
	if (work() != 0)
		matrix_say("the plug-in is wrong");
	return dlclose(plugin) == 0 ? 0 : 3;
}

static int run_plugin(void)
{
	int failed = use_plugin(LM_ID_BASE, RTLD_NOW | RTLD_LOCAL);
	matrix_work();
	for (int i = 0; i < 5; i++)
		failed |= use_plugin(LM_ID_BASE, RTLD_LAZY | RTLD_LOCAL);
	matrix_work();
	matrix_say("main");
	return failed;
}

static int run_plugin_bound(void)
{
	matrix_work();
	const int failed = use_plugin(LM_ID_BASE, RTLD_NOW | RTLD_DEEPBIND);
	matrix_work();
	matrix_say("main");
	return failed;
}

static int run_namespace(void)
{
	matrix_work();
	const int failed = use_plugin(LM_ID_NEWLM, RTLD_NOW);
	matrix_work();
	matrix_say("main");
	return failed;
}

const struct situation matrix_lives[] = {
	{"constructor", run_plain, "calls before main are served"},
	{"destructor", run_plain, "calls in destructors run on the CPU, with the right result"},
	{"thread-values", run_thread_values, "calls in destructors of a thread's values"},
	{"plug-in", run_plugin, "loaded, used and closed again and again"},
	{"plug-in-deepbind", run_plugin_bound, "calls that do not reach the shim are right"},
	{"dlmopen", run_namespace, "another namespace has its own BLAS, without the shim"},
	{NULL, NULL, NULL}};
