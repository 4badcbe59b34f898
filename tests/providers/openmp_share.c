/* openmp_share.c - shared calls and OpenMP: how many threads run, and which threads there are */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dirent.h>
#include <dlfcn.h>
#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/*
 * usage: openmp_share MOST [region [batch]]
 *
 * Multiplies matrices again and again: with one call at a time, whose threads are the library's, or
 * (region) with a call of each thread of a parallel region. batch: with batches of two products,
 * which the libraries lack, and the shim has. Meanwhile a thread looks at the others.
 * The last line tells how many looks there were, in how many of them more than MOST threads ran,
 * and how many threads the program had at a third of them or more: a thread has its maker's name
 * until it gives itself one. Threads of the simulated device do not count.
 */
enum { ORDER = 384, CALLS = 24, PROBLEMS = 2, THREADS = 1 << 16 };

void dgemm_(const char *transa, const char *transb, const int *m, const int *n, const int *k,
            const double *alpha, const double *a, const int *lda, const double *b, const int *ldb,
            const double *beta, double *c, const int *ldc);

/* NULL without the shim. */
static void (*strided)(const char *transa, const char *transb, const int *m, const int *n,
                       const int *k, const double *alpha, const double *a, const int *lda,
                       const int *stridea, const double *b, const int *ldb, const int *strideb,
                       const double *beta, double *c, const int *ldc, const int *stridec,
                       const int *problems);

static atomic_bool over, batch;
static int looks, crowded, most;
static int seen[THREADS]; /* by number: looks at which it had the program's name */
static pid_t watcher;

/*
 * The nanoseconds that it ran are the first word of schedstat. On a busy machine a new thread may
 * wait for its first run through many looks, with its maker's name.
 */
static bool has_run(const char *number)
{
	char path[64];
	unsigned long long run_ns = 1;
	snprintf(path, sizeof path, "/proc/self/task/%.16s/schedstat", number);
	FILE *file = fopen(path, "r");
	if (file == NULL)
		return true;
	const bool read = fscanf(file, "%llu", &run_ns) == 1;
	fclose(file);
	return !read || run_ns > 0;
}

/* A line of /proc/self/task/NUMBER/stat: number (name) state ... Whether it runs. */
static bool look_at(const char *number)
{
	char path[64], line[512], *name, *end;
	const int thread = atoi(number);
	if (number[0] == '.' || thread == watcher)
		return false;
	snprintf(path, sizeof path, "/proc/self/task/%.16s/stat", number);
	FILE *file = fopen(path, "r");
	if (file == NULL)
		return false;
	const bool read = fgets(line, sizeof line, file) != NULL;
	fclose(file);
	if (!read || (name = strchr(line, '(')) == NULL || (end = strrchr(line, ')')) == NULL)
		return false;
	const bool runs = end[1] == ' ' && end[2] == 'R';
	*end = '\0';
	name++;
	if (strncmp(name, "cuda-", 5) == 0)
		return false;
	if (strncmp(name, "gpushim", 7) != 0 && has_run(number))
		seen[thread % THREADS]++;
	return runs;
}

/* Threads that run, but for the calling one. */
static int count_running(void)
{
	int running = 0;
	DIR *tasks = opendir("/proc/self/task");
	for (const struct dirent *one; tasks != NULL && (one = readdir(tasks)) != NULL;)
		running += look_at(one->d_name);
	if (tasks != NULL)
		closedir(tasks);
	return running;
}

static void *watch(void *unused)
{
	watcher = (pid_t)syscall(SYS_gettid);
	for (; !atomic_load(&over); looks++)
		crowded += count_running() > most;
	return unused;
}

/*
 * Threads of OpenBLAS look for work for some 30 ms after a call, with the shim and without: they
 * would count as running in a region whose calls do not use them.
 */
static void wait_until_all_sleep(void)
{
	watcher = (pid_t)syscall(SYS_gettid);
	while (count_running() > 0)
		sched_yield();
	memset(seen, 0, sizeof seen);
}

static int count_lasting(void)
{
	int count = 0;
	for (int i = 0; i < THREADS; i++)
		count += 3 * seen[i] > looks;
	return count;
}

static double *make_matrix(int seed)
{
	double *matrix = malloc(sizeof *matrix * PROBLEMS * ORDER * ORDER);
	if (matrix == NULL)
		exit(1);
	for (int i = 0; i < PROBLEMS * ORDER * ORDER; i++)
		matrix[i] = (i * 7 + i / ORDER + seed) % 5 - 2;
	return matrix;
}

static void multiply_once(const double *a, const double *b, const double *beta, double *c)
{
	static const double one = 1;
	static const int n = ORDER, apart = ORDER * ORDER, problems = PROBLEMS;
	if (batch && strided != NULL) {
		strided("N", "T", &n, &n, &n, &one, a, &n, &apart, b, &n, &apart, beta, c, &n,
		        &apart, &problems);
		return;
	}
	for (int i = 0; i < (batch ? PROBLEMS : 1); i++)
		dgemm_("N", "T", &n, &n, &n, &one, a + i * apart, &n, b + i * apart, &n, beta,
		       c + i * apart, &n);
}

/* Whole numbers, whose products are exact. */
static double multiply(int seed)
{
	static const double one = 1, zero = 0;
	double *a = make_matrix(seed), *b = make_matrix(seed + 1), *c = make_matrix(0), sum = 0;
	for (int call = 0; call < CALLS; call++)
		multiply_once(a, b, call % 2 == 0 ? &zero : &one, c);
	for (int i = 0; i < (batch ? PROBLEMS : 1) * ORDER * ORDER; i++)
		sum += c[i] * (i % 17 + 1);
	free(a);
	free(b);
	free(c);
	return sum;
}

int main(int argc, char **argv)
{
	const bool region = argc > 2 && strcmp(argv[2], "region") == 0;
	pthread_t thread;
	double sum = 0;
	most = argc > 1 ? atoi(argv[1]) : 1;
	batch = argc > 3 && strcmp(argv[3], "batch") == 0;
	void *found = dlsym(RTLD_DEFAULT, "dgemm_batch_strided_");
	memcpy(&strided, &found, sizeof strided);
	multiply(1); /* CUDA has started, and so have the library's threads */
	wait_until_all_sleep();
	if (pthread_create(&thread, NULL, watch, NULL) != 0)
		return 1;
	if (!region)
		sum = multiply(3);
#pragma omp parallel if (region) reduction(+ : sum)
	if (region)
		sum += multiply(omp_get_thread_num());
	atomic_store(&over, true);
	pthread_join(thread, NULL);
	printf("sum %.0f\n", sum);
	fprintf(stderr, "looks %d %d %d\n", looks, crowded, count_lasting());
	return 0;
}
