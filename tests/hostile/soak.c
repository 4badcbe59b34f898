/* soak.c - threads, forks, programs with CUDA faults for long: nothing grows, all is right */
/* SPDX-License-Identifier: Apache-2.0 */
/* usage: soak SECONDS, or soak once SEED */
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "soak_work.h"

enum { THREADS = 4, WORKS = 12, CHILDREN = 3, PHASES = 3 };

extern char **environ;
static atomic_long wrong;

/* What a process holds. */
struct holding {
	long pages, descriptors, threads, mappings;
};

static long count_entries(const char *path)
{
	long count = 0;
	DIR *folder = opendir(path);
	while (folder != NULL && readdir(folder) != NULL)
		count++;
	if (folder != NULL)
		closedir(folder);
	return count;
}

static long count_lines(const char *path)
{
	long count = 0;
	FILE *file = fopen(path, "r");
	for (int c = 0; file != NULL && (c = getc(file)) != EOF;)
		count += c == '\n';
	if (file != NULL)
		fclose(file);
	return count;
}

static struct holding look(void)
{
	struct holding now = {.descriptors = count_entries("/proc/self/fd"),
	                      .threads = count_entries("/proc/self/task"),
	                      .mappings = count_lines("/proc/self/maps")};
	FILE *file = fopen("/proc/self/statm", "r");
	if (file == NULL || fscanf(file, "%*d %ld", &now.pages) != 1)
		now.pages = 0;
	if (file != NULL)
		fclose(file);
	return now;
}

static void keep_least(struct holding *least, const struct holding *now)
{
	if (now->pages < least->pages)
		least->pages = now->pages;
	if (now->descriptors < least->descriptors)
		least->descriptors = now->descriptors;
	if (now->threads < least->threads)
		least->threads = now->threads;
	if (now->mappings < least->mappings)
		least->mappings = now->mappings;
}

static int grew_beyond(const char *what, long early, long late, long allowance)
{
	if (late <= early + allowance)
		return 0;
	fprintf(stderr, "%s: at least %ld, earlier %ld\n", what, late, early);
	return 1;
}

/* Heaps of threads come and go: a sixteenth and 8 MiB, and a few mappings, are no leak. */
static int grew(const struct holding *early, const struct holding *late)
{
	const long allowance = early->pages / 16 + (8L << 20) / sysconf(_SC_PAGESIZE);
	return grew_beyond("pages", early->pages, late->pages, allowance) +
	       grew_beyond("descriptors", early->descriptors, late->descriptors, 0) +
	       grew_beyond("threads", early->threads, late->threads, 0) +
	       grew_beyond("mappings", early->mappings, late->mappings, 16);
}

static void *work_in_thread(void *seed)
{
	unsigned long random = (unsigned long)seed;
	for (int i = 0; i < WORKS; i++)
		wrong += soak_work(&random);
	return NULL;
}

/* Ends as programs do: by return, at once, or killed. */
static void fork_child(unsigned long seed)
{
	const pid_t process = fork();
	if (process == 0) {
		unsigned long random = seed;
		const int failed = soak_product(&random) + soak_product(&random);
		if (failed != 0 || seed % 3 == 0)
			_exit(failed != 0);
		if (seed % 3 == 1)
			kill(getpid(), SIGKILL);
		exit(0);
	}
	int status = 1;
	waitpid(process, &status, 0);
	const int killed = WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
	wrong += process < 0 || !(status == 0 || (killed && seed % 3 == 1));
}

/* A program whose CUDA fails somewhere: its messages are not of interest, its results are. */
static void spawn_failing(const char *self, unsigned long seed)
{
	static const char *const functions[] = {"cudaMalloc",
	                                        "cudaMemcpyAsync",
	                                        "cudaMemcpy2DAsync",
	                                        "cudaEventRecord",
	                                        "cudaEventQuery",
	                                        "cublasDgemm_v2",
	                                        "cufftExecZ2Z",
	                                        "cudaStreamCreateWithFlags",
	                                        "cudaHostAlloc",
	                                        "kernel",
	                                        "copy",
	                                        "cufftMakePlanMany64",
	                                        "cublasCreate_v2",
	                                        "cudaMemGetInfo"};
	const size_t count = sizeof functions / sizeof functions[0];
	char fail[160], text[32], *words[] = {(char *)self, "once", text, NULL};
	posix_spawn_file_actions_t quiet;
	pid_t process = -1;
	int status = 1;
	snprintf(text, sizeof text, "%lu", seed);
	snprintf(fail, sizeof fail, "SIMCUDA_FAIL=%s:%lu,%s:%lu%s", functions[seed % count],
	         1 + seed / 7 % 40, functions[seed / 11 % count], 1 + seed / 13 % 20,
	         seed % 5 == 0 ? "+" : "");
	putenv(fail);
	posix_spawn_file_actions_init(&quiet);
	posix_spawn_file_actions_addopen(&quiet, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
	if (posix_spawn(&process, self, &quiet, NULL, words, environ) == 0)
		waitpid(process, &status, 0);
	posix_spawn_file_actions_destroy(&quiet);
	unsetenv("SIMCUDA_FAIL");
	wrong += status != 0;
}

static void run_generation(const char *self, unsigned long generation)
{
	pthread_t thread[THREADS];
	for (unsigned long i = 0; i < THREADS; i++)
		if (pthread_create(&thread[i], NULL, work_in_thread,
		                   (void *)(generation * THREADS + i + 1)) != 0)
			exit(3);
	fork_child(generation);
	for (int i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	for (unsigned long i = 0; i < CHILDREN; i++)
		fork_child(generation + i);
	spawn_failing(self, generation * 2654435761u % 1000003);
}

static double now_s(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/*
 * The first phase warms up; the least that the last one holds is compared with the one before. The
 * most says little: a thread that has ended is counted until the kernel has removed it.
 */
static int soak(const char *self, double seconds)
{
	const double begin_s = now_s();
	struct holding least[PHASES];
	unsigned long generation = 0;
	int phase = 0;
	for (int i = 0; i < PHASES; i++)
		least[i] = (struct holding){LONG_MAX, LONG_MAX, LONG_MAX, LONG_MAX};
	while (phase < PHASES) {
		run_generation(self, generation++);
		const struct holding now = look();
		keep_least(&least[phase], &now);
		if (now_s() - begin_s > seconds * (phase + 1) / PHASES)
			phase++;
	}
	for (phase = 0; getenv("SOAK_SHOW") != NULL && phase < PHASES; phase++)
		fprintf(stderr,
		        "%lu generations: pages %ld, descriptors %ld, threads %ld, maps %ld\n",
		        generation, least[phase].pages, least[phase].descriptors,
		        least[phase].threads, least[phase].mappings);
	/* In a short run CUDA may start in the last phase. */
	const int leaks = seconds >= 60 && grew(&least[PHASES - 2], &least[PHASES - 1]);
	printf("wrong %ld, grew %d\n", wrong, leaks);
	return wrong != 0 || leaks;
}

int main(int argc, char **argv)
{
	if (argc == 3 && strcmp(argv[1], "once") == 0) {
		unsigned long random = strtoul(argv[2], NULL, 10);
		int failed = 0;
		for (int i = 0; i < WORKS; i++)
			failed += soak_work(&random);
		return failed;
	}
	return argc == 2 ? soak(argv[0], strtod(argv[1], NULL)) : 2;
}
