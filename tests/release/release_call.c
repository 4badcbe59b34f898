/* release_call.c - products of two sizes in the program, in threads and in a forked child */
/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LARGE = 128, SMALL = 4, THREADS = 3 };

void dgemm_(const char *transa, const char *transb, const int *m, const int *n, const int *k,
            const double *alpha, const double *a, const int *lda, const double *b, const int *ldb,
            const double *beta, double *c, const int *ldc);

/* Whether every element of A B is what it has to be: A is all ones, B has the number of its row. */
static int multiply(int order)
{
	const double one = 1, zero = 0;
	const int count = order * order;
	double *a = malloc(3 * sizeof *a * (size_t)count), *b = a + count, *c = b + count;
	int right = 1;
	for (int i = 0; i < count; i++) {
		a[i] = 1;
		b[i] = i % order;
		c[i] = -1;
	}
	dgemm_("N", "N", &order, &order, &order, &one, a, &order, b, &order, &zero, c, &order);
	for (int i = 0; i < count; i++)
		right &= c[i] == order * (order - 1) / 2;
	free(a);
	return right;
}

static void *work(void *unused)
{
	(void)unused;
	return multiply(SMALL) && multiply(LARGE) && multiply(LARGE) ? NULL : (void *)work;
}

static int expect(const char *where, int right)
{
	printf("%s: %s\n", where, right ? "right" : "WRONG");
	fflush(stdout);
	return !right;
}

int main(void)
{
	pthread_t thread[THREADS];
	int wrong = expect("main", work(NULL) == NULL), status = 0;
	for (int i = 0; i < THREADS; i++)
		if (pthread_create(&thread[i], NULL, work, NULL) != 0)
			return 2;
	for (int i = 0; i < THREADS; i++) {
		void *result;
		wrong |= pthread_join(thread[i], &result) != 0 || result != NULL;
	}
	wrong |= expect("threads", !wrong);
	const pid_t child = fork();
	if (child == 0)
		exit(work(NULL) != NULL);
	wrong |= expect("child", child > 0 && waitpid(child, &status, 0) == child && status == 0);
	wrong |= expect("after the fork", work(NULL) == NULL);
	return wrong;
}
