/* naive_gemm.h - matrices in one block of memory, and the product by its definition */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_NAIVE_GEMM_H
#define GPUSHIM_TESTS_NAIVE_GEMM_H

#include "../driver/c11_complex.h"
#include "blas_names.h"

/* An operand as stored: rows x columns, ld apart, by columns or by rows. */
struct operand {
	int rows, columns, ld;
	bool by_rows;
};

struct operand operand_a(const struct gemm *g);
struct operand operand_b(const struct gemm *g);
struct operand operand_c(const struct gemm *g);

/* Elements from the first to the last, gaps between included; 0 for an empty operand. */
size_t operand_extent(const struct operand *o);
size_t operand_index(const struct operand *o, int row, int column);

long double complex element_read(enum type type, const void *array, size_t index);
void element_write(enum type type, void *array, size_t index, long double complex value);

/*
 * Norm-wise distance of g->c from alpha op(A) op(B) + beta before, in units of the type's epsilon
 * times (k + 2) |alpha| |A| |B| + |beta| |before|; before is C as it was, in the same layout.
 */
double naive_gemm_error(const struct gemm *g, const void *before);

/* Whether a NaN or infinity stands exactly where the definition has one. */
bool naive_gemm_agrees_on_finite(const struct gemm *g, const void *before);

#endif
