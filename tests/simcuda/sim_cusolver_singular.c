/* sim_cusolver_singular.c - exported: singular values */
/* SPDX-License-Identifier: Apache-2.0 */
#include "sim_cusolver_call.h"
#include "sim_level3.h"

static struct sim_cusolver_room gesvd_room(const struct sim_cusolver_call *c)
{
	const struct sim_solver *w = &c->work;
	return (struct sim_cusolver_room){
		(size_t)(w->m * 8 + w->n * w->n + 9) * sim_level3_element_bytes(w->element) + 1,
		(size_t)(5 * w->n + 3) * sizeof(double) + 1};
}

/* The polar factor lies beside the matrix. */
static struct sim_cusolver_room gesvdp_room(const struct sim_cusolver_call *c)
{
	const struct sim_solver *w = &c->work;
	return (struct sim_cusolver_room){(size_t)(w->m * w->n + 2 * w->n * w->n + 9) *
	                                                  sim_level3_element_bytes(w->element) +
	                                          7,
	                                  (size_t)w->n + 19};
}

/* Half of the bidiagonal form reads the matrix for each column: four bytes for an operation. */
static struct sim_cusolver_cost singular_cost(const struct sim_solver *w)
{
	const double m = (double)w->m, n = (double)w->n;
	const double half = 2 * m * n * n - 2.0 / 3 * n * n * n;
	const double bytes = (double)sim_level3_element_bytes(w->element) / sizeof(double);
	const bool vectors = w->vectors || w->jobu == 'S' || w->jobu == 'A' || w->jobvt != 'N';
	return (struct sim_cusolver_cost){.kind = SIMCUDA_SOLVER_SINGULAR,
	                                  .flops = half + (vectors ? 20.0 / 3 : 0) * n * n * n,
	                                  .moved_bytes = 4 * half * bytes,
	                                  .columns = n};
}

static const struct sim_cusolver_routine gesvd = {.compute = sim_solver_gesvd,
                                                  .room = gesvd_room,
                                                  .cost = singular_cost,
                                                  .has_params = true,
                                                  .blocks = true};
static const struct sim_cusolver_routine gesvdp = {.compute = sim_solver_gesvdp,
                                                   .room = gesvdp_room,
                                                   .cost = singular_cost,
                                                   .has_params = true,
                                                   .blocks = true};

/* The arguments that both have, of _bufferSize too. */
#define SHARED                                                                                     \
	int64_t m, int64_t n, int type_a, const void *a, int64_t lda, int type_s, const void *s,   \
		int type_u, const void *u, int64_t ldu, int type_v, const void *v, int64_t ldv,    \
		int compute
#define SHARED_NAMES m, n, type_a, a, lda, type_s, s, type_u, u, ldu, type_v, v, ldv, compute

static struct sim_cusolver_call singular_call(const struct sim_cusolver_routine *routine, SHARED)
{
	struct sim_cusolver_call c = {.routine = routine};
	c.work = (struct sim_solver){.element = sim_cusolver_element(type_a),
	                             .jobu = 'N',
	                             .jobvt = 'N',
	                             .m = m,
	                             .n = n,
	                             .lda = lda,
	                             .ldb = ldu,
	                             .ldc = ldv,
	                             .a = (void *)(uintptr_t)a,
	                             .b = (void *)(uintptr_t)u,
	                             .c = (void *)(uintptr_t)v,
	                             .w = (void *)(uintptr_t)s};
	c.valid = n >= 0 && m >= n && type_a == type_u && type_a == type_v && type_a == compute &&
	          sim_cusolver_element(type_s) == sim_cusolver_real(c.work.element) && ldu >= 1 &&
	          ldv >= 1;
	sim_cusolver_add_matrix(&c, SIM_FIELD(a), SIM_READ | SIM_RUINED, m, n, lda);
	return c;
}

/* u_columns and v_columns: 0 where there are none. */
static void add_results(struct sim_cusolver_call *c, int64_t u_columns, int64_t v_columns)
{
	const struct sim_solver *w = &c->work;
	if (u_columns)
		sim_cusolver_add_matrix(c, SIM_FIELD(b), SIM_WRITTEN, w->m, u_columns, w->ldb);
	if (v_columns)
		sim_cusolver_add_matrix(c, SIM_FIELD(c), SIM_WRITTEN, w->n, v_columns, w->ldc);
	sim_cusolver_add_vector(c, SIM_FIELD(w), SIM_WRITTEN, w->n,
	                        sim_level3_element_bytes(sim_cusolver_real(w->element)));
}

/* Vectors in place of A are not offered. */
static bool job_is_valid(int job)
{
	return job == 'A' || job == 'S' || job == 'N';
}

static struct sim_cusolver_call gesvd_call(signed char jobu, signed char jobvt, SHARED)
{
	struct sim_cusolver_call c = singular_call(&gesvd, SHARED_NAMES);
	c.valid = c.valid && job_is_valid(jobu) && job_is_valid(jobvt);
	c.work.jobu = (char)jobu;
	c.work.jobvt = (char)jobvt;
	add_results(&c, jobu == 'A' ? m : jobu == 'S' ? n : 0, jobvt == 'N' ? 0 : n);
	return c;
}

static struct sim_cusolver_call gesvdp_call(int jobz, int econ, SHARED)
{
	struct sim_cusolver_call c = singular_call(&gesvdp, SHARED_NAMES);
	c.valid = c.valid && (jobz == SIM_EIG_NO_VECTORS || jobz == SIM_EIG_VECTORS);
	c.work.vectors = jobz == SIM_EIG_VECTORS;
	c.work.econ = econ;
	add_results(&c, c.work.vectors ? econ ? n : m : 0, c.work.vectors ? n : 0);
	return c;
}

int cusolverDnXgesvd_bufferSize(void *handle, void *params, signed char jobu, signed char jobvt,
                                int64_t m, int64_t n, int type_a, const void *a, int64_t lda,
                                int type_s, const void *s, int type_u, const void *u, int64_t ldu,
                                int type_v, const void *v, int64_t ldv, int compute,
                                size_t *device_bytes, size_t *host_bytes)
{
	struct sim_cusolver_call c = gesvd_call(jobu, jobvt, SHARED_NAMES);
	return sim_cusolver_measure(SIM_CALL_cusolverDnXgesvd_bufferSize, handle, params, &c,
	                            device_bytes, host_bytes);
}

int cusolverDnXgesvd(void *handle, void *params, signed char jobu, signed char jobvt, int64_t m,
                     int64_t n, int type_a, void *a, int64_t lda, int type_s, void *s, int type_u,
                     void *u, int64_t ldu, int type_v, void *v, int64_t ldv, int compute,
                     void *device_buffer, size_t device_bytes, void *host_buffer, size_t host_bytes,
                     int *info)
{
	struct sim_cusolver_call c = gesvd_call(jobu, jobvt, SHARED_NAMES);
	sim_cusolver_give(&c, device_buffer, device_bytes, host_buffer, host_bytes, info);
	return sim_cusolver_submit(SIM_CALL_cusolverDnXgesvd, handle, params, &c);
}

int cusolverDnXgesvdp_bufferSize(void *handle, void *params, int jobz, int econ, int64_t m,
                                 int64_t n, int type_a, const void *a, int64_t lda, int type_s,
                                 const void *s, int type_u, const void *u, int64_t ldu, int type_v,
                                 const void *v, int64_t ldv, int compute, size_t *device_bytes,
                                 size_t *host_bytes)
{
	struct sim_cusolver_call c = gesvdp_call(jobz, econ, SHARED_NAMES);
	return sim_cusolver_measure(SIM_CALL_cusolverDnXgesvdp_bufferSize, handle, params, &c,
	                            device_bytes, host_bytes);
}

int cusolverDnXgesvdp(void *handle, void *params, int jobz, int econ, int64_t m, int64_t n,
                      int type_a, void *a, int64_t lda, int type_s, void *s, int type_u, void *u,
                      int64_t ldu, int type_v, void *v, int64_t ldv, int compute,
                      void *device_buffer, size_t device_bytes, void *host_buffer,
                      size_t host_bytes, int *info, double *error_sigma)
{
	struct sim_cusolver_call c = gesvdp_call(jobz, econ, SHARED_NAMES);
	c.valid = c.valid && error_sigma;
	c.error_sigma = error_sigma;
	sim_cusolver_give(&c, device_buffer, device_bytes, host_buffer, host_bytes, info);
	return sim_cusolver_submit(SIM_CALL_cusolverDnXgesvdp, handle, params, &c);
}
