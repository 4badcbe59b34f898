/* gpu_columns_test.c - columns that are longer than a chunk of staging */
/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu_check_blas.h"
#include "shim/execute/gpu/engine/staging.h"

enum { CHUNK_BYTES = 4096, RING_BYTES = 8 * CHUNK_BYTES, LONG = CHUNK_BYTES / 8 + 90 };

static struct gpu_check_blas column_call(enum family family, enum side side)
{
	return (struct gpu_check_blas){.family = family,
	                               .element = ELEMENT_D,
	                               .side = side,
	                               .uplo = UPLO_LOWER,
	                               .m = LONG,
	                               .n = 30,
	                               .k = 30,
	                               .gap = 2,
	                               .alpha = 1.5,
	                               .beta = 0.5};
}

static enum reason run(enum family family, enum side side, int device)
{
	const struct gpu_check_blas wanted = column_call(family, side);
	return gpu_check_run_blas(&wanted, device);
}

int main(void)
{
	staging_set_sizes(RING_BYTES, CHUNK_BYTES);
	const int device = gpu_check_start(0);
	EXPECT(run(FAMILY_GEMM, SIDE_LEFT, device) == REASON_NONE, "columns pass in parts");
	EXPECT(run(FAMILY_SYMM, SIDE_RIGHT, device) == REASON_NONE, "columns pass in parts");
	EXPECT(run(FAMILY_TRSM, SIDE_RIGHT, device) == REASON_NONE, "the rows are independent");
	EXPECT(run(FAMILY_TRMM, SIDE_RIGHT, device) == REASON_NONE, "the rows are independent");
	/*
	 * Results that overwrite an input, which the CPU might still need, come back in whole
	 * columns or all at once.
	 */
	EXPECT(run(FAMILY_TRSM, SIDE_LEFT, device) == REASON_NONE,
	       "a column is longer than a chunk");
	EXPECT(run(FAMILY_TRMM, SIDE_LEFT, device) == REASON_NONE,
	       "a column is longer than a chunk");
	EXPECT(run(FAMILY_GEMM, SIDE_LEFT, device) == REASON_NONE, "and nothing is lost");
	return gpu_check_end("gpu_columns");
}
