/* secure_blas.c - isamax_ and FFTW in a few lines, which make no system call */
/* SPDX-License-Identifier: Apache-2.0 */

int isamax_(const int *n, const float *x, const int *step);
void *fftw_plan_dft_1d(int n, double *in, double *out, int sign, unsigned flags);
void fftw_execute(void *plan);
void fftw_destroy_plan(void *plan);

int isamax_(const int *n, const float *x, const int *step)
{
	int best = 0;
	for (int i = 1; i < *n; i++)
		best = x[i * *step] > x[best * *step] ? i : best;
	return best + 1;
}

/* One plan at a time; the "transform" doubles its input. */
static struct {
	int n;
	const double *in;
	double *out;
} the_plan;

void *fftw_plan_dft_1d(int n, double *in, double *out, int sign, unsigned flags)
{
	(void)sign, (void)flags;
	the_plan.n = n;
	the_plan.in = in;
	the_plan.out = out;
	return &the_plan;
}

void fftw_execute(void *plan)
{
	(void)plan;
	for (int i = 0; i < 2 * the_plan.n; i++)
		the_plan.out[i] = 2 * the_plan.in[i];
}

void fftw_destroy_plan(void *plan)
{
	(void)plan;
}
