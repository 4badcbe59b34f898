/* sim_cusolver_general.c - exported: eigenvalues of general matrices, from major 13 on */
/* SPDX-License-Identifier: Apache-2.0 */
#include "sim_cusolver_call.h"
#include "sim_level3.h"

#if SIMCUDA_MAJOR >= 13

static struct sim_cusolver_room geev_room(const struct sim_cusolver_call *c)
{
	const size_t n = (size_t)c->work.n, element = sim_level3_element_bytes(c->work.element);
	return (struct sim_cusolver_room){(n * n + 70 * n + 1) * element + 1,
	                                  (n * n + 4 * n + 1) * element + 3};
}

/* As the tridiagonal form: half of the Hessenberg form reads the matrix for each column. */
static struct sim_cusolver_cost geev_cost(const struct sim_solver *w)
{
	const double n = (double)w->n, cube = n * n * n;
	const double bytes = (double)sim_level3_element_bytes(w->element) / sizeof(double);
	return (struct sim_cusolver_cost){.kind = SIMCUDA_SOLVER_TRIDIAGONAL,
	                                  .flops = (w->vectors ? 25 : 10) * cube,
	                                  .moved_bytes = 10.0 / 3 * cube * bytes,
	                                  .columns = n};
}

static const struct sim_cusolver_routine geev = {.compute = sim_solver_geev,
                                                 .room = geev_room,
                                                 .cost = geev_cost,
                                                 .has_params = true,
                                                 .blocks = true};

/* The type of values is A's, or for real elements that of pairs of them. */
static bool values_are_valid(char element, char values)
{
	return values == element || (element == 'S' && values == 'C') ||
	       (element == 'D' && values == 'Z');
}

static struct sim_cusolver_call geev_call(int jobvl, int jobvr, int64_t n, int type_a,
                                          const void *a, int64_t lda, int type_w, const void *w,
                                          int type_vr, const void *vr, int64_t ldvr, int compute)
{
	const char element = sim_cusolver_element(type_a), values = sim_cusolver_element(type_w);
	struct sim_cusolver_call c = {.routine = &geev};
	c.work = (struct sim_solver){.element = element,
	                             .vectors = jobvr == SIM_EIG_VECTORS,
	                             .complex_values = values == 'C' || values == 'Z',
	                             .n = n,
	                             .lda = lda,
	                             .ldc = ldvr,
	                             .a = (void *)(uintptr_t)a,
	                             .c = (void *)(uintptr_t)vr,
	                             .w = (void *)(uintptr_t)w};
	c.valid = n >= 0 && jobvl == SIM_EIG_NO_VECTORS &&
	          (jobvr == SIM_EIG_NO_VECTORS || jobvr == SIM_EIG_VECTORS) && type_a == compute &&
	          values_are_valid(element, values) && type_vr == type_a && ldvr >= 1;
	sim_cusolver_add_matrix(&c, SIM_FIELD(a), SIM_READ | SIM_RUINED, n, n, lda);
	if (c.work.vectors)
		sim_cusolver_add_matrix(&c, SIM_FIELD(c), SIM_WRITTEN, n, n, ldvr);
	sim_cusolver_add_vector(&c, SIM_FIELD(w), SIM_WRITTEN, c.work.complex_values ? n : 2 * n,
	                        sim_level3_element_bytes(values));
	return c;
}

int cusolverDnXgeev_bufferSize(void *handle, void *params, int jobvl, int jobvr, int64_t n,
                               int type_a, const void *a, int64_t lda, int type_w, const void *w,
                               int type_vl, const void *vl, int64_t ldvl, int type_vr,
                               const void *vr, int64_t ldvr, int compute, size_t *device_bytes,
                               size_t *host_bytes)
{
	struct sim_cusolver_call c =
		geev_call(jobvl, jobvr, n, type_a, a, lda, type_w, w, type_vr, vr, ldvr, compute);
	(void)vl;
	c.valid = c.valid && type_vl == type_a && ldvl >= 1;
	return sim_cusolver_measure(SIM_CALL_cusolverDnXgeev_bufferSize, handle, params, &c,
	                            device_bytes, host_bytes);
}

int cusolverDnXgeev(void *handle, void *params, int jobvl, int jobvr, int64_t n, int type_a,
                    void *a, int64_t lda, int type_w, void *w, int type_vl, void *vl, int64_t ldvl,
                    int type_vr, void *vr, int64_t ldvr, int compute, void *device_buffer,
                    size_t device_bytes, void *host_buffer, size_t host_bytes, int *info)
{
	struct sim_cusolver_call c =
		geev_call(jobvl, jobvr, n, type_a, a, lda, type_w, w, type_vr, vr, ldvr, compute);
	(void)vl;
	c.valid = c.valid && type_vl == type_a && ldvl >= 1;
	sim_cusolver_give(&c, device_buffer, device_bytes, host_buffer, host_bytes, info);
	return sim_cusolver_submit(SIM_CALL_cusolverDnXgeev, handle, params, &c);
}

#endif
