/* region.c - cuts a part of the result of a level-3 call into problems */
/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/plan/region.h"

#include <string.h>

/* The call and the problems that are made of it. */
struct region_cutter {
	enum family family;
	enum element element;
	const struct blas_call *blas;
	struct region_problem *problems;
	int count;
};

/* A matrix with an operation. */
struct region_factor {
	const void *base;
	int64_t ld;
	enum transpose transpose;
};

/* Rows (i) and columns (j) of the result, and the indices of the sum (p). */
struct region_tile {
	struct panel_span i, j, p;
};

static const double region_one[2] = {1, 0}, region_minus_one[2] = {-1, 0};

static struct panel_span region_span(int64_t begin, int64_t end)
{
	return (struct panel_span){begin, end > begin ? end - begin : 0};
}

static int64_t region_end(struct panel_span span)
{
	return span.begin + span.count;
}

/* An operand that is missing stays NULL. */
static void *region_point(const struct region_cutter *cutter, const void *base, int64_t ld,
                          int64_t row, int64_t column)
{
	const int64_t offset = (row + column * ld) * (int64_t)element_size_bytes(cutter->element);
	return base == NULL ? NULL : (char *)(uintptr_t)base + offset;
}

/* The address of element (row, column) of op(factor). */
static const void *region_find(const struct region_cutter *cutter,
                               const struct region_factor *factor, int64_t row, int64_t column)
{
	const bool turned = factor->transpose != TRANSPOSE_N;
	return region_point(cutter, factor->base, factor->ld, turned ? column : row,
	                    turned ? row : column);
}

static void region_add(struct region_cutter *cutter, enum family family,
                       const struct blas_call *blas)
{
	cutter->problems[cutter->count++] = (struct region_problem){family, *blas};
}

/*
 * C[i, j] := alpha op(X)[i, p] op(Y)[p, j] + beta C[i, j], by gemm, or by gemm3m if that is the
 * family.
 */
static void region_multiply(struct region_cutter *cutter, const struct region_tile *tile,
                            struct region_factor x, struct region_factor y, const double alpha[2],
                            const double beta[2])
{
	const struct blas_call *whole = cutter->blas;
	const struct blas_call part = {
		.transa = x.transpose,
		.transb = y.transpose,
		.m = tile->i.count,
		.n = tile->j.count,
		.k = tile->p.count,
		.lda = x.ld,
		.ldb = y.ld,
		.ldc = whole->ldc,
		.a = region_find(cutter, &x, tile->i.begin, tile->p.begin),
		.b = region_find(cutter, &y, tile->p.begin, tile->j.begin),
		.c = region_point(cutter, whole->c, whole->ldc, tile->i.begin, tile->j.begin),
		.alpha = {alpha[0], alpha[1]},
		.beta = {beta[0], beta[1]},
	};
	if (part.m > 0 && part.n > 0)
		region_add(cutter, family_is_product(cutter->family) ? cutter->family : FAMILY_GEMM,
		           &part);
}

/* The routine of the family with A[p, p], on B[i, j] and C[i, j]. */
static void region_use_diagonal(struct region_cutter *cutter, const struct region_tile *tile,
                                const double alpha[2])
{
	struct blas_call part = *cutter->blas;
	part.m = tile->i.count;
	part.n = tile->j.count;
	part.k = tile->p.count;
	part.a = region_point(cutter, part.a, part.lda, tile->p.begin, tile->p.begin);
	part.b = region_point(cutter, part.b, part.ldb, tile->i.begin, tile->j.begin);
	part.c = region_point(cutter, part.c, part.ldc, tile->i.begin, tile->j.begin);
	memcpy(part.alpha, alpha, sizeof part.alpha);
	region_add(cutter, cutter->family, &part);
}

static struct region_factor region_find_a(const struct region_cutter *cutter,
                                          enum transpose transpose)
{
	return (struct region_factor){cutter->blas->a, cutter->blas->lda, transpose};
}

static struct region_factor region_find_b(const struct region_cutter *cutter,
                                          enum transpose transpose)
{
	return (struct region_factor){cutter->blas->b, cutter->blas->ldb, transpose};
}

static void region_cut_product(struct region_cutter *cutter, struct panel_span row,
                               struct panel_span column)
{
	const struct blas_call *blas = cutter->blas;
	const struct region_tile tile = {row, column, {0, blas->k}};
	region_multiply(cutter, &tile, region_find_a(cutter, blas->transa),
	                region_find_b(cutter, blas->transb), blas->alpha, blas->beta);
}

/* A rank update off the diagonal: op(A) op(A)', or both op(A) op(B)' and op(B) op(A)'. */
static void region_update(struct region_cutter *cutter, struct panel_span row,
                          struct panel_span column)
{
	const struct blas_call *blas = cutter->blas;
	const bool hermitian = family_is_hermitian(cutter->family);
	const enum transpose turn = hermitian ? TRANSPOSE_C : TRANSPOSE_T;
	const enum transpose other = blas->transa == TRANSPOSE_N ? turn : TRANSPOSE_N;
	const struct region_tile tile = {row, column, {0, blas->k}};
	const double alpha[2] = {blas->alpha[0], hermitian ? -blas->alpha[1] : blas->alpha[1]};
	if (!family_is_twice(cutter->family)) {
		region_multiply(cutter, &tile, region_find_a(cutter, blas->transa),
		                region_find_a(cutter, other), blas->alpha, blas->beta);
		return;
	}
	region_multiply(cutter, &tile, region_find_a(cutter, blas->transa),
	                region_find_b(cutter, other), blas->alpha, blas->beta);
	region_multiply(cutter, &tile, region_find_b(cutter, blas->transa),
	                region_find_a(cutter, other), alpha, region_one);
}

static void region_cut_beside(struct region_cutter *cutter, struct panel_span row,
                              struct panel_span column)
{
	if (cutter->family == FAMILY_GEMMT)
		region_cut_product(cutter, row, column);
	else
		region_update(cutter, row, column);
}

/* The routine of the family on the square of C on the diagonal that begins at at.begin. */
static void region_cut_square(struct region_cutter *cutter, struct panel_span at)
{
	struct blas_call part = *cutter->blas;
	const struct region_factor a = region_find_a(cutter, part.transa),
				   b = region_find_b(cutter, part.transb);
	const bool product =
		/* op(B) is k x n in gemmt, and n x k in a rank update */
		cutter->family == FAMILY_GEMMT;
	part.m = part.n = at.count;
	part.a = region_find(cutter, &a, at.begin, 0);
	part.b = region_find(cutter, &b, product ? 0 : at.begin, product ? at.begin : 0);
	part.c = region_point(cutter, part.c, part.ldc, at.begin, at.begin);
	region_add(cutter, cutter->family, &part);
}

/*
 * The part of the triangle in a rectangle: a square on the diagonal, and what is beside it. Lower:
 * all rows of the columns before the square, and the rows below it. Upper: all columns of the rows
 * above it, and the columns after it.
 */
static void region_cut_triangle(struct region_cutter *cutter, struct panel_span row,
                                struct panel_span column)
{
	const bool upper = cutter->blas->uplo == UPLO_UPPER;
	const int64_t row_end = region_end(row), column_end = region_end(column);
	const int64_t begin = row.begin > column.begin ? row.begin : column.begin;
	const int64_t end = row_end < column_end ? row_end : column_end;
	const struct panel_span square = region_span(begin, end);
	if (square.count > 0)
		region_cut_square(cutter, square);
	if (upper) {
		region_cut_beside(cutter, region_span(row.begin, begin < row_end ? begin : row_end),
		                  column);
		region_cut_beside(cutter, square, region_span(end, column_end));
	} else {
		region_cut_beside(
			cutter, row,
			region_span(column.begin, begin < column_end ? begin : column_end));
		region_cut_beside(cutter, region_span(end, row_end), square);
	}
}

/* The part of a symmetric A before or behind its diagonal block: as it is stored, or mirrored. */
static void region_use_mirrored(struct region_cutter *cutter, const struct region_tile *tile,
                                bool before)
{
	const struct blas_call *blas = cutter->blas;
	const bool left = blas->side == SIDE_LEFT;
	const bool stored = ((blas->uplo == UPLO_LOWER) == left) == before;
	const enum transpose turn = family_is_hermitian(cutter->family) ? TRANSPOSE_C : TRANSPOSE_T;
	const struct region_factor a = region_find_a(cutter, stored ? TRANSPOSE_N : turn);
	const struct region_factor b = region_find_b(cutter, TRANSPOSE_N);
	if (tile->p.count > 0)
		region_multiply(cutter, tile, left ? a : b, left ? b : a, blas->alpha, region_one);
}

static void region_cut_symmetric(struct region_cutter *cutter, struct panel_span row,
                                 struct panel_span column)
{
	const struct blas_call *blas = cutter->blas;
	const struct panel_span own = blas->side == SIDE_LEFT ? row : column;
	const struct region_tile diagonal = {row, column, own};
	const struct region_tile front = {row, column, region_span(0, own.begin)};
	const struct region_tile behind = {row, column, region_span(region_end(own), blas->k)};
	region_use_diagonal(cutter, &diagonal, blas->alpha);
	region_use_mirrored(cutter, &front, true);
	region_use_mirrored(cutter, &behind, false);
}

/*
 * Whether row i (side left) or column i of the result depends on those before it, and not on those
 * behind it.
 */
static bool region_depends_on_front(const struct blas_call *blas)
{
	const bool lower = (blas->uplo == UPLO_LOWER) == (blas->transa == TRANSPOSE_N);
	return lower == (blas->side == SIDE_LEFT);
}

/*
 * Region := alpha times the product of the triangle outside its diagonal block and the rest of C,
 * plus beta times the region.
 */
static void region_use_rest(struct region_cutter *cutter, const struct region_tile *tile,
                            const double alpha[2], const double beta[2])
{
	const struct blas_call *blas = cutter->blas;
	const struct region_factor a = region_find_a(cutter, blas->transa);
	const struct region_factor c = {blas->c, blas->ldc, TRANSPOSE_N};
	const bool left = blas->side == SIDE_LEFT;
	if (tile->p.count > 0)
		region_multiply(cutter, tile, left ? a : c, left ? c : a, alpha, beta);
}

/* If alpha is 0, nothing is read. */
static void region_cut_in_place(struct region_cutter *cutter, struct panel_span row,
                                struct panel_span column)
{
	const struct blas_call *blas = cutter->blas;
	const struct panel_span own = blas->side == SIDE_LEFT ? row : column;
	const bool front = region_depends_on_front(blas),
		   zero = blas->alpha[0] == 0 && blas->alpha[1] == 0;
	const struct region_tile diagonal = {row, column, own};
	struct region_tile rest = diagonal;
	rest.p = front ? region_span(0, own.begin) : region_span(region_end(own), blas->k);
	if (zero)
		rest.p.count = 0;
	if (cutter->family == FAMILY_TRMM) {
		region_use_diagonal(cutter, &diagonal, blas->alpha);
		region_use_rest(cutter, &rest, blas->alpha, region_one);
	} else {
		region_use_rest(cutter, &rest, region_minus_one, blas->alpha);
		region_use_diagonal(cutter, &diagonal, rest.p.count > 0 ? region_one : blas->alpha);
	}
}

bool region_begins_at_end(enum family family, const struct blas_call *blas)
{
	return region_depends_on_front(blas) == (family == FAMILY_TRMM);
}

int region_cut(enum family family, const struct blas_call *blas, struct panel_span row,
               struct panel_span column, enum element element,
               struct region_problem problems[REGION_PROBLEMS])
{
	struct region_cutter cutter = {family, element, blas, problems, 0};
	if (row.count <= 0 || column.count <= 0)
		return 0;
	if (operand_is_triangle(family))
		region_cut_triangle(&cutter, row, column);
	else if (family_is_in_place(family))
		region_cut_in_place(&cutter, row, column);
	else if (family_has_square(family))
		region_cut_symmetric(&cutter, row, column);
	else
		region_cut_product(&cutter, row, column);
	return cutter.count;
}
