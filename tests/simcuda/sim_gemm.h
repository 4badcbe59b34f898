/* sim_gemm.h - the plain matrix product of the cublas stand-in */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SIMCUDA_SIM_GEMM_H
#define SIMCUDA_SIM_GEMM_H

#include <stdbool.h>
#include <stddef.h>

/*
 * An m x n operand after its transposition: element (i, j) is at i * row_step + j * column_step
 * elements.
 */
struct sim_operand {
	const void *data;
	ptrdiff_t row_step, column_step;
	bool conjugate;
};

/*
 * C := alpha A B + beta C, C by columns. alpha and beta are one element each. beta exactly 0: C is
 * not read. alpha 0: A and B are still read, because the vendor promises no exemption. digits:
 * explicit mantissa bits to which operands are rounded first; 0: all.
 */
struct sim_gemm {
	char element; /* 'S', 'D', 'C' or 'Z' */
	size_t m, n, k;
	struct sim_operand a, b;
	const void *alpha, *beta;
	void *c;
	size_t ldc;
	int digits;
};

/* False when scratch memory ran out: C is then partly written. */
bool sim_gemm_compute(const struct sim_gemm *gemm);

#endif
