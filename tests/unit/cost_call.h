/* cost_call.h - the machine and the calls that tests of the cost model share */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_UNIT_COST_CALL_H
#define GPUSHIM_TESTS_UNIT_COST_CALL_H

#include "policy/decide/cost.h"

/*
 * Round figures: on 8 threads 1 Tflop/s against 50, 10 GB/s up and 20 down, page-locked 25, 30 us
 * fixed.
 */
static const struct machine cost_machine = {
	.cpu_threads = 8,
	.cpu_gemm_flops = {2e12, 1e12, 2e12, 1e12},
	.gpu_gemm_flops = {100e12, 50e12, 100e12, 50e12},
	.cpu_fft_flops = {[ELEMENT_C] = 200e9, [ELEMENT_Z] = 100e9},
	.gpu_fft_flops = {[ELEMENT_C] = 2e12, [ELEMENT_Z] = 1e12},
	.link_up_bytes = 10e9,
	.link_down_bytes = 20e9,
	.link_up_pinned_bytes = 25e9,
	.link_down_pinned_bytes = 25e9,
	.link_up_pageable_bytes = 5e9,
	.link_down_pageable_bytes = 4e9,
	.link_duplex = 0.9,
	.operation_ns = 8000,
	.call_fixed_ns = 30e3,
};

/* A square DGEMM of which only bytes and flops are known. */
static inline struct call cost_call_bytes(double n)
{
	const uint64_t matrix_bytes = (uint64_t)(8 * n * n);
	return (struct call){.family = FAMILY_GEMM,
	                     .element = ELEMENT_D,
	                     .size_bytes = 3 * matrix_bytes,
	                     .input_bytes = 3 * matrix_bytes,
	                     .output_bytes = matrix_bytes,
	                     .work_flops = 2 * n * n * n};
}

/* A level-3 call in double precision, alpha 1 and beta 0; sizes as in struct blas_call. */
static inline struct call cost_call_blas(enum family family, int64_t m, int64_t n, int64_t k)
{
	struct call call = {.family = family,
	                    .element = ELEMENT_D,
	                    .blas = {.m = m, .n = n, .k = k, .alpha = {1}}};
	struct matrix matrix;
	for (int name = OPERAND_A; name < OPERAND_COUNT; name++) {
		const bool found = operand_find(family, &call.blas, (enum operand)name, &matrix);
		const uint64_t bytes = found ? operand_size_bytes(&matrix, ELEMENT_D) : 0;
		call.size_bytes = operand_add_bytes(call.size_bytes, bytes);
		if (name != OPERAND_C || family_is_in_place(family))
			call.input_bytes = operand_add_bytes(call.input_bytes, bytes);
		if (name == OPERAND_C)
			call.output_bytes = bytes;
	}
	call.work_flops = operand_count_flops(family, ELEMENT_D, &call.blas);
	return call;
}

static inline struct call cost_call_fft(const struct fft_problem *problem, uint64_t bytes,
                                        double flops)
{
	return (struct call){.family = problem->family,
	                     .element = problem->element,
	                     .size_bytes = bytes,
	                     .input_bytes = bytes,
	                     .output_bytes = bytes,
	                     .work_flops = flops,
	                     .fft = {.problem = problem}};
}

#endif
