/* gpu_check_gemm.c - one multiplication between canaries, and the sum it must equal */
/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gpu_check.h"
#include "shim/execute/gpu/gpu_blas.h"

enum { CANARY = 0x5b, CANARY_BYTES = 64 };

/* A matrix in memory of its own; every byte that is no element is a canary. */
struct matrix {
	char *memory, *base;
	size_t memory_bytes;
	int64_t rows, columns, ld;
	enum element element;
};

static struct matrix matrix_make(int64_t rows, int64_t columns, const struct gpu_check_gemm *wanted)
{
	struct matrix matrix = {.rows = rows, .columns = columns, .ld = rows + wanted->gap, .element = wanted->element};
	const size_t element_bytes = element_size_bytes(wanted->element);
	matrix.memory_bytes =
		(size_t)(matrix.ld * columns) * element_bytes + (size_t)wanted->offset_bytes + (size_t)2 * CANARY_BYTES;
	matrix.memory = malloc(matrix.memory_bytes);
	memset(matrix.memory, CANARY, matrix.memory_bytes);
	matrix.base = matrix.memory + CANARY_BYTES + wanted->offset_bytes;
	return matrix;
}

static double complex matrix_get(const struct matrix *matrix, int64_t row, int64_t column)
{
	return gpu_check_load(matrix->base, row + column * matrix->ld, matrix->element, false);
}

static void matrix_set(struct matrix *matrix, int64_t row, int64_t column, double complex value)
{
	gpu_check_store(matrix->base, row + column * matrix->ld, matrix->element, false, value);
}

static void matrix_fill(struct matrix *matrix, bool nan)
{
	for (int64_t column = 0; column < matrix->columns; column++)
		for (int64_t row = 0; row < matrix->rows; row++)
			matrix_set(matrix, row, column,
			           nan ? CMPLX(NAN, NAN) : CMPLX(gpu_check_random(), gpu_check_random()));
}

static struct matrix matrix_copy(const struct matrix *matrix)
{
	struct matrix copy = *matrix;
	copy.memory = malloc(matrix->memory_bytes);
	memcpy(copy.memory, matrix->memory, matrix->memory_bytes);
	copy.base = copy.memory + (matrix->base - matrix->memory);
	return copy;
}

static bool matrix_same_bytes(const struct matrix *a, const struct matrix *b)
{
	return memcmp(a->memory, b->memory, a->memory_bytes) == 0;
}

static long double complex matrix_get_op(const struct matrix *matrix, enum transpose op, int64_t row, int64_t column)
{
	if (op == TRANSPOSE_N)
		return matrix_get(matrix, row, column);
	const double complex value = matrix_get(matrix, column, row);
	return op == TRANSPOSE_C ? conj(value) : value;
}

/* The greatest error in units of what rounding allows; the elements are overwritten by those of expected. */
static double matrix_compare(const struct gpu_check_gemm *w, const struct matrix *a, const struct matrix *b,
                             const struct matrix *before, struct matrix *c)
{
	const bool single = w->element == ELEMENT_S || w->element == ELEMENT_C;
	const double unit = single ? 0x1p-23 : 0x1p-52;
	double worst = 0;
	for (int64_t j = 0; j < w->n; j++)
		for (int64_t i = 0; i < w->m; i++) {
			long double complex sum = 0;
			for (int64_t p = 0; p < w->k; p++)
				sum += matrix_get_op(a, w->transa, i, p) * matrix_get_op(b, w->transb, p, j);
			sum *= (long double complex)w->alpha;
			if (w->beta != 0)
				sum += (long double complex)w->beta * (long double complex)matrix_get(before, i, j);
			const double error = (double)cabsl(sum - (long double complex)matrix_get(c, i, j)) / unit;
			worst = error <= worst ? worst : error;
			matrix_set(c, i, j, matrix_get(before, i, j));
		}
	return worst / ((double)w->k * 4 * (1 + cabs(w->alpha) + cabs(w->beta)));
}

static struct call matrix_make_call(const struct gpu_check_gemm *w, const struct matrix *a, const struct matrix *b,
                                    const struct matrix *c)
{
	return (struct call){.family = FAMILY_GEMM,
	                     .element = w->element,
	                     .gemm = {.transa = w->transa,
	                              .transb = w->transb,
	                              .m = w->m,
	                              .n = w->n,
	                              .k = w->k,
	                              .lda = a->ld,
	                              .ldb = b->ld,
	                              .ldc = c->ld,
	                              .a = a->base,
	                              .b = b->base,
	                              .c = c->base,
	                              .alpha = {creal(w->alpha), cimag(w->alpha)},
	                              .beta = {creal(w->beta), cimag(w->beta)}}};
}

/* A failed call leaves every byte as it was; a good one changes the m x n elements and nothing else. */
static void matrix_judge(enum reason reason, const struct gpu_check_gemm *w, const struct matrix *a,
                         const struct matrix *b, const struct matrix *before, struct matrix *c)
{
	if (reason == REASON_NONE) {
		const double error = matrix_compare(w, a, b, before, c);
		EXPECT(error <= 1, "%c op %d %d, %ld x %ld x %ld, beta %g: error %g times what rounding allows",
		       "sdcz"[w->element], w -> transa, w -> transb, (long)w -> m, (long)w -> n, (long)w -> k,
		       creal(w->beta), error);
	}
	EXPECT(matrix_same_bytes(c, before), "%c %ld x %ld: something beside the result was written (%s)",
	       "sdcz"[w->element], (long)w -> m, (long)w -> n, reason_name(reason));
}

enum reason gpu_check_run_gemm(const struct gpu_check_gemm *wanted, int device)
{
	struct gpu_check_gemm w = *wanted;
	if (!element_is_complex(w.element)) {
		w.alpha = creal(w.alpha);
		w.beta = creal(w.beta);
	}
	struct matrix a = matrix_make(w.transa == TRANSPOSE_N ? w.m : w.k, w.transa == TRANSPOSE_N ? w.k : w.m, &w);
	struct matrix b = matrix_make(w.transb == TRANSPOSE_N ? w.k : w.n, w.transb == TRANSPOSE_N ? w.n : w.k, &w);
	struct matrix c = matrix_make(w.m, w.n, &w);
	const struct matrix *second = w.same ? &a : &b;
	matrix_fill(&a, false);
	matrix_fill(&b, false);
	matrix_fill(&c, w.beta == 0);
	struct matrix before = matrix_copy(&c), a_before = matrix_copy(&a);
	const struct call call = matrix_make_call(&w, &a, second, &c);
	const enum reason reason = gpu_blas_run(&call, device);
	matrix_judge(reason, &w, &a, second, &before, &c);
	EXPECT(matrix_same_bytes(&a, &a_before), "A was written");
	free(a.memory);
	free(b.memory);
	free(c.memory);
	free(before.memory);
	free(a_before.memory);
	return reason;
}
