/* fft_planned.c - plans for one thread and for two; compares their expected times in the log */
/* SPDX-License-Identifier: Apache-2.0 */
#include <fftw3.h>
#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE = 1 << 16, PLANS = 3, LINE_BYTES = 4096 };

static const char field[] = "\"predicted_cpu_ns\":";

/* Reads predicted_cpu_ns of each execution from the log; returns the number of executions. */
static int read_log(const char *path, double predicted_ns[PLANS])
{
	char line[LINE_BYTES];
	FILE *log = path != NULL ? fopen(path, "r") : NULL;
	int count = 0;
	while (log != NULL && count < PLANS && fgets(line, sizeof line, log) != NULL) {
		const char *found = strstr(line, field);
		if (found != NULL)
			predicted_ns[count++] = strtod(found + strlen(field), NULL);
	}
	if (log != NULL)
		fclose(log);
	return count;
}

/* Whether two threads have a processor each, by affinity and by the quota of a container. */
static int may_use_two(void)
{
	long quota = 0, period = 1;
	cpu_set_t own;
	FILE *group = fopen("/sys/fs/cgroup/cpu.max", "r");
	const int limited = group != NULL && fscanf(group, "%ld %ld", &quota, &period) == 2;
	if (group != NULL)
		fclose(group);
	return sched_getaffinity(0, sizeof own, &own) == 0 && CPU_COUNT(&own) > 1 &&
	       !(limited && quota <= period);
}

static void run(fftw_complex *in, fftw_complex *out)
{
	fftw_plan plan = fftw_plan_dft_1d(SIZE, in, out, FFTW_FORWARD, FFTW_ESTIMATE);
	fftw_execute(plan);
	fftw_destroy_plan(plan);
}

int main(void)
{
	fftw_complex *in = fftw_alloc_complex(SIZE), *out = fftw_alloc_complex(SIZE);
	double predicted_ns[PLANS] = {0};
	memset(in, 0, SIZE * sizeof *in);
	fftw_init_threads();
	run(in, out);
	fftw_plan_with_nthreads(2);
	run(in, out);
	fftw_cleanup_threads();
	run(in, out);
	const int count = read_log(getenv("EPOCHLY_GPU_LOG"), predicted_ns);
	const double wanted = may_use_two() ? 2 : 1, quotient = predicted_ns[0] / predicted_ns[1];
	if (count == 0)
		printf("nothing was logged\n");
	else if (count == PLANS && fabs(quotient - wanted) < 1e-3 &&
	         predicted_ns[0] == predicted_ns[2])
		printf("expected times follow the threads\n");
	else
		printf("%d lines: %g, %g and %g ns\n", count, predicted_ns[0], predicted_ns[1],
		       predicted_ns[2]);
	fftw_free(in);
	fftw_free(out);
	return 0;
}
