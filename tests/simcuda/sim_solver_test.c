/* sim_solver_test.c - cuSOLVER of the stand-in in the measures of LAPACK's testers: LU, Cholesky */
/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim_solver_cases.h"

enum { SOLVED_COLUMNS = 3 };

/* Sizes below and above those from which factorisations are halved. */
static const int sizes[][2] = {{1, 1}, {5, 5}, {16, 16}, {17, 17}, {60, 35}, {35, 60}, {97, 97}};
enum { SIZES = sizeof sizes / sizeof sizes[0] };

/* -- LU -- */

struct lu {
	char element;
	struct sim_matrix a, factor;
	void *device;
	int64_t *pivots, *device_pivots;
};

static void lu_make(const struct measure_solver *s, struct lu *lu, int algorithm)
{
	const int m = lu->a.rows, n = lu->a.columns, type = measure_type(lu->element);
	struct measure_room room = {0};
	const size_t bytes = (size_t)(m < n ? m : n) * sizeof(int64_t);
	lu->pivots = malloc(bytes);
	lu->device_pivots = rules_device_memory(bytes);
	lu->device = sim_matrix_upload(&lu->a, lu->element);
	CHECK_IS(cuda.cusolverDnSetAdvOptions(s->params, SIM_DN_GETRF, algorithm), 0);
	CHECK_IS(cuda.cusolverDnXgetrf_bufferSize(s->handle, s->params, m, n, type, NULL, lu->a.ld,
	                                          type, &room.device_bytes, &room.host_bytes),
	         0);
	measure_take(&room);
	CHECK_IS(cuda.cusolverDnXgetrf(s->handle, s->params, m, n, type, lu->device, lu->a.ld,
	                               lu->device_pivots, type, room.device, room.device_bytes,
	                               room.host, room.host_bytes, s->info),
	         0);
	CHECK_IS(measure_info(s), 0);
	rules_read_back(lu->pivots, lu->device_pivots, bytes);
	lu->factor = sim_matrix_download(&lu->a, lu->device, lu->element);
	measure_give(&room);
}

static void lu_free(struct lu *lu)
{
	cuda.cudaFree(lu->device);
	cuda.cudaFree(lu->device_pivots);
	free(lu->pivots);
	sim_matrix_free(&lu->a);
	sim_matrix_free(&lu->factor);
}

/* L with its unit diagonal, or U. */
static struct sim_matrix lu_part(const struct lu *lu, bool lower)
{
	const int m = lu->a.rows, n = lu->a.columns, least = m < n ? m : n;
	struct sim_matrix made = measure_zeros(lower ? m : least, lower ? least : n);
	for (int j = 0; j < made.columns; j++)
		for (int i = 0; i < made.rows; i++) {
			if (lower ? i > j : i <= j)
				*sim_matrix_at(&made, i, j) = *sim_matrix_at(&lu->factor, i, j);
			else if (lower && i == j)
				*sim_matrix_at(&made, i, j) = 1;
		}
	return made;
}

/* The rows of A in the order of the factors. */
static struct sim_matrix lu_exchanged(const struct lu *lu)
{
	const int m = lu->a.rows, n = lu->a.columns;
	struct sim_matrix made = measure_zeros(m, n);
	for (int j = 0; j < n; j++)
		for (int i = 0; i < m; i++)
			*sim_matrix_at(&made, i, j) = *sim_matrix_at(&lu->a, i, j);
	for (int k = 0; k < m && k < n; k++) {
		const int row = (int)lu->pivots[k] - 1;
		if (!CHECK(row >= k && row < m))
			break;
		for (int j = 0; j < n; j++) {
			double complex kept = *sim_matrix_at(&made, k, j);
			*sim_matrix_at(&made, k, j) = *sim_matrix_at(&made, row, j);
			*sim_matrix_at(&made, row, j) = kept;
		}
	}
	return made;
}

static void lu_check(const struct lu *lu)
{
	struct sim_matrix lower = lu_part(lu, true), upper = lu_part(lu, false);
	struct sim_matrix product = measure_product(&lower, SIM_TRANS_N, &upper, SIM_TRANS_N),
			  exchanged = lu_exchanged(lu);
	MEASURE_CHECK(measure_ratio(&product, &exchanged, measure_norm(&lu->a), lu->a.columns,
	                            lu->element));
	CHECK(measure_keeps_gaps(&lu->a, &lu->factor));
	/* No element of L is above 1: the rows were exchanged for the greatest ones. */
	for (int j = 0; j < lower.columns; j++)
		for (int i = 0; i < lower.rows; i++)
			CHECK(cabs(*sim_matrix_at(&lower, i, j)) < 1.5);
	sim_matrix_free(&lower);
	sim_matrix_free(&upper);
	sim_matrix_free(&product);
	sim_matrix_free(&exchanged);
}

/* |b - op(A) x| / (|A| |x| eps) */
static void solution_check(const struct sim_matrix *a, int trans, const struct sim_matrix *b,
                           const struct sim_matrix *x, char element)
{
	struct sim_matrix product = measure_product(a, trans, x, SIM_TRANS_N);
	MEASURE_CHECK(
		measure_ratio(&product, b, measure_norm(a) * measure_norm(x), a->rows, element));
	CHECK(measure_keeps_gaps(b, x));
	sim_matrix_free(&product);
}

static void lu_solve(const struct measure_solver *s, const struct lu *lu, int trans)
{
	const int n = lu->a.rows, type = measure_type(lu->element);
	struct sim_matrix b = case_matrix(n, SOLVED_COLUMNS, lu->element);
	void *device = sim_matrix_upload(&b, lu->element);
	CHECK_IS(cuda.cusolverDnXgetrs(s->handle, s->params, trans, n, SOLVED_COLUMNS, type,
	                               lu->device, lu->a.ld, lu->device_pivots, type, device, b.ld,
	                               s->info),
	         0);
	CHECK_IS(measure_info(s), 0);
	struct sim_matrix x = sim_matrix_download(&b, device, lu->element);
	solution_check(&lu->a, trans, &b, &x, lu->element);
	cuda.cudaFree(device);
	sim_matrix_free(&b);
	sim_matrix_free(&x);
}

static void lu_is_right(void)
{
	struct measure_solver s = measure_open();
	for (const char *element = "SDCZ"; *element; element++)
		for (int i = 0; i < SIZES; i++) {
			struct lu lu = {.element = *element,
			                .a = case_matrix(sizes[i][0], sizes[i][1], *element)};
			lu_make(&s, &lu, i % 2);
			lu_check(&lu);
			for (int trans = SIM_TRANS_N;
			     trans <= SIM_TRANS_C && lu.a.rows == lu.a.columns; trans++)
				lu_solve(&s, &lu, trans);
			lu_free(&lu);
		}
}

/* -- Cholesky -- */

static void clear_other(struct sim_matrix *a, int uplo)
{
	for (int j = 0; j < a->columns; j++)
		for (int i = 0; i < a->rows; i++)
			if (!case_in_triangle(uplo, i, j))
				*sim_matrix_at(a, i, j) = 0;
}

static void *cholesky_make(const struct measure_solver *s, const struct sim_matrix *half, int uplo,
                           char element)
{
	const int n = half->rows, type = measure_type(element);
	struct measure_room room = {0};
	void *device = sim_matrix_upload(half, element);
	CHECK_IS(cuda.cusolverDnXpotrf_bufferSize(s->handle, s->params, uplo, n, type, NULL,
	                                          half->ld, type, &room.device_bytes,
	                                          &room.host_bytes),
	         0);
	measure_take(&room);
	CHECK_IS(cuda.cusolverDnXpotrf(s->handle, s->params, uplo, n, type, device, half->ld, type,
	                               room.device, room.device_bytes, room.host, room.host_bytes,
	                               s->info),
	         0);
	CHECK_IS(measure_info(s), 0);
	measure_give(&room);
	return device;
}

static void cholesky_solve(const struct measure_solver *s, const struct sim_matrix *a,
                           const void *factor, int ld, int uplo, char element)
{
	const int n = a->rows, type = measure_type(element);
	struct sim_matrix b = case_matrix(n, SOLVED_COLUMNS, element);
	void *device = sim_matrix_upload(&b, element);
	CHECK_IS(cuda.cusolverDnXpotrs(s->handle, s->params, uplo, n, SOLVED_COLUMNS, type, factor,
	                               ld, type, device, b.ld, s->info),
	         0);
	CHECK_IS(measure_info(s), 0);
	struct sim_matrix x = sim_matrix_download(&b, device, element);
	solution_check(a, SIM_TRANS_N, &b, &x, element);
	cuda.cudaFree(device);
	sim_matrix_free(&b);
	sim_matrix_free(&x);
}

static void cholesky_run(const struct measure_solver *s, int n, int uplo, char element)
{
	const bool lower = uplo == SIM_UPLO_LOWER;
	struct sim_matrix a = case_positive(n, element), half = case_half(&a, uplo, element);
	void *device = cholesky_make(s, &half, uplo, element);
	struct sim_matrix factor = sim_matrix_download(&half, device, element);
	CHECK(measure_keeps_gaps(&half, &factor));
	clear_other(&factor, uplo);
	struct sim_matrix product = measure_product(&factor, lower ? SIM_TRANS_N : SIM_TRANS_C,
	                                            &factor, lower ? SIM_TRANS_C : SIM_TRANS_N);
	MEASURE_CHECK(measure_ratio(&product, &a, measure_norm(&a), n, element));
	cholesky_solve(s, &a, device, half.ld, uplo, element);
	cuda.cudaFree(device);
	sim_matrix_free(&a);
	sim_matrix_free(&half);
	sim_matrix_free(&factor);
	sim_matrix_free(&product);
}

static void cholesky_is_right(void)
{
	struct measure_solver s = measure_open();
	for (const char *element = "SDCZ"; *element; element++)
		for (int i = 0; i < SIZES; i++)
			for (int uplo = SIM_UPLO_LOWER; uplo <= SIM_UPLO_UPPER; uplo++)
				cholesky_run(&s, sizes[i][0], uplo, *element);
}

int main(int count, char **arguments)
{
	static const struct rule solver_arithmetic[] = {
		{"solver: LU and its solutions", RULE_WITH_SOLVER, NULL, lu_is_right},
		{"solver: Cholesky and its solutions", RULE_WITH_SOLVER, NULL, cholesky_is_right},
		{"solver: QR", RULE_WITH_SOLVER, NULL, case_qr},
		{"solver: inverses", RULE_WITH_SOLVER, NULL, case_inverses},
		{"solver: rows", RULE_WITH_SOLVER, NULL, case_rows},
		{"solver: eigenvalues", RULE_WITH_SOLVER, NULL, case_eigenvalues},
		{"solver: ranges of eigenvalues", RULE_SIM_ONLY, NULL, case_ranges},
		{"solver: eigenvalues of every scale", RULE_WITH_SOLVER, NULL, case_scales},
		{"solver: pencils", RULE_WITH_SOLVER, NULL, case_pencils},
		{"solver: singular values", RULE_WITH_SOLVER, NULL, case_singular_values},
		{"solver: singular values by polar factors", RULE_WITH_SOLVER, NULL, case_polar},
		{"solver: singular values without rank", RULE_WITH_SOLVER, NULL, case_rank},
		{"solver: singular values over 20 decades", RULE_WITH_SOLVER, NULL, case_graded},
		{"solver: singular values of small integers", RULE_WITH_SOLVER, NULL,
	         case_deficient},
		{"solver: general matrices", RULE_WITH_SOLVER, NULL, case_general},
		{0},
	};
	static const struct rule *const lists[] = {solver_arithmetic, NULL};
	const char *folder = count > 1 && strcmp(arguments[1], "-") ? arguments[1] : NULL;
	return rules_run(folder, count > 2 ? atoi(arguments[2]) : 0, lists);
}
