/* matrix_plugin.c - a plug-in that calls BLAS and FFTW when it is loaded, used and closed */
/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/hostile/hostile_work.h"

static int wrong;

static void work(void)
{
	wrong += work_dgemm(9) + work_cblas(40) + work_fft(60);
}

__attribute__((constructor)) static void begin(void)
{
	work();
}

__attribute__((destructor)) static void end(void)
{
	work();
}

int matrix_plugin(void)
{
	work();
	return wrong;
}
