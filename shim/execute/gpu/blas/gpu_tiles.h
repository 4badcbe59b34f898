/* gpu_tiles.h - tiles of a group's result, and the kernels that work on one */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_BLAS_GPU_TILES_H
#define GPUSHIM_SHIM_EXECUTE_GPU_BLAS_GPU_TILES_H

#include "shim/execute/gpu/blas/gpu_batch.h"

/* One problem of a group on its way through the lane. */
struct gpu_tiles {
	struct lane *lane;
	const struct gpu_group *group;
	int64_t problem;
};

struct gpu_span {
	int64_t begin, size;
};

/* Rows and columns of the result, and the indices that are summed over. */
struct gpu_tile {
	struct gpu_span i, j, p;
};

/*
 * Walks through the tiles of a region, p fastest and i slowest; backward: from the last tile to the
 * first in each. at is the tile where gpu_tiles_next has come to; first and last say so of its p.
 */
struct gpu_walk {
	struct gpu_tile region, at;
	int64_t tile, step;
	bool backward, first, last;
};
struct gpu_walk gpu_tiles_walk(const struct gpu_group *group);
bool gpu_tiles_next(struct gpu_walk *walk);

/* An operand with an operation. */
struct gpu_factor {
	const struct gpu_operand *operand;
	enum transpose transpose;
};

extern const double gpu_tiles_one[2], gpu_tiles_minus_one[2];

/*
 * C[i, j] := alpha op(X)[i, p] op(Y)[p, j] + beta C[i, j], by gemm, or gemm3m where that is the
 * family.
 */
enum reason gpu_tiles_multiply(const struct gpu_tiles *tiles, struct gpu_factor x,
                               struct gpu_factor y, const struct gpu_tile *tile,
                               const double alpha[2], const double beta[2]);

/* The family's own kernel, with A[d, d], on B[i, j] and C[i, j]. */
enum reason gpu_tiles_use_diagonal(const struct gpu_tiles *tiles, const struct gpu_tile *tile,
                                   struct gpu_span d, const double alpha[2], const double beta[2]);

/* The family's own kernel: the rank update of C[i, i] by the columns p. */
enum reason gpu_tiles_update(const struct gpu_tiles *tiles, const struct gpu_tile *tile,
                             const double beta[2]);

#endif
