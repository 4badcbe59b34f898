/* verify_terms.c - norms of operands, bounds, and comparison of results by columns */
/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/verify/verify_terms.h"

/* The relative error of a factor that is cut to TensorFloat-32. */
static const double verify_tf32_roundoff = 0x1p-10;

/*
 * Sums may overflow from this fraction of the limit on: parts of complex products, sums of gemm3m.
 */
enum { VERIFY_REACH = 16 };

/* Adds count consecutive elements. */
static void verify_terms_add_run(struct verify_norm *norm, enum element element, const char *first,
                                 int64_t count)
{
	const int64_t reals = verify_terms_is_real(element) ? count : 2 * count;
	for (int64_t i = 0; i < reals; i++)
		verify_norm_add_value(norm, verify_norm_read(element, first, i));
}

void verify_terms_measure_matrix(struct verify_norm *norm, enum element element,
                                 const struct matrix *matrix)
{
	for (int64_t j = 0; j < matrix->columns; j++)
		verify_terms_add_run(norm, element, verify_terms_point(element, matrix, 0, j),
		                     matrix->rows);
}

/* Adds the elements of column j inside the triangle, without the diagonal. */
static void verify_terms_add_triangle(struct verify_norm *norm, enum element element,
                                      enum uplo uplo, const struct matrix *matrix, int64_t j)
{
	const int64_t first = uplo == UPLO_UPPER ? 0 : j + 1;
	const int64_t count = uplo == UPLO_UPPER ? j : matrix->rows - first;
	verify_terms_add_run(norm, element, verify_terms_point(element, matrix, first, j), count);
}

/* The imaginary part of the diagonal of a Hermitian matrix is not read. */
static void verify_terms_add_diagonal(struct verify_norm *norm, enum element element,
                                      bool hermitian, const struct matrix *matrix, int64_t j)
{
	const char *at = verify_terms_point(element, matrix, j, j);
	if (hermitian)
		verify_norm_add_value(norm, verify_norm_read(element, at, 0));
	else
		verify_terms_add_run(norm, element, at, 1);
}

static void verify_terms_measure_square(const struct verify_problem *problem,
                                        const struct matrix *a, struct verify_norm *norm)
{
	const struct blas_call *blas = problem->blas;
	const bool mirrored = !family_is_in_place(problem->family);
	for (int64_t j = 0; j < a->columns; j++) {
		verify_terms_add_triangle(norm, problem->element, blas->uplo, a, j);
		if (mirrored)
			verify_terms_add_triangle(norm, problem->element, blas->uplo, a, j);
		if (!mirrored && blas->diag == DIAG_UNIT)
			verify_norm_add_value(norm, 1);
		else
			verify_terms_add_diagonal(norm, problem->element,
			                          family_is_hermitian(problem->family), a, j);
	}
}

void verify_terms_measure_result(enum family family, enum element element, enum uplo uplo,
                                 const struct matrix *c, struct verify_norm *norm)
{
	const bool hermitian = family_has_hermitian_result(family);
	if (!operand_is_triangle(family)) {
		verify_terms_measure_matrix(norm, element, c);
		return;
	}
	for (int64_t j = 0; j < c->columns; j++) {
		verify_terms_add_triangle(norm, element, uplo, c, j);
		verify_terms_add_diagonal(norm, element, hermitian, c, j);
	}
}

static long double verify_terms_size_of(const double scalar[2])
{
	return (long double)__builtin_fabs(scalar[0]) + (long double)__builtin_fabs(scalar[1]);
}

static double verify_terms_find_factor(const struct verify_problem *problem)
{
	if (problem->family == FAMILY_GEMM3M)
		return 8;
	return verify_terms_is_real(problem->element) ? 1 : 2 * __builtin_sqrt(2);
}

static void verify_terms_find_factors(const struct verify_problem *problem, struct verify_norm *a,
                                      struct verify_norm *b)
{
	struct matrix matrix;
	operand_find(problem->family, problem->blas, OPERAND_A, &matrix);
	if (family_has_square(problem->family))
		verify_terms_measure_square(problem, &matrix, a);
	else
		verify_terms_measure_matrix(a, problem->element, &matrix);
	if (family_is_in_place(problem->family))
		*b = problem->before;
	else if (operand_find(problem->family, problem->blas, OPERAND_B, &matrix))
		verify_terms_measure_matrix(b, problem->element, &matrix);
	else
		*b = *a;
}

struct verify_terms verify_terms_find_terms(const struct verify_problem *problem)
{
	const bool twice = family_is_twice(problem->family),
		   in_place = family_is_in_place(problem->family);
	struct verify_norm a = {.spoilt = false}, b = {.spoilt = false};
	verify_terms_find_factors(problem, &a, &b);
	return (struct verify_terms){
		.a = verify_norm_find(&a),
		.b = verify_norm_find(&b) * (twice ? 2 : 1),
		.before = in_place ? 0 : verify_norm_find(&problem->before),
		.alpha = verify_terms_size_of(problem->blas->alpha),
		.beta = in_place ? 0 : verify_terms_size_of(problem->blas->beta),
		.spoilt = a.spoilt || b.spoilt || problem->before.spoilt,
		.inner = (double)problem->blas->k * (twice ? 2 : 1),
		.factor = verify_terms_find_factor(problem),
		.range = verify_norm_find_range(problem->element),
	};
}

/* The rounding errors of both sides; TensorFloat-32 is used on one side only, in both factors. */
double verify_terms_find_roundoff(const struct verify_problem *problem,
                                  const struct verify_terms *terms)
{
	const bool cut =
		problem->tf32 && (problem->element == ELEMENT_S || problem->element == ELEMENT_C);
	return terms->factor * (2 * (terms->inner + 2) * terms->range.roundoff +
	                        (cut ? 2 * verify_tf32_roundoff : 0));
}

long double verify_terms_bound_loss(const struct verify_problem *problem,
                                    const struct verify_terms *terms)
{
	const long double rows = __builtin_sqrt((double)problem->blas->m);
	const long double columns = __builtin_sqrt((double)problem->blas->n);
	const long double weight = rows * terms->b + columns * terms->a +
	                           rows * columns * (1 + terms->alpha + terms->beta);
	return 2 * terms->factor * (terms->inner + 2) * terms->range.least * weight;
}

bool verify_terms_is_beyond(const struct verify_terms *terms, long double size)
{
	return size >= (long double)terms->range.largest / VERIFY_REACH;
}

void verify_terms_compare_column(const struct verify_problem *problem, int64_t j,
                                 struct verify_gap *gap)
{
	const struct matrix gpu = verify_terms_find_gpu(problem),
			    cpu = verify_terms_find_cpu(problem);
	const bool triangle = operand_is_triangle(problem->family),
		   upper = problem->blas->uplo == UPLO_UPPER;
	const int64_t end = triangle && upper ? j + 1 : gpu.rows;
	for (int64_t i = triangle && !upper ? j : 0; i < end; i++)
		verify_norm_add_pair(gap, problem->element, verify_terms_is_real(problem->element),
		                     verify_terms_point(problem->element, &gpu, i, j),
		                     verify_terms_point(problem->element, &cpu, i, j));
}

void verify_terms_compare_row(const struct verify_problem *problem, int64_t i,
                              struct verify_gap *gap)
{
	const struct matrix gpu = verify_terms_find_gpu(problem),
			    cpu = verify_terms_find_cpu(problem);
	for (int64_t j = 0; j < gpu.columns; j++)
		verify_norm_add_pair(gap, problem->element, verify_terms_is_real(problem->element),
		                     verify_terms_point(problem->element, &gpu, i, j),
		                     verify_terms_point(problem->element, &cpu, i, j));
}
