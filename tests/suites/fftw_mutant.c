/* fftw_mutant.c - a faulty interposer of FFTW: bench must find the fault that MUTANT names */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

extern void fftw_execute(const void *plan);
extern void fftw_destroy_plan(void *plan);
extern void *fftw_plan_dft_1d(int n, double *in, double *out, int sign, unsigned flags);
extern void *fftw_plan_many_dft(int rank, const int *n, int howmany, double *in, const int *inembed,
                                int istride, int idist, double *out, const int *onembed,
                                int ostride, int odist, int sign, unsigned flags);

/* Data of the plan made last, which bench executes. */
static double *fftw_mutant_in, *fftw_mutant_out;
static bool fftw_mutant_has_gaps;

static bool fftw_mutant_is(const char *fault)
{
	const char *chosen = getenv("MUTANT");
	return chosen != NULL && strcmp(chosen, fault) == 0;
}

static void *fftw_mutant_find_real(const char *symbol)
{
	void *real = dlsym(RTLD_NEXT, symbol);
	if (real == NULL)
		abort();
	return real;
}

void *fftw_plan_dft_1d(int n, double *in, double *out, int sign, unsigned flags)
{
	__typeof__(fftw_plan_dft_1d) *real =
		(__typeof__(fftw_plan_dft_1d) *)fftw_mutant_find_real("fftw_plan_dft_1d");
	fftw_mutant_in = in;
	fftw_mutant_out = out;
	fftw_mutant_has_gaps = false;
	return real(n, in, out, fftw_mutant_is("sign") ? -sign : sign, flags);
}

void *fftw_plan_many_dft(int rank, const int *n, int howmany, double *in, const int *inembed,
                         int istride, int idist, double *out, const int *onembed, int ostride,
                         int odist, int sign, unsigned flags)
{
	__typeof__(fftw_plan_many_dft) *real =
		(__typeof__(fftw_plan_many_dft) *)fftw_mutant_find_real("fftw_plan_many_dft");
	fftw_mutant_in = in;
	fftw_mutant_out = out;
	fftw_mutant_has_gaps = ostride > 1 && odist > ostride;
	return real(rank, n, howmany, in, inembed, istride, idist, out, onembed, ostride, odist,
	            sign, flags);
}

void fftw_destroy_plan(void *plan)
{
	__typeof__(fftw_destroy_plan) *real =
		(__typeof__(fftw_destroy_plan) *)fftw_mutant_find_real("fftw_destroy_plan");
	fftw_mutant_in = NULL;
	real(plan);
}

/* The fault of adding to a staging buffer that was never written. */
static void fftw_mutant_read_stale(void)
{
	double *stale = malloc(sizeof(*stale));
	if (stale == NULL)
		abort();
	fftw_mutant_out[0] += *(volatile double *)stale;
	free(stale);
}

void fftw_execute(const void *plan)
{
	__typeof__(fftw_execute) *real =
		(__typeof__(fftw_execute) *)fftw_mutant_find_real("fftw_execute");
	if (fftw_mutant_is("idle"))
		return;
	real(plan);
	if (fftw_mutant_in == NULL)
		return;
	if (fftw_mutant_is("gap") && fftw_mutant_has_gaps)
		fftw_mutant_out[2] = 1;
	if (fftw_mutant_is("input") && fftw_mutant_in != fftw_mutant_out)
		fftw_mutant_in[0] += 1;
	if (fftw_mutant_is("stale"))
		fftw_mutant_read_stale();
}
