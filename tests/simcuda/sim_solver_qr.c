/* sim_solver_qr.c - QR, inverses and exchanges of rows in the measures of LAPACK's testers */
/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdlib.h>

#include "sim_solver_cases.h"

/* -- QR -- */

static const int tall_sizes[][2] = {{1, 1}, {7, 7}, {40, 13}, {65, 65}, {90, 1}};
enum { TALL_SIZES = sizeof tall_sizes / sizeof tall_sizes[0] };

struct qr {
	char element;
	struct sim_matrix a, factor;
	void *device, *tau;
};

static void qr_make(const struct measure_solver *s, struct qr *qr)
{
	const int m = qr->a.rows, n = qr->a.columns, type = measure_type(qr->element);
	struct measure_room room = {0};
	qr->device = sim_matrix_upload(&qr->a, qr->element);
	qr->tau = rules_device_memory((size_t)(m < n ? m : n) * 16);
	CHECK_IS(cuda.cusolverDnXgeqrf_bufferSize(s->handle, s->params, m, n, type, NULL, qr->a.ld,
	                                          type, NULL, type, &room.device_bytes,
	                                          &room.host_bytes),
	         0);
	measure_take(&room);
	CHECK_IS(cuda.cusolverDnXgeqrf(s->handle, s->params, m, n, type, qr->device, qr->a.ld, type,
	                               qr->tau, type, room.device, room.device_bytes, room.host,
	                               room.host_bytes, s->info),
	         0);
	CHECK_IS(measure_info(s), 0);
	qr->factor = sim_matrix_download(&qr->a, qr->device, qr->element);
	measure_give(&room);
}

static void qr_free(struct qr *qr)
{
	cuda.cudaFree(qr->device);
	cuda.cudaFree(qr->tau);
	sim_matrix_free(&qr->a);
	sim_matrix_free(&qr->factor);
}

/* The first `columns` columns of Q, made in a copy of the factors. */
static struct sim_matrix qr_expand(const struct measure_solver *s, const struct qr *qr, int columns)
{
	const int m = qr->a.rows, k = qr->a.columns;
	int lwork = 0;
	struct sim_matrix wide = case_matrix(m, columns, qr->element);
	for (int j = 0; j < k; j++)
		for (int i = 0; i < m; i++)
			*sim_matrix_at(&wide, i, j) = *sim_matrix_at(&qr->factor, i, j);
	void *device = sim_matrix_upload(&wide, qr->element);
	CHECK_IS(CASE_OF(qr->element, orgqr_bufferSize, ungqr_bufferSize)(
			 s->handle, m, columns, k, device, wide.ld, qr->tau, &lwork),
	         0);
	void *work = rules_device_memory((size_t)lwork * case_bytes(qr->element));
	CHECK_IS(CASE_OF(qr->element, orgqr, ungqr)(s->handle, m, columns, k, device, wide.ld,
	                                            qr->tau, work, lwork, s->info),
	         0);
	CHECK_IS(measure_info(s), 0);
	struct sim_matrix q = sim_matrix_download(&wide, device, qr->element);
	CHECK(measure_keeps_gaps(&wide, &q));
	cuda.cudaFree(work);
	cuda.cudaFree(device);
	sim_matrix_free(&wide);
	return q;
}

/* C := op(Q) C or C op(Q), of a random C; compared with the product by Q itself. */
static void qr_multiply(const struct measure_solver *s, const struct qr *qr,
                        const struct sim_matrix *q, int side, int trans)
{
	const int m = qr->a.rows, k = qr->a.columns, other = 5;
	const int rows = side == SIM_SIDE_LEFT ? m : other;
	const int columns = side == SIM_SIDE_LEFT ? other : m;
	int lwork = 0;
	struct sim_matrix c = case_matrix(rows, columns, qr->element);
	void *device = sim_matrix_upload(&c, qr->element);
	CHECK_IS(CASE_OF(qr->element, ormqr_bufferSize,
	                 unmqr_bufferSize)(s->handle, side, trans, rows, columns, k, qr->device,
	                                   qr->a.ld, qr->tau, device, c.ld, &lwork),
	         0);
	void *work = rules_device_memory((size_t)lwork * case_bytes(qr->element));
	CHECK_IS(CASE_OF(qr->element, ormqr, unmqr)(s->handle, side, trans, rows, columns, k,
	                                            qr->device, qr->a.ld, qr->tau, device, c.ld,
	                                            work, lwork, s->info),
	         0);
	CHECK_IS(measure_info(s), 0);
	struct sim_matrix got = sim_matrix_download(&c, device, qr->element);
	struct sim_matrix wanted = side == SIM_SIDE_LEFT
	                                   ? measure_product(q, trans, &c, SIM_TRANS_N)
	                                   : measure_product(&c, SIM_TRANS_N, q, trans);
	MEASURE_CHECK(measure_ratio(&got, &wanted, measure_norm(&c), m, qr->element));
	CHECK(measure_keeps_gaps(&c, &got));
	cuda.cudaFree(work);
	cuda.cudaFree(device);
	sim_matrix_free(&c);
	sim_matrix_free(&got);
	sim_matrix_free(&wanted);
}

static void qr_check(const struct measure_solver *s, const struct qr *qr)
{
	const int m = qr->a.rows, n = qr->a.columns;
	const bool is_complex = sim_matrix_is_complex(qr->element);
	struct sim_matrix r = measure_zeros(n, n), q = qr_expand(s, qr, n),
			  whole = qr_expand(s, qr, m);
	for (int j = 0; j < n; j++)
		for (int i = 0; i <= j; i++)
			*sim_matrix_at(&r, i, j) = *sim_matrix_at(&qr->factor, i, j);
	struct sim_matrix product = measure_product(&q, SIM_TRANS_N, &r, SIM_TRANS_N);
	MEASURE_CHECK(measure_ratio(&product, &qr->a, measure_norm(&qr->a), m, qr->element));
	MEASURE_CHECK(case_orthogonality(&q, qr->element));
	MEASURE_CHECK(case_orthogonality(&whole, qr->element));
	CHECK(measure_keeps_gaps(&qr->a, &qr->factor));
	for (int side = SIM_SIDE_LEFT; side <= SIM_SIDE_RIGHT; side++) {
		qr_multiply(s, qr, &whole, side, SIM_TRANS_N);
		qr_multiply(s, qr, &whole, side, is_complex ? SIM_TRANS_C : SIM_TRANS_T);
	}
	sim_matrix_free(&r);
	sim_matrix_free(&q);
	sim_matrix_free(&whole);
	sim_matrix_free(&product);
}

void case_qr(void)
{
	struct measure_solver s = measure_open();
	for (const char *element = "SDCZ"; *element; element++)
		for (int i = 0; i < TALL_SIZES; i++) {
			struct qr qr = {
				.element = *element,
				.a = case_matrix(tall_sizes[i][0], tall_sizes[i][1], *element)};
			qr_make(&s, &qr);
			qr_check(&s, &qr);
			qr_free(&qr);
		}
}

/* -- inverses -- */

/* A triangle with a diagonal that carries it; NaN where nothing is referenced. */
static struct sim_matrix triangle_matrix(int n, int uplo, int diag, char element)
{
	struct sim_matrix made = case_matrix(n, n, element);
	const double complex nan = sim_matrix_nan(sim_matrix_is_complex(element));
	for (int j = 0; j < n; j++)
		for (int i = 0; i < n; i++) {
			double complex *at = sim_matrix_at(&made, i, j);
			*at = i == j ? 4 + *at / 4 : *at / n;
			if (!case_in_triangle(uplo, i, j) || (i == j && diag == SIM_DIAG_UNIT))
				*at = nan;
		}
	measure_round(&made, element);
	return made;
}

static struct sim_matrix triangle_whole(const struct sim_matrix *a, int uplo, int diag)
{
	struct sim_matrix made = measure_zeros(a->rows, a->columns);
	for (int j = 0; j < a->columns; j++)
		for (int i = 0; i < a->rows; i++)
			if (i == j && diag == SIM_DIAG_UNIT)
				*sim_matrix_at(&made, i, j) = 1;
			else if (case_in_triangle(uplo, i, j))
				*sim_matrix_at(&made, i, j) = *sim_matrix_at(a, i, j);
	return made;
}

static void triangle_run(const struct measure_solver *s, int n, int uplo, int diag, char element)
{
	const int type = measure_type(element);
	struct sim_matrix a = triangle_matrix(n, uplo, diag, element);
	struct measure_room room = {0};
	void *device = sim_matrix_upload(&a, element);
	CHECK_IS(cuda.cusolverDnXtrtri_bufferSize(s->handle, uplo, diag, n, type, device, a.ld,
	                                          &room.device_bytes, &room.host_bytes),
	         0);
	measure_take(&room);
	CHECK_IS(cuda.cusolverDnXtrtri(s->handle, uplo, diag, n, type, device, a.ld, room.device,
	                               room.device_bytes, room.host, room.host_bytes, s->info),
	         0);
	CHECK_IS(measure_info(s), 0);
	struct sim_matrix got = sim_matrix_download(&a, device, element);
	struct sim_matrix left = triangle_whole(&a, uplo, diag),
			  right = triangle_whole(&got, uplo, diag), one = case_identity(n);
	struct sim_matrix product = measure_product(&left, SIM_TRANS_N, &right, SIM_TRANS_N);
	MEASURE_CHECK(measure_ratio(&product, &one, measure_norm(&left) * measure_norm(&right), n,
	                            element));
	CHECK(measure_keeps_gaps(&a, &got));
	/* The other triangle may hold what the program still needs. */
	CHECK(n == 1 || isnan(creal(*sim_matrix_at(&got, uplo == SIM_UPLO_UPPER ? n - 1 : 0,
	                                           uplo == SIM_UPLO_UPPER ? 0 : n - 1))));
	measure_give(&room);
	cuda.cudaFree(device);
	sim_matrix_free(&a);
	sim_matrix_free(&got);
	sim_matrix_free(&left);
	sim_matrix_free(&right);
	sim_matrix_free(&one);
	sim_matrix_free(&product);
}

/* (T T^H)^-1 or (T^H T)^-1 from the factor T. */
static void potri_run(const struct measure_solver *s, int n, int uplo, char element)
{
	int lwork = 0;
	const bool upper = uplo == SIM_UPLO_UPPER;
	struct sim_matrix a = triangle_matrix(n, uplo, SIM_DIAG_NON_UNIT, element);
	for (int i = 0; i < n; i++)
		*sim_matrix_at(&a, i, i) = creal(*sim_matrix_at(&a, i, i));
	void *device = sim_matrix_upload(&a, element);
	CHECK_IS(CASE_OF(element, potri_bufferSize, potri_bufferSize)(s->handle, uplo, n, device,
	                                                              a.ld, &lwork),
	         0);
	void *work = rules_device_memory((size_t)lwork * case_bytes(element));
	CHECK_IS(CASE_OF(element, potri, potri)(s->handle, uplo, n, device, a.ld, work, lwork,
	                                        s->info),
	         0);
	CHECK_IS(measure_info(s), 0);
	struct sim_matrix got = sim_matrix_download(&a, device, element);
	struct sim_matrix factor = triangle_whole(&a, uplo, SIM_DIAG_NON_UNIT);
	struct sim_matrix whole = measure_product(&factor, upper ? SIM_TRANS_C : SIM_TRANS_N,
	                                          &factor, upper ? SIM_TRANS_N : SIM_TRANS_C);
	struct sim_matrix inverse = case_hermitian(&got, uplo), one = case_identity(n);
	struct sim_matrix product = measure_product(&whole, SIM_TRANS_N, &inverse, SIM_TRANS_N);
	MEASURE_CHECK(measure_ratio(&product, &one, measure_norm(&whole) * measure_norm(&inverse),
	                            n, element));
	CHECK(measure_keeps_gaps(&a, &got));
	cuda.cudaFree(work);
	cuda.cudaFree(device);
	sim_matrix_free(&a);
	sim_matrix_free(&got);
	sim_matrix_free(&factor);
	sim_matrix_free(&whole);
	sim_matrix_free(&inverse);
	sim_matrix_free(&one);
	sim_matrix_free(&product);
}

void case_inverses(void)
{
	static const int orders[] = {1, 2, 33, 70};
	struct measure_solver s = measure_open();
	for (const char *element = "SDCZ"; *element; element++)
		for (int i = 0; i < 4; i++)
			for (int uplo = SIM_UPLO_LOWER; uplo <= SIM_UPLO_UPPER; uplo++) {
				triangle_run(&s, orders[i], uplo, SIM_DIAG_NON_UNIT, *element);
				triangle_run(&s, orders[i], uplo, SIM_DIAG_UNIT, *element);
				potri_run(&s, orders[i], uplo, *element);
			}
}

/* -- LU with narrow pivots, and their exchange of rows -- */

static void narrow_run(const struct measure_solver *s, int n, char element)
{
	int lwork = 0;
	struct sim_matrix a = case_matrix(n, n, element), b = case_matrix(n, 3, element);
	void *factor = sim_matrix_upload(&a, element), *rows = sim_matrix_upload(&b, element);
	int *pivots = rules_device_memory((size_t)n * sizeof *pivots),
	    *host = malloc((size_t)n * sizeof *host);
	CHECK_IS(CASE_OF(element, getrf_bufferSize, getrf_bufferSize)(s->handle, n, n, factor, a.ld,
	                                                              &lwork),
	         0);
	void *work = rules_device_memory((size_t)lwork * case_bytes(element));
	CHECK_IS(CASE_OF(element, getrf, getrf)(s->handle, n, n, factor, a.ld, work, pivots,
	                                        s->info),
	         0);
	CHECK_IS(measure_info(s), 0);
	CHECK_IS(CASE_OF(element, laswp, laswp)(s->handle, 3, rows, b.ld, 1, n, pivots, 1), 0);
	rules_read_back(host, pivots, (size_t)n * sizeof *host);
	struct sim_matrix got = sim_matrix_download(&b, rows, element);
	for (int i = 0; i < n; i++)
		for (int j = 0; j < 3; j++) {
			double complex kept = *sim_matrix_at(&b, i, j);
			*sim_matrix_at(&b, i, j) = *sim_matrix_at(&b, host[i] - 1, j);
			*sim_matrix_at(&b, host[i] - 1, j) = kept;
		}
	for (int i = 0; i < n; i++)
		for (int j = 0; j < 3; j++)
			CHECK(*sim_matrix_at(&b, i, j) == *sim_matrix_at(&got, i, j));
	cuda.cudaFree(work);
	cuda.cudaFree(pivots);
	cuda.cudaFree(factor);
	cuda.cudaFree(rows);
	free(host);
	sim_matrix_free(&a);
	sim_matrix_free(&b);
	sim_matrix_free(&got);
}

void case_rows(void)
{
	struct measure_solver s = measure_open();
	for (const char *element = "SDCZ"; *element; element++) {
		narrow_run(&s, 1, *element);
		narrow_run(&s, 50, *element);
	}
}
