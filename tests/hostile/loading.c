/* loading.c - BLAS, fork and exit while the loader's lock is held: usage loading WHERE WHAT PLUGIN */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "hostile_work.h"

enum { CALLS = 3, FORKS = 10, STORM = 40, OPENINGS = 100, SMALL_STACK_BYTES = 128 << 10 };

static const char *plugin;
static int wrong, lost;

static void work(int rounds)
{
	for (int i = 0; i < rounds; i++)
		wrong += work_dgemm(20 + i);
}

static void await(pid_t child)
{
	int status = -1;
	lost += child < 0 || waitpid(child, &status, 0) != child || status != 0;
}

/* A child that hangs is ended by its alarm. It uses the loader, and ends with exit handlers. */
static void live_in_child(void)
{
	alarm(20);
	work(1);
	void *library = dlopen("libm.so.6", RTLD_NOW);
	const int failed = library == NULL || dlsym(library, "cos") == NULL ||
	                   dlclose(library) != 0 || dlopen("lib of no name", RTLD_NOW) != NULL;
	exit(failed || wrong);
}

static void fork_children(int count)
{
	for (int i = 0; i < count; i++) {
		const pid_t child = fork();
		if (child == 0)
			live_in_child();
		await(child);
	}
}

static void *run_work(void *unused)
{
	work(CALLS);
	return unused;
}

static void do_call(void)
{
	work(CALLS);
}

static void do_fork(void)
{
	work(1);
	fork_children(FORKS);
}

static void do_exit(void)
{
	work(1);
	printf("exits, %d wrong\n", wrong);
	exit(3);
}

/* One that waits for a thread which computes holds up whatever that thread waits for. */
static void do_join(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, run_work, NULL);
	pthread_join(thread, NULL);
}

static const struct {
	const char *name;
	void (*act)(void);
} actions[] = {{"call", do_call}, {"fork", do_fork}, {"exit", do_exit}, {"join", do_join}};

static void act(const char *where, int argc, char **argv)
{
	for (size_t i = 0; argc > 2 && i < sizeof actions / sizeof actions[0]; i++)
		if (strcmp(argv[1], where) == 0 && strcmp(argv[2], actions[i].name) == 0)
			actions[i].act();
}

/* -- called by constructors and destructors -- */

void loading_at_load(const char *where, int argc, char **argv)
{
	act(where, argc, argv);
}

void loading_at_close(const char *where, int argc, char **argv)
{
	char name[40];
	snprintf(name, sizeof name, "%s-end", where);
	act(name, argc, argv);
}

__attribute__((constructor)) static void begin(int argc, char **argv)
{
	act("executable", argc, argv);
}

/* -- main -- */

static void *open_plugin(void *unused)
{
	void *library = dlopen(plugin, RTLD_NOW);
	if (library == NULL || dlclose(library) != 0)
		lost++;
	return unused;
}

static void open_on_small_stack(void)
{
	pthread_attr_t attributes;
	pthread_t thread;
	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, SMALL_STACK_BYTES);
	pthread_create(&thread, &attributes, open_plugin, NULL);
	pthread_join(thread, NULL);
}

static void *open_often(void *unused)
{
	for (int i = 0; i < OPENINGS; i++)
		open_plugin(NULL);
	return unused;
}

/* Opens and closes libraries while another thread, and the start of CUDA, are at work. */
static void open_beside(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, open_often, NULL);
	work(40);
	pthread_join(thread, NULL);
}

static double seconds(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* A fork does not wait for a call of CUDA, which takes a second here. */
static void fork_at_once(void)
{
	work(1);
	const struct timespec pause = {0, 50000000};
	nanosleep(&pause, NULL);
	const double begin = seconds();
	const pid_t child = fork();
	const double taken = seconds() - begin;
	if (child == 0)
		_exit(0);
	await(child);
	printf("fork %s\n", taken < 0.5 ? "at once" : "held up");
}

int main(int argc, char **argv)
{
	const char *where = argc > 1 ? argv[1] : "";
	plugin = argc > 3 ? argv[3] : "";
	if (strcmp(where, "small-stack") == 0) {
		argv[1] = "plugin";
		open_on_small_stack();
	} else if (strcmp(where, "beside") == 0) {
		open_beside();
	} else if (strcmp(where, "storm") == 0) {
		work(1);
		fork_children(STORM);
	} else if (strcmp(where, "fork-at-once") == 0) {
		fork_at_once();
	} else if (strncmp(where, "plugin", 6) == 0) {
		open_plugin(NULL);
	}
	work(2);
	printf("%d wrong, %d children or libraries lost\n", wrong, lost);
	return wrong != 0 || lost != 0;
}
