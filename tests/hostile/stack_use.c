/* stack_use.c - how much stack calls take beyond the CPU's routine, by painting it */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dlfcn.h>
#include <fftw3.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

typedef void gemm(const char *transa, const char *transb, const int *m, const int *n, const int *k,
                  const double *alpha, const double *a, const int *lda, const double *b,
                  const int *ldb, const double *beta, double *c, const int *ldc);
gemm dgemm_;

enum {
	LARGE = 200,
	STACK_BYTES = 1 << 15, /* too small for the shim's own work */
	PAINTED_BYTES = 16000,
	PAINT = 0xa5
};

static double a[LARGE * LARGE], b[LARGE * LARGE], c[LARGE * LARGE];
static gemm *routine;
static int order;
static fftw_plan plan;
static fftw_complex line[64];
static void (*execute)(const fftw_plan plan);

static void multiply(void)
{
	const double one = 1, zero = 0;
	routine("N", "N", &order, &order, &order, &one, a, &order, b, &order, &zero, c, &order);
}

static void transform(void)
{
	execute(plan);
}

static void make_plan(void)
{
	plan = fftw_plan_dft_1d(64, line, line, FFTW_FORWARD, FFTW_ESTIMATE);
}

/* Fills what lies below this frame. */
static __attribute__((noinline)) void paint(void)
{
	unsigned char area[PAINTED_BYTES];
	memset(area, PAINT, sizeof area);
	__asm__ volatile("" : : "r"(area) : "memory");
}

/* The bytes below the caller's frame that were written since; reads what paint has left there. */
static __attribute__((noinline)) long measure(void)
{
	unsigned char area[PAINTED_BYTES];
	const volatile unsigned char *left = area;
	long kept = 0;
	__asm__ volatile("" : : "r"(area) : "memory");
	while (kept < PAINTED_BYTES && left[kept] == PAINT)
		kept++;
	return PAINTED_BYTES - kept;
}

static void *find_use(void *work)
{
	static long used;
	void (**run)(void) = work;
	paint();
	(*run)();
	used = measure();
	return &used;
}

static long use_of(void (*work)(void))
{
	static char stack[STACK_BYTES] __attribute__((aligned(4096)));
	pthread_attr_t attributes;
	pthread_t thread;
	void *used = NULL;
	pthread_attr_init(&attributes);
	if (pthread_attr_setstack(&attributes, stack, sizeof stack) != 0 ||
	    pthread_create(&thread, &attributes, find_use, &work) != 0)
		exit(3);
	pthread_join(thread, &used);
	pthread_attr_destroy(&attributes);
	return *(long *)used;
}

static int failed;

static void check(const char *step, long used, long own, long most)
{
	if (getenv("STACK_USE_SHOWN") != NULL)
		fprintf(stderr, "%-28s %6ld bytes, %6ld of them the routine's\n", step, used, own);
	failed |= used - own > most;
	printf("%s: %s\n", step, used - own <= most ? "little" : "too much");
}

static void twice(void)
{
	multiply();
	paint();
	multiply();
}

int main(int count, char **arguments)
{
	const int passes = getenv("STACK_USE_DECIDED") == NULL; /* small calls pass the gate */
	if (count < 2)
		return 2;
	void *library = dlopen(arguments[1], RTLD_NOW);
	gemm *real = library != NULL ? __extension__(gemm *) dlsym(library, "dgemm_") : NULL;
	void *fftw = dlopen("libfftw3.so.3", RTLD_NOW);
	void *real_execute = fftw != NULL ? dlsym(fftw, "fftw_execute") : NULL;
	long own[2], own_small, own_execute;
	if (real == NULL || real_execute == NULL)
		return 3;
	routine = real;
	for (int i = 0; i < 2; i++) {
		order = i == 0 ? 4 : LARGE;
		use_of(multiply);
		own[i] = use_of(multiply);
	}
	order = 4;
	own_small = use_of(twice);
	routine = dgemm_;
	check("the first call", use_of(multiply), own[0], passes ? 2500 : 6000);
	check("a thread's first call", use_of(multiply), own[0], 2500);
	check("a small call", use_of(twice), own_small, passes ? 0 : 2500);
	order = LARGE;
	check("a first decided call", use_of(multiply), own[1], 2500);
	check("a decided call", use_of(multiply), own[1], 2500);
	make_plan();
	memcpy(&execute, &real_execute, sizeof execute);
	use_of(transform);
	own_execute = use_of(transform);
	execute = fftw_execute;
	use_of(transform);
	check("an execution", use_of(transform), own_execute, 1024);
	fftw_destroy_plan(plan);
	dlclose(fftw);
	dlclose(library);
	return failed;
}
