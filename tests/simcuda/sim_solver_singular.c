/* sim_solver_singular.c - singular and general eigenvalues in the measures of LAPACK's testers */
/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdlib.h>

#include "sim_solver_cases.h"

enum { MOST = 50 };
static const int sizes[][2] = {{1, 1}, {6, 6}, {33, 12}, {50, 50}, {40, 1}};
enum { SIZES = sizeof sizes / sizeof sizes[0] };

struct singular {
	char element;
	signed char jobu, jobvt;
	bool polar, econ;
	struct sim_matrix a, u, v; /* v: V^H, or V of the polar one */
	double values[MOST], error_sigma;
};

struct places {
	void *a, *u, *v, *s;
};

static void singular_call(const struct measure_solver *s, struct singular *c,
                          const struct places *d)
{
	const int m = c->a.rows, n = c->a.columns, type = measure_type(c->element);
	const int real = measure_type(measure_real(c->element));
	const bool vectors = c->jobu != 'N';
	struct measure_room room = {0};
#define SHARED m, n, type, d->a, c->a.ld, real, d->s, type, d->u, c->u.ld, type, d->v, c->v.ld, type
#define ROOM room.device, room.device_bytes, room.host, room.host_bytes, s->info
	if (c->polar)
		CHECK_IS(cuda.cusolverDnXgesvdp_bufferSize(s->handle, s->params, vectors, c->econ,
		                                           SHARED, &room.device_bytes,
		                                           &room.host_bytes),
		         0);
	else
		CHECK_IS(cuda.cusolverDnXgesvd_bufferSize(s->handle, s->params, c->jobu, c->jobvt,
		                                          SHARED, &room.device_bytes,
		                                          &room.host_bytes),
		         0);
	measure_take(&room);
	if (c->polar)
		CHECK_IS(cuda.cusolverDnXgesvdp(s->handle, s->params, vectors, c->econ, SHARED,
		                                ROOM, &c->error_sigma),
		         0);
	else
		CHECK_IS(cuda.cusolverDnXgesvd(s->handle, s->params, c->jobu, c->jobvt, SHARED,
		                               ROOM),
		         0);
#undef SHARED
#undef ROOM
	CHECK_IS(measure_info(s), 0);
	measure_give(&room);
}

/* Results replace the NaN that u and v begin with. */
static void singular_run(const struct measure_solver *s, struct singular *c)
{
	const int m = c->a.rows, n = c->a.columns;
	c->u = case_matrix(m, c->jobu == 'A' ? m : n, c->element);
	c->v = case_matrix(n, n, c->element);
	const struct places d = {sim_matrix_upload(&c->a, c->element),
	                         sim_matrix_upload(&c->u, c->element),
	                         sim_matrix_upload(&c->v, c->element),
	                         rules_device_memory((size_t)n * sizeof(double))};
	singular_call(s, c, &d);
	case_read_reals(c->values, d.s, n, c->element);
	struct sim_matrix u = sim_matrix_download(&c->u, d.u, c->element),
			  v = sim_matrix_download(&c->v, d.v, c->element),
			  a = sim_matrix_download(&c->a, d.a, c->element);
	CHECK(measure_keeps_gaps(&c->u, &u) && measure_keeps_gaps(&c->v, &v));
	/* A is gone. */
	CHECK(!cuda.simcuda_version || isnan(creal(*sim_matrix_at(&a, 0, 0))));
	sim_matrix_free(&c->u);
	sim_matrix_free(&c->v);
	sim_matrix_free(&a);
	c->u = u;
	c->v = v;
	cuda.cudaFree(d.a);
	cuda.cudaFree(d.u);
	cuda.cudaFree(d.v);
	cuda.cudaFree(d.s);
}

/* |A - U S V^H| / (m |A| eps), both bases, and the order of the values. */
static void singular_check(const struct singular *c)
{
	const int m = c->a.rows, n = c->a.columns;
	struct sim_matrix scaled = measure_zeros(m, n);
	for (int j = 0; j < n; j++) {
		CHECK(c->values[j] >= 0 && (!j || c->values[j] <= c->values[j - 1]));
		for (int i = 0; i < m; i++)
			*sim_matrix_at(&scaled, i, j) = *sim_matrix_at(&c->u, i, j) * c->values[j];
	}
	struct sim_matrix product =
		measure_product(&scaled, SIM_TRANS_N, &c->v, c->polar ? SIM_TRANS_C : SIM_TRANS_N);
	MEASURE_CHECK(measure_ratio(&product, &c->a, measure_norm(&c->a), m, c->element));
	MEASURE_CHECK(case_orthogonality(&c->u, c->element));
	MEASURE_CHECK(case_orthogonality(&c->v, c->element));
	sim_matrix_free(&scaled);
	sim_matrix_free(&product);
}

static void singular_free(struct singular *c)
{
	sim_matrix_free(&c->a);
	sim_matrix_free(&c->u);
	sim_matrix_free(&c->v);
}

/* Without vectors the values are the same. */
static void values_check(const struct measure_solver *s, const struct singular *c)
{
	struct singular bare = {
		.element = c->element, .jobu = 'N', .jobvt = 'N', .polar = c->polar, .a = c->a};
	singular_run(s, &bare);
	for (int j = 0; j < c->a.columns; j++)
		CHECK(bare.values[j] == c->values[j]);
	sim_matrix_free(&bare.u);
	sim_matrix_free(&bare.v);
}

void case_singular_values(void)
{
	struct measure_solver s = measure_open();
	for (const char *element = "SDCZ"; *element; element++)
		for (int i = 0; i < SIZES; i++)
			for (int whole = 0; whole < 2; whole++) {
				struct singular c = {
					.element = *element,
					.jobu = whole ? 'A' : 'S',
					.jobvt = whole ? 'A' : 'S',
					.a = case_matrix(sizes[i][0], sizes[i][1], *element)};
				singular_run(&s, &c);
				singular_check(&c);
				values_check(&s, &c);
				singular_free(&c);
			}
}

void case_polar(void)
{
	struct measure_solver s = measure_open();
	for (const char *element = "SDCZ"; *element; element++)
		for (int i = 0; i < SIZES; i++)
			for (int econ = 0; econ < 2; econ++) {
				struct singular c = {
					.element = *element,
					.jobu = econ ? 'S' : 'A',
					.polar = true,
					.econ = econ,
					.a = case_matrix(sizes[i][0], sizes[i][1], *element),
					.error_sigma = -1};
				singular_run(&s, &c);
				CHECK(c.error_sigma == 0);
				singular_check(&c);
				values_check(&s, &c);
				singular_free(&c);
			}
}

/* Rank 2 of 20 columns, scaled; gesvd has bases all the same, gesvdp says that it moved values. */
static struct sim_matrix rank_matrix(char element, double scale)
{
	struct sim_matrix left = case_matrix(30, 2, element), right = case_matrix(2, 20, element);
	struct sim_matrix made = measure_product(&left, SIM_TRANS_N, &right, SIM_TRANS_N);
	for (int j = 0; j < 20; j++)
		for (int i = 0; i < 30; i++)
			*sim_matrix_at(&made, i, j) *= scale;
	measure_round(&made, element);
	sim_matrix_free(&left);
	sim_matrix_free(&right);
	return made;
}

void case_rank(void)
{
	static const double scales[] = {1, 1e-18, 1e18, 0};
	struct measure_solver s = measure_open();
	for (const char *element = "SDCZ"; *element; element++)
		for (int i = 0; i < 4; i++) {
			struct singular c = {.element = *element,
			                     .jobu = 'A',
			                     .jobvt = 'A',
			                     .a = rank_matrix(*element, scales[i])};
			singular_run(&s, &c);
			singular_check(&c);
			singular_free(&c);
			struct singular p = {.element = *element,
			                     .jobu = 'S',
			                     .polar = true,
			                     .econ = true,
			                     .a = rank_matrix(*element, scales[i])};
			singular_run(&s, &p);
			CHECK(!cuda.simcuda_version || p.error_sigma > 0 || !scales[i]);
			singular_free(&p);
		}
}

/* Values over 20 decades, whose vectors are mixed on both sides. */
static struct sim_matrix graded_matrix(int n, char element)
{
	struct sim_matrix left = case_matrix(n, n, element), right = case_matrix(n, n, element);
	for (int j = 0; j < n; j++)
		for (int i = 0; i < n; i++)
			*sim_matrix_at(&left, i, j) *= pow(10, -20.0 * j / n);
	struct sim_matrix made = measure_product(&left, SIM_TRANS_N, &right, SIM_TRANS_N);
	measure_round(&made, element);
	sim_matrix_free(&left);
	sim_matrix_free(&right);
	return made;
}

void case_graded(void)
{
	static const int graded_orders[] = {5, 30, 50};
	struct measure_solver s = measure_open();
	for (const char *element = "SDCZ"; *element; element++)
		for (int i = 0; i < 3; i++) {
			struct singular c = {.element = *element,
			                     .jobu = 'S',
			                     .jobvt = 'S',
			                     .a = graded_matrix(graded_orders[i], *element)};
			singular_run(&s, &c);
			singular_check(&c);
			singular_free(&c);
		}
}

/* Small integers, the third column a sum of the others: what is left of it is rounding alone. */
static struct sim_matrix integer_matrix(int number, char element)
{
	struct sim_matrix made = case_matrix(3, 3, element);
	unsigned digits = (unsigned)number * 2654435761u;
	for (int i = 0; i < 3; i++) {
		for (int j = 0; j < 2; j++, digits = digits / 11 * 7919 + digits % 11)
			*sim_matrix_at(&made, i, j) = digits % 11;
		*sim_matrix_at(&made, i, 2) =
			*sim_matrix_at(&made, i, 0) + *sim_matrix_at(&made, i, 1);
	}
	return made;
}

void case_deficient(void)
{
	struct measure_solver s = measure_open();
	for (const char *element = "SDCZ"; *element; element++)
		for (int i = 0; i < 100; i++) {
			struct singular c = {.element = *element,
			                     .jobu = 'S',
			                     .jobvt = 'S',
			                     .a = integer_matrix(i, *element)};
			singular_run(&s, &c);
			singular_check(&c);
			singular_free(&c);
		}
}

/* -- general matrices -- */

struct general {
	char element;
	int n;
	bool pairs; /* values of real elements are pairs */
	struct sim_matrix a, vectors;
	double complex values[MOST];
};

static void general_call(const struct measure_solver *s, const struct general *g, void *a, void *w,
                         void *v, int job)
{
	const int type = measure_type(g->element);
	const int values = !g->pairs ? type : type == SIM_TYPE_S ? SIM_TYPE_C : SIM_TYPE_Z;
	struct measure_room room = {0};
#define SHARED                                                                                     \
	SIM_EIG_NO_VECTORS, job, g->n, type, a, g->a.ld, values, w, type, NULL, 1, type, v,        \
		g->vectors.ld, type
	CHECK_IS(cuda.cusolverDnXgeev_bufferSize(s->handle, s->params, SHARED, &room.device_bytes,
	                                         &room.host_bytes),
	         0);
	measure_take(&room);
	CHECK_IS(cuda.cusolverDnXgeev(s->handle, s->params, SHARED, room.device, room.device_bytes,
	                              room.host, room.host_bytes, s->info),
	         0);
#undef SHARED
	CHECK_IS(measure_info(s), 0);
	measure_give(&room);
}

static void general_read(struct general *g, const void *w)
{
	double parts[2 * MOST];
	const bool split = !sim_matrix_is_complex(g->element) && !g->pairs;
	case_read_reals(parts, w, 2 * g->n, g->element);
	for (int i = 0; i < g->n; i++)
		g->values[i] = split ? sim_matrix_value(parts[i], parts[g->n + i])
		                     : sim_matrix_value(parts[2 * i], parts[2 * i + 1]);
}

/* Real vectors of a pair of values are the real and the imaginary part of one. */
static struct sim_matrix general_unpack(const struct general *g)
{
	struct sim_matrix made = measure_zeros(g->n, g->n);
	const bool packed = !sim_matrix_is_complex(g->element);
	for (int j = 0; j < g->n; j++)
		for (int i = 0; i < g->n; i++) {
			const double im = cimag(g->values[j]);
			const int first = packed && im < 0 ? j - 1 : j;
			const double complex at = *sim_matrix_at(&g->vectors, i, first);
			*sim_matrix_at(&made, i, j) =
				!packed || im == 0
					? *sim_matrix_at(&g->vectors, i, j)
					: sim_matrix_value(
						  creal(at),
						  (im < 0 ? -1 : 1) *
							  creal(*sim_matrix_at(&g->vectors, i,
			                                                       first + 1)));
		}
	return made;
}

/* |A V - V W| / (|A| |V| n eps) */
static void general_check(const struct general *g)
{
	struct sim_matrix v = general_unpack(g);
	struct sim_matrix left = measure_product(&g->a, SIM_TRANS_N, &v, SIM_TRANS_N);
	struct sim_matrix right = measure_zeros(g->n, g->n);
	for (int j = 0; j < g->n; j++)
		for (int i = 0; i < g->n; i++)
			*sim_matrix_at(&right, i, j) = *sim_matrix_at(&v, i, j) * g->values[j];
	MEASURE_CHECK(measure_ratio(&left, &right, measure_norm(&g->a) * measure_norm(&v), g->n,
	                            g->element));
	for (int j = 0; j < g->n; j++) {
		double square = 0;
		for (int i = 0; i < g->n; i++)
			square += creal(*sim_matrix_at(&v, i, j) * conj(*sim_matrix_at(&v, i, j)));
		CHECK(fabs(square - 1) < 1e-4);
	}
	sim_matrix_free(&v);
	sim_matrix_free(&left);
	sim_matrix_free(&right);
}

static void general_run(const struct measure_solver *s, struct general *g)
{
	g->a = case_matrix(g->n, g->n, g->element);
	g->vectors = case_matrix(g->n, g->n, g->element);
	void *a = sim_matrix_upload(&g->a, g->element),
	     *again = sim_matrix_upload(&g->a, g->element),
	     *v = sim_matrix_upload(&g->vectors, g->element);
	void *w = rules_device_memory((size_t)g->n * 16);
	general_call(s, g, a, w, v, SIM_EIG_VECTORS);
	general_read(g, w);
	struct sim_matrix got = sim_matrix_download(&g->vectors, v, g->element);
	CHECK(measure_keeps_gaps(&g->vectors, &got));
	sim_matrix_free(&g->vectors);
	g->vectors = got;
	general_check(g);
	general_call(s, g, again, w, NULL, SIM_EIG_NO_VECTORS);
	cuda.cudaFree(a);
	cuda.cudaFree(again);
	cuda.cudaFree(v);
	cuda.cudaFree(w);
	sim_matrix_free(&g->a);
	sim_matrix_free(&g->vectors);
}

void case_general(void)
{
	static const int general_orders[] = {1, 2, 11, 45};
	if (!cuda.cusolverDnXgeev)
		return;
	struct measure_solver s = measure_open();
	for (const char *element = "SDCZ"; *element; element++)
		for (int i = 0; i < 4; i++)
			for (int pairs = 0; pairs < 2; pairs++) {
				struct general g = {.element = *element,
				                    .n = general_orders[i],
				                    .pairs = pairs};
				if (!pairs || !sim_matrix_is_complex(*element))
					general_run(&s, &g);
			}
}
