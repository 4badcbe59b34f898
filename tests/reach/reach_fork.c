/* reach_fork.c - forks while threads call BLAS in a plug-in; each child opens another one */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* usage: reach_fork PLUGIN OTHER */
enum { THREADS = 2, CHILDREN = 60, PATIENCE_S = 30 };

typedef void call_function(double *c);

static atomic_bool over;
static atomic_long calls;

static call_function *open_plugin(const char *path)
{
	void *plugin = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (plugin == NULL) {
		printf("%s\n", dlerror());
		exit(3);
	}
	return (call_function *)dlsym(plugin, "plugin_call");
}

static void *run(void *call)
{
	double c[4];
	while (!over) {
		((call_function *)call)(c);
		calls++;
	}
	return NULL;
}

/* A child that hangs is ended by its alarm. */
static int run_child(const char *other)
{
	double c[4];
	alarm(PATIENCE_S);
	open_plugin(other)(c);
	return c[0] > 1000 && c[0] < 1002 ? 0 : 1;
}

int main(int argc, char **argv)
{
	pthread_t threads[THREADS];
	int wrong = 0, status = 0;
	if (argc != 3)
		return 2;
	call_function *call = open_plugin(argv[1]);
	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, run, (void *)call);
	while (calls == 0)
		sched_yield();
	for (int i = 0; i < CHILDREN && status == 0; i++) {
		const pid_t child = fork();
		if (child == 0)
			_exit(run_child(argv[2]));
		waitpid(child, &status, 0);
		wrong += status != 0;
	}
	over = 1;
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	printf("%d children failed\n", wrong);
	return wrong != 0;
}
