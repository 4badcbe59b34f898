/* module_plan.c - a module that makes, executes and destroys plans of FFTW, each on its own */
/* SPDX-License-Identifier: Apache-2.0 */
#include <fftw3.h>

void *module_make(int n, fftw_complex *in, fftw_complex *out);
void module_execute(void *plan);
void module_execute_new(void *plan, fftw_complex *in, fftw_complex *out);
void module_destroy(void *plan);

void *module_make(int n, fftw_complex *in, fftw_complex *out)
{
	return fftw_plan_dft_1d(n, in, out, FFTW_FORWARD, FFTW_ESTIMATE);
}

void module_execute(void *plan)
{
	fftw_execute(plan);
}

void module_execute_new(void *plan, fftw_complex *in, fftw_complex *out)
{
	fftw_execute_dft(plan, in, out);
}

void module_destroy(void *plan)
{
	fftw_destroy_plan(plan);
}
