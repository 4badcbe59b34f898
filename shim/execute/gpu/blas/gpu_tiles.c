/* gpu_tiles.c - tiles of a group's result, and the kernels that work on one */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/blas/gpu_tiles.h"

#include <string.h>

#include "shim/execute/gpu/blas/gpu_launch.h"

const double gpu_tiles_one[2] = {1, 0}, gpu_tiles_minus_one[2] = {-1, 0};

struct gpu_walk gpu_tiles_walk(const struct gpu_group *group)
{
	const struct blas_call *blas = &group->blas;
	return (struct gpu_walk){.region = {{0, blas->m}, {0, blas->n}, {0, blas->k}},
	                         .tile = group->tile};
}

static int64_t gpu_tiles_count(const struct gpu_walk *walk, struct gpu_span span)
{
	return (span.begin + span.size - 1) / walk->tile - span.begin / walk->tile + 1;
}

/* Tiles end at the multiples of the tile's size, where the bands of the operands end too. */
static struct gpu_span gpu_tiles_cut(const struct gpu_walk *walk, struct gpu_span span,
                                     int64_t index)
{
	const int64_t count = gpu_tiles_count(walk, span), end = span.begin + span.size;
	const int64_t number =
		span.begin / walk->tile + (walk->backward ? count - 1 - index : index);
	const int64_t begin = number * walk->tile > span.begin ? number * walk->tile : span.begin;
	const int64_t room = walk->tile - begin % walk->tile;
	return (struct gpu_span){begin, room < end - begin ? room : end - begin};
}

bool gpu_tiles_next(struct gpu_walk *walk)
{
	const struct gpu_tile *region = &walk->region;
	const int64_t js = gpu_tiles_count(walk, region->j), ps = gpu_tiles_count(walk, region->p);
	const int64_t p = walk->step % ps, j = walk->step / ps % js, i = walk->step / ps / js;
	if (i >= gpu_tiles_count(walk, region->i))
		return false;
	walk->at.i = gpu_tiles_cut(walk, region->i, i);
	walk->at.j = gpu_tiles_cut(walk, region->j, j);
	walk->at.p = gpu_tiles_cut(walk, region->p, p);
	walk->first = p == 0;
	walk->last = p == ps - 1;
	walk->step++;
	return true;
}

static void *gpu_tiles_find(const struct gpu_tiles *tiles, enum operand name, struct gpu_span row,
                            struct gpu_span column, int64_t *ld)
{
	const struct gpu_operand *operand = &tiles->group->operand[name];
	*ld = 1;
	return operand->count == 0
	               ? NULL
	               : gpu_operand_find(operand, tiles->problem, row.begin, column.begin, ld);
}

static void *gpu_tiles_find_factor(const struct gpu_tiles *tiles, struct gpu_factor factor,
                                   struct gpu_span row, struct gpu_span column, int64_t *ld)
{
	if (factor.transpose == TRANSPOSE_N)
		return gpu_tiles_find(tiles, factor.operand->name, row, column, ld);
	return gpu_tiles_find(tiles, factor.operand->name, column, row, ld);
}

static struct gpu_launch gpu_tiles_begin(const struct gpu_tiles *tiles, enum family family,
                                         const double alpha[2], const double beta[2])
{
	const struct gpu_group *group = tiles->group;
	struct gpu_launch launch = {
		.family = family, .element = group->element, .blas = group->blas, .count = 1};
	memcpy(launch.blas.alpha, alpha, sizeof launch.blas.alpha);
	memcpy(launch.blas.beta, beta, sizeof launch.blas.beta);
	return launch;
}

enum reason gpu_tiles_multiply(const struct gpu_tiles *tiles, struct gpu_factor x,
                               struct gpu_factor y, const struct gpu_tile *tile,
                               const double alpha[2], const double beta[2])
{
	const enum family family =
		tiles->group->family == FAMILY_GEMM3M ? FAMILY_GEMM3M : FAMILY_GEMM;
	struct gpu_launch launch = gpu_tiles_begin(tiles, family, alpha, beta);
	struct blas_call *blas = &launch.blas;
	blas->transa = x.transpose;
	blas->transb = y.transpose;
	blas->m = tile->i.size;
	blas->n = tile->j.size;
	blas->k = tile->p.size;
	blas->a = gpu_tiles_find_factor(tiles, x, tile->i, tile->p, &blas->lda);
	blas->b = gpu_tiles_find_factor(tiles, y, tile->p, tile->j, &blas->ldb);
	blas->c = gpu_tiles_find(tiles, OPERAND_C, tile->i, tile->j, &blas->ldc);
	return gpu_launch_run(tiles->lane, &launch);
}

enum reason gpu_tiles_use_diagonal(const struct gpu_tiles *tiles, const struct gpu_tile *tile,
                                   struct gpu_span d, const double alpha[2], const double beta[2])
{
	struct gpu_launch launch = gpu_tiles_begin(tiles, tiles->group->family, alpha, beta);
	struct blas_call *blas = &launch.blas;
	blas->m = tile->i.size;
	blas->n = tile->j.size;
	blas->k = d.size;
	blas->a = gpu_tiles_find(tiles, OPERAND_A, d, d, &blas->lda);
	blas->b = gpu_tiles_find(tiles, OPERAND_B, tile->i, tile->j, &blas->ldb);
	blas->c = gpu_tiles_find(tiles, OPERAND_C, tile->i, tile->j, &blas->ldc);
	return gpu_launch_run(tiles->lane, &launch);
}

enum reason gpu_tiles_update(const struct gpu_tiles *tiles, const struct gpu_tile *tile,
                             const double beta[2])
{
	const struct gpu_operand *operand = tiles->group->operand;
	const enum transpose transpose = tiles->group->blas.transa;
	struct gpu_launch launch =
		gpu_tiles_begin(tiles, tiles->group->family, tiles->group->blas.alpha, beta);
	struct blas_call *blas = &launch.blas;
	blas->m = blas->n = tile->i.size;
	blas->k = tile->p.size;
	blas->a = gpu_tiles_find_factor(tiles, (struct gpu_factor){&operand[OPERAND_A], transpose},
	                                tile->i, tile->p, &blas->lda);
	blas->b = gpu_tiles_find_factor(tiles, (struct gpu_factor){&operand[OPERAND_B], transpose},
	                                tile->i, tile->p, &blas->ldb);
	blas->c = gpu_tiles_find(tiles, OPERAND_C, tile->i, tile->i, &blas->ldc);
	return gpu_launch_run(tiles->lane, &launch);
}
