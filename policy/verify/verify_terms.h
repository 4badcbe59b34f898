/* verify_terms.h - the terms of the bound of a BLAS problem, and its two results; pure */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_VERIFY_VERIFY_TERMS_H
#define GPUSHIM_POLICY_VERIFY_VERIFY_TERMS_H

#include "policy/call/operand.h"
#include "policy/verify/verify_norm.h"

/*
 * One level-3 problem that is no batch. blas->c is the result of the GPU, cpu that of the CPU with
 * leading dimension m. before: verify_terms_measure_result of C before the call; zeroed where C is
 * not read. tf32: TensorFloat-32 is allowed.
 */
struct verify_problem {
	enum family family;
	enum element element;
	bool tf32;
	const struct blas_call *blas;
	const void *cpu;
	struct verify_norm before;
};

/* Adds the elements of C that the family reads to a norm: all, or triangle uplo. */
void verify_terms_measure_result(enum family family, enum element element, enum uplo uplo,
                                 const struct matrix *c, struct verify_norm *norm);

/*
 * The terms of the bound: a and b are the norms of the factors, before the norm of C before the
 * call, alpha and beta the moduli, inner the length of the sums, factor the f of verify.h.
 */
struct verify_terms {
	long double a, b, before, alpha, beta;
	bool spoilt; /* an element that is read is not finite */
	double inner, factor;
	struct verify_range range;
};
struct verify_terms verify_terms_find_terms(const struct verify_problem *problem);

/* The relative rounding error of both sides together. */
double verify_terms_find_roundoff(const struct verify_problem *problem,
                                  const struct verify_terms *terms);

/* The error by underflow: a term that underflows is lost times its other factor. */
long double verify_terms_bound_loss(const struct verify_problem *problem,
                                    const struct verify_terms *terms);

/* Whether a number of this size, or the terms that it is computed from, may overflow. */
bool verify_terms_is_beyond(const struct verify_terms *terms, long double size);

/* Adds all elements of a matrix to a norm. */
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

/* The matrices of both results. */
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

/* Compares the elements of a column, or of a row, that the call writes. */
void verify_terms_compare_column(const struct verify_problem *problem, int64_t j,
                                 struct verify_gap *gap);
void verify_terms_compare_row(const struct verify_problem *problem, int64_t i,
                              struct verify_gap *gap);

#endif
