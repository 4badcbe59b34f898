/* sim_solver_eigen.c - eigenvalues of Hermitian matrices and pencils as LAPACK's testers measure */
/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "sim_solver_cases.h"

static const int orders[] = {1, 2, 3, 24, 61};
enum { ORDERS = sizeof orders / sizeof orders[0], MOST = 61 };

/* An eigenproblem: its whole matrix, what the library gets, and what it gave. */
struct eigen {
	char element;
	int n, uplo, range, found;
	bool vectors;
	double vl, vu;
	int64_t il, iu;
	struct sim_matrix whole, half, result;
	double values[MOST + 1];
};

/* Hermitian, with values of both signs. */
static struct sim_matrix indefinite_matrix(int n, char element)
{
	struct sim_matrix half = sim_matrix_new(n, n, sim_matrix_is_complex(element));
	struct sim_matrix made = measure_zeros(n, n);
	for (int j = 0; j < n; j++)
		for (int i = 0; i < n; i++)
			*sim_matrix_at(&made, i, j) =
				*sim_matrix_at(&half, i, j) + conj(*sim_matrix_at(&half, j, i));
	measure_round(&made, element);
	sim_matrix_free(&half);
	return made;
}

/* The bounds of values in the type that the library reads. */
struct bounds {
	float single[2];
	double wide[2];
};

static void eigen_call(const struct measure_solver *s, struct eigen *e, void *a, void *w)
{
	const int type = measure_type(e->element), real = measure_type(measure_real(e->element));
	struct bounds b = {{(float)e->vl, (float)e->vu}, {e->vl, e->vu}};
	void *vl = real == SIM_TYPE_S ? (void *)&b.single[0] : &b.wide[0];
	void *vu = real == SIM_TYPE_S ? (void *)&b.single[1] : &b.wide[1];
	struct measure_room room = {0};
	int64_t found = e->n;
#define ARGUMENTS e->uplo, e->n, type, a, e->half.ld
#define REST type, room.device, room.device_bytes, room.host, room.host_bytes, s->info
	if (e->range == SIM_RANGE_ALL)
		CHECK_IS(cuda.cusolverDnXsyevd_bufferSize(s->handle, s->params, e->vectors,
		                                          ARGUMENTS, real, w, type,
		                                          &room.device_bytes, &room.host_bytes),
		         0);
	else
		CHECK_IS(cuda.cusolverDnXsyevdx_bufferSize(s->handle, s->params, e->vectors,
		                                           e->range, ARGUMENTS, vl, vu, e->il,
		                                           e->iu, &found, real, w, type,
		                                           &room.device_bytes, &room.host_bytes),
		         0);
	measure_take(&room);
	if (e->range == SIM_RANGE_ALL)
		CHECK_IS(cuda.cusolverDnXsyevd(s->handle, s->params, e->vectors, ARGUMENTS, real, w,
		                               REST),
		         0);
	else
		CHECK_IS(cuda.cusolverDnXsyevdx(s->handle, s->params, e->vectors, e->range,
		                                ARGUMENTS, vl, vu, e->il, e->iu, &found, real, w,
		                                REST),
		         0);
#undef ARGUMENTS
#undef REST
	e->found = (int)found;
	CHECK_IS(measure_info(s), 0);
	measure_give(&room);
}

static void eigen_run(const struct measure_solver *s, struct eigen *e)
{
	e->half = case_half(&e->whole, e->uplo, e->element);
	void *a = sim_matrix_upload(&e->half, e->element),
	     *w = rules_device_memory((size_t)e->n * sizeof(double));
	eigen_call(s, e, a, w);
	case_read_reals(e->values, w, e->n, e->element);
	e->result = sim_matrix_download(&e->half, a, e->element);
	CHECK(measure_keeps_gaps(&e->half, &e->result));
	e->result.columns = e->found;
	cuda.cudaFree(a);
	cuda.cudaFree(w);
}

static void eigen_free(struct eigen *e)
{
	sim_matrix_free(&e->whole);
	sim_matrix_free(&e->half);
	sim_matrix_free(&e->result);
}

/* |A Z - Z W| / (n |A| eps), Z's orthogonality, and the order of the values. */
static void eigen_check(const struct eigen *e)
{
	for (int i = 1; i < e->found; i++)
		CHECK(e->values[i - 1] <= e->values[i]);
	if (!e->vectors)
		return;
	struct sim_matrix left = measure_product(&e->whole, SIM_TRANS_N, &e->result, SIM_TRANS_N);
	struct sim_matrix right = measure_zeros(e->n, e->found);
	for (int j = 0; j < e->found; j++)
		for (int i = 0; i < e->n; i++)
			*sim_matrix_at(&right, i, j) =
				*sim_matrix_at(&e->result, i, j) * e->values[j];
	MEASURE_CHECK(measure_ratio(&left, &right, measure_norm(&e->whole), e->n, e->element));
	MEASURE_CHECK(case_orthogonality(&e->result, e->element));
	sim_matrix_free(&left);
	sim_matrix_free(&right);
}

/* Without vectors the values are the same to rounding. */
void case_eigenvalues(void)
{
	struct measure_solver s = measure_open();
	for (const char *element = "SDCZ"; *element; element++)
		for (int i = 0; i < ORDERS; i++) {
			struct eigen first = {.element = *element,
			                      .n = orders[i],
			                      .uplo = i % 2,
			                      .range = SIM_RANGE_ALL,
			                      .vectors = true,
			                      .whole = indefinite_matrix(orders[i], *element)};
			struct eigen second = first;
			second.uplo = !first.uplo;
			second.vectors = false;
			eigen_run(&s, &first);
			eigen_check(&first);
			eigen_run(&s, &second);
			eigen_check(&second);
			const double bound = 30 * orders[i] * sim_matrix_epsilon(*element) *
			                     measure_norm(&first.whole);
			for (int j = 0; j < orders[i]; j++)
				CHECK(fabs(first.values[j] - second.values[j]) <= bound);
			sim_matrix_free(&second.half);
			sim_matrix_free(&second.result);
			eigen_free(&first);
		}
}

/* The values of a range are those of all, and nothing is left of the others. */
static void range_run(const struct measure_solver *s, const struct eigen *all, struct eigen part,
                      int first, int count)
{
	const double bound =
		30 * all->n * sim_matrix_epsilon(all->element) * measure_norm(&all->whole);
	part.whole = all->whole;
	eigen_run(s, &part);
	CHECK_IS(part.found, count);
	eigen_check(&part);
	for (int i = 0; i < count && i < part.found; i++)
		CHECK(fabs(part.values[i] - all->values[first + i]) <= bound);
	for (int i = count; i < all->n; i++)
		CHECK(isnan(part.values[i]) && isnan(creal(*sim_matrix_at(&part.result, 0, i))));
	sim_matrix_free(&part.half);
	sim_matrix_free(&part.result);
}

void case_ranges(void)
{
	struct measure_solver s = measure_open();
	for (const char *element = "SDCZ"; *element; element++) {
		struct eigen all = {.element = *element,
		                    .n = 24,
		                    .range = SIM_RANGE_ALL,
		                    .vectors = true,
		                    .whole = indefinite_matrix(24, *element)};
		eigen_run(&s, &all);
		struct eigen part = all;
		part.range = SIM_RANGE_INDICES;
		part.il = 3;
		part.iu = 9;
		range_run(&s, &all, part, 2, 7);
		part.range = SIM_RANGE_VALUES;
		part.vl = (all.values[4] + all.values[5]) / 2;
		part.vu = (all.values[20] + all.values[21]) / 2;
		range_run(&s, &all, part, 5, 16);
		part.vl = all.values[23] + 1;
		part.vu = part.vl + 1;
		range_run(&s, &all, part, 0, 0);
		eigen_free(&all);
	}
}

/* Matrices near the ends of the range, zeros, a diagonal with equal values, one value often. */
static struct sim_matrix scaled_matrix(int kind, int n, char element)
{
	static const int single[] = {0, -120, 120}, wide[] = {0, -990, 990};
	struct sim_matrix made = indefinite_matrix(n, element);
	for (int j = 0; j < n; j++)
		for (int i = 0; i < n; i++) {
			double complex *at = sim_matrix_at(&made, i, j);
			if (kind < 3)
				*at *= ldexp(1.0, measure_real(element) == 'S' ? single[kind]
				                                               : wide[kind]);
			else if (kind == 3)
				*at = 0;
			else
				*at = kind == 4 ? (i == j ? j % 3 : 0) : (i == j ? 2 : 1);
		}
	return made;
}

void case_scales(void)
{
	enum { KINDS = 6, ORDER = 20 };
	struct measure_solver s = measure_open();
	for (const char *element = "SDCZ"; *element; element++)
		for (int kind = 0; kind < KINDS; kind++) {
			struct eigen e = {.element = *element,
			                  .n = ORDER,
			                  .range = SIM_RANGE_ALL,
			                  .vectors = true,
			                  .whole = scaled_matrix(kind, ORDER, *element)};
			eigen_run(&s, &e);
			eigen_check(&e);
			eigen_free(&e);
		}
}

/* -- pencils -- */

struct pencil {
	char element;
	int n, itype, uplo;
	struct sim_matrix a, b, vectors;
	double values[MOST + 1];
};

static void pencil_call(const struct measure_solver *s, struct pencil *p, void *a, int lda, void *b,
                        int ldb, void *w)
{
	int lwork = 0;
	CHECK_IS(CASE_OF(p->element, sygvd_bufferSize,
	                 hegvd_bufferSize)(s->handle, p->itype, SIM_EIG_VECTORS, p->uplo, p->n, a,
	                                   lda, b, ldb, w, &lwork),
	         0);
	void *work = rules_device_memory((size_t)lwork * case_bytes(p->element));
	CHECK_IS(CASE_OF(p->element, sygvd, hegvd)(s->handle, p->itype, SIM_EIG_VECTORS, p->uplo,
	                                           p->n, a, lda, b, ldb, w, work, lwork, s->info),
	         0);
	CHECK_IS(measure_info(s), 0);
	cuda.cudaFree(work);
}

/* B's triangle is its factor afterwards. */
static void pencil_factor_check(const struct pencil *p, const struct sim_matrix *half,
                                const struct sim_matrix *got)
{
	const bool upper = p->uplo == SIM_UPLO_UPPER;
	struct sim_matrix factor = measure_zeros(p->n, p->n);
	for (int j = 0; j < p->n; j++)
		for (int i = 0; i < p->n; i++)
			if (case_in_triangle(p->uplo, i, j))
				*sim_matrix_at(&factor, i, j) = *sim_matrix_at(got, i, j);
	struct sim_matrix product = measure_product(&factor, upper ? SIM_TRANS_C : SIM_TRANS_N,
	                                            &factor, upper ? SIM_TRANS_N : SIM_TRANS_C);
	MEASURE_CHECK(measure_ratio(&product, &p->b, measure_norm(&p->b), p->n, p->element));
	CHECK(measure_keeps_gaps(half, got));
	sim_matrix_free(&factor);
	sim_matrix_free(&product);
}

/* |A Z - B Z W|, |A B Z - Z W| or |B A Z - Z W| over |A| |Z| n eps, where A stands for the product. */
static void pencil_check(const struct pencil *p)
{
	const struct sim_matrix *outer = p->itype == 3 ? &p->b : &p->a,
				*inner = p->itype == 3 ? &p->a : &p->b;
	struct sim_matrix image = measure_product(inner, SIM_TRANS_N, &p->vectors, SIM_TRANS_N);
	struct sim_matrix left =
		p->itype == 1 ? measure_product(&p->a, SIM_TRANS_N, &p->vectors, SIM_TRANS_N)
			      : measure_product(outer, SIM_TRANS_N, &image, SIM_TRANS_N);
	struct sim_matrix right = measure_zeros(p->n, p->n);
	double scale = measure_norm(&p->a) * measure_norm(&p->vectors);
	for (int j = 0; j < p->n; j++)
		for (int i = 0; i < p->n; i++)
			*sim_matrix_at(&right, i, j) =
				*sim_matrix_at(p->itype == 1 ? &image : &p->vectors, i, j) *
				p->values[j];
	if (p->itype != 1)
		scale *= measure_norm(&p->b);
	else
		scale += measure_norm(&right);
	MEASURE_CHECK(measure_ratio(&left, &right, scale, p->n, p->element));
	sim_matrix_free(&image);
	sim_matrix_free(&left);
	sim_matrix_free(&right);
}

static void pencil_run(const struct measure_solver *s, struct pencil *p)
{
	p->a = indefinite_matrix(p->n, p->element);
	p->b = case_positive(p->n, p->element);
	struct sim_matrix half_a = case_half(&p->a, p->uplo, p->element),
			  half_b = case_half(&p->b, p->uplo, p->element);
	void *a = sim_matrix_upload(&half_a, p->element),
	     *b = sim_matrix_upload(&half_b, p->element);
	void *w = rules_device_memory((size_t)p->n * sizeof(double));
	pencil_call(s, p, a, half_a.ld, b, half_b.ld, w);
	p->vectors = sim_matrix_download(&half_a, a, p->element);
	case_read_reals(p->values, w, p->n, p->element);
	struct sim_matrix factor = sim_matrix_download(&half_b, b, p->element);
	pencil_factor_check(p, &half_b, &factor);
	CHECK(measure_keeps_gaps(&half_a, &p->vectors));
	pencil_check(p);
	cuda.cudaFree(a);
	cuda.cudaFree(b);
	cuda.cudaFree(w);
	sim_matrix_free(&half_a);
	sim_matrix_free(&half_b);
	sim_matrix_free(&factor);
	sim_matrix_free(&p->a);
	sim_matrix_free(&p->b);
	sim_matrix_free(&p->vectors);
}

void case_pencils(void)
{
	struct measure_solver s = measure_open();
	for (const char *element = "SDCZ"; *element; element++)
		for (int itype = 1; itype <= 3; itype++)
			for (int uplo = SIM_UPLO_LOWER; uplo <= SIM_UPLO_UPPER; uplo++)
				for (int i = 0; i < ORDERS; i++) {
					struct pencil p = {.element = *element,
					                   .n = orders[i],
					                   .itype = itype,
					                   .uplo = uplo};
					pencil_run(&s, &p);
				}
}
