/* cpu_compose.c - gemmt, gemm3m and batches by a library's gemm, where it does not have them itself */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "policy/batch.h"
#include "policy/operand.h"
#include "shim/execute/cpu.h"
#include "shim/table/routine.h"
#include "shim/table/shapes.h"

enum { COMPOSE_BLOCK = 128 };

/* The library's gemm and what it takes. */
struct compose {
	void (*gemm)(PARAMS_f77_GEMM(D));
	bool wide;
	enum element element;
};

/* An integer in both widths: the library reads the one it knows. */
union compose_integer {
	int32_t narrow;
	int64_t wide;
};

static union compose_integer compose_make(const struct compose *compose, int64_t value)
{
	if (compose->wide)
		return (union compose_integer){.wide = value};
	return (union compose_integer){.narrow = (int32_t)value};
}

/* alpha or beta as the library reads it. */
static void compose_write_scalar(enum element element, const double value[2], void *scalar)
{
	const float single[2] = {(float)value[0], (float)value[1]};
	if (element == ELEMENT_S || element == ELEMENT_C)
		memcpy(scalar, single, sizeof single);
	else
		memcpy(scalar, value, 2 * sizeof value[0]);
}

static void compose_gemm(const struct compose *compose, const struct blas_call *blas)
{
	static const char letter[] = "NTC";
	const union compose_integer m = compose_make(compose, blas->m), n = compose_make(compose, blas->n);
	const union compose_integer k = compose_make(compose, blas->k), lda = compose_make(compose, blas->lda);
	const union compose_integer ldb = compose_make(compose, blas->ldb), ldc = compose_make(compose, blas->ldc);
	double alpha[2], beta[2];
	compose_write_scalar(compose->element, blas->alpha, alpha);
	compose_write_scalar(compose->element, blas->beta, beta);
	compose->gemm(&letter[blas->transa], &letter[blas->transb], &m, &n, &k, alpha, blas->a, &lda, blas->b, &ldb,
	              beta, blas->c, &ldc, 1, 1);
}

static void *compose_point(const struct compose *compose, const void *base, int64_t index)
{
	return (char *)(uintptr_t)base + index * (int64_t)element_size_bytes(compose->element);
}

/* The part of a gemmt call that writes rows x columns of C from element (row, column) on. */
static struct blas_call compose_cut(const struct compose *compose, const struct blas_call *blas, int64_t row,
                                    int64_t rows, int64_t column, int64_t columns)
{
	struct blas_call part = *blas;
	part.m = rows;
	part.n = columns;
	part.a = compose_point(compose, blas->a, blas->transa == TRANSPOSE_N ? row : row * blas->lda);
	part.b = compose_point(compose, blas->b, blas->transb == TRANSPOSE_N ? column * blas->ldb : column);
	part.c = compose_point(compose, blas->c, row + column * blas->ldc);
	return part;
}

/* A block on the diagonal: computed whole beside C, of which only the triangle is then written. */
static void compose_diagonal(const struct compose *compose, const struct blas_call *block, void *scratch)
{
	const uint64_t size = element_size_bytes(compose->element);
	struct blas_call whole = *block;
	whole.c = scratch;
	whole.ldc = block->n;
	for (int pass = 0; pass < 2; pass++) {
		for (int64_t column = 0; column < block->n; column++) {
			const bool upper = block->uplo == UPLO_UPPER;
			const int64_t first = upper ? 0 : column, rows = upper ? column + 1 : block->n - column;
			void *inside = compose_point(compose, block->c, first + column * block->ldc);
			void *beside = compose_point(compose, scratch, first + column * whole.ldc);
			memcpy(pass == 0 ? beside : inside, pass == 0 ? inside : beside, (size_t)rows * size);
		}
		if (pass == 0)
			compose_gemm(compose, &whole);
	}
}

static bool compose_gemmt(const struct compose *compose, const struct blas_call *blas)
{
	void *scratch = calloc(COMPOSE_BLOCK, COMPOSE_BLOCK * element_size_bytes(compose->element));
	if (scratch == NULL)
		return false;
	for (int64_t at = 0; at < blas->n; at += COMPOSE_BLOCK) {
		const int64_t width = blas->n - at < COMPOSE_BLOCK ? blas->n - at : COMPOSE_BLOCK;
		const int64_t row = blas->uplo == UPLO_UPPER ? 0 : at + width;
		const int64_t rows = blas->uplo == UPLO_UPPER ? at : blas->n - row;
		const struct blas_call block = compose_cut(compose, blas, at, width, at, width);
		const struct blas_call beside = compose_cut(compose, blas, row, rows, at, width);
		compose_diagonal(compose, &block, scratch);
		if (rows > 0)
			compose_gemm(compose, &beside);
	}
	free(scratch);
	return true;
}

static bool compose_batch(const struct compose *compose, const struct call *call)
{
	struct batch_group group = {.next = 0};
	while (batch_next_group(&call->batch, call->element, &group))
		for (int64_t i = 0; i < group.count; i++) {
			batch_point(&call->batch, call->element, group.first + i, &group.blas);
			compose_gemm(compose, &group.blas);
		}
	return true;
}

bool cpu_compose_run(const struct call *call, const void *caller)
{
	const bool batch = family_is_batch(call->family);
	if (!batch && call->family != FAMILY_GEMMT && call->family != FAMILY_GEMM3M)
		return false;
	const struct cpu_routine routine = cpu_find_gemm(call->element, caller);
	struct compose compose = {.wide = routine.wide, .element = call->element};
	if (routine.code == NULL)
		return false;
	memcpy(&compose.gemm, &routine.code, sizeof compose.gemm);
	if (batch)
		return compose_batch(&compose, call);
	if (call->family == FAMILY_GEMMT)
		return compose_gemmt(&compose, &call->blas);
	compose_gemm(&compose, &call->blas);
	return true;
}
