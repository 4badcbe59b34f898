/* sim_cusolver_linear.c - exported: LU, Cholesky and what solves with them */
/* SPDX-License-Identifier: Apache-2.0 */
#include "sim_cusolver_call.h"
#include "sim_level3.h"

/* ALG_0 takes as much as the matrix, the others a column. The host's part is no round number. */
static struct sim_cusolver_room getrf_room(const struct sim_cusolver_call *c)
{
	const struct sim_solver *w = &c->work;
	const size_t element = sim_level3_element_bytes(w->element);
	const size_t columns = c->algorithm == SIM_ALG_0 ? (size_t)w->n : 1;
	return (struct sim_cusolver_room){(size_t)w->m * columns * element + 512,
	                                  100 + (size_t)w->n};
}

/* On the device only. */
static struct sim_cusolver_room potrf_room(const struct sim_cusolver_call *c)
{
	const size_t n = (size_t)c->work.n;
	return (struct sim_cusolver_room){
		(n * n / 2 + n + 3) * sim_level3_element_bytes(c->work.element), 0};
}

static struct sim_cusolver_cost getrf_cost(const struct sim_solver *w)
{
	const double m = (double)w->m, n = (double)w->n, least = m < n ? m : n;
	return (struct sim_cusolver_cost){.kind = SIMCUDA_SOLVER_LU,
	                                  .flops = 2 * m * n * least - (m + n) * least * least +
	                                           2.0 / 3 * least * least * least,
	                                  .columns = least};
}

static struct sim_cusolver_cost potrf_cost(const struct sim_solver *w)
{
	const double n = (double)w->n;
	return (struct sim_cusolver_cost){
		.kind = SIMCUDA_SOLVER_CHOLESKY, .flops = n * n * n / 3, .columns = n};
}

static struct sim_cusolver_cost solve_cost(const struct sim_solver *w)
{
	const double n = (double)w->n;
	return (struct sim_cusolver_cost){
		.kind = SIMCUDA_SOLVER_PLAIN,
		.flops = 2 * n * n * (double)w->k,
		.moved_bytes = n * n * (double)sim_level3_element_bytes(w->element)};
}

static const struct sim_cusolver_routine getrf = {.compute = sim_solver_getrf,
                                                  .room = getrf_room,
                                                  .cost = getrf_cost,
                                                  .has_params = true,
                                                  .finds_pivots = true};
static const struct sim_cusolver_routine potrf = {
	.compute = sim_solver_potrf, .room = potrf_room, .cost = potrf_cost, .has_params = true};
static const struct sim_cusolver_routine getrs = {
	.compute = sim_solver_getrs, .cost = solve_cost, .has_params = true, .own_room = true};
static const struct sim_cusolver_routine potrs = {
	.compute = sim_solver_potrs, .cost = solve_cost, .has_params = true, .own_room = true};

static struct sim_cusolver_call getrf_call(int64_t m, int64_t n, int type_a, void *a, int64_t lda,
                                           int64_t *pivots, int compute)
{
	struct sim_cusolver_call c = {.routine = &getrf,
	                              .valid = m >= 0 && n >= 0 && type_a == compute};
	c.work = (struct sim_solver){.element = sim_cusolver_element(type_a),
	                             .m = m,
	                             .n = n,
	                             .lda = lda,
	                             .a = a,
	                             .pivots = pivots};
	sim_cusolver_add_matrix(&c, SIM_FIELD(a), SIM_READ | SIM_WRITTEN, m, n, lda);
	if (pivots)
		sim_cusolver_add_vector(&c, SIM_FIELD(pivots), SIM_WRITTEN, m < n ? m : n,
		                        sizeof *pivots);
	return c;
}

int cusolverDnXgetrf_bufferSize(void *handle, void *params, int64_t m, int64_t n, int type_a,
                                const void *a, int64_t lda, int compute, size_t *device_bytes,
                                size_t *host_bytes)
{
	struct sim_cusolver_call c =
		getrf_call(m, n, type_a, (void *)(uintptr_t)a, lda, NULL, compute);
	return sim_cusolver_measure(SIM_CALL_cusolverDnXgetrf_bufferSize, handle, params, &c,
	                            device_bytes, host_bytes);
}

int cusolverDnXgetrf(void *handle, void *params, int64_t m, int64_t n, int type_a, void *a,
                     int64_t lda, int64_t *pivots, int compute, void *device_buffer,
                     size_t device_bytes, void *host_buffer, size_t host_bytes, int *info)
{
	struct sim_cusolver_call c = getrf_call(m, n, type_a, a, lda, pivots, compute);
	sim_cusolver_give(&c, device_buffer, device_bytes, host_buffer, host_bytes, info);
	return sim_cusolver_submit(SIM_CALL_cusolverDnXgetrf, handle, params, &c);
}

static struct sim_cusolver_call potrf_call(int uplo, int64_t n, int type_a, void *a, int64_t lda,
                                           int compute)
{
	struct sim_cusolver_call c = {.routine = &potrf,
	                              .valid = n >= 0 && sim_cusolver_has_uplo(uplo) &&
	                                       type_a == compute};
	c.work = (struct sim_solver){
		.element = sim_cusolver_element(type_a), .uplo = uplo, .n = n, .lda = lda, .a = a};
	sim_cusolver_add_matrix(&c, SIM_FIELD(a), SIM_READ | SIM_WRITTEN | SIM_TRIANGLE_RUINED, n,
	                        n, lda);
	return c;
}

int cusolverDnXpotrf_bufferSize(void *handle, void *params, int uplo, int64_t n, int type_a,
                                const void *a, int64_t lda, int compute, size_t *device_bytes,
                                size_t *host_bytes)
{
	struct sim_cusolver_call c =
		potrf_call(uplo, n, type_a, (void *)(uintptr_t)a, lda, compute);
	return sim_cusolver_measure(SIM_CALL_cusolverDnXpotrf_bufferSize, handle, params, &c,
	                            device_bytes, host_bytes);
}

int cusolverDnXpotrf(void *handle, void *params, int uplo, int64_t n, int type_a, void *a,
                     int64_t lda, int compute, void *device_buffer, size_t device_bytes,
                     void *host_buffer, size_t host_bytes, int *info)
{
	struct sim_cusolver_call c = potrf_call(uplo, n, type_a, a, lda, compute);
	sim_cusolver_give(&c, device_buffer, device_bytes, host_buffer, host_bytes, info);
	return sim_cusolver_submit(SIM_CALL_cusolverDnXpotrf, handle, params, &c);
}

/* A keeps its factor; B, of the same type, is solved for in place. */
static struct sim_cusolver_call solve_call(const struct sim_cusolver_routine *routine, int64_t n,
                                           int64_t columns, int type_a, const void *a, int64_t lda,
                                           int type_b, void *b, int64_t ldb, int *info)
{
	struct sim_cusolver_call c = {.routine = routine,
	                              .valid = n >= 0 && columns >= 0 && type_a == type_b,
	                              .info = info};
	c.work = (struct sim_solver){.element = sim_cusolver_element(type_a),
	                             .n = n,
	                             .k = columns,
	                             .lda = lda,
	                             .ldb = ldb,
	                             .a = (void *)(uintptr_t)a,
	                             .b = b};
	sim_cusolver_add_matrix(&c, SIM_FIELD(a), SIM_READ, n, n, lda);
	sim_cusolver_add_matrix(&c, SIM_FIELD(b), SIM_READ | SIM_WRITTEN, n, columns, ldb);
	return c;
}

int cusolverDnXgetrs(void *handle, void *params, int trans, int64_t n, int64_t columns, int type_a,
                     const void *a, int64_t lda, const int64_t *pivots, int type_b, void *b,
                     int64_t ldb, int *info)
{
	struct sim_cusolver_call c =
		solve_call(&getrs, n, columns, type_a, a, lda, type_b, b, ldb, info);
	c.valid = c.valid && trans >= SIM_TRANS_N && trans <= SIM_TRANS_C;
	c.work.trans = trans;
	c.work.pivots = (int64_t *)(uintptr_t)pivots;
	if (pivots)
		sim_cusolver_add_vector(&c, SIM_FIELD(pivots), SIM_READ, n, sizeof *pivots);
	return sim_cusolver_submit(SIM_CALL_cusolverDnXgetrs, handle, params, &c);
}

int cusolverDnXpotrs(void *handle, void *params, int uplo, int64_t n, int64_t columns, int type_a,
                     const void *a, int64_t lda, int type_b, void *b, int64_t ldb, int *info)
{
	struct sim_cusolver_call c =
		solve_call(&potrs, n, columns, type_a, a, lda, type_b, b, ldb, info);
	c.valid = c.valid && sim_cusolver_has_uplo(uplo);
	c.work.uplo = uplo;
	return sim_cusolver_submit(SIM_CALL_cusolverDnXpotrs, handle, params, &c);
}
