/* matrix_places.c - calls on small stacks, on other stacks, in many threads */
/* SPDX-License-Identifier: Apache-2.0 */
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <ucontext.h>
#include <unistd.h>

#include "matrix.h"

/* OpenBLAS alone takes 45,048 bytes of stack for products of order 48 to 300 on an EPYC (AVX2). */
enum { COROUTINE_BYTES = 64 << 10, CROWD = 12 };

static void *work_there(void *unused)
{
	matrix_products();
	return unused;
}

static int run_threads(int count, size_t stack_bytes)
{
	pthread_t thread[CROWD];
	pthread_attr_t attributes;
	pthread_attr_init(&attributes);
	if (stack_bytes != 0)
		pthread_attr_setstacksize(&attributes, stack_bytes);
	for (int i = 0; i < count; i++)
		if (pthread_create(&thread[i], &attributes, work_there, NULL) != 0)
			return 3;
	for (int i = 0; i < count; i++)
		pthread_join(thread[i], NULL);
	matrix_work();
	matrix_say("main");
	return 0;
}

static int run_least_stack(void)
{
	return run_threads(1, PTHREAD_STACK_MIN);
}

static int run_crowd(void)
{
	return run_threads(CROWD, 0);
}

static ucontext_t main_context, there;

static void work_in_coroutine(void)
{
	matrix_products();
	swapcontext(&there, &main_context);
	matrix_products();
}

static int run_coroutine(void)
{
	char *stack = malloc(COROUTINE_BYTES);
	if (stack == NULL || getcontext(&there) != 0)
		return 3;
	there.uc_stack.ss_sp = stack;
	there.uc_stack.ss_size = COROUTINE_BYTES;
	there.uc_link = &main_context;
	makecontext(&there, work_in_coroutine, 0);
	swapcontext(&main_context, &there);
	matrix_work();
	swapcontext(&main_context, &there);
	free(stack);
	matrix_say("main");
	return 0;
}

static void on_signal(int number)
{
	(void)number;
	matrix_products();
}

static int run_signal_stack(void)
{
	const stack_t stack = {.ss_sp = malloc(COROUTINE_BYTES), .ss_size = COROUTINE_BYTES};
	struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_ONSTACK};
	if (stack.ss_sp == NULL || sigaltstack(&stack, NULL) != 0)
		return 3;
	sigaction(SIGUSR1, &action, NULL);
	raise(SIGUSR1);
	matrix_work();
	raise(SIGUSR1);
	matrix_say("main");
	return 0;
}

const struct situation matrix_places[] = {
	{"least-stack", run_least_stack, "PTHREAD_STACK_MIN, the first call too"},
	{"threads", run_crowd, "many threads at once"},
	{"coroutine", run_coroutine,
         "stacks made by `makecontext`, a call of each before and after a switch"},
	{"signal-stack", run_signal_stack, "handlers on `sigaltstack`"},
	{NULL, NULL, NULL}};
