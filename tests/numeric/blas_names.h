/* blas_names.h - gemm of every type and spelling behind one function */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_BLAS_NAMES_H
#define GPUSHIM_TESTS_BLAS_NAMES_H

#include <stdbool.h>
#include <stddef.h>

enum type { TYPE_S, TYPE_D, TYPE_C, TYPE_Z, TYPE_COUNT };
enum spelling { F77, BY_COLUMNS, BY_ROWS, SPELLING_COUNT };

/*
 * Sizes and leading dimensions as the program passes them; alpha and beta are pairs whose second
 * half may be unused.
 */
struct gemm {
	enum type type;
	enum spelling spelling;
	char transa, transb;
	int m, n, k, lda, ldb, ldc;
	double alpha[2], beta[2];
	const void *a, *b;
	void *c;
};

size_t type_bytes(enum type type);
bool type_is_complex(enum type type);
const char *gemm_name(const struct gemm *g);
void gemm_call(const struct gemm *g);

/* Counts a call of this name; tells all counts as lines `call SYMBOL N`. */
void gemm_count(const struct gemm *g);
void gemm_tell_counts(void);

#endif
