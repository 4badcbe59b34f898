/* sim_cusolver_inverse.c - exported: inverses; LU with narrow pivots, its exchange of rows */
/* SPDX-License-Identifier: Apache-2.0 */
#include "sim_cusolver_call.h"
#include "sim_level3.h"

/* Whole elements: also for functions that count them. */
static struct sim_cusolver_room column_room(const struct sim_cusolver_call *c)
{
	const size_t n = (size_t)c->work.n;
	return (struct sim_cusolver_room){(n * 33 + 7) * sim_level3_element_bytes(c->work.element),
	                                  0};
}

static struct sim_cusolver_room trtri_room(const struct sim_cusolver_call *c)
{
	return (struct sim_cusolver_room){column_room(c).device_bytes, 77};
}

static struct sim_cusolver_room getrf_room(const struct sim_cusolver_call *c)
{
	const size_t m = (size_t)c->work.m, n = (size_t)c->work.n;
	return (struct sim_cusolver_room){(m * n + 65) * sim_level3_element_bytes(c->work.element),
	                                  0};
}

static struct sim_cusolver_cost trtri_cost(const struct sim_solver *w)
{
	const double n = (double)w->n;
	return (struct sim_cusolver_cost){.kind = SIMCUDA_SOLVER_PLAIN, .flops = n * n * n / 3};
}

static struct sim_cusolver_cost potri_cost(const struct sim_solver *w)
{
	const double n = (double)w->n;
	return (struct sim_cusolver_cost){.kind = SIMCUDA_SOLVER_PLAIN, .flops = 2 * n * n * n / 3};
}

static struct sim_cusolver_cost getrf_cost(const struct sim_solver *w)
{
	const double m = (double)w->m, n = (double)w->n, least = m < n ? m : n;
	return (struct sim_cusolver_cost){.kind = SIMCUDA_SOLVER_LU,
	                                  .flops = 2 * m * n * least - (m + n) * least * least +
	                                           2.0 / 3 * least * least * least,
	                                  .columns = least};
}

/* Reads and writes two rows for each pivot. */
static struct sim_cusolver_cost laswp_cost(const struct sim_solver *w)
{
	const double rows = (double)(w->iu - w->il + 1);
	return (struct sim_cusolver_cost){.kind = SIMCUDA_SOLVER_PLAIN,
	                                  .moved_bytes =
	                                          4 * rows * (double)w->n *
	                                          (double)sim_level3_element_bytes(w->element)};
}

static const struct sim_cusolver_routine trtri = {
	.compute = sim_solver_trtri, .room = trtri_room, .cost = trtri_cost};
static const struct sim_cusolver_routine potri = {
	.compute = sim_solver_potri, .room = column_room, .cost = potri_cost};
static const struct sim_cusolver_routine getrf = {
	.compute = sim_solver_getrf_narrow, .room = getrf_room, .cost = getrf_cost};
static const struct sim_cusolver_routine laswp = {
	.compute = sim_solver_laswp, .cost = laswp_cost, .has_no_info = true};

static struct sim_cusolver_call trtri_call(int uplo, int diag, int64_t n, int type_a, void *a,
                                           int64_t lda)
{
	struct sim_cusolver_call c = {.routine = &trtri,
	                              .valid =
	                                      n >= 0 && sim_cusolver_has_uplo(uplo) &&
	                                      (diag == SIM_DIAG_NON_UNIT || diag == SIM_DIAG_UNIT)};
	c.work = (struct sim_solver){.element = sim_cusolver_element(type_a),
	                             .uplo = uplo,
	                             .diag = diag,
	                             .n = n,
	                             .lda = lda,
	                             .a = a};
	sim_cusolver_add_matrix(&c, SIM_FIELD(a), SIM_READ | SIM_WRITTEN, n, n, lda);
	return c;
}

int cusolverDnXtrtri_bufferSize(void *handle, int uplo, int diag, int64_t n, int type_a, void *a,
                                int64_t lda, size_t *device_bytes, size_t *host_bytes)
{
	struct sim_cusolver_call c = trtri_call(uplo, diag, n, type_a, a, lda);
	return sim_cusolver_measure(SIM_CALL_cusolverDnXtrtri_bufferSize, handle, NULL, &c,
	                            device_bytes, host_bytes);
}

int cusolverDnXtrtri(void *handle, int uplo, int diag, int64_t n, int type_a, void *a, int64_t lda,
                     void *device_buffer, size_t device_bytes, void *host_buffer, size_t host_bytes,
                     int *info)
{
	struct sim_cusolver_call c = trtri_call(uplo, diag, n, type_a, a, lda);
	sim_cusolver_give(&c, device_buffer, device_bytes, host_buffer, host_bytes, info);
	return sim_cusolver_submit(SIM_CALL_cusolverDnXtrtri, handle, NULL, &c);
}

static struct sim_cusolver_call potri_call(char element, int uplo, int n, void *a, int lda)
{
	struct sim_cusolver_call c = {.routine = &potri,
	                              .valid = n >= 0 && sim_cusolver_has_uplo(uplo)};
	c.work = (struct sim_solver){.element = element, .uplo = uplo, .n = n, .lda = lda, .a = a};
	sim_cusolver_add_matrix(&c, SIM_FIELD(a), SIM_READ | SIM_WRITTEN | SIM_TRIANGLE_RUINED, n,
	                        n, lda);
	return c;
}

static struct sim_cusolver_call getrf_call(char element, int m, int n, void *a, int lda,
                                           int *pivots)
{
	struct sim_cusolver_call c = {.routine = &getrf, .valid = m >= 0 && n >= 0};
	c.work = (struct sim_solver){
		.element = element, .m = m, .n = n, .lda = lda, .a = a, .narrow_pivots = pivots};
	sim_cusolver_add_matrix(&c, SIM_FIELD(a), SIM_READ | SIM_WRITTEN, m, n, lda);
	if (pivots)
		sim_cusolver_add_vector(&c, SIM_FIELD(narrow_pivots), SIM_WRITTEN, m < n ? m : n,
		                        sizeof *pivots);
	return c;
}

/* How many rows A has is not said: at least those that are exchanged. */
static struct sim_cusolver_call laswp_call(char element, int n, void *a, int lda, int k1, int k2,
                                           const int *pivots, int step)
{
	const int64_t stride = step < 0 ? -(int64_t)step : step;
	struct sim_cusolver_call c = {.routine = &laswp,
	                              .valid = n >= 0 && k1 >= 1 && k2 >= k1 && step != 0};
	c.work = (struct sim_solver){.element = element,
	                             .n = n,
	                             .lda = lda,
	                             .a = a,
	                             .narrow_pivots = (int *)(uintptr_t)pivots,
	                             .il = k1,
	                             .iu = k2,
	                             .step = step};
	sim_cusolver_add_matrix(&c, SIM_FIELD(a), SIM_READ | SIM_WRITTEN, k2, n, lda);
	if (c.valid && n > 0)
		c.operands[c.operand_count - 1].unused = k1 - 1;
	sim_cusolver_add_vector(&c, SIM_FIELD(narrow_pivots), SIM_READ, k1 + (k2 - k1) * stride,
	                        sizeof *pivots);
	return c;
}

#define SIM_TYPED(name, shape, letter, real) DEFINE_##shape(name, letter)
#define SIM_TYPED_ALONE(name, shape, letter, real) DEFINE_##shape(name, letter)
#define DEFINE_orgqr(name, letter)
#define DEFINE_ormqr(name, letter)
#define DEFINE_sygvd(name, letter)
#define DEFINE_sygvdx(name, letter)
#define DEFINE_potri(name, letter)                                                                 \
	int name##_bufferSize(SIM_QUERY_potri(), int *lwork)                                       \
	{                                                                                          \
		struct sim_cusolver_call c = potri_call(letter, uplo, n, a, lda);                  \
		return sim_cusolver_measure_elements(SIM_CALL_##name##_bufferSize, handle, &c,     \
		                                     lwork);                                       \
	}                                                                                          \
	int name(SIM_SOLVE_potri())                                                                \
	{                                                                                          \
		struct sim_cusolver_call c = potri_call(letter, uplo, n, a, lda);                  \
		sim_cusolver_give_elements(&c, work, lwork, info);                                 \
		return sim_cusolver_submit(SIM_CALL_##name, handle, NULL, &c);                     \
	}
/* The size of getrf's workspace is not passed on: it is taken to be what was asked for. */
#define DEFINE_getrf(name, letter)                                                                 \
	int name##_bufferSize(SIM_QUERY_getrf(), int *lwork)                                       \
	{                                                                                          \
		struct sim_cusolver_call c = getrf_call(letter, m, n, a, lda, NULL);               \
		return sim_cusolver_measure_elements(SIM_CALL_##name##_bufferSize, handle, &c,     \
		                                     lwork);                                       \
	}                                                                                          \
	int name(SIM_SOLVE_getrf())                                                                \
	{                                                                                          \
		struct sim_cusolver_call c = getrf_call(letter, m, n, a, lda, pivots);             \
		sim_cusolver_give(&c, work, SIZE_MAX, NULL, 0, info);                              \
		return sim_cusolver_submit(SIM_CALL_##name, handle, NULL, &c);                     \
	}
#define DEFINE_laswp(name, letter)                                                                 \
	int name(SIM_SOLVE_laswp())                                                                \
	{                                                                                          \
		struct sim_cusolver_call c = laswp_call(letter, n, a, lda, k1, k2, pivots, step);  \
		return sim_cusolver_submit(SIM_CALL_##name, handle, NULL, &c);                     \
	}
#include "sim_typed.def"
