/* describe_blas.c - BLAS arguments -> struct call */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/describe/describe_blas.h"

#include <stddef.h>

enum { TRANSPOSE_ILLEGAL = -1, ORDER_ROW = 101, ORDER_COLUMN = 102 };

static int64_t describe_integer(const void *address, bool wide)
{
	return wide ? *(const int64_t *)address : *(const int32_t *)address;
}

static int64_t describe_value(blas_wide value, bool wide)
{
	return wide ? value : (int32_t)value;
}

static int describe_letter(const char *letter)
{
	switch (*letter) {
	case 'N':
	case 'n': return TRANSPOSE_N;
	case 'T':
	case 't': return TRANSPOSE_T;
	case 'C':
	case 'c': return TRANSPOSE_C;
	default: return TRANSPOSE_ILLEGAL;
	}
}

static int describe_flag(int flag)
{
	switch (flag) {
	case 111: return TRANSPOSE_N;
	case 112: return TRANSPOSE_T;
	case 113: return TRANSPOSE_C;
	default: return TRANSPOSE_ILLEGAL;
	}
}

static void describe_scalar(enum element element, const void *address, double value[2])
{
	value[1] = 0;
	switch (element) {
	case ELEMENT_S: value[0] = *(const float *)address; break;
	case ELEMENT_D: value[0] = *(const double *)address; break;
	case ELEMENT_C:
		value[0] = ((const float *)address)[0];
		value[1] = ((const float *)address)[1];
		break;
	default:
		value[0] = ((const double *)address)[0];
		value[1] = ((const double *)address)[1];
		break;
	}
}

static int64_t rows_of_a(const struct gemm_call *g)
{
	return g->transa == TRANSPOSE_N ? g->m : g->k;
}

static int64_t rows_of_b(const struct gemm_call *g)
{
	return g->transb == TRANSPOSE_N ? g->k : g->n;
}

static int64_t at_least_one(int64_t value)
{
	return value > 1 ? value : 1;
}

static bool describe_is_legal(const struct gemm_call *g)
{
	if ((int)g->transa == TRANSPOSE_ILLEGAL || (int)g->transb == TRANSPOSE_ILLEGAL)
		return false;
	if (g->m < 0 || g->n < 0 || g->k < 0)
		return false;
	return g->lda >= at_least_one(rows_of_a(g)) && g->ldb >= at_least_one(rows_of_b(g)) &&
	       g->ldc >= at_least_one(g->m);
}

/* rows x columns elements, ld apart, from base. */
struct extent {
	uintptr_t base;
	int64_t rows, columns, ld;
};

static uint64_t extent_bytes(const struct extent *e, uint64_t size)
{
	return ((uint64_t)(e->columns - 1) * (uint64_t)e->ld + (uint64_t)e->rows) * size;
}

/*
 * Whether two extents share a byte. Two blocks of one matrix (equal ld) may interleave without doing so: then they
 * differ by a whole number of elements, and their rows, counted modulo ld, do not meet.
 */
static bool describe_overlaps(const struct extent *x, const struct extent *c, uint64_t size)
{
	if (x->base + extent_bytes(x, size) <= c->base || c->base + extent_bytes(c, size) <= x->base)
		return false;
	const uintptr_t apart = x->base > c->base ? x->base - c->base : c->base - x->base;
	if (x->ld != c->ld || apart % size != 0)
		return true;
	const struct extent *low = x->base > c->base ? c : x, *high = x->base > c->base ? x : c;
	const int64_t row = (int64_t)(apart / size % (uint64_t)low->ld);
	return row < low->rows || row + high->rows > low->ld;
}

static bool describe_result_overlaps(const struct gemm_call *g, uint64_t size)
{
	const struct extent a = {(uintptr_t)g->a, rows_of_a(g), g->transa == TRANSPOSE_N ? g->k : g->m, g->lda};
	const struct extent b = {(uintptr_t)g->b, rows_of_b(g), g->transb == TRANSPOSE_N ? g->n : g->k, g->ldb};
	const struct extent c = {(uintptr_t)g->c, g->m, g->n, g->ldc};
	return describe_overlaps(&a, &c, size) || describe_overlaps(&b, &c, size);
}

static bool is_zero(const double value[2])
{
	return value[0] == 0 && value[1] == 0;
}

static enum reason describe_defect(const struct gemm_call *g, enum element element)
{
	if (g->m == 0 || g->n == 0 || g->k == 0 || is_zero(g->alpha))
		return REASON_QUICK_RETURN;
	return describe_result_overlaps(g, element_size_bytes(element)) ? REASON_OVERLAP : REASON_NONE;
}

/* x y z times size, UINT64_MAX where that does not fit. */
static uint64_t bytes_of(int64_t x, int64_t y, uint64_t size)
{
	uint64_t elements, bytes;
	if (__builtin_mul_overflow((uint64_t)x, (uint64_t)y, &elements) ||
	    __builtin_mul_overflow(elements, size, &bytes))
		return UINT64_MAX;
	return bytes;
}

static uint64_t sum_of(uint64_t x, uint64_t y)
{
	return x > UINT64_MAX - y ? UINT64_MAX : x + y;
}

static void describe_work(struct call *call)
{
	const struct gemm_call *g = &call->gemm;
	const uint64_t size = element_size_bytes(call->element);
	const uint64_t c = bytes_of(g->m, g->n, size);
	const uint64_t ab = sum_of(bytes_of(g->m, g->k, size), bytes_of(g->k, g->n, size));
	call->size_bytes = sum_of(ab, c);
	call->input_bytes = is_zero(g->beta) ? ab : call->size_bytes;
	call->output_bytes = c;
	call->work_flops = (element_is_complex(call->element) ? 8.0 : 2.0) * (double)g->m * (double)g->n * (double)g->k;
}

/* The common end of both conventions: g is column-major, alpha and beta are not read yet. */
static void describe_gemm(struct call *call, const void *alpha, const void *beta)
{
	struct gemm_call *g = &call->gemm;
	call->size_bytes = call->input_bytes = call->output_bytes = 0;
	call->work_flops = 0;
	if (!describe_is_legal(g)) {
		call->defect = REASON_ILLEGAL_ARGUMENT;
		return;
	}
	if (g->m != 0 && g->n != 0) {
		describe_scalar(call->element, alpha, g->alpha);
		describe_scalar(call->element, beta, g->beta);
	}
	describe_work(call);
	call->defect = describe_defect(g, call->element);
}

void describe_f77_GEMM(struct call *call, bool wide, const char *transa, const char *transb, const void *m,
                       const void *n, const void *k, const void *alpha, const void *a, const void *lda, const void *b,
                       const void *ldb, const void *beta, void *c, const void *ldc)
{
	call->gemm = (struct gemm_call){
		.transa = (enum transpose)describe_letter(transa),
		.transb = (enum transpose)describe_letter(transb),
		.m = describe_integer(m, wide),
		.n = describe_integer(n, wide),
		.k = describe_integer(k, wide),
		.lda = describe_integer(lda, wide),
		.ldb = describe_integer(ldb, wide),
		.ldc = describe_integer(ldc, wide),
		.a = a,
		.b = b,
		.c = c,
	};
	describe_gemm(call, alpha, beta);
}

void describe_cblas_GEMM(struct call *call, bool wide, int order, int transa, int transb, blas_wide m, blas_wide n,
                         blas_wide k, const void *alpha, const void *a, blas_wide lda, const void *b, blas_wide ldb,
                         const void *beta, void *c, blas_wide ldc)
{
	/* C' = B' A' is the same product: a row-major call is the column-major one with the operands exchanged. */
	const bool row = order == ORDER_ROW;
	call->gemm = (struct gemm_call){
		.transa = (enum transpose)describe_flag(row ? transb : transa),
		.transb = (enum transpose)describe_flag(row ? transa : transb),
		.m = describe_value(row ? n : m, wide),
		.n = describe_value(row ? m : n, wide),
		.k = describe_value(k, wide),
		.lda = describe_value(row ? ldb : lda, wide),
		.ldb = describe_value(row ? lda : ldb, wide),
		.ldc = describe_value(ldc, wide),
		.a = row ? b : a,
		.b = row ? a : b,
		.c = c,
	};
	if (!row && order != ORDER_COLUMN)
		call->gemm.m = -1; /* an illegal order makes the call illegal */
	describe_gemm(call, alpha, beta);
}
