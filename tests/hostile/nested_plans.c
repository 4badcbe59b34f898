/* nested_plans.c - FFTW functions that call each other: only the program's own calls are counted */
/* SPDX-License-Identifier: Apache-2.0 */
#include <fftw3.h>
#include <stdio.h>

/* libfftw3's Fortran layer; it calls some of the C functions, and jumps to others. */
void dfftw_plan_dft_2d_(fftw_plan *plan, const int *n0, const int *n1, void *in, void *out,
                        const int *sign, const int *flags);
void dfftw_execute_(const fftw_plan *plan);
void dfftw_destroy_plan_(fftw_plan *plan);
void dfftw_cleanup_(void);

int main(void)
{
	const int n0 = 4, n1 = 6, sign = FFTW_FORWARD, flags = FFTW_ESTIMATE;
	fftw_complex *in = fftw_alloc_complex(24), *out = fftw_alloc_complex(24);
	for (int i = 0; i < 24; i++)
		in[i][0] = in[i][1] = i;
	for (int round = 0; round < 3; round++) {
		fftw_plan plan = NULL,
			  other = fftw_plan_dft_3d(2, 3, 4, in, out, FFTW_BACKWARD, FFTW_ESTIMATE);
		dfftw_plan_dft_2d_(&plan, &n0, &n1, in, out, &sign, &flags);
		fftw_execute(other);
		dfftw_execute_(&plan);
		dfftw_destroy_plan_(&plan);
		fftw_destroy_plan(other);
	}
	printf("%g %g\n", out[0][0], out[0][1]);
	fftw_free(in);
	fftw_free(out);
	dfftw_cleanup_();
	fftw_cleanup();
	return 0;
}
