/* small_stack.c - calls on stacks that hardly suffice for the CPU's routine: small_stack WAY */
/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <fftw3.h>
#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

void dgemm_(const char *transa, const char *transb, const int *m, const int *n, const int *k,
            const double *alpha, const double *a, const int *lda, const double *b, const int *ldb,
            const double *beta, double *c, const int *ldc);

enum { SMALL = 4, LARGE = 200, LENGTH = 4096, COROUTINE_BYTES = 8192 };

static double a[LARGE * LARGE], b[LARGE * LARGE], c[LARGE * LARGE];
static fftw_complex in[LENGTH], out[LENGTH];
static fftw_plan plan;
static int wrong, calls, transforms;

/* A(i,j) = i + 1, B(i,j) = j + 1: A B is n (i + 1)(j + 1), exactly. */
static void fill(void)
{
	for (int j = 0; j < LARGE; j++)
		for (int i = 0; i < LARGE; i++) {
			a[i + j * LARGE] = i + 1;
			b[i + j * LARGE] = j + 1;
		}
	for (int i = 0; i < LENGTH; i++) {
		in[i][0] = cos(2 * acos(-1.0) * 3 * i / LENGTH);
		in[i][1] = sin(2 * acos(-1.0) * 3 * i / LENGTH);
	}
}

static void multiply(int n)
{
	const double one = 1, zero = 0;
	const int leading = LARGE;
	memset(c, 0, sizeof c);
	errno = 77;
	dgemm_("N", "N", &n, &n, &n, &one, a, &leading, b, &leading, &zero, c, &leading);
	wrong += errno != 77 && errno != ENOMEM;
	calls++;
	for (int j = 0; j < n; j++)
		for (int i = 0; i < n; i++)
			wrong += c[i + j * LARGE] != (double)n * (i + 1) * (j + 1);
}

static void execute(void)
{
	memset(out, 0, sizeof out);
	fftw_execute(plan);
	transforms++;
	for (int i = 0; i < LENGTH; i++)
		wrong +=
			!(fabs(out[i][0] - (i == 3 ? LENGTH : 0)) < 1e-9 && fabs(out[i][1]) < 1e-9);
}

static void small_calls(void)
{
	for (int i = 0; i < 3; i++)
		multiply(SMALL);
}

static void large_calls(void)
{
	for (int i = 0; i < 3; i++)
		multiply(LARGE);
}

static void executions(void)
{
	for (int i = 0; i < 3; i++)
		execute();
}

/* -- the stacks -- */

static void *run_thread(void *routine)
{
	void (**work)(void) = routine;
	(*work)();
	return NULL;
}

static void on_thread(void (*work)(void))
{
	pthread_attr_t attributes;
	pthread_t thread;
	pthread_attr_init(&attributes);
	if (pthread_attr_setstacksize(&attributes, (size_t)PTHREAD_STACK_MIN) != 0 ||
	    pthread_create(&thread, &attributes, run_thread, &work) != 0)
		exit(3);
	pthread_join(thread, NULL);
	pthread_attr_destroy(&attributes);
}

/* With an inaccessible page below. */
static char *make_stack(size_t size_bytes)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	char *map = mmap(NULL, size_bytes + page, PROT_READ | PROT_WRITE,
	                 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (map == MAP_FAILED || mprotect(map, page, PROT_NONE) != 0)
		exit(3);
	return map + page;
}

static void on_coroutine(void (*work)(void))
{
	static ucontext_t here, there;
	static char *stack;
	if (stack == NULL)
		stack = make_stack(COROUTINE_BYTES);
	getcontext(&there);
	there.uc_stack.ss_sp = stack;
	there.uc_stack.ss_size = COROUTINE_BYTES;
	there.uc_link = &here;
	makecontext(&there, work, 0);
	swapcontext(&here, &there);
}

static void (*handler_work)(void);

static void handle(int number)
{
	(void)number;
	handler_work();
}

/* The least that the kernel accepts, and what a coroutine has. */
static void on_signal(void (*work)(void))
{
	static stack_t stack;
	const struct sigaction action = {.sa_handler = handle, .sa_flags = SA_ONSTACK};
	if (stack.ss_sp == NULL) {
		stack.ss_size = ((size_t)sysconf(_SC_MINSIGSTKSZ) + COROUTINE_BYTES / 2 + 4095) /
		                4096 * 4096;
		stack.ss_sp = make_stack(stack.ss_size);
		sigaltstack(&stack, NULL);
		sigaction(SIGUSR1, &action, NULL);
	}
	handler_work = work;
	raise(SIGUSR1);
}

/* A thread's coroutine, where libc knows another stack. */
static void *run_coroutine(void *routine)
{
	void (**work)(void) = routine;
	on_coroutine(*work);
	return NULL;
}

static void on_threads_coroutine(void (*work)(void))
{
	pthread_t thread;
	if (pthread_create(&thread, NULL, run_coroutine, &work) != 0)
		exit(3);
	pthread_join(thread, NULL);
}

/* Planning takes more than a coroutine has. */
static void plans(void)
{
	for (int i = 0; i < 3; i++) {
		if (plan != NULL)
			fftw_destroy_plan(plan);
		plan = fftw_plan_dft_1d(LENGTH, in, out, FFTW_FORWARD,
		                        FFTW_ESTIMATE | FFTW_UNALIGNED);
	}
}

int main(int count, char **arguments)
{
	static const struct {
		const char *name;
		void (*run)(void (*work)(void));
	} ways[] = {{"thread", on_thread},
	            {"coroutine", on_coroutine},
	            {"threads-coroutine", on_threads_coroutine},
	            {"signal", on_signal}};
	const char *way = count > 1 ? arguments[1] : "", *first = count > 2 ? arguments[2] : "";
	void (*run)(void (*work)(void)) = NULL;
	for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++)
		if (strcmp(way, ways[i].name) == 0)
			run = ways[i].run;
	if (run == NULL)
		return 2;
	fill();
	if (strcmp(first, "large") == 0)
		run(large_calls);
	run(small_calls);
	run(large_calls);
	run(small_calls);
	if (run == on_thread)
		on_thread(plans);
	else
		plans();
	fill();
	run(executions);
	small_calls();
	fftw_destroy_plan(plan);
	printf("%d wrong results\ncall dgemm_ %d\ncall fftw_execute %d\n", wrong, calls,
	       transforms);
	return wrong != 0;
}
