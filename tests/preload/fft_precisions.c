/* fft_precisions.c - all precisions in one program: long double and quadruple stay on the CPU */
/* SPDX-License-Identifier: Apache-2.0 */
#include <fftw3.h>
#include <stdio.h>

enum { N = 24 };

#define RUN_C2C(prefix, type)                                                                      \
	static void run_c2c_##prefix(prefix##_complex *x, type *y, type one)                       \
	{                                                                                          \
		prefix##_plan p = prefix##_plan_dft_1d(N, x, x, FFTW_FORWARD, FFTW_ESTIMATE);      \
		fill_##prefix(x, y, one), prefix##_execute(p), show_##prefix("c2c", x);            \
		prefix##_destroy_plan(p);                                                          \
	}

#define RUN_REAL(prefix, type)                                                                     \
	static void run_real_##prefix(prefix##_complex *x, type *y)                                \
	{                                                                                          \
		prefix##_plan p = prefix##_plan_dft_r2c_1d(N, y, x, FFTW_ESTIMATE);                \
		prefix##_execute_dft_r2c(p, y, x), show_##prefix("r2c", x);                        \
		prefix##_destroy_plan(p);                                                          \
		p = prefix##_plan_r2r_1d(N, y, y, FFTW_R2HC, FFTW_ESTIMATE);                       \
		prefix##_execute(p), x[0][0] = y[0], show_##prefix("r2r", x);                      \
		prefix##_destroy_plan(p);                                                          \
	}

#define TOOLS(prefix, type)                                                                        \
	static void fill_##prefix(prefix##_complex *x, type *y, type one)                          \
	{                                                                                          \
		for (int k = 0; k < N; k++)                                                        \
			x[k][0] = y[k] = one, x[k][1] = 0;                                         \
	}                                                                                          \
	static void show_##prefix(const char *what, prefix##_complex *x)                           \
	{                                                                                          \
		const type error = (x[0][0] - N) / N;                                              \
		printf(#prefix " %s: %.3f, %s\n", what, (double)x[0][0],                           \
		       error<(type)1e-5 && error>(type) - 1e-5 ? "right" : "WRONG");               \
	}

/*
 * Runs the transforms of one precision and then releases everything; each precision prints the same
 * words.
 */
#define RUN(prefix, type, one)                                                                     \
	static void run_##prefix(void)                                                             \
	{                                                                                          \
		prefix##_complex *x = prefix##_alloc_complex(N);                                   \
		type *y = prefix##_alloc_real(N);                                                  \
		run_c2c_##prefix(x, y, one);                                                       \
		run_real_##prefix(x, y);                                                           \
		prefix##_free(x), prefix##_free(y), prefix##_cleanup();                            \
	}

#define PRECISION(prefix, type)                                                                    \
	TOOLS(prefix, type)                                                                        \
	RUN_C2C(prefix, type)                                                                      \
	RUN_REAL(prefix, type)                                                                     \
	RUN(prefix, type, 1)

PRECISION(fftw, double)
PRECISION(fftwf, float)
#ifdef HAVE_LONG
PRECISION(fftwl, long double)
#endif
#ifdef HAVE_QUAD
PRECISION(fftwq, __float128)
#endif

int main(void)
{
	run_fftw();
	run_fftwf();
#ifdef HAVE_LONG
	run_fftwl();
#else
	printf("fftwl: not here\n");
#endif
#ifdef HAVE_QUAD
	run_fftwq();
#else
	printf("fftwq: not here\n");
#endif
	run_fftw();
	return 0;
}
