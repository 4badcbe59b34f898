/* cpu_compose.c - gemmt, gemm3m and batches by gemm, for libraries without them */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "policy/call/batch.h"
#include "policy/call/operand.h"
#include "shim/execute/cpu/cpu_fortran.h"

enum { COMPOSE_BLOCK = 128 };

static void *cpu_compose_point(const struct cpu_fortran *gemm, const void *base, int64_t index)
{
	return (char *)(uintptr_t)base + index * (int64_t)element_size_bytes(gemm->element);
}

/* The part of a gemmt call that writes rows x columns of C from element (row, column) on. */
static struct blas_call cpu_compose_cut(const struct cpu_fortran *gemm,
                                        const struct blas_call *blas, int64_t row, int64_t rows,
                                        int64_t column, int64_t columns)
{
	struct blas_call part = *blas;
	part.m = rows;
	part.n = columns;
	part.a = cpu_compose_point(gemm, blas->a,
	                           blas->transa == TRANSPOSE_N ? row : row * blas->lda);
	part.b = cpu_compose_point(gemm, blas->b,
	                           blas->transb == TRANSPOSE_N ? column * blas->ldb : column);
	part.c = cpu_compose_point(gemm, blas->c, row + column * blas->ldc);
	return part;
}

/* A block on the diagonal: computed in scratch memory, of which C gets the triangle. */
static void cpu_compose_diagonal(const struct cpu_fortran *gemm, const struct blas_call *block,
                                 void *scratch)
{
	const uint64_t size = element_size_bytes(gemm->element);
	struct blas_call whole = *block;
	whole.c = scratch;
	whole.ldc = block->n;
	for (int pass = 0; pass < 2; pass++) {
		for (int64_t column = 0; column < block->n; column++) {
			const bool upper = block->uplo == UPLO_UPPER;
			const int64_t first = upper ? 0 : column,
				      rows = upper ? column + 1 : block->n - column;
			void *inside =
				cpu_compose_point(gemm, block->c, first + column * block->ldc);
			void *beside = cpu_compose_point(gemm, scratch, first + column * whole.ldc);
			memcpy(pass == 0 ? beside : inside, pass == 0 ? inside : beside,
			       (size_t)rows * size);
		}
		if (pass == 0)
			cpu_fortran_run(gemm, &whole);
	}
}

static bool cpu_compose_gemmt(const struct cpu_fortran *gemm, const struct blas_call *blas)
{
	void *scratch = calloc(COMPOSE_BLOCK, COMPOSE_BLOCK * element_size_bytes(gemm->element));
	if (scratch == NULL)
		return false;
	for (int64_t at = 0; at < blas->n; at += COMPOSE_BLOCK) {
		const int64_t width = blas->n - at < COMPOSE_BLOCK ? blas->n - at : COMPOSE_BLOCK;
		const int64_t row = blas->uplo == UPLO_UPPER ? 0 : at + width;
		const int64_t rows = blas->uplo == UPLO_UPPER ? at : blas->n - row;
		const struct blas_call block = cpu_compose_cut(gemm, blas, at, width, at, width);
		const struct blas_call beside = cpu_compose_cut(gemm, blas, row, rows, at, width);
		cpu_compose_diagonal(gemm, &block, scratch);
		if (rows > 0)
			cpu_fortran_run(gemm, &beside);
	}
	free(scratch);
	return true;
}

static bool cpu_compose_batch(const struct cpu_fortran *gemm, const struct call *call)
{
	struct batch_group group = {.next = 0};
	while (batch_next_group(&call->batch, call->element, &group))
		for (int64_t i = 0; i < group.count; i++) {
			batch_point(&call->batch, call->element, group.first + i, &group.blas);
			cpu_fortran_run(gemm, &group.blas);
		}
	return true;
}

bool cpu_compose_run(const struct call *call, const void *caller)
{
	const bool batch = family_is_batch(call->family);
	if (!batch && call->family != FAMILY_GEMMT && call->family != FAMILY_GEMM3M)
		return false;
	struct cpu_fortran gemm;
	if (!cpu_fortran_find(&gemm, call, FAMILY_GEMM, caller))
		return false;
	if (batch)
		return cpu_compose_batch(&gemm, call);
	if (call->family == FAMILY_GEMMT)
		return cpu_compose_gemmt(&gemm, &call->blas);
	cpu_fortran_run(&gemm, &call->blas);
	return true;
}
