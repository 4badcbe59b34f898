/* gpu_split.c - the kernels of a group, family by family: on one tile where cuBLAS takes the sizes, else on many */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/blas/gpu_split.h"

#include "shim/execute/gpu/blas/gpu_launch.h"
#include "shim/execute/gpu/blas/gpu_tiles.h"

/*
 * gemmt computes the squares on the diagonal whole: of this many, so that a tenth of the work is
 * for nothing.
 */
enum { SPLIT_GEMMT_BLOCKS = 10 };

static struct gpu_factor gpu_split_factor(const struct gpu_tiles *tiles, enum operand name,
                                          enum transpose transpose)
{
	return (struct gpu_factor){&tiles->group->operand[name], transpose};
}

/* The first product of a sum scales C by beta, the others add to it. */
static const double *gpu_split_beta(const struct gpu_tiles *tiles, const struct gpu_walk *walk)
{
	return walk->first ? tiles->group->blas.beta : gpu_tiles_one;
}

/* Whether a tile outside the diagonal belongs to the named triangle. */
static bool gpu_split_is_stored(enum uplo uplo, struct gpu_span row, struct gpu_span column)
{
	return uplo == UPLO_UPPER ? row.begin < column.begin : row.begin > column.begin;
}

static enum reason gpu_split_region(const struct gpu_tiles *tiles, struct gpu_walk walk)
{
	const struct blas_call *blas = &tiles->group->blas;
	enum reason reason = REASON_NONE;
	while (reason == REASON_NONE && gpu_tiles_next(&walk))
		reason = gpu_tiles_multiply(tiles, gpu_split_factor(tiles, OPERAND_A, blas->transa),
		                            gpu_split_factor(tiles, OPERAND_B, blas->transb),
		                            &walk.at, blas->alpha, gpu_split_beta(tiles, &walk));
	return reason;
}

static enum reason gpu_split_gemm(const struct gpu_tiles *tiles)
{
	return gpu_split_region(tiles, gpu_tiles_walk(tiles->group));
}

/* Blocks of columns, each from the first row to the diagonal's or from there to the last. */
static enum reason gpu_split_gemmt(const struct gpu_tiles *tiles)
{
	const bool upper = tiles->group->blas.uplo == UPLO_UPPER;
	const int64_t n = tiles->group->blas.n,
		      block = (n + SPLIT_GEMMT_BLOCKS - 1) / SPLIT_GEMMT_BLOCKS;
	enum reason reason = REASON_NONE;
	for (int64_t begin = 0; begin < n && reason == REASON_NONE; begin += block) {
		struct gpu_walk walk = gpu_tiles_walk(tiles->group);
		const int64_t end = n - begin < block ? n : begin + block;
		walk.region.j = (struct gpu_span){begin, end - begin};
		walk.region.i =
			upper ? (struct gpu_span){0, end} : (struct gpu_span){begin, n - begin};
		reason = gpu_split_region(tiles, walk);
	}
	return reason;
}

static bool gpu_split_fits_tile(const struct gpu_group *group)
{
	return group->blas.m <= group->tile && group->blas.n <= group->tile &&
	       group->blas.k <= group->tile;
}

/* Problems from first on, as many as one kernel takes. */
static enum reason gpu_split_strided(struct lane *lane, const struct gpu_group *group,
                                     int64_t first)
{
	const struct gpu_operand *operand = group->operand;
	const int64_t rest = group->count - first;
	struct gpu_launch launch = {.family = FAMILY_GEMM_BATCH_STRIDED,
	                            .element = group->element,
	                            .blas = group->blas};
	struct blas_call *blas = &launch.blas;
	launch.stridea = operand[OPERAND_A].stride;
	launch.strideb = operand[OPERAND_B].stride;
	launch.stridec = operand[OPERAND_C].stride;
	launch.count = rest < group->tile ? rest : group->tile;
	blas->a = gpu_operand_find(&operand[OPERAND_A], first, 0, 0, &blas->lda);
	blas->b = gpu_operand_find(&operand[OPERAND_B], first, 0, 0, &blas->ldb);
	blas->c = gpu_operand_find(&operand[OPERAND_C], first, 0, 0, &blas->ldc);
	return gpu_launch_run(lane, &launch);
}

static enum reason gpu_split_batch(const struct gpu_tiles *tiles)
{
	const struct gpu_group *group = tiles->group;
	enum reason reason = REASON_NONE;
	if (group->count > 1 && gpu_split_fits_tile(group)) {
		for (int64_t i = 0; i < group->count && reason == REASON_NONE; i += group->tile)
			reason = gpu_split_strided(tiles->lane, group, i);
		return reason;
	}
	for (struct gpu_tiles one = *tiles; one.problem < group->count && reason == REASON_NONE;
	     one.problem++)
		reason = gpu_split_gemm(&one);
	return reason;
}

/* The square A as a factor: a tile that is not stored is the transposed of one that is. */
static struct gpu_factor gpu_split_square(const struct gpu_tiles *tiles, struct gpu_span row,
                                          struct gpu_span column)
{
	const enum transpose mirrored =
		family_is_hermitian(tiles->group->family) ? TRANSPOSE_C : TRANSPOSE_T;
	const bool stored = gpu_split_is_stored(tiles->group->blas.uplo, row, column);
	return gpu_split_factor(tiles, OPERAND_A, stored ? TRANSPOSE_N : mirrored);
}

static enum reason gpu_split_symm(const struct gpu_tiles *tiles)
{
	const struct blas_call *blas = &tiles->group->blas;
	const struct gpu_factor b = gpu_split_factor(tiles, OPERAND_B, TRANSPOSE_N);
	const bool left = blas->side == SIDE_LEFT;
	struct gpu_walk walk = gpu_tiles_walk(tiles->group);
	enum reason reason = REASON_NONE;
	while (reason == REASON_NONE && gpu_tiles_next(&walk)) {
		const struct gpu_tile *at = &walk.at;
		const double *beta = gpu_split_beta(tiles, &walk);
		if (at->p.begin == (left ? at->i.begin : at->j.begin))
			reason = gpu_tiles_use_diagonal(tiles, at, at->p, blas->alpha, beta);
		else if (left)
			reason = gpu_tiles_multiply(tiles, gpu_split_square(tiles, at->i, at->p), b,
			                            at, blas->alpha, beta);
		else
			reason = gpu_tiles_multiply(tiles, b, gpu_split_square(tiles, at->p, at->j),
			                            at, blas->alpha, beta);
	}
	return reason;
}

/* A tile of a rank update outside the diagonal is a product, or two. */
static enum reason gpu_split_update_tile(const struct gpu_tiles *tiles, const struct gpu_tile *at,
                                         const double *beta)
{
	const struct gpu_group *group = tiles->group;
	const bool hermitian = family_is_hermitian(group->family);
	const enum transpose turned = hermitian ? TRANSPOSE_C : TRANSPOSE_T;
	const enum transpose one = group->blas.transa == TRANSPOSE_N ? TRANSPOSE_N : turned;
	const enum transpose other = group->blas.transa == TRANSPOSE_N ? turned : TRANSPOSE_N;
	const bool twice = group->operand[OPERAND_B].count > 0;
	const double *alpha = group->blas.alpha;
	const double second[2] = {alpha[0], hermitian ? -alpha[1] : alpha[1]};
	const enum reason reason = gpu_tiles_multiply(
		tiles, gpu_split_factor(tiles, OPERAND_A, one),
		gpu_split_factor(tiles, twice ? OPERAND_B : OPERAND_A, other), at, alpha, beta);
	if (reason != REASON_NONE || !twice)
		return reason;
	return gpu_tiles_multiply(tiles, gpu_split_factor(tiles, OPERAND_B, one),
	                          gpu_split_factor(tiles, OPERAND_A, other), at, second,
	                          gpu_tiles_one);
}

static enum reason gpu_split_update(const struct gpu_tiles *tiles)
{
	struct gpu_walk walk = gpu_tiles_walk(tiles->group);
	enum reason reason = REASON_NONE;
	while (reason == REASON_NONE && gpu_tiles_next(&walk)) {
		const double *beta = gpu_split_beta(tiles, &walk);
		if (walk.at.i.begin == walk.at.j.begin)
			reason = gpu_tiles_update(tiles, &walk.at, beta);
		else if (gpu_split_is_stored(tiles->group->blas.uplo, walk.at.i, walk.at.j))
			reason = gpu_split_update_tile(tiles, &walk.at, beta);
	}
	return reason;
}

/* Whether op(A) is an upper triangle. */
static bool gpu_split_is_upper(const struct blas_call *blas)
{
	return (blas->uplo == UPLO_UPPER) == (blas->transa == TRANSPOSE_N);
}

/* Whether op(A) has something outside its diagonal that this tile multiplies with. */
static bool gpu_split_meets_triangle(const struct blas_call *blas, const struct gpu_tile *at)
{
	const enum uplo uplo = gpu_split_is_upper(blas) ? UPLO_UPPER : UPLO_LOWER;
	return blas->side == SIDE_LEFT ? gpu_split_is_stored(uplo, at->i, at->p)
	                               : gpu_split_is_stored(uplo, at->p, at->j);
}

/* C[i, j] := alpha op(A)[i, p] X[p, j] + beta C[i, j], or X[i, p] op(A)[p, j]. */
static enum reason gpu_split_multiply_triangle(const struct gpu_tiles *tiles, enum operand name,
                                               const struct gpu_tile *at, const double *alpha,
                                               const double *beta)
{
	const struct blas_call *blas = &tiles->group->blas;
	const struct gpu_factor a = gpu_split_factor(tiles, OPERAND_A, blas->transa);
	const struct gpu_factor x = gpu_split_factor(tiles, name, TRANSPOSE_N);
	if (blas->side == SIDE_LEFT)
		return gpu_tiles_multiply(tiles, a, x, at, alpha, beta);
	return gpu_tiles_multiply(tiles, x, a, at, alpha, beta);
}

static struct gpu_span gpu_split_diagonal(const struct blas_call *blas, const struct gpu_tile *at)
{
	return blas->side == SIDE_LEFT ? at->i : at->j;
}

static enum reason gpu_split_trmm(const struct gpu_tiles *tiles)
{
	const struct blas_call *blas = &tiles->group->blas;
	struct gpu_walk walk = gpu_tiles_walk(tiles->group);
	enum reason reason = REASON_NONE;
	while (reason == REASON_NONE && gpu_tiles_next(&walk)) {
		if (walk.first)
			reason = gpu_tiles_use_diagonal(tiles, &walk.at,
			                                gpu_split_diagonal(blas, &walk.at),
			                                blas->alpha, blas->beta);
		if (reason == REASON_NONE && gpu_split_meets_triangle(blas, &walk.at))
			reason = gpu_split_multiply_triangle(tiles, OPERAND_B, &walk.at,
			                                     blas->alpha, gpu_tiles_one);
	}
	return reason;
}

/*
 * By substitution: what is solved is taken off the tile, the first time from alpha times it; then
 * it is solved.
 */
static enum reason gpu_split_trsm(const struct gpu_tiles *tiles)
{
	const struct blas_call *blas = &tiles->group->blas;
	struct gpu_walk walk = gpu_tiles_walk(tiles->group);
	const double *scale = blas->alpha;
	enum reason reason = REASON_NONE;
	walk.backward = (blas->side == SIDE_LEFT) == gpu_split_is_upper(blas);
	while (reason == REASON_NONE && gpu_tiles_next(&walk)) {
		if (walk.first)
			scale = blas->alpha;
		if (gpu_split_meets_triangle(blas, &walk.at)) {
			reason = gpu_split_multiply_triangle(tiles, OPERAND_C, &walk.at,
			                                     gpu_tiles_minus_one, scale);
			scale = gpu_tiles_one;
		}
		if (reason == REASON_NONE && walk.last)
			reason = gpu_tiles_use_diagonal(tiles, &walk.at,
			                                gpu_split_diagonal(blas, &walk.at), scale,
			                                blas->beta);
	}
	return reason;
}

static enum reason gpu_split_in_place(const struct gpu_tiles *tiles)
{
	return tiles->group->family == FAMILY_TRSM ? gpu_split_trsm(tiles) : gpu_split_trmm(tiles);
}

/* Queues the kernels of a family of each kind. */
static enum reason (*const gpu_split_kind[FAMILY_KIND_COUNT])(const struct gpu_tiles *) = {
	[FAMILY_KIND_PRODUCT] = gpu_split_gemm,
	[FAMILY_KIND_TRIANGLE_OF_PRODUCT] = gpu_split_gemmt,
	[FAMILY_KIND_SYMMETRIC] = gpu_split_symm,
	[FAMILY_KIND_RANK_K] = gpu_split_update,
	[FAMILY_KIND_RANK_2K] = gpu_split_update,
	[FAMILY_KIND_TRIANGULAR] = gpu_split_in_place,
	[FAMILY_KIND_BATCH] = gpu_split_batch,
};

enum reason gpu_split_run(struct lane *lane, const struct gpu_group *group)
{
	const struct gpu_tiles tiles = {.lane = lane, .group = group};
	return gpu_split_kind[family_find_kind(group->family)](&tiles);
}
