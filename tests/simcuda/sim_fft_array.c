/* sim_fft_array.c - transforms of arrays of up to three dimensions, real ones included */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "sim_fft.h"

/*
 * One dimension of an array: `count` vectors of n elements, `stride` apart. Two loops give the
 * vectors' first elements.
 */
struct axis {
	size_t n, stride, inner_count, inner_step, outer_count, outer_step;
};

static void vector_exchange(struct sim_complex *vector, size_t n)
{
	for (size_t j = 0; j < n; j++)
		vector[j] = (struct sim_complex){vector[j].im, vector[j].re};
}

/*
 * Completes a row of which n / 2 + 1 elements are given, by Hermitian symmetry. Imaginary parts of
 * the first and, for even n, the middle element affect only the imaginary part of the transformed
 * row.
 */
static void row_complete(struct sim_complex *row, size_t n)
{
	for (size_t j = n / 2 + 1; j < n; j++)
		row[j] = (struct sim_complex){row[n - j].re, -row[n - j].im};
}

/*
 * The imaginary part of the first element, and for even n of the middle one: both are 0 in Hermitian
 * rows.
 */
struct excess {
	double first, middle;
};

static struct excess row_excess(const struct sim_complex *row, size_t n)
{
	return (struct excess){row[0].im, n % 2 ? 0 : row[n / 2].im};
}

/*
 * Adds to the transformed row what these parts add where a row of even length is computed as a
 * complex one of half the length: pairs of real numbers are its real and imaginary parts. For odd
 * n: a constant.
 */
static void row_add_excess(struct sim_complex *row, size_t n, struct excess excess)
{
	for (size_t j = 0; j < n; j++)
		row[j].re += n % 2 || j % 2 ? excess.first - excess.middle
		                            : -excess.first - excess.middle;
}

static void row_drop_imaginary(struct sim_complex *row, size_t n)
{
	for (size_t j = 0; j < n; j++)
		row[j].im = 0;
}

static void vector_transform(const struct sim_fft *fft, struct sim_complex *vector, size_t n,
                             bool inverse)
{
	if (inverse)
		vector_exchange(vector, n);
	sim_fft_forward(fft, vector, vector + n);
	if (inverse)
		vector_exchange(vector, n);
}

static bool axis_transform(const struct axis *a, enum sim_fft_kind kind, bool inverse,
                           struct sim_complex *data)
{
	struct sim_fft *fft = sim_fft_new(a->n);
	struct sim_complex *vector = malloc(2 * a->n * sizeof *vector);
	for (size_t o = 0; fft && vector && o < a->outer_count; o++)
		for (size_t i = 0; i < a->inner_count; i++) {
			struct sim_complex *first = data + o * a->outer_step + i * a->inner_step;
			for (size_t j = 0; j < a->n; j++)
				vector[j] = first[j * a->stride];
			if (kind == SIM_FFT_FROM_REAL)
				row_drop_imaginary(vector, a->n);
			const struct excess excess = row_excess(vector, a->n);
			if (kind == SIM_FFT_TO_REAL)
				row_complete(vector, a->n);
			vector_transform(fft, vector, a->n, inverse);
			if (kind == SIM_FFT_TO_REAL)
				row_add_excess(vector, a->n, excess);
			for (size_t j = 0; j < a->n; j++)
				first[j * a->stride] = vector[j];
		}
	bool done = fft && vector;
	free(vector);
	sim_fft_free(fft);
	return done;
}

bool sim_fft_array(const size_t n[3], enum sim_fft_kind kind, bool inverse,
                   struct sim_complex *data)
{
	/*
	 * In the frequency domain of a real transform only n / 2 + 1 elements of each row are
	 * given.
	 */
	size_t used = kind == SIM_FFT_COMPLEX ? n[2] : n[2] / 2 + 1, plane = n[1] * n[2];
	const struct axis rows = {n[2], 1, n[1], n[2], n[0], plane};
	const struct axis columns = {n[1], n[2], used, 1, n[0], plane};
	const struct axis pillars = {n[0], plane, used, 1, n[1], n[2]};
	bool done = true;
	if (kind != SIM_FFT_TO_REAL)
		done = axis_transform(&rows, kind, inverse, data);
	if (n[1] > 1)
		done = done && axis_transform(&columns, SIM_FFT_COMPLEX, inverse, data);
	if (n[0] > 1)
		done = done && axis_transform(&pillars, SIM_FFT_COMPLEX, inverse, data);
	if (kind == SIM_FFT_TO_REAL)
		done = done && axis_transform(&rows, kind, inverse, data);
	return done;
}
