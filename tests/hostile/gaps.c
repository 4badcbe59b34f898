/* gaps.c - transforms whose rows and elements have inaccessible pages between them */
/* SPDX-License-Identifier: Apache-2.0 */
#include "../driver/c11_complex.h"

#include <fftw3.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* A row is one page long in each array, and every PITCH pages there is one. */
enum { PITCH = 3, BATCH = 4 };

static const double turn = 6.283185307179586;
static size_t page_bytes;
static int wrong;

static void *make_rows(int rows)
{
	const size_t row_bytes = PITCH * page_bytes;
	char *memory = mmap(NULL, ((size_t)rows + 1) * row_bytes, PROT_NONE,
	                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED)
		exit(2);
	for (int row = 0; row < rows; row++)
		mprotect(memory + page_bytes + (size_t)row * row_bytes, page_bytes,
		         PROT_READ | PROT_WRITE);
	return memory + page_bytes;
}

static void fill(fftw_complex *x, int count, int stride)
{
	for (int i = 0; i < count; i++)
		x[i * stride] = CMPLX(cos(i * 1.3), sin(i * 0.7 + 0.1));
}

/* One frequency by its definition. */
static double complex find(const fftw_complex *x, int count, int stride, int frequency)
{
	double complex sum = 0;
	for (int i = 0; i < count; i++)
		sum += x[i * stride] * cexp(-turn * CMPLX(0, 1) * frequency * i / count);
	return sum;
}

static void expect(const char *what, double complex value, double complex expected)
{
	const bool holds = cabs(value - expected) < 1e-8;
	printf("%s: %s\n", what, holds ? "right" : "wrong");
	wrong += !holds;
}

/* Many transforms of a row each. */
static void transform_rows(bool in_place)
{
	enum { ROWS = 150 };
	const int length = 200, pitch = (int)(PITCH * page_bytes / sizeof(fftw_complex));
	fftw_complex *in = make_rows(ROWS), *out = in_place ? in : make_rows(ROWS);
	fftw_plan plan = fftw_plan_many_dft(1, &length, ROWS, in, NULL, 1, pitch, out, NULL, 1,
	                                    pitch, FFTW_FORWARD, FFTW_ESTIMATE);
	for (int row = 0; row < ROWS; row++)
		fill(in + row * pitch, length, 1);
	const double complex expected = find(in + 5 * pitch, length, 1, 7);
	fftw_execute(plan);
	expect("rows", out[5 * pitch + 7], expected);
	fftw_destroy_plan(plan);
}

/* A few transforms, side by side, with the elements of each in different rows. */
static void transform_columns(bool in_place)
{
	const int length = 600, stride = (int)(PITCH * page_bytes / sizeof(fftw_complex));
	fftw_complex *in = make_rows(length), *out = in_place ? in : make_rows(length);
	fftw_plan plan = fftw_plan_many_dft(1, &length, BATCH, in, NULL, stride, 1, out, NULL,
	                                    stride, 1, FFTW_FORWARD, FFTW_ESTIMATE);
	for (int i = 0; i < BATCH; i++)
		fill(in + i, length, stride);
	const double complex expected = find(in + 2, length, stride, 7);
	fftw_execute(plan);
	expect("columns", out[2 + 7 * stride], expected);
	fftw_destroy_plan(plan);
}

/* There and back, with real numbers. */
static void transform_real(void)
{
	enum { ROWS = 100, COLUMNS = 480 };
	const int n[] = {ROWS, COLUMNS};
	const int reals[] = {ROWS, (int)(PITCH * page_bytes / sizeof(double))};
	const int complexes[] = {ROWS, (int)(PITCH * page_bytes / sizeof(fftw_complex))};
	double *x = make_rows(ROWS), most = 0;
	fftw_complex *y = make_rows(ROWS);
	fftw_plan there =
		fftw_plan_many_dft_r2c(2, n, 1, x, reals, 1, 0, y, complexes, 1, 0, FFTW_ESTIMATE);
	fftw_plan back =
		fftw_plan_many_dft_c2r(2, n, 1, y, complexes, 1, 0, x, reals, 1, 0, FFTW_ESTIMATE);
	for (int i = 0; i < ROWS; i++)
		for (int j = 0; j < COLUMNS; j++)
			x[i * reals[1] + j] = sin(i * 0.3 + j);
	fftw_execute(there);
	fftw_execute(back);
	for (int i = 0; i < ROWS; i++)
		for (int j = 0; j < COLUMNS; j++)
			most = fmax(most, fabs(x[i * reals[1] + j] / (ROWS * COLUMNS) -
			                       sin(i * 0.3 + j)));
	expect("real", most, 0);
	fftw_destroy_plan(there);
	fftw_destroy_plan(back);
}

int main(void)
{
	page_bytes = (size_t)sysconf(_SC_PAGESIZE);
	for (int in_place = 0; in_place <= 1; in_place++) {
		transform_rows(in_place != 0);
		transform_columns(in_place != 0);
	}
	transform_real();
	return wrong != 0;
}
