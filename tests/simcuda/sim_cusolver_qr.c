/* sim_cusolver_qr.c - exported: QR, and what is made of its reflectors */
/* SPDX-License-Identifier: Apache-2.0 */
#include "sim_cusolver_call.h"
#include "sim_level3.h"

static struct sim_cusolver_room qr_room(const struct sim_cusolver_call *c)
{
	const struct sim_solver *w = &c->work;
	return (struct sim_cusolver_room){
		(size_t)(32 * w->m + 16 * w->n + 5) * sim_level3_element_bytes(w->element), 0};
}

static struct sim_cusolver_room geqrf_room(const struct sim_cusolver_call *c)
{
	return (struct sim_cusolver_room){qr_room(c).device_bytes + 3, 33};
}

static struct sim_cusolver_cost geqrf_cost(const struct sim_solver *w)
{
	const double m = (double)w->m, n = (double)w->n, least = m < n ? m : n;
	return (struct sim_cusolver_cost){.kind = SIMCUDA_SOLVER_QR,
	                                  .flops = 4 * m * n * least - 2 * (m + n) * least * least +
	                                           4.0 / 3 * least * least * least,
	                                  .columns = least};
}

static struct sim_cusolver_cost orgqr_cost(const struct sim_solver *w)
{
	const double m = (double)w->m, n = (double)w->n, k = (double)w->k;
	return (struct sim_cusolver_cost){.kind = SIMCUDA_SOLVER_QR,
	                                  .flops = 4 * m * n * k - 2 * (m + n) * k * k +
	                                           4.0 / 3 * k * k * k,
	                                  .columns = k};
}

static struct sim_cusolver_cost ormqr_cost(const struct sim_solver *w)
{
	const double m = (double)w->m, n = (double)w->n, k = (double)w->k;
	const double across = w->side == SIM_SIDE_LEFT ? n : m;
	return (struct sim_cusolver_cost){.kind = SIMCUDA_SOLVER_QR,
	                                  .flops = 4 * m * n * k - 2 * across * k * k,
	                                  .columns = k};
}

static const struct sim_cusolver_routine geqrf = {
	.compute = sim_solver_geqrf, .room = geqrf_room, .cost = geqrf_cost, .has_params = true};
static const struct sim_cusolver_routine orgqr = {
	.compute = sim_solver_orgqr, .room = qr_room, .cost = orgqr_cost};
static const struct sim_cusolver_routine ormqr = {
	.compute = sim_solver_ormqr, .room = qr_room, .cost = ormqr_cost};

static void add_tau(struct sim_cusolver_call *c, int use, int64_t count)
{
	sim_cusolver_add_vector(c, SIM_FIELD(w), use, count,
	                        sim_level3_element_bytes(c->work.element));
}

static struct sim_cusolver_call geqrf_call(int64_t m, int64_t n, int type_a, const void *a,
                                           int64_t lda, int type_tau, const void *tau, int compute)
{
	struct sim_cusolver_call c = {.routine = &geqrf,
	                              .valid = m >= 0 && n >= 0 && type_a == type_tau &&
	                                       type_a == compute};
	c.work = (struct sim_solver){.element = sim_cusolver_element(type_a),
	                             .m = m,
	                             .n = n,
	                             .lda = lda,
	                             .a = (void *)(uintptr_t)a,
	                             .w = (void *)(uintptr_t)tau};
	sim_cusolver_add_matrix(&c, SIM_FIELD(a), SIM_READ | SIM_WRITTEN, m, n, lda);
	add_tau(&c, SIM_WRITTEN, m < n ? m : n);
	return c;
}

int cusolverDnXgeqrf_bufferSize(void *handle, void *params, int64_t m, int64_t n, int type_a,
                                const void *a, int64_t lda, int type_tau, const void *tau,
                                int compute, size_t *device_bytes, size_t *host_bytes)
{
	struct sim_cusolver_call c = geqrf_call(m, n, type_a, a, lda, type_tau, tau, compute);
	return sim_cusolver_measure(SIM_CALL_cusolverDnXgeqrf_bufferSize, handle, params, &c,
	                            device_bytes, host_bytes);
}

int cusolverDnXgeqrf(void *handle, void *params, int64_t m, int64_t n, int type_a, void *a,
                     int64_t lda, int type_tau, void *tau, int compute, void *device_buffer,
                     size_t device_bytes, void *host_buffer, size_t host_bytes, int *info)
{
	struct sim_cusolver_call c = geqrf_call(m, n, type_a, a, lda, type_tau, tau, compute);
	sim_cusolver_give(&c, device_buffer, device_bytes, host_buffer, host_bytes, info);
	return sim_cusolver_submit(SIM_CALL_cusolverDnXgeqrf, handle, params, &c);
}

static struct sim_cusolver_call orgqr_call(char element, int m, int n, int k, const void *a,
                                           int lda, const void *tau)
{
	struct sim_cusolver_call c = {.routine = &orgqr, .valid = m >= n && n >= k && k >= 0};
	c.work = (struct sim_solver){.element = element,
	                             .m = m,
	                             .n = n,
	                             .k = k,
	                             .lda = lda,
	                             .a = (void *)(uintptr_t)a,
	                             .w = (void *)(uintptr_t)tau};
	sim_cusolver_add_matrix(&c, SIM_FIELD(a), SIM_READ | SIM_WRITTEN, m, n, lda);
	add_tau(&c, SIM_READ, k);
	return c;
}

/* As in LAPACK real elements are transposed, complex ones transposed and conjugated. */
static bool trans_is_valid(char element, int trans)
{
	const bool is_complex = element == 'C' || element == 'Z';
	return trans == SIM_TRANS_N || trans == (is_complex ? SIM_TRANS_C : SIM_TRANS_T);
}

static struct sim_cusolver_call ormqr_call(char element, int side, int trans, int m, int n, int k,
                                           const void *a, int lda, const void *tau)
{
	const int order = side == SIM_SIDE_LEFT ? m : n;
	struct sim_cusolver_call c = {.routine = &ormqr,
	                              .valid = m >= 0 && n >= 0 && k >= 0 && k <= order &&
	                                       (side == SIM_SIDE_LEFT || side == SIM_SIDE_RIGHT) &&
	                                       trans_is_valid(element, trans)};
	c.work = (struct sim_solver){.element = element,
	                             .side = side,
	                             .trans = trans,
	                             .m = m,
	                             .n = n,
	                             .k = k,
	                             .lda = lda,
	                             .a = (void *)(uintptr_t)a,
	                             .w = (void *)(uintptr_t)tau};
	sim_cusolver_add_matrix(&c, SIM_FIELD(a), SIM_READ, order, k, lda);
	add_tau(&c, SIM_READ, k);
	return c;
}

static void ormqr_add(struct sim_cusolver_call *c, const void *matrix, int ld)
{
	c->work.b = (void *)(uintptr_t)matrix;
	c->work.ldb = ld;
	sim_cusolver_add_matrix(c, SIM_FIELD(b), SIM_READ | SIM_WRITTEN, c->work.m, c->work.n, ld);
}

#define SIM_TYPED(name, shape, letter, real) DEFINE_##shape(name, letter)
#define DEFINE_getrf(name, letter)
#define DEFINE_potri(name, letter)
#define DEFINE_sygvd(name, letter)
#define DEFINE_sygvdx(name, letter)
#define DEFINE_orgqr(name, letter)                                                                 \
	int name##_bufferSize(SIM_QUERY_orgqr(), int *lwork)                                       \
	{                                                                                          \
		struct sim_cusolver_call call = orgqr_call(letter, m, n, k, a, lda, tau);          \
		return sim_cusolver_measure_elements(SIM_CALL_##name##_bufferSize, handle, &call,  \
		                                     lwork);                                       \
	}                                                                                          \
	int name(SIM_SOLVE_orgqr())                                                                \
	{                                                                                          \
		struct sim_cusolver_call call = orgqr_call(letter, m, n, k, a, lda, tau);          \
		sim_cusolver_give_elements(&call, work, lwork, info);                              \
		return sim_cusolver_submit(SIM_CALL_##name, handle, NULL, &call);                  \
	}
#define DEFINE_ormqr(name, letter) DEFINE_ormqr_query(name, letter) DEFINE_ormqr_solve(name, letter)
#define DEFINE_ormqr_query(name, letter)                                                           \
	int name##_bufferSize(SIM_QUERY_ormqr(), int *lwork)                                       \
	{                                                                                          \
		struct sim_cusolver_call call =                                                    \
			ormqr_call(letter, side, trans, m, n, k, a, lda, tau);                     \
		ormqr_add(&call, c, ldc);                                                          \
		return sim_cusolver_measure_elements(SIM_CALL_##name##_bufferSize, handle, &call,  \
		                                     lwork);                                       \
	}
#define DEFINE_ormqr_solve(name, letter)                                                           \
	int name(SIM_SOLVE_ormqr())                                                                \
	{                                                                                          \
		struct sim_cusolver_call call =                                                    \
			ormqr_call(letter, side, trans, m, n, k, a, lda, tau);                     \
		ormqr_add(&call, c, ldc);                                                          \
		sim_cusolver_give_elements(&call, work, lwork, info);                              \
		return sim_cusolver_submit(SIM_CALL_##name, handle, NULL, &call);                  \
	}
#include "sim_typed.def"
