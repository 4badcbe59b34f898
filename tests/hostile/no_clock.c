/* no_clock.c - threads that may not read clocks: usage no_clock WAY */
/* SPDX-License-Identifier: Apache-2.0 */
#include <linux/seccomp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

void dgemm_(const char *transa, const char *transb, const int *m, const int *n, const int *k,
            const double *alpha, const double *a, const int *lda, const double *b, const int *ldb,
            const double *beta, double *c, const int *ldc);

enum { SMALL = 4, LARGE = 300, CALLS = 40 };

static double a[LARGE * LARGE], b[LARGE * LARGE], c[LARGE * LARGE];
static int wrong;

/* A(i,j) = i + 1, B(i,j) = j + 1: A B is n (i + 1)(j + 1), exactly. */
static void multiply(int n)
{
	const double one = 1, zero = 0;
	const int leading = LARGE;
	dgemm_("N", "N", &n, &n, &n, &one, a, &leading, b, &leading, &zero, c, &leading);
	for (int j = 0; j < n; j++)
		for (int i = 0; i < n; i++)
			wrong += c[i + j * LARGE] != (double)n * (i + 1) * (j + 1);
}

static void work(void)
{
	for (int i = 0; i < CALLS; i++)
		multiply(SMALL);
	for (int i = 0; i < 3; i++)
		multiply(LARGE);
}

static void say(const char *text)
{
	char line[80];
	const int length = snprintf(line, sizeof line, "%s: %d wrong results\n", text, wrong);
	if (write(1, line, (size_t)length) != length)
		wrong++;
}

/* Reading the processor's counter is a fault, also where libc's clocks do it. */
static int forbid_counter(void)
{
#ifdef PR_SET_TSC
	if (prctl(PR_SET_TSC, PR_TSC_SIGSEGV, 0, 0, 0) == 0) {
		work();
		say("without the counter");
		return wrong != 0;
	}
#endif
	printf("the processor's counter cannot be forbidden\n");
	return 77;
}

/* All system calls but read, write, exit and sigreturn end the process. */
static int allow_nothing(void)
{
	work();
	if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT) != 0) {
		printf("there is no strict mode\n");
		return 77;
	}
	work();
	say("in strict mode");
	syscall(SYS_exit, wrong != 0);
	return 3;
}

int main(int count, char **arguments)
{
	for (int j = 0; j < LARGE; j++)
		for (int i = 0; i < LARGE; i++) {
			a[i + j * LARGE] = i + 1;
			b[i + j * LARGE] = j + 1;
		}
	return count > 1 && strcmp(arguments[1], "strict") == 0 ? allow_nothing()
	                                                        : forbid_counter();
}
