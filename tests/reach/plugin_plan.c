/* plugin_plan.c - a plug-in that leaves FFTW plans behind when it is closed */
/* SPDX-License-Identifier: Apache-2.0 */
#include <fftw3.h>

enum { N = 48, RUNS = 8 };

int plugin_version(void);
int plugin_count(void);
void plugin_call(double *c);
void plugin_call_cblas(double *c);

static fftw_complex in[N], out[N];
static int plans;

int plugin_version(void)
{
	return 1;
}

int plugin_count(void)
{
	return plans;
}

/* One more plan, which is never destroyed, and its runs: the sum of all numbers comes first. */
void plugin_call(double *c)
{
	fftw_plan plan = fftw_plan_dft_1d(N, in, out, FFTW_FORWARD, FFTW_MEASURE);
	plans++;
	for (int i = 0; i < N; i++)
		in[i][0] = i;
	for (int run = 0; run < RUNS; run++)
		fftw_execute(plan);
	c[0] = out[0][0];
}

/* All plans of the process are gone. */
void plugin_call_cblas(double *c)
{
	fftw_cleanup();
	c[0] = -1;
}
