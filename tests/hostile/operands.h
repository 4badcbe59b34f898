/* operands.h - one call of level 3 whose A or C is a triangle, in each element */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_HOSTILE_OPERANDS_H
#define GPUSHIM_TESTS_HOSTILE_OPERANDS_H

#include <stdbool.h>

#include "tests/driver/c11_complex.h"

typedef double complex wide;

enum element { ELEMENT_S, ELEMENT_D, ELEMENT_C, ELEMENT_Z };
enum part { PART_WHOLE, PART_UPPER, PART_LOWER };

/* The rank updates stand last. */
enum kind {
	KIND_SYMM,
	KIND_HEMM,
	KIND_TRMM,
	KIND_TRSM,
	KIND_SYRK,
	KIND_HERK,
	KIND_SYR2K,
	KIND_HER2K,
	KIND_COUNT
};
extern const char *const operands_names[KIND_COUNT];

struct run {
	enum kind kind;
	enum element element;
	char side, uplo, trans, diag;
	wide alpha;
	double beta;
};

/* trmm and trsm overwrite c. */
struct arguments {
	int m, n, k, lda, ldb, ldc;
	const void *a, *b;
	void *c;
};

void operands_call(const struct run *run, const struct arguments *arguments);

#endif
