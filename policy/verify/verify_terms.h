/* verify_terms.h - what the bound of a BLAS problem is made of, and its two results column by column; pure */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_VERIFY_VERIFY_TERMS_H
#define GPUSHIM_POLICY_VERIFY_VERIFY_TERMS_H

#include "policy/call/operand.h"
#include "policy/verify/verify_norm.h"

/*
 * One problem of level 3 that is no batch. blas->c is the GPU's result, cpu the CPU's, of leading
 * dimension m; before: what verify_terms_measure_result said of C before the call, zeroed where C is not
 * read. tf32: it is allowed.
 */
struct verify_problem {
	enum family family;
	enum element element;
	bool tf32;
	const struct blas_call *blas;
	const void *cpu;
	struct verify_norm before;
};

/* The norm of what the family reads of such a C: all, or the triangle uplo. */
void verify_terms_measure_result(enum family family, enum element element, enum uplo uplo,
                                 const struct matrix *c, struct verify_norm *norm);

/*
 * What the bound of a problem is made of. a and b are the norms of its factors, alpha and beta
 * moduli.
 */
struct verify_terms {
	long double a, b, before, alpha, beta;
	bool spoilt; /* an operand that is read has an element that is not finite */
	double inner, factor;
	struct verify_range range;
};
struct verify_terms verify_terms_find_terms(const struct verify_problem *problem);

/* What the roundings of both sides amount to, relative to the terms that they are made in. */
double verify_terms_find_roundoff(const struct verify_problem *problem,
                                  const struct verify_terms *terms);

/*
 * What can be lost by underflow: a term that vanishes is lost times the factor it is still to be
 * multiplied by.
 */
long double verify_terms_bound_loss(const struct verify_problem *problem,
                                    const struct verify_terms *terms);

/* Whether a number of this size, or what it is computed from, is too large for the element. */
bool verify_terms_is_beyond(const struct verify_terms *terms, long double size);

/* The norm of a matrix, all of it. */
void verify_terms_measure_matrix(struct verify_norm *norm, enum element element,
                                 const struct matrix *matrix);

static inline bool verify_terms_is_real(enum element element)
{
	return !element_is_complex(element);
}

static inline const char *verify_terms_point(enum element element, const struct matrix *matrix,
                                             int64_t row, int64_t column)
{
	return (const char *)matrix->base +
	       (row + column * matrix->ld) * (int64_t)element_size_bytes(element);
}

/* The two results. */
static inline struct matrix verify_terms_find_gpu(const struct verify_problem *problem)
{
	const struct blas_call *blas = problem->blas;
	return (struct matrix){blas->c, blas->m, blas->n, blas->ldc};
}

static inline struct matrix verify_terms_find_cpu(const struct verify_problem *problem)
{
	const struct blas_call *blas = problem->blas;
	return (struct matrix){problem->cpu, blas->m, blas->n, blas->m};
}

/* What the call writes of a column, or of a row. */
void verify_terms_compare_column(const struct verify_problem *problem, int64_t j,
                                 struct verify_gap *gap);
void verify_terms_compare_row(const struct verify_problem *problem, int64_t i,
                              struct verify_gap *gap);

#endif
