/* interrupted.c - multiplications that a signal handler may do, with arrays of their own */
/* SPDX-License-Identifier: Apache-2.0 */
#include "interrupted.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../driver/blas_declared.h"

struct operands operands_make(int order)
{
	const size_t count = 2 * (size_t)order * (size_t)order;
	double *all = calloc(3 * count, sizeof *all);
	if (all == NULL)
		exit(3);
	return (struct operands){order, all, all + count, all + 2 * count};
}

/* A(i,j) = i + 1, B(i,j) = j + 1, C = 5: 2 A B - C is 2 n (i + 1)(j + 1) - 5, exactly. */
static void fill(const struct operands *operands, int n, int step)
{
	for (int j = 0; j < n; j++)
		for (int i = 0; i < n; i++) {
			const size_t at = (size_t)step * ((size_t)i + (size_t)j * (size_t)n);
			operands->a[at] = i + 1;
			operands->b[at] = j + 1;
			operands->c[at] = 5;
			if (step == 2)
				operands->a[at + 1] = operands->b[at + 1] = operands->c[at + 1] = 0;
		}
}

static bool check(const struct operands *operands, int n, int step)
{
	bool right = true;
	for (int j = 0; j < n; j++)
		for (int i = 0; i < n; i++) {
			const size_t at = (size_t)step * ((size_t)i + (size_t)j * (size_t)n);
			right = right && operands->c[at] == 2.0 * n * (i + 1) * (j + 1) - 5;
		}
	return right;
}

void multiply_fill(const struct operands *operands, int n)
{
	fill(operands, n, 1);
}

void multiply_call(const struct operands *operands, int n)
{
	const double alpha = 2, beta = -1;
	dgemm_("N", "N", &n, &n, &n, &alpha, operands->a, &n, operands->b, &n, &beta, operands->c,
	       &n);
}

bool multiply_check(const struct operands *operands, int n)
{
	return check(operands, n, 1);
}

bool multiply(const struct operands *operands, int n)
{
	multiply_fill(operands, n);
	multiply_call(operands, n);
	return multiply_check(operands, n);
}

bool multiply_cblas(const struct operands *operands, int n)
{
	fill(operands, n, 1);
	cblas_dgemm(102, 111, 111, n, n, n, 2, operands->a, n, operands->b, n, -1, operands->c, n);
	return check(operands, n, 1);
}

bool multiply_complex(const struct operands *operands, int n)
{
	const double alpha[] = {2, 0}, beta[] = {-1, 0};
	fill(operands, n, 2);
	zgemm_("N", "N", &n, &n, &n, alpha, operands->a, &n, operands->b, &n, beta, operands->c,
	       &n);
	return check(operands, n, 2);
}

static const char *volatile part = "the start";
static int limit;

void watch_part(const char *name)
{
	part = name;
}

static void *watch(void *unused)
{
	char line[120];
	(void)unused;
	sleep((unsigned)limit);
	const int size = snprintf(line, sizeof line, "hangs: %s\n", part);
	if (write(1, line, (size_t)size) < 0)
		_exit(5);
	_exit(4);
	return NULL;
}

/* It takes none of the signals. */
void watch_for(int seconds)
{
	sigset_t all, before;
	pthread_t thread;
	limit = seconds;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	if (pthread_create(&thread, NULL, watch, NULL) != 0)
		exit(3);
	pthread_detach(thread);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}
