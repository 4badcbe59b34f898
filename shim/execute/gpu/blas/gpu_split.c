/* gpu_split.c - the kernels of a group by family: one where cuBLAS takes the sizes, else tiles */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/blas/gpu_split.h"

#include <string.h>

#include "shim/execute/gpu/device/gpu_launch.h"

/* One problem of a group on a lane. */
struct gpu_split_job {
	struct lane *lane;
	const struct gpu_group *group;
	int64_t problem;
};

struct gpu_span {
	int64_t begin, size;
};

/* i, j: rows and columns of the result; p: the indices that are summed over. */
struct gpu_tile {
	struct gpu_span i, j, p;
};

/*
 * Enumerates the tiles of a region, p fastest and i slowest; backward: each from last to first.
 * at: the current tile; first and last are about its p.
 */
struct gpu_walk {
	struct gpu_tile region, at;
	int64_t tile, step;
	bool backward, first, last;
};
/* A factor of a product: an operand and its operation. */
struct gpu_factor {
	const struct gpu_operand *operand;
	enum transpose transpose;
};

static const double gpu_split_one[2] = {1, 0}, gpu_split_minus_one[2] = {-1, 0};

static struct gpu_walk gpu_split_walk(const struct gpu_group *group)
{
	const struct blas_call *blas = &group->blas;
	return (struct gpu_walk){.region = {{0, blas->m}, {0, blas->n}, {0, blas->k}},
	                         .tile = group->tile};
}

static int64_t gpu_split_count_tiles(const struct gpu_walk *walk, struct gpu_span span)
{
	return (span.begin + span.size - 1) / walk->tile - span.begin / walk->tile + 1;
}

/* Tiles end at multiples of the tile's size, as the bands of the operands do. */
static struct gpu_span gpu_split_cut(const struct gpu_walk *walk, struct gpu_span span,
                                     int64_t index)
{
	const int64_t count = gpu_split_count_tiles(walk, span), end = span.begin + span.size;
	const int64_t number =
		span.begin / walk->tile + (walk->backward ? count - 1 - index : index);
	const int64_t begin = number * walk->tile > span.begin ? number * walk->tile : span.begin;
	const int64_t room = walk->tile - begin % walk->tile;
	return (struct gpu_span){begin, room < end - begin ? room : end - begin};
}

static bool gpu_split_next_tile(struct gpu_walk *walk)
{
	const struct gpu_tile *region = &walk->region;
	const int64_t js = gpu_split_count_tiles(walk, region->j),
		      ps = gpu_split_count_tiles(walk, region->p);
	const int64_t p = walk->step % ps, j = walk->step / ps % js, i = walk->step / ps / js;
	if (i >= gpu_split_count_tiles(walk, region->i))
		return false;
	walk->at.i = gpu_split_cut(walk, region->i, i);
	walk->at.j = gpu_split_cut(walk, region->j, j);
	walk->at.p = gpu_split_cut(walk, region->p, p);
	walk->first = p == 0;
	walk->last = p == ps - 1;
	walk->step++;
	return true;
}

static void *gpu_split_find(const struct gpu_split_job *job, enum operand name, struct gpu_span row,
                            struct gpu_span column, int64_t *ld)
{
	const struct gpu_operand *operand = &job->group->operand[name];
	*ld = 1;
	return operand->count == 0
	               ? NULL
	               : gpu_operand_find(operand, job->problem, row.begin, column.begin, ld);
}

static void *gpu_split_find_factor(const struct gpu_split_job *job, struct gpu_factor factor,
                                   struct gpu_span row, struct gpu_span column, int64_t *ld)
{
	if (factor.transpose == TRANSPOSE_N)
		return gpu_split_find(job, factor.operand->name, row, column, ld);
	return gpu_split_find(job, factor.operand->name, column, row, ld);
}

static struct gpu_launch gpu_split_describe(const struct gpu_split_job *job, enum family family,
                                            const double alpha[2], const double beta[2])
{
	const struct gpu_group *group = job->group;
	struct gpu_launch launch = {
		.family = family, .element = group->element, .blas = group->blas, .count = 1};
	memcpy(launch.blas.alpha, alpha, sizeof launch.blas.alpha);
	memcpy(launch.blas.beta, beta, sizeof launch.blas.beta);
	return launch;
}

/* C[i, j] := alpha op(X)[i, p] op(Y)[p, j] + beta C[i, j], by gemm, or gemm3m in its family. */
static enum reason gpu_split_multiply(const struct gpu_split_job *job, struct gpu_factor x,
                                      struct gpu_factor y, const struct gpu_tile *tile,
                                      const double alpha[2], const double beta[2])
{
	const enum family family =
		job->group->family == FAMILY_GEMM3M ? FAMILY_GEMM3M : FAMILY_GEMM;
	struct gpu_launch launch = gpu_split_describe(job, family, alpha, beta);
	struct blas_call *blas = &launch.blas;
	blas->transa = x.transpose;
	blas->transb = y.transpose;
	blas->m = tile->i.size;
	blas->n = tile->j.size;
	blas->k = tile->p.size;
	blas->a = gpu_split_find_factor(job, x, tile->i, tile->p, &blas->lda);
	blas->b = gpu_split_find_factor(job, y, tile->p, tile->j, &blas->ldb);
	blas->c = gpu_split_find(job, OPERAND_C, tile->i, tile->j, &blas->ldc);
	return gpu_launch_run(job->lane, &launch);
}

/* The family's own kernel, with A[d, d], on B[i, j] and C[i, j]. */
static enum reason gpu_split_use_diagonal(const struct gpu_split_job *job,
                                          const struct gpu_tile *tile, struct gpu_span d,
                                          const double alpha[2], const double beta[2])
{
	struct gpu_launch launch = gpu_split_describe(job, job->group->family, alpha, beta);
	struct blas_call *blas = &launch.blas;
	blas->m = tile->i.size;
	blas->n = tile->j.size;
	blas->k = d.size;
	blas->a = gpu_split_find(job, OPERAND_A, d, d, &blas->lda);
	blas->b = gpu_split_find(job, OPERAND_B, tile->i, tile->j, &blas->ldb);
	blas->c = gpu_split_find(job, OPERAND_C, tile->i, tile->j, &blas->ldc);
	return gpu_launch_run(job->lane, &launch);
}

/* The family's own kernel: the rank update of C[i, i] by the columns p. */
static enum reason gpu_split_update_diagonal(const struct gpu_split_job *job,
                                             const struct gpu_tile *tile, const double beta[2])
{
	const struct gpu_operand *operand = job->group->operand;
	const enum transpose transpose = job->group->blas.transa;
	struct gpu_launch launch =
		gpu_split_describe(job, job->group->family, job->group->blas.alpha, beta);
	struct blas_call *blas = &launch.blas;
	blas->m = blas->n = tile->i.size;
	blas->k = tile->p.size;
	blas->a = gpu_split_find_factor(job, (struct gpu_factor){&operand[OPERAND_A], transpose},
	                                tile->i, tile->p, &blas->lda);
	blas->b = gpu_split_find_factor(job, (struct gpu_factor){&operand[OPERAND_B], transpose},
	                                tile->i, tile->p, &blas->ldb);
	blas->c = gpu_split_find(job, OPERAND_C, tile->i, tile->i, &blas->ldc);
	return gpu_launch_run(job->lane, &launch);
}

/* -- families -- */

/*
 * gemmt computes the squares on the diagonal whole; with this many blocks a tenth of the work is
 * wasted.
 */
enum { SPLIT_GEMMT_BLOCKS = 10 };

static struct gpu_factor gpu_split_factor(const struct gpu_split_job *job, enum operand name,
                                          enum transpose transpose)
{
	return (struct gpu_factor){&job->group->operand[name], transpose};
}

/* The first product of a sum scales C by beta, the others add to it. */
static const double *gpu_split_beta(const struct gpu_split_job *job, const struct gpu_walk *walk)
{
	return walk->first ? job->group->blas.beta : gpu_split_one;
}

/* Whether a tile off the diagonal is in the stored triangle. */
static bool gpu_split_is_stored(enum uplo uplo, struct gpu_span row, struct gpu_span column)
{
	return uplo == UPLO_UPPER ? row.begin < column.begin : row.begin > column.begin;
}

static enum reason gpu_split_region(const struct gpu_split_job *job, struct gpu_walk walk)
{
	const struct blas_call *blas = &job->group->blas;
	enum reason reason = REASON_NONE;
	while (reason == REASON_NONE && gpu_split_next_tile(&walk))
		reason = gpu_split_multiply(job, gpu_split_factor(job, OPERAND_A, blas->transa),
		                            gpu_split_factor(job, OPERAND_B, blas->transb),
		                            &walk.at, blas->alpha, gpu_split_beta(job, &walk));
	return reason;
}

static enum reason gpu_split_gemm(const struct gpu_split_job *job)
{
	return gpu_split_region(job, gpu_split_walk(job->group));
}

/*
 * By blocks of columns: rows from the first to the block's end, or from its beginning to the last.
 */
static enum reason gpu_split_gemmt(const struct gpu_split_job *job)
{
	const bool upper = job->group->blas.uplo == UPLO_UPPER;
	const int64_t n = job->group->blas.n,
		      block = (n + SPLIT_GEMMT_BLOCKS - 1) / SPLIT_GEMMT_BLOCKS;
	enum reason reason = REASON_NONE;
	for (int64_t begin = 0; begin < n && reason == REASON_NONE; begin += block) {
		struct gpu_walk walk = gpu_split_walk(job->group);
		const int64_t end = n - begin < block ? n : begin + block;
		walk.region.j = (struct gpu_span){begin, end - begin};
		walk.region.i =
			upper ? (struct gpu_span){0, end} : (struct gpu_span){begin, n - begin};
		reason = gpu_split_region(job, walk);
	}
	return reason;
}

static bool gpu_split_fits_tile(const struct gpu_group *group)
{
	return group->blas.m <= group->tile && group->blas.n <= group->tile &&
	       group->blas.k <= group->tile;
}

/* Launches the problems from first on that one kernel takes. */
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

static enum reason gpu_split_batch(const struct gpu_split_job *job)
{
	const struct gpu_group *group = job->group;
	enum reason reason = REASON_NONE;
	if (group->count > 1 && gpu_split_fits_tile(group)) {
		for (int64_t i = 0; i < group->count && reason == REASON_NONE; i += group->tile)
			reason = gpu_split_strided(job->lane, group, i);
		return reason;
	}
	for (struct gpu_split_job one = *job; one.problem < group->count && reason == REASON_NONE;
	     one.problem++)
		reason = gpu_split_gemm(&one);
	return reason;
}

/* A tile of the square A: one that is not stored is the transpose of its stored mirror image. */
static struct gpu_factor gpu_split_square(const struct gpu_split_job *job, struct gpu_span row,
                                          struct gpu_span column)
{
	const enum transpose mirrored =
		family_is_hermitian(job->group->family) ? TRANSPOSE_C : TRANSPOSE_T;
	const bool stored = gpu_split_is_stored(job->group->blas.uplo, row, column);
	return gpu_split_factor(job, OPERAND_A, stored ? TRANSPOSE_N : mirrored);
}

static enum reason gpu_split_symm(const struct gpu_split_job *job)
{
	const struct blas_call *blas = &job->group->blas;
	const struct gpu_factor b = gpu_split_factor(job, OPERAND_B, TRANSPOSE_N);
	const bool left = blas->side == SIDE_LEFT;
	struct gpu_walk walk = gpu_split_walk(job->group);
	enum reason reason = REASON_NONE;
	while (reason == REASON_NONE && gpu_split_next_tile(&walk)) {
		const struct gpu_tile *at = &walk.at;
		const double *beta = gpu_split_beta(job, &walk);
		if (at->p.begin == (left ? at->i.begin : at->j.begin))
			reason = gpu_split_use_diagonal(job, at, at->p, blas->alpha, beta);
		else if (left)
			reason = gpu_split_multiply(job, gpu_split_square(job, at->i, at->p), b, at,
			                            blas->alpha, beta);
		else
			reason = gpu_split_multiply(job, b, gpu_split_square(job, at->p, at->j), at,
			                            blas->alpha, beta);
	}
	return reason;
}

/* An off-diagonal tile of a rank update is one product, or two. */
static enum reason gpu_split_update_tile(const struct gpu_split_job *job, const struct gpu_tile *at,
                                         const double *beta)
{
	const struct gpu_group *group = job->group;
	const bool hermitian = family_is_hermitian(group->family);
	const enum transpose turned = hermitian ? TRANSPOSE_C : TRANSPOSE_T;
	const enum transpose one = group->blas.transa == TRANSPOSE_N ? TRANSPOSE_N : turned;
	const enum transpose other = group->blas.transa == TRANSPOSE_N ? turned : TRANSPOSE_N;
	const bool twice = group->operand[OPERAND_B].count > 0;
	const double *alpha = group->blas.alpha;
	const double second[2] = {alpha[0], hermitian ? -alpha[1] : alpha[1]};
	const enum reason reason = gpu_split_multiply(
		job, gpu_split_factor(job, OPERAND_A, one),
		gpu_split_factor(job, twice ? OPERAND_B : OPERAND_A, other), at, alpha, beta);
	if (reason != REASON_NONE || !twice)
		return reason;
	return gpu_split_multiply(job, gpu_split_factor(job, OPERAND_B, one),
	                          gpu_split_factor(job, OPERAND_A, other), at, second,
	                          gpu_split_one);
}

static enum reason gpu_split_update(const struct gpu_split_job *job)
{
	struct gpu_walk walk = gpu_split_walk(job->group);
	enum reason reason = REASON_NONE;
	while (reason == REASON_NONE && gpu_split_next_tile(&walk)) {
		const double *beta = gpu_split_beta(job, &walk);
		if (walk.at.i.begin == walk.at.j.begin)
			reason = gpu_split_update_diagonal(job, &walk.at, beta);
		else if (gpu_split_is_stored(job->group->blas.uplo, walk.at.i, walk.at.j))
			reason = gpu_split_update_tile(job, &walk.at, beta);
	}
	return reason;
}

/* Whether op(A) is an upper triangle. */
static bool gpu_split_is_upper(const struct blas_call *blas)
{
	return (blas->uplo == UPLO_UPPER) == (blas->transa == TRANSPOSE_N);
}

/* Whether this tile multiplies with an off-diagonal tile of op(A). */
static bool gpu_split_meets_triangle(const struct blas_call *blas, const struct gpu_tile *at)
{
	const enum uplo uplo = gpu_split_is_upper(blas) ? UPLO_UPPER : UPLO_LOWER;
	return blas->side == SIDE_LEFT ? gpu_split_is_stored(uplo, at->i, at->p)
	                               : gpu_split_is_stored(uplo, at->p, at->j);
}

/* C[i, j] := alpha op(A)[i, p] X[p, j] + beta C[i, j], or X[i, p] op(A)[p, j]. */
static enum reason gpu_split_multiply_triangle(const struct gpu_split_job *job, enum operand name,
                                               const struct gpu_tile *at, const double *alpha,
                                               const double *beta)
{
	const struct blas_call *blas = &job->group->blas;
	const struct gpu_factor a = gpu_split_factor(job, OPERAND_A, blas->transa);
	const struct gpu_factor x = gpu_split_factor(job, name, TRANSPOSE_N);
	if (blas->side == SIDE_LEFT)
		return gpu_split_multiply(job, a, x, at, alpha, beta);
	return gpu_split_multiply(job, x, a, at, alpha, beta);
}

static struct gpu_span gpu_split_diagonal(const struct blas_call *blas, const struct gpu_tile *at)
{
	return blas->side == SIDE_LEFT ? at->i : at->j;
}

static enum reason gpu_split_trmm(const struct gpu_split_job *job)
{
	const struct blas_call *blas = &job->group->blas;
	struct gpu_walk walk = gpu_split_walk(job->group);
	enum reason reason = REASON_NONE;
	while (reason == REASON_NONE && gpu_split_next_tile(&walk)) {
		if (walk.first)
			reason = gpu_split_use_diagonal(job, &walk.at,
			                                gpu_split_diagonal(blas, &walk.at),
			                                blas->alpha, blas->beta);
		if (reason == REASON_NONE && gpu_split_meets_triangle(blas, &walk.at))
			reason = gpu_split_multiply_triangle(job, OPERAND_B, &walk.at, blas->alpha,
			                                     gpu_split_one);
	}
	return reason;
}

/*
 * By substitution: subtracts the solved tiles from the tile (the first time from alpha times it),
 * then solves it.
 */
static enum reason gpu_split_trsm(const struct gpu_split_job *job)
{
	const struct blas_call *blas = &job->group->blas;
	struct gpu_walk walk = gpu_split_walk(job->group);
	const double *scale = blas->alpha;
	enum reason reason = REASON_NONE;
	walk.backward = (blas->side == SIDE_LEFT) == gpu_split_is_upper(blas);
	while (reason == REASON_NONE && gpu_split_next_tile(&walk)) {
		if (walk.first)
			scale = blas->alpha;
		if (gpu_split_meets_triangle(blas, &walk.at)) {
			reason = gpu_split_multiply_triangle(job, OPERAND_C, &walk.at,
			                                     gpu_split_minus_one, scale);
			scale = gpu_split_one;
		}
		if (reason == REASON_NONE && walk.last)
			reason = gpu_split_use_diagonal(job, &walk.at,
			                                gpu_split_diagonal(blas, &walk.at), scale,
			                                blas->beta);
	}
	return reason;
}

static enum reason gpu_split_in_place(const struct gpu_split_job *job)
{
	return job->group->family == FAMILY_TRSM ? gpu_split_trsm(job) : gpu_split_trmm(job);
}

/* Queues the kernels of a family of each kind. */
static enum reason (*const gpu_split_kind[FAMILY_KIND_COUNT])(const struct gpu_split_job *) = {
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
	const struct gpu_split_job job = {.lane = lane, .group = group};
	return gpu_split_kind[family_find_kind(group->family)](&job);
}
