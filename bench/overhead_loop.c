/* overhead_loop.c - calls one routine of the no-op library many times and prints nanoseconds per call */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench/noop_library.h"

static const int size = 4;
static const double one = 1, zero = 0;
static double a[16], b[16], c[16];
static void *plan;

static void loop_dgemm(long count)
{
	for (long i = 0; i < count; i++)
		dgemm_("N", "N", &size, &size, &size, &one, a, &size, b, &size, &zero, c, &size, 1, 1);
}

static void loop_cblas_dgemm(long count)
{
	for (long i = 0; i < count; i++)
		cblas_dgemm(102, 111, 111, 4, 4, 4, one, a, 4, b, 4, zero, c, 4);
}

static void loop_fftw_execute(long count)
{
	for (long i = 0; i < count; i++)
		fftw_execute(plan);
}

static void loop_fftw_execute_dft(long count)
{
	for (long i = 0; i < count; i++)
		fftw_execute_dft(plan, a, b);
}

static const struct {
	const char *name;
	void (*run)(long count);
} cases[] = {
	{"dgemm_", loop_dgemm},
	{"cblas_dgemm", loop_cblas_dgemm},
	{"fftw_execute", loop_fftw_execute},
	{"fftw_execute_dft", loop_fftw_execute_dft},
};

static double now_ns(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

/* Bursts with a pause between them: a log that is drained in the background gets the time to do so. */
static double time_bursts(void (*run)(long), long burst, long bursts, long pause_us)
{
	const struct timespec pause = {.tv_sec = pause_us / 1000000, .tv_nsec = pause_us % 1000000 * 1000};
	double total = 0;
	for (long i = 0; i < bursts; i++) {
		const double start = now_ns();
		run(burst);
		total += now_ns() - start;
		if (pause_us != 0)
			nanosleep(&pause, NULL);
	}
	return total / ((double)burst * (double)bursts);
}

int main(int argc, char **argv)
{
	if (argc != 5) {
		fprintf(stderr, "usage: %s ROUTINE BURST BURSTS PAUSE_US\n", argv[0]);
		return 2;
	}
	plan = fftw_plan_dft_1d(8, a, b, -1, 64);
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		if (strcmp(argv[1], cases[i].name) != 0)
			continue;
		cases[i].run(100); /* finds the routine, warms the caches */
		printf("%.4f\n", time_bursts(cases[i].run, atol(argv[2]), atol(argv[3]), atol(argv[4])));
		return 0;
	}
	fprintf(stderr, "%s: no routine %s\n", argv[0], argv[1]);
	return 2;
}
