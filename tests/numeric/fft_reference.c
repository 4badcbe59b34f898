/* fft_reference.c - transforms as they are defined: What FFTW Really Computes, in its manual */
/* SPDX-License-Identifier: Apache-2.0 */
#include "fft_reference.h"

#include <fftw3.h>
#include <math.h>

#include "../driver/c11_complex.h"

enum { REFERENCE_ANGLES = 8 * (FFT_TRIAL_POINTS + 1) };

/* One line of points, and the angles 2 pi i / period. */
static long double complex reference_line[FFT_TRIAL_POINTS];
static long double reference_cosine[REFERENCE_ANGLES], reference_sine[REFERENCE_ANGLES];
static int64_t reference_period;

static void reference_tabulate(int64_t period)
{
	if (reference_period == period)
		return;
	reference_period = period;
	for (int64_t i = 0; i < period; i++) {
		reference_cosine[i] = cosl(2 * 3.14159265358979323846264338327950288L *
		                           (long double)i / (long double)period);
		reference_sine[i] = sinl(2 * 3.14159265358979323846264338327950288L *
		                         (long double)i / (long double)period);
	}
}

static void reference_complex(int64_t n, int sign, long double complex *points, int64_t stride)
{
	reference_tabulate(n);
	for (int64_t k = 0; k < n; k++) {
		long double real = 0, imaginary = 0;
		for (int64_t j = 0, angle = 0; j < n;
		     j++, angle = angle + k < n ? angle + k : angle + k - n) {
			const long double x = creall(reference_line[j]),
					  y = cimagl(reference_line[j]);
			const long double cosine = reference_cosine[angle],
					  sine = sign * reference_sine[angle];
			real += x * cosine - y * sine;
			imaginary += x * sine + y * cosine;
		}
		points[k * stride] = CMPLXL(real, imaginary);
	}
}

/*
 * The multiples of the unit angle 2 pi / 8d in cosine and sine transforms; d is n but for the two
 * of whole points.
 */
static int64_t reference_half_period(int kind, int64_t n)
{
	return kind == FFTW_REDFT00 ? n - 1 : kind == FFTW_RODFT00 ? n + 1 : n;
}

/* What the j-th number counts for in the k-th of the trigonometric transforms. */
static long double reference_even_odd(int kind, int64_t n, int64_t j, int64_t k)
{
	const int64_t period = reference_period;
	const long double *cosine = reference_cosine, *sine = reference_sine,
			  sign = k % 2 == 0 ? 1 : -1;
	switch (kind) {
	case FFTW_REDFT00: return j == 0 ? 1 : j == n - 1 ? sign : 2 * cosine[4 * j * k % period];
	case FFTW_REDFT01: return j == 0 ? 1 : 2 * cosine[2 * j * (2 * k + 1) % period];
	case FFTW_REDFT10: return 2 * cosine[2 * (2 * j + 1) * k % period];
	case FFTW_REDFT11: return 2 * cosine[(2 * j + 1) * (2 * k + 1) % period];
	case FFTW_RODFT00: return 2 * sine[4 * (j + 1) * (k + 1) % period];
	case FFTW_RODFT01: return j == n - 1 ? sign : 2 * sine[2 * (j + 1) * (2 * k + 1) % period];
	case FFTW_RODFT10: return 2 * sine[2 * (2 * j + 1) * (k + 1) % period];
	default: return 2 * sine[(2 * j + 1) * (2 * k + 1) % period];
	}
}

/*
 * Of a complex spectrum as real numbers, its imaginary parts behind and backwards; and of
 * Hartley's.
 */
static long double reference_half_complex(int kind, int64_t n, int64_t j, int64_t k)
{
	const int64_t angle = j * k % n, far = kind == FFTW_R2HC ? k : j;
	const long double cosine = reference_cosine[angle], sine = reference_sine[angle];
	if (kind == FFTW_DHT)
		return cosine + sine;
	const bool alone = far == 0 || 2 * far == n;
	if (2 * far <= n)
		return kind == FFTW_R2HC || alone ? cosine : 2 * cosine;
	return kind == FFTW_R2HC ? sine : 2 * sine;
}

static void reference_real(int kind, int64_t n, long double complex *points, int64_t stride)
{
	const bool half_complex = kind <= FFTW_DHT;
	const int64_t period = half_complex ? n : 8 * reference_half_period(kind, n);
	reference_tabulate(period);
	for (int64_t k = 0; k < n; k++) {
		long double sum = 0;
		for (int64_t j = 0; j < n; j++)
			sum += creall(reference_line[j]) *
			       (half_complex ? reference_half_complex(kind, n, j, k)
			                     : reference_even_odd(kind, n, j, k));
		points[k * stride] = sum;
	}
}

void fft_reference_run(const struct fft_trial *t, long double complex *points)
{
	const int64_t count = fft_trial_points(t);
	int64_t stride = count;
	for (int a = 0; a < t->rank; a++) {
		const int64_t n = t->axis[a].n, outer = stride;
		stride /= n;
		for (int64_t i = 0; i < count; i++) {
			if (i % outer >= stride)
				continue;
			for (int64_t j = 0; j < n; j++)
				reference_line[j] = points[i + j * stride];
			if (t->kind == FFT_R2R)
				reference_real(t->r2r[a], n, points + i, stride);
			else
				reference_complex(n, t->sign == FFTW_FORWARD ? -1 : 1, points + i,
				                  stride);
		}
	}
}
