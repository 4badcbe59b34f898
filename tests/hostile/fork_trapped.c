/* fork_trapped.c - forks while CUDA starts; the children exit with floating-point traps enabled */
/* SPDX-License-Identifier: Apache-2.0 */
#include <fenv.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* FORKS: as many as end while the libraries are opened. Each START is a process of its own. */
enum { ORDER = 64, FORKS = 60, STARTS = 12 };

void dgemm_(const char *transa, const char *transb, const int *m, const int *n, const int *k,
            const double *alpha, const double *a, const int *lda, const double *b, const int *ldb,
            const double *beta, double *c, const int *ldc);

static double a[ORDER * ORDER], c[ORDER * ORDER];

static int has_failed(pid_t child)
{
	int status = -1;
	return child < 0 || waitpid(child, &status, 0) != child || status != 0;
}

/* The first call starts CUDA. */
static int start(void)
{
	const int n = ORDER;
	const double one = 1, zero = 0;
	int failed = 0;
	feenableexcept(FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW);
	dgemm_("N", "N", &n, &n, &n, &one, a, &n, a, &n, &zero, c, &n);
	for (int i = 0; i < FORKS; i++) {
		const pid_t child = fork();
		if (child == 0)
			exit(0);
		failed += has_failed(child);
	}
	return failed;
}

/* On one processor: who waits for the starting thread goes on before that one does. */
static void take_one_processor(void)
{
	cpu_set_t one;
	CPU_ZERO(&one);
	CPU_SET(sched_getcpu(), &one);
	sched_setaffinity(0, sizeof one, &one);
}

int main(int count, char **arguments)
{
	int failed = 0;
	if (count > 1)
		return start() != 0;
	take_one_processor();
	for (int i = 0; i < STARTS; i++) {
		const pid_t child = fork();
		if (child == 0) {
			execl(arguments[0], arguments[0], "start", (char *)NULL);
			_exit(9);
		}
		failed += has_failed(child);
	}
	printf("%d of %d starts have a child that fails\n", failed, STARTS);
	return failed != 0;
}
