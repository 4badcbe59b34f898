/* gpu_check_lapack.c - makes problems of LAPACK, runs them on the GPU, and judges the results */
/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu_check_lapack.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gpu_check_dense.h"
#include "shim/execute/gpu/lapack/gpu_lapack.h"

enum { CANARY = 0x5b, BESIDE_BYTES = 128, RATIO_BOUND = 30 };

enum part { PART_NONE, PART_WHOLE, PART_UPPER, PART_LOWER };

/* One array of the call: where it lies in the block, and what of it the call may write. */
struct array {
	size_t begin;
	int64_t rows, columns, ld;
	size_t element_bytes;
	enum part written;
};

enum { ARRAY_A, ARRAY_B, ARRAY_IPIV, ARRAY_INFO, ARRAYS };

/* The call on a block of memory; the block before the call; which bytes it may write. */
struct problem {
	const struct gpu_check_lapack *wanted;
	struct call call;
	struct array array[ARRAYS];
	char *memory, *before, *writable;
	size_t size_bytes;
	struct dense a, b; /* the system that is solved or factored */
};

/* -- families ---------------------------------------------------------------------------------- */

static bool is_cholesky(enum family family)
{
	return family == FAMILY_POTRF || family == FAMILY_POTRS || family == FAMILY_POSV;
}

static bool is_factored(enum family family)
{
	return family == FAMILY_GETRS || family == FAMILY_POTRS;
}

static bool has_right_sides(enum family family)
{
	return family != FAMILY_GETRF && family != FAMILY_POTRF;
}

static bool is_stored(const struct problem *problem, int64_t i, int64_t j)
{
	if (!is_cholesky(problem->wanted->family))
		return true;
	return problem->wanted->uplo == UPLO_UPPER ? i <= j : i >= j;
}

/* -- memory ------------------------------------------------------------------------------------ */

static struct array array_make(struct problem *problem, int64_t rows, int64_t columns,
                               size_t element_bytes, enum part written)
{
	const struct array array = {problem->size_bytes,
	                            rows,
	                            columns,
	                            columns > 1 ? rows + problem->wanted->gap : rows,
	                            element_bytes,
	                            written};
	problem->size_bytes += (size_t)(array.ld * columns) * element_bytes + BESIDE_BYTES;
	return array;
}

static void problem_list(struct problem *problem)
{
	const struct gpu_check_lapack *wanted = problem->wanted;
	const size_t size = element_size_bytes(wanted->element), integer = wanted->wide ? 8 : 4;
	const bool cholesky = is_cholesky(wanted->family), given = is_factored(wanted->family);
	const enum part triangle = wanted->uplo == UPLO_UPPER ? PART_UPPER : PART_LOWER;
	const int64_t m = wanted->family == FAMILY_GETRF ? wanted->m : wanted->n;
	const int64_t least = m < wanted->n ? m : wanted->n;
	problem->size_bytes = BESIDE_BYTES + (size_t)wanted->offset_bytes;
	problem->array[ARRAY_A] = array_make(problem, m, wanted->n, size,
	                                     given      ? PART_NONE
	                                     : cholesky ? triangle
	                                                : PART_WHOLE);
	if (has_right_sides(wanted->family))
		problem->array[ARRAY_B] =
			array_make(problem, wanted->n, wanted->nrhs, size, PART_WHOLE);
	if (!cholesky)
		problem->array[ARRAY_IPIV] =
			array_make(problem, least, 1, integer, given ? PART_NONE : PART_WHOLE);
	problem->array[ARRAY_INFO] = array_make(problem, 1, 1, integer, PART_WHOLE);
}

static char *array_at(const struct problem *problem, char *block, int name, int64_t i, int64_t j)
{
	const struct array *array = &problem->array[name];
	return block + array->begin + (size_t)(i + j * array->ld) * array->element_bytes;
}

static bool array_has(const struct array *array, int64_t i, int64_t j)
{
	return array->written == PART_WHOLE || (array->written == PART_UPPER && i <= j) ||
	       (array->written == PART_LOWER && i >= j);
}

static void problem_mark_writable(struct problem *problem)
{
	for (int name = 0; name < ARRAYS; name++) {
		const struct array *array = &problem->array[name];
		for (int64_t j = 0; j < array->columns; j++)
			for (int64_t i = 0; i < array->rows; i++)
				if (array_has(array, i, j))
					memset(array_at(problem, problem->writable, name, i, j), 1,
					       array->element_bytes);
	}
}

static void set(struct problem *problem, int name, int64_t i, int64_t j, long double complex value)
{
	gpu_check_store(array_at(problem, problem->memory, name, i, j), 0, problem->wanted->element,
	                false, (double complex)value);
}

static long double complex get(const struct problem *problem, int name, int64_t i, int64_t j)
{
	return gpu_check_load(array_at(problem, problem->memory, name, i, j), 0,
	                      problem->wanted->element, false);
}

static int64_t get_integer(const struct problem *problem, int name, int64_t i)
{
	const char *place = array_at(problem, problem->memory, name, i, 0);
	int64_t wide;
	int32_t narrow;
	memcpy(&wide, place, problem->wanted->wide ? sizeof wide : 0);
	memcpy(&narrow, place, sizeof narrow);
	return problem->wanted->wide ? wide : narrow;
}

static void set_integer(struct problem *problem, int name, int64_t i, int64_t value)
{
	char *place = array_at(problem, problem->memory, name, i, 0);
	const int32_t narrow = (int32_t)value;
	if (problem->wanted->wide)
		memcpy(place, &value, sizeof value);
	else
		memcpy(place, &narrow, sizeof narrow);
}

/* -- numbers ----------------------------------------------------------------------------------- */

/* Rounded to the element, so that what is stored is what is judged. */
static long double complex draw(const struct problem *problem)
{
	const bool two = element_is_complex(problem->wanted->element);
	const double complex value = CMPLX(gpu_check_random(), two ? gpu_check_random() : 0);
	if (problem->wanted->element == ELEMENT_D || problem->wanted->element == ELEMENT_Z)
		return value;
	return CMPLX((float)creal(value), (float)cimag(value));
}

static void draw_general(struct problem *problem)
{
	for (int64_t j = 0; j < problem->a.columns; j++)
		for (int64_t i = 0; i < problem->a.rows; i++)
			*dense_at(&problem->a, i, j) = draw(problem);
	for (int64_t i = 0; problem->wanted->kind == CHECK_FLAWED && i < problem->a.rows; i++)
		*dense_at(&problem->a, i, problem->a.columns / 2) = 0;
}

/* Diagonally dominant. */
static void draw_definite(struct problem *problem)
{
	const int64_t n = problem->a.rows;
	for (int64_t j = 0; j < n; j++) {
		for (int64_t i = 0; i < j; i++) {
			*dense_at(&problem->a, i, j) = draw(problem);
			*dense_at(&problem->a, j, i) = conjl(*dense_at(&problem->a, i, j));
		}
		*dense_at(&problem->a, j, j) = 2 * (long double)n;
	}
	if (problem->wanted->kind == CHECK_FLAWED)
		*dense_at(&problem->a, n / 2, n / 2) = -1;
}

/* A triangular factor as an element of the matrix that is passed. */
static long double complex draw_factor(const struct problem *problem, int64_t i, int64_t j)
{
	const bool single =
		problem->wanted->element == ELEMENT_S || problem->wanted->element == ELEMENT_C;
	const long double complex value = i == j ? 2 : draw(problem) / (long double)problem->a.rows;
	return single ? CMPLX((float)creall(value), (float)cimagl(value))
	              : CMPLX((double)creall(value), (double)cimagl(value));
}

/* Factors are drawn, stored, and multiplied. lower, upper: of A, or of its rows in other order. */
static void draw_factors(struct problem *problem)
{
	const int64_t n = problem->a.rows;
	const bool cholesky = is_cholesky(problem->wanted->family);
	struct dense lower = dense_make(n, n), upper = dense_make(n, n);
	for (int64_t j = 0; j < n; j++)
		for (int64_t i = 0; i < n; i++) {
			const long double complex value = draw_factor(problem, i, j);
			if (!is_stored(problem, i, j))
				continue;
			set(problem, ARRAY_A, i, j, value);
			*dense_at(i <= j ? &upper : &lower, i, j) = value;
			if (i == j)
				*dense_at(&lower, i, j) = cholesky ? value : 1;
		}
	dense_free(&problem->a);
	if (!cholesky)
		problem->a = dense_multiply(&lower, TRANSPOSE_N, &upper);
	else if (problem->wanted->uplo == UPLO_UPPER)
		problem->a = dense_multiply(&upper, TRANSPOSE_C, &upper);
	else {
		for (int64_t i = 0; i < n * n; i++)
			upper.x[i] = 0;
		for (int64_t j = 0; j < n; j++)
			for (int64_t i = 0; i < n; i++)
				*dense_at(&upper, j, i) = conjl(*dense_at(&lower, i, j));
		problem->a = dense_multiply(&lower, TRANSPOSE_N, &upper);
	}
	dense_free(&lower);
	dense_free(&upper);
}

static void draw_pivots(struct problem *problem)
{
	const int64_t n = problem->a.rows;
	int64_t *pivots = malloc((size_t)n * sizeof *pivots);
	for (int64_t i = 0; i < n; i++) {
		pivots[i] = i + 1 + (int64_t)(fabs(gpu_check_random()) * (double)(n - i));
		pivots[i] = pivots[i] > n ? n : pivots[i];
		set_integer(problem, ARRAY_IPIV, i, pivots[i]);
	}
	dense_permute(&problem->a, pivots, n, true);
	free(pivots);
}

/* What is not referenced is NaN, and the imaginary part of a Hermitian diagonal anything. */
static void problem_store(struct problem *problem)
{
	const bool odd = is_cholesky(problem->wanted->family) &&
	                 element_is_complex(problem->wanted->element);
	for (int64_t j = 0; j < problem->a.columns; j++)
		for (int64_t i = 0; i < problem->a.rows; i++)
			set(problem, ARRAY_A, i, j,
			    !is_stored(problem, i, j)
			            ? (long double complex)CMPLX(NAN, NAN)
			            : *dense_at(&problem->a, i, j) + (odd && i == j ? 7 * I : 0));
}

static void problem_store_factored(struct problem *problem)
{
	for (int64_t j = 0; j < problem->a.columns; j++)
		for (int64_t i = 0; i < problem->a.rows; i++)
			if (!is_stored(problem, i, j))
				set(problem, ARRAY_A, i, j, CMPLX(NAN, NAN));
	draw_factors(problem);
	if (problem->wanted->family == FAMILY_GETRS)
		draw_pivots(problem);
}

static void problem_spoil(struct problem *problem)
{
	const int64_t last = problem->a.columns - 1;
	const bool lower = problem->wanted->uplo == UPLO_LOWER;
	if (problem->wanted->kind != CHECK_SPOILT)
		return;
	if (has_right_sides(problem->wanted->family) && problem->wanted->gap % 2 == 0)
		set(problem, ARRAY_B, problem->wanted->n / 2, problem->wanted->nrhs - 1, INFINITY);
	else
		set(problem, ARRAY_A, lower ? last : 0, lower ? 0 : last, CMPLX(NAN, 0));
}

static void problem_fill(struct problem *problem)
{
	const struct gpu_check_lapack *wanted = problem->wanted;
	problem->a = dense_make(problem->array[ARRAY_A].rows, wanted->n);
	problem->b = dense_make(problem->array[ARRAY_B].rows, problem->array[ARRAY_B].columns);
	if (is_factored(wanted->family)) {
		problem_store_factored(problem);
	} else {
		if (is_cholesky(wanted->family))
			draw_definite(problem);
		else
			draw_general(problem);
		problem_store(problem);
	}
	for (int64_t j = 0; j < problem->b.columns; j++)
		for (int64_t i = 0; i < problem->b.rows; i++)
			set(problem, ARRAY_B, i, j, *dense_at(&problem->b, i, j) = draw(problem));
	problem_spoil(problem);
}

static void problem_describe(struct problem *problem)
{
	const struct gpu_check_lapack *wanted = problem->wanted;
	problem->call = (struct call){
		.family = wanted->family,
		.element = wanted->element,
		.lapack = {.uplo = wanted->uplo,
	                   .trans = wanted->trans,
	                   .wide = wanted->wide,
	                   .m = problem->array[ARRAY_A].rows,
	                   .n = wanted->n,
	                   .nrhs = problem->array[ARRAY_B].columns,
	                   .lda = problem->array[ARRAY_A].ld,
	                   .ldb = problem->array[ARRAY_B].ld,
	                   .a = array_at(problem, problem->memory, ARRAY_A, 0, 0),
	                   .info = array_at(problem, problem->memory, ARRAY_INFO, 0, 0)}};
	if (problem->array[ARRAY_B].rows > 0)
		problem->call.lapack.b = array_at(problem, problem->memory, ARRAY_B, 0, 0);
	if (problem->array[ARRAY_IPIV].rows > 0)
		problem->call.lapack.ipiv = array_at(problem, problem->memory, ARRAY_IPIV, 0, 0);
}

static char *copy_of(const struct problem *problem, const char *block)
{
	return memcpy(malloc(problem->size_bytes), block, problem->size_bytes);
}

static struct problem problem_make(const struct gpu_check_lapack *wanted)
{
	struct problem problem = {.wanted = wanted};
	problem_list(&problem);
	problem.memory = malloc(problem.size_bytes);
	memset(problem.memory, CANARY, problem.size_bytes);
	problem.writable = calloc(1, problem.size_bytes);
	problem_mark_writable(&problem);
	problem_fill(&problem);
	problem_describe(&problem);
	problem.before = copy_of(&problem, problem.memory);
	return problem;
}

static void problem_free(struct problem *problem)
{
	dense_free(&problem->a);
	dense_free(&problem->b);
	free(problem->memory);
	free(problem->before);
	free(problem->writable);
}

/* -- the verdict ------------------------------------------------------------------------------- */

/* The factors that were written, multiplied: compared with A. */
static long double judge_factors(const struct problem *problem)
{
	const int64_t m = problem->a.rows, n = problem->a.columns, least = m < n ? m : n;
	const bool cholesky = is_cholesky(problem->wanted->family);
	const bool upper = problem->wanted->uplo == UPLO_UPPER;
	struct dense left = dense_make(m, least), right = dense_make(least, n);
	for (int64_t j = 0; j < n; j++)
		for (int64_t i = 0; i < m; i++) {
			const long double complex value = get(problem, ARRAY_A, i, j);
			if (!is_stored(problem, i, j))
				continue;
			if (cholesky && upper) {
				*dense_at(&right, i, j) = value;
				*dense_at(&left, j, i) = conjl(value);
			} else if (cholesky) {
				*dense_at(&left, i, j) = value;
				*dense_at(&right, j, i) = conjl(value);
			} else {
				*dense_at(i <= j ? &right : &left, i, j) = value;
			}
			if (i == j && !cholesky)
				*dense_at(&left, i, j) = 1;
		}
	struct dense product = dense_multiply(&left, TRANSPOSE_N, &right);
	int64_t *pivots = malloc((size_t)least * sizeof *pivots);
	for (int64_t i = 0; i < least && !cholesky; i++) {
		pivots[i] = get_integer(problem, ARRAY_IPIV, i);
		EXPECT(pivots[i] > i && pivots[i] <= m, "pivot %d is %d", (int)i, (int)pivots[i]);
		pivots[i] = pivots[i] > i && pivots[i] <= m ? pivots[i] : i + 1;
	}
	dense_permute(&product, pivots, cholesky ? 0 : least, true);
	dense_subtract(&product, &problem->a);
	const long double ratio = dense_norm(&product) / dense_norm(&problem->a) / (long double)n /
	                          dense_roundoff(problem->wanted->element);
	free(pivots);
	dense_free(&left);
	dense_free(&right);
	dense_free(&product);
	return ratio;
}

/* What op(A) X = B leaves. */
static long double judge_solution(const struct problem *problem)
{
	const enum transpose trans =
		problem->wanted->family == FAMILY_GETRS ? problem->wanted->trans : TRANSPOSE_N;
	struct dense x = dense_make(problem->b.rows, problem->b.columns);
	for (int64_t j = 0; j < x.columns; j++)
		for (int64_t i = 0; i < x.rows; i++)
			*dense_at(&x, i, j) = get(problem, ARRAY_B, i, j);
	struct dense product = dense_multiply(&problem->a, trans, &x);
	dense_subtract(&product, &problem->b);
	const long double ratio = dense_norm(&product) / dense_norm(&problem->a) / dense_norm(&x) /
	                          dense_roundoff(problem->wanted->element);
	dense_free(&x);
	dense_free(&product);
	return ratio;
}

static void judge_ratio(const struct problem *problem, const char *what, long double ratio)
{
	EXPECT(ratio < RATIO_BOUND, "%s: %s, element %d, m %d, n %d: %g",
	       family_name(problem->wanted->family), what, (int)problem->wanted->element,
	       (int)problem->a.rows, (int)problem->a.columns, (double)ratio);
}

/* After a call that came back nothing is written. */
static void judge_bytes(const struct problem *problem, bool done)
{
	size_t wrong = 0;
	for (size_t i = 0; i < problem->size_bytes; i++)
		wrong += problem->memory[i] != problem->before[i] &&
		         !(done && problem->writable[i] != 0);
	EXPECT(wrong == 0, "%s, element %d: %zu bytes changed that must not",
	       family_name(problem->wanted->family), (int)problem->wanted->element, wrong);
}

static void judge(const struct problem *problem, bool done)
{
	judge_bytes(problem, done);
	if (!done)
		return;
	EXPECT(get_integer(problem, ARRAY_INFO, 0) == 0, "info is %d",
	       (int)get_integer(problem, ARRAY_INFO, 0));
	if (!is_factored(problem->wanted->family))
		judge_ratio(problem, "factors", judge_factors(problem));
	if (has_right_sides(problem->wanted->family))
		judge_ratio(problem, "solution", judge_solution(problem));
}

enum reason gpu_check_run_lapack(const struct gpu_check_lapack *wanted, int device)
{
	struct problem problem = problem_make(wanted);
	bool finished = true;
	const enum reason reason = gpu_lapack_run(&problem.call, device, &finished);
	EXPECT(finished == (reason == REASON_NONE), "%s", reason_name(reason));
	judge(&problem, reason == REASON_NONE);
	problem_free(&problem);
	return reason;
}

/* -- all of them ------------------------------------------------------------------------------- */

void gpu_check_each_lapack(gpu_check_visit_lapack *visit, int device)
{
	static const enum family families[] = {FAMILY_GETRF, FAMILY_GETRS, FAMILY_GESV,
	                                       FAMILY_POTRF, FAMILY_POTRS, FAMILY_POSV};
	for (size_t f = 0; f < sizeof families / sizeof families[0]; f++)
		for (enum element element = ELEMENT_S; element < ELEMENT_BLAS_COUNT; element++) {
			const bool cholesky = is_cholesky(families[f]);
			const int letters = cholesky ? 2 : families[f] == FAMILY_GETRS ? 3 : 1;
			for (int letter = 0; letter < letters; letter++) {
				struct gpu_check_lapack wanted = {
					.family = families[f],
					.element = element,
					.uplo = cholesky && letter == 0 ? UPLO_LOWER : UPLO_UPPER,
					.trans = cholesky ? TRANSPOSE_N : (enum transpose)letter};
				visit(&wanted, device);
			}
		}
}
