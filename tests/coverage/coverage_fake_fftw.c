/* coverage_fake_fftw.c - an FFTW whose plans are numbers, and which transforms nothing */
/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/coverage/coverage_fake.h"

#include <stdio.h>
#include <stdlib.h>

static void fake_need(int holds, const char *what)
{
	if (!holds) {
		fprintf(stderr, "fake: %s did not arrive\n", what);
		_Exit(98);
	}
}

static void *fake_make(int number)
{
	static char plans[512];
	return plans + number * 16;
}

void *fftw_plan_many_dft(int rank, const int *n, int howmany, void *in, const int *inembed,
                         int istride, int idist, void *out, const int *onembed, int ostride,
                         int odist, int sign, unsigned flags)
{
	fake_need(n[0] > 0 && howmany > 0 && in != NULL && inembed == NULL && istride == 1,
	          "many's registers");
	fake_need(idist > 0 && out != NULL && onembed == NULL && ostride == 1 && odist == idist,
	          "many's stack");
	fake_need(sign == -1 && flags == 64, "many's last arguments");
	return fake_make(rank);
}

/* As in FFTW, this planner calls the general planner. */
void *fftw_plan_dft_2d(int n0, int n1, void *in, void *out, int sign, unsigned flags)
{
	const int n[] = {n0, n1};
	fake_need(sign == -1 && flags == 64, "2d's arguments");
	fftw_plan_many_dft(2, n, 1, in, NULL, 1, n0 * n1, out, NULL, 1, n0 * n1, sign, flags);
	return fake_make(4);
}

void *fftwf_plan_dft_r2c_1d(int n, float *in, void *out, unsigned flags)
{
	fake_need(n > 0 && in != NULL && out != NULL && flags == 64, "r2c's arguments");
	return fake_make(5);
}

void *fftw_plan_r2r_1d(int n, double *in, double *out, int kind, unsigned flags)
{
	fake_need(n > 0 && in != NULL && out != NULL && kind == 3 && flags == 64,
	          "r2r's arguments");
	return fake_make(6);
}

void fftw_execute(const void *plan)
{
	fake_need(plan == fake_make(1) || plan == fake_make(4) || plan == fake_make(6),
	          "execute's plan");
}

void fftw_execute_dft(const void *plan, void *in, void *out)
{
	fake_need(plan == fake_make(4) && in != NULL && out != NULL, "execute_dft's arguments");
}

void fftwf_execute(const void *plan)
{
	fake_need(plan == fake_make(5), "fftwf_execute's plan");
}

void dfftw_plan_dft_1d_(void **plan, const int *n, void *in, void *out, const int *sign,
                        const int *flags)
{
	fake_need(*n > 0 && in != NULL && out != NULL && *sign == -1 && *flags == 64,
	          "dfftw's arguments");
	*plan = fake_make(7);
}

void dfftw_plan_many_dft_(void **plan, const int *rank, const int *n, const int *howmany, void *in,
                          const int *inembed, const int *istride, const int *idist, void *out,
                          const int *onembed, const int *ostride, const int *odist, const int *sign,
                          const int *flags)
{
	fake_need(*rank == 2 && n[0] == 8 && n[1] == 4 && *howmany == 9 && in == out,
	          "Fortran's many");
	fake_need(inembed == n && *istride == 1 && *idist == 32 && onembed == n && *ostride == 1 &&
	                  *odist == 32,
	          "Fortran's many on the stack");
	fake_need(*sign == -1 && *flags == 64, "Fortran's last arguments");
	*plan = fake_make(7);
}

void *fftwf_plan_guru_dft(int rank, const struct fake_dim *dims, int loops,
                          const struct fake_dim *loop_dims, void *in, void *out, int sign,
                          unsigned flags)
{
	fake_need(rank == 1 && dims[0].n == 16 && loops == 2 && loop_dims[1].n == 5 && in != out,
	          "guru's registers");
	fake_need(sign == -1 && flags == 64, "guru's last arguments");
	return fake_make(5);
}

void *fftw_plan_guru64_dft_c2r(int rank, const struct fake_dim64 *dims, int loops,
                               const struct fake_dim64 *loop_dims, void *in, double *out,
                               unsigned flags)
{
	fake_need(rank == 4 && dims[3].n == 2 && loops == 0 && loop_dims == NULL && in != NULL &&
	                  out != NULL && flags == 64,
	          "guru64's arguments");
	return fake_make(4);
}

void dfftw_execute_(void *const *plan)
{
	fake_need(*plan == fake_make(7), "dfftw_execute_'s plan");
}
