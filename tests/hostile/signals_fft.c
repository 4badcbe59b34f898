/* signals_fft.c - handlers that execute a plan, or jump out of one; usage: signals_fft call|jump */
/* SPDX-License-Identifier: Apache-2.0 */
#include <fftw3.h>
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

#include "interrupted.h"

enum { SHORT = 1024, LONG = 1 << 17, ROUNDS = 10, FIRST_US = 300, MORE_US = 1300 };

/* A transform of e^(2 pi i k / n) at k = 1, whose result is known. */
struct transform {
	int n;
	fftw_complex *in, *out;
	fftw_plan plan;
};

static struct transform in_main, in_handler;
static sigjmp_buf back;
static atomic_bool may_jump;
static atomic_int handled, wrong;

static struct transform make(int n)
{
	struct transform made = {.n = n};
	made.in = fftw_malloc(sizeof(fftw_complex) * (size_t)n);
	made.out = fftw_malloc(sizeof(fftw_complex) * (size_t)n);
	if (made.in == NULL || made.out == NULL)
		exit(3);
	made.plan = fftw_plan_dft_1d(n, made.in, made.out, FFTW_FORWARD, FFTW_ESTIMATE);
	return made;
}

static void fill(const struct transform *t)
{
	memset(t->in, 0, sizeof(fftw_complex) * (size_t)t->n);
	t->in[1][0] = 1;
}

static void check(const struct transform *t)
{
	const double turn = -2 * acos(-1.0) / t->n;
	bool right = true;
	for (int i = 0; i < t->n; i++)
		right = right && fabs(t->out[i][0] - cos(turn * i)) < 1e-9 &&
		        fabs(t->out[i][1] - sin(turn * i)) < 1e-9;
	wrong += !right;
}

static void execute(const struct transform *t)
{
	fill(t);
	fftw_execute(t->plan);
	check(t);
}

static void call(int number)
{
	(void)number;
	execute(&in_handler);
	handled++;
}

static void jump(int number)
{
	if (atomic_exchange(&may_jump, false))
		siglongjmp(back, number);
}

static void alarm_after(int us)
{
	const struct itimerval once = {{0, 0}, {0, us}};
	setitimer(ITIMER_REAL, &once, NULL);
}

static void interrupt_calls(void)
{
	for (int i = 0; i < ROUNDS; i++) {
		alarm_after(FIRST_US + MORE_US * i);
		while (handled <= i)
			execute(&in_main);
	}
}

static void leave_calls(void)
{
	for (int i = 0; i < ROUNDS; i++) {
		if (sigsetjmp(back, 1) == 0) {
			may_jump = true;
			alarm_after(FIRST_US + MORE_US * i);
			for (;;)
				fftw_execute(in_main.plan);
		}
		execute(&in_main);
		execute(&in_handler);
	}
}

int main(int argc, char **argv)
{
	const bool jumps = argc > 1 && strcmp(argv[1], "jump") == 0;
	struct sigaction action = {.sa_handler = jumps ? jump : call, .sa_flags = SA_RESTART};
	watch_for(20);
	watch_part("transforms");
	in_main = make(LONG);
	in_handler = make(SHORT);
	fill(&in_main);
	sigemptyset(&action.sa_mask);
	if (sigaction(SIGALRM, &action, NULL) != 0)
		return 3;
	if (jumps)
		leave_calls();
	else
		interrupt_calls();
	printf("%d wrong results\n", (int)wrong);
	return wrong != 0;
}
