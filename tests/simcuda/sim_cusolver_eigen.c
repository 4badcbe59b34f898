/* sim_cusolver_eigen.c - exported: eigenvalues of Hermitian matrices and of pencils */
/* SPDX-License-Identifier: Apache-2.0 */
#include "sim_cusolver_call.h"
#include "sim_level3.h"

static struct sim_cusolver_room pencil_room(const struct sim_cusolver_call *c)
{
	const size_t n = (size_t)c->work.n, columns = c->work.vectors ? 2 * n + 40 : 40;
	return (struct sim_cusolver_room){
		(n * columns + 11) * sim_level3_element_bytes(c->work.element), 0};
}

static struct sim_cusolver_room syevd_room(const struct sim_cusolver_call *c)
{
	const size_t n = (size_t)c->work.n;
	return (struct sim_cusolver_room){pencil_room(c).device_bytes + 5,
	                                  (3 * n + 1) * sizeof(double) + 1};
}

/* Half of the tridiagonal form reads the matrix for each column: two bytes for an operation. */
static struct sim_cusolver_cost eigen_cost(const struct sim_solver *w, double more)
{
	const double n = (double)w->n, cube = n * n * n;
	const double bytes = (double)sim_level3_element_bytes(w->element) / sizeof(double);
	return (struct sim_cusolver_cost){.kind = SIMCUDA_SOLVER_TRIDIAGONAL,
	                                  .flops = (w->vectors ? 4 : 2.0 / 3) * cube + more * cube,
	                                  .moved_bytes = 4.0 / 3 * cube * bytes,
	                                  .columns = n};
}

static struct sim_cusolver_cost syevd_cost(const struct sim_solver *w)
{
	return eigen_cost(w, 0);
}

static struct sim_cusolver_cost sygvd_cost(const struct sim_solver *w)
{
	return eigen_cost(w, 7.0 / 3);
}

static const struct sim_cusolver_routine syevd = {.compute = sim_solver_syevd,
                                                  .room = syevd_room,
                                                  .cost = syevd_cost,
                                                  .has_params = true,
                                                  .blocks = true};
static const struct sim_cusolver_routine sygvd = {
	.compute = sim_solver_sygvd, .room = pencil_room, .cost = sygvd_cost, .blocks = true};

static bool job_is_valid(int jobz)
{
	return jobz == SIM_EIG_NO_VECTORS || jobz == SIM_EIG_VECTORS;
}

/* vl and vu count where the range is one of values, il and iu where it is one of indices. */
static bool range_is_valid(const struct sim_solver *w)
{
	switch (w->range) {
	case SIM_RANGE_ALL: return true;
	case SIM_RANGE_INDICES: return !w->n || (w->il >= 1 && w->il <= w->iu && w->iu <= w->n);
	case SIM_RANGE_VALUES: return w->vl < w->vu;
	default: return false;
	}
}

/* A holds the vectors afterwards, or nothing. */
static void add_spectrum(struct sim_cusolver_call *c)
{
	const struct sim_solver *w = &c->work;
	sim_cusolver_add_matrix(c, SIM_FIELD(a),
	                        SIM_READ |
	                                (w->vectors ? SIM_WRITTEN | SIM_REST_RUINED : SIM_RUINED),
	                        w->n, w->n, w->lda);
	sim_cusolver_add_vector(c, SIM_FIELD(w), SIM_WRITTEN | SIM_REST_RUINED, w->n,
	                        sim_level3_element_bytes(sim_cusolver_real(w->element)));
	c->valid = c->valid && w->n >= 0 && sim_cusolver_has_uplo(w->uplo) && range_is_valid(w);
}

/* What a real number in host memory is. */
static double real_at(char element, const void *number)
{
	if (!number)
		return 0;
	return sim_cusolver_real(element) == 'S' ? (double)*(const float *)number
	                                         : *(const double *)number;
}

static struct sim_cusolver_call syevd_call(int jobz, int uplo, int64_t n, int type_a, const void *a,
                                           int64_t lda, int type_w, const void *w, int compute)
{
	struct sim_cusolver_call c = {.routine = &syevd};
	c.work = (struct sim_solver){.element = sim_cusolver_element(type_a),
	                             .uplo = uplo,
	                             .vectors = jobz == SIM_EIG_VECTORS,
	                             .range = SIM_RANGE_ALL,
	                             .n = n,
	                             .lda = lda,
	                             .a = (void *)(uintptr_t)a,
	                             .w = (void *)(uintptr_t)w};
	c.valid = job_is_valid(jobz) && type_a == compute &&
	          sim_cusolver_element(type_w) == sim_cusolver_real(c.work.element);
	return c;
}

int cusolverDnXsyevd_bufferSize(void *handle, void *params, int jobz, int uplo, int64_t n,
                                int type_a, const void *a, int64_t lda, int type_w, const void *w,
                                int compute, size_t *device_bytes, size_t *host_bytes)
{
	struct sim_cusolver_call c = syevd_call(jobz, uplo, n, type_a, a, lda, type_w, w, compute);
	add_spectrum(&c);
	return sim_cusolver_measure(SIM_CALL_cusolverDnXsyevd_bufferSize, handle, params, &c,
	                            device_bytes, host_bytes);
}

int cusolverDnXsyevd(void *handle, void *params, int jobz, int uplo, int64_t n, int type_a, void *a,
                     int64_t lda, int type_w, void *w, int compute, void *device_buffer,
                     size_t device_bytes, void *host_buffer, size_t host_bytes, int *info)
{
	struct sim_cusolver_call c = syevd_call(jobz, uplo, n, type_a, a, lda, type_w, w, compute);
	add_spectrum(&c);
	sim_cusolver_give(&c, device_buffer, device_bytes, host_buffer, host_bytes, info);
	return sim_cusolver_submit(SIM_CALL_cusolverDnXsyevd, handle, params, &c);
}

static void add_range(struct sim_cusolver_call *c, int range, const void *vl, const void *vu,
                      int64_t il, int64_t iu)
{
	if (range == SIM_RANGE_VALUES && (!vl || !vu))
		c->valid = false;
	c->work.range = range;
	c->work.vl = real_at(c->work.element, vl);
	c->work.vu = real_at(c->work.element, vu);
	c->work.il = il;
	c->work.iu = iu;
	add_spectrum(c);
}

int cusolverDnXsyevdx_bufferSize(void *handle, void *params, int jobz, int range, int uplo,
                                 int64_t n, int type_a, const void *a, int64_t lda, void *vl,
                                 void *vu, int64_t il, int64_t iu, int64_t *found, int type_w,
                                 const void *w, int compute, size_t *device_bytes,
                                 size_t *host_bytes)
{
	struct sim_cusolver_call c = syevd_call(jobz, uplo, n, type_a, a, lda, type_w, w, compute);
	(void)found;
	add_range(&c, range, vl, vu, il, iu);
	return sim_cusolver_measure(SIM_CALL_cusolverDnXsyevdx_bufferSize, handle, params, &c,
	                            device_bytes, host_bytes);
}

int cusolverDnXsyevdx(void *handle, void *params, int jobz, int range, int uplo, int64_t n,
                      int type_a, void *a, int64_t lda, void *vl, void *vu, int64_t il, int64_t iu,
                      int64_t *found, int type_w, void *w, int compute, void *device_buffer,
                      size_t device_bytes, void *host_buffer, size_t host_bytes, int *info)
{
	struct sim_cusolver_call c = syevd_call(jobz, uplo, n, type_a, a, lda, type_w, w, compute);
	add_range(&c, range, vl, vu, il, iu);
	c.valid = c.valid && found;
	c.found = found;
	sim_cusolver_give(&c, device_buffer, device_bytes, host_buffer, host_bytes, info);
	return sim_cusolver_submit(SIM_CALL_cusolverDnXsyevdx, handle, params, &c);
}

/* -- pencils -- */

static struct sim_cusolver_call sygvd_call(char element, int itype, int jobz, int uplo, int n,
                                           const void *a, int lda, const void *b, int ldb,
                                           const void *w)
{
	struct sim_cusolver_call c = {.routine = &sygvd,
	                              .valid = itype >= 1 && itype <= 3 && job_is_valid(jobz)};
	c.work = (struct sim_solver){.element = element,
	                             .uplo = uplo,
	                             .vectors = jobz == SIM_EIG_VECTORS,
	                             .itype = itype,
	                             .range = SIM_RANGE_ALL,
	                             .n = n,
	                             .lda = lda,
	                             .ldb = ldb,
	                             .a = (void *)(uintptr_t)a,
	                             .b = (void *)(uintptr_t)b,
	                             .w = (void *)(uintptr_t)w};
	return c;
}

/* B's triangle becomes its factor. */
static void add_pencil(struct sim_cusolver_call *c)
{
	const struct sim_solver *w = &c->work;
	add_spectrum(c);
	sim_cusolver_add_matrix(c, SIM_FIELD(b), SIM_READ | SIM_WRITTEN | SIM_TRIANGLE_RUINED, w->n,
	                        w->n, w->ldb);
}

static void add_pencil_range(struct sim_cusolver_call *c, int range, double vl, double vu, int il,
                             int iu)
{
	c->work.range = range;
	c->work.vl = vl;
	c->work.vu = vu;
	c->work.il = il;
	c->work.iu = iu;
	add_pencil(c);
}

#define SIM_TYPED(name, shape, letter, real)                                                       \
	QUERY_##shape(name, letter, real) SOLVE_##shape(name, letter, real)
#define QUERY_getrf(name, letter, real)
#define SOLVE_getrf(name, letter, real)
#define QUERY_potri(name, letter, real)
#define SOLVE_potri(name, letter, real)
#define QUERY_orgqr(name, letter, real)
#define SOLVE_orgqr(name, letter, real)
#define QUERY_ormqr(name, letter, real)
#define SOLVE_ormqr(name, letter, real)
#define PENCIL(letter) sygvd_call(letter, itype, jobz, uplo, n, a, lda, b, ldb, w)
#define QUERY_sygvd(name, letter, real)                                                            \
	int name##_bufferSize(SIM_QUERY_sygvd(real), int *lwork)                                   \
	{                                                                                          \
		struct sim_cusolver_call c = PENCIL(letter);                                       \
		add_pencil(&c);                                                                    \
		return sim_cusolver_measure_elements(SIM_CALL_##name##_bufferSize, handle, &c,     \
		                                     lwork);                                       \
	}
#define SOLVE_sygvd(name, letter, real)                                                            \
	int name(SIM_SOLVE_sygvd(real))                                                            \
	{                                                                                          \
		struct sim_cusolver_call c = PENCIL(letter);                                       \
		add_pencil(&c);                                                                    \
		sim_cusolver_give_elements(&c, work, lwork, info);                                 \
		return sim_cusolver_submit(SIM_CALL_##name, handle, NULL, &c);                     \
	}
#define QUERY_sygvdx(name, letter, real)                                                           \
	int name##_bufferSize(SIM_QUERY_sygvdx(real), int *lwork)                                  \
	{                                                                                          \
		struct sim_cusolver_call c = PENCIL(letter);                                       \
		(void)found;                                                                       \
		add_pencil_range(&c, range, (double)vl, (double)vu, il, iu);                       \
		return sim_cusolver_measure_elements(SIM_CALL_##name##_bufferSize, handle, &c,     \
		                                     lwork);                                       \
	}
#define SOLVE_sygvdx(name, letter, real)                                                           \
	int name(SIM_SOLVE_sygvdx(real))                                                           \
	{                                                                                          \
		struct sim_cusolver_call c = PENCIL(letter);                                       \
		add_pencil_range(&c, range, (double)vl, (double)vu, il, iu);                       \
		c.valid = c.valid && found;                                                        \
		c.narrow_found = found;                                                            \
		sim_cusolver_give_elements(&c, work, lwork, info);                                 \
		return sim_cusolver_submit(SIM_CALL_##name, handle, NULL, &c);                     \
	}
#include "sim_typed.def"
