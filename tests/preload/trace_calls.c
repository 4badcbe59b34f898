/* trace_calls.c - products for the trace; usage: trace_calls once|small|loop|fork|copy|stack */
/* SPDX-License-Identifier: Apache-2.0 */
#include <cblas.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SIDE = 200, SMALL = 4, TIMES = 1000, COPIED_TIMES = 200, SMALL_STACK_BYTES = 256 << 10 };

static double a[SIDE * SIDE], b[SIDE * SIDE], c[SIDE * SIDE];

static double multiply(int side)
{
	cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, side, side, side, 1, a, side, b,
	            side, 0, c, side);
	return c[0];
}

static int fork_one(void)
{
	int status = 1;
	const double before = multiply(SIDE);
	const pid_t child = fork();
	if (child == 0)
		exit(multiply(SIDE) == before ? 0 : 1);
	waitpid(child, &status, 0);
	return multiply(SIDE) == before && status == 0 ? 0 : 1;
}

/*
 * Forks by the clone system call, which runs no pthread_atfork handler, after more lines were
 * traced than stay in memory.
 */
static int copy_one(void)
{
	int status = 1;
	for (int i = 0; i < COPIED_TIMES; i++)
		multiply(SIDE);
	const pid_t child = (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
	if (child == 0)
		exit(0);
	waitpid(child, &status, 0);
	return status;
}

static void *multiply_once(void *unused)
{
	multiply(SIDE);
	return unused;
}

/* Calls BLAS in a thread whose stack is large enough for BLAS, but too small to start CUDA. */
static int call_on_small_stack(void)
{
	pthread_t thread;
	pthread_attr_t attributes;
	if (pthread_attr_init(&attributes) != 0 ||
	    pthread_attr_setstacksize(&attributes, SMALL_STACK_BYTES) != 0 ||
	    pthread_create(&thread, &attributes, multiply_once, NULL) != 0)
		return 1;
	return pthread_join(thread, NULL);
}

int main(int count, char **arguments)
{
	const char *way = count > 1 ? arguments[1] : "once";
	for (int i = 0; i < SIDE * SIDE; i++) {
		a[i] = i % 7;
		b[i] = i % 5;
	}
	if (strcmp(way, "fork") == 0)
		return fork_one();
	if (strcmp(way, "copy") == 0)
		return copy_one();
	if (strcmp(way, "stack") == 0)
		return call_on_small_stack();
	if (strcmp(way, "small") == 0)
		for (int i = 0; i < TIMES; i++)
			multiply(SMALL);
	else
		do
			multiply(SIDE);
		while (strcmp(way, "loop") == 0);
	printf("%.0f\n", c[0]);
	return 0;
}
