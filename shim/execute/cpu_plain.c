/* cpu_plain.c - gemm in plain loops, for a process without any BLAS */
/* SPDX-License-Identifier: Apache-2.0 */
#include <complex.h>
#include <string.h>

#include "shim/execute/cpu.h"

static double complex plain_read(enum element element, const void *array, int64_t index)
{
	switch (element) {
	case ELEMENT_S: return ((const float *)array)[index];
	case ELEMENT_D: return ((const double *)array)[index];
	case ELEMENT_C: return ((const float complex *)array)[index];
	default: return ((const double complex *)array)[index];
	}
}

static void plain_write(enum element element, void *array, int64_t index, double complex value)
{
	switch (element) {
	case ELEMENT_S: ((float *)array)[index] = (float)creal(value); break;
	case ELEMENT_D: ((double *)array)[index] = creal(value); break;
	case ELEMENT_C: ((float complex *)array)[index] = (float complex)value; break;
	default: ((double complex *)array)[index] = value; break;
	}
}

static double complex plain_operand(enum element element, const void *array, int64_t ld, enum transpose transpose,
                                    int64_t row, int64_t column)
{
	if (transpose == TRANSPOSE_N)
		return plain_read(element, array, row + column * ld);
	const double complex value = plain_read(element, array, column + row * ld);
	return transpose == TRANSPOSE_C ? conj(value) : value;
}

void cpu_plain_gemm(enum element element, const struct gemm_call *g)
{
	double complex alpha, beta;
	memcpy(&alpha, g->alpha, sizeof alpha);
	memcpy(&beta, g->beta, sizeof beta);
	const int64_t terms = alpha == 0 ? 0 : g->k; /* A and B are not read then */
	for (int64_t j = 0; j < g->n; j++)
		for (int64_t i = 0; i < g->m; i++) {
			double complex sum = 0;
			for (int64_t l = 0; l < terms; l++)
				sum += plain_operand(element, g->a, g->lda, g->transa, i, l) *
				       plain_operand(element, g->b, g->ldb, g->transb, l, j);
			const double complex old = beta == 0 ? 0 : beta * plain_read(element, g->c, i + j * g->ldc);
			plain_write(element, g->c, i + j * g->ldc, (terms != 0 ? alpha * sum : 0) + old);
		}
}
