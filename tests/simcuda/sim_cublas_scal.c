/* sim_cublas_scal.c - exported: scal of real vectors, the only routine of level 1 */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "sim_cublas_handle.h"

/* The arguments of the kernel. Scalars in host memory were copied at the call. */
struct scal_call {
	char element;
	int64_t n, step;
	const void *alpha;
	void *x;
	bool device_scalar;
	double kept;
};

static size_t scal_element_bytes(const struct scal_call *c)
{
	return c->element == 'S' ? sizeof(float) : sizeof(double);
}

static double scal_read(const struct scal_call *c, const void *scalar)
{
	return c->element == 'S' ? (double)*(const float *)scalar : *(const double *)scalar;
}

static size_t scal_extent_bytes(const struct scal_call *c)
{
	return ((size_t)(c->n - 1) * (size_t)c->step + 1) * scal_element_bytes(c);
}

static int scal_run(void *arguments, int intact)
{
	const struct scal_call *c = arguments;
	const size_t bytes = scal_element_bytes(c);
	int error = 0;
	double alpha = c->kept;
	char *x = simcuda_view(c->x, scal_extent_bytes(c), bytes, &error);
	const void *scalar =
		c->device_scalar ? simcuda_view(c->alpha, bytes, bytes, &error) : &c->kept;
	if (!x || !scalar)
		return error;
	if (c->device_scalar)
		alpha = scal_read(c, scalar);
	for (int64_t i = 0; i < c->n; i++, x += (size_t)c->step * bytes)
		if (!intact)
			simcuda_poison(x, bytes);
		else if (c->element == 'S')
			*(float *)(void *)x *= (float)alpha;
		else
			*(double *)(void *)x *= alpha;
	return 0;
}

static int scal_launch(const struct sim_cublas_handle *state, int call, const struct scal_call *c)
{
	enum { SECTOR_BYTES = 32 };
	struct scal_call *arguments = malloc(sizeof *arguments);
	if (!arguments)
		return SIM_CUBLAS_STATUS_ALLOC_FAILED;
	*arguments = *c;
	const size_t bytes = scal_extent_bytes(c);
	struct simcuda_kernel kernel = {.run = scal_run,
	                                .arguments = arguments,
	                                .workspace = state->workspace,
	                                .workspace_bytes = state->workspace_bytes,
	                                .work_flops = (double)c->n,
	                                .moved_bytes = 2.0 * (double)c->n * SECTOR_BYTES,
	                                .call = call,
	                                .reads = {{c->x, bytes, bytes, 1}},
	                                .written = {c->x, bytes, bytes, 1}};
	return simcuda_launch(state->stream, &kernel) ? SIM_CUBLAS_STATUS_EXECUTION_FAILED : 0;
}

/* Negative steps are not offered: the vendor's text does not say where the vector begins then. */
static int scal_submit(int call, void *handle, struct scal_call c)
{
	struct sim_cublas_handle state;
	int status = sim_cublas_open(call, handle, &state);
	if (status)
		return status;
	if (!c.alpha || c.step < 1 || (!c.x && c.n > 0))
		return SIM_CUBLAS_STATUS_INVALID_VALUE;
	if (simcuda_guard(SIMCUDA_NEEDS_CONTEXT) || state.context != simcuda_context())
		return SIM_CUBLAS_STATUS_EXECUTION_FAILED;
	if (c.n <= 0)
		return 0;
	c.device_scalar = state.device_scalars;
	if (!c.device_scalar)
		c.kept = scal_read(&c, c.alpha);
	return scal_launch(&state, call, &c);
}

int cublasSscal_v2(void *handle, int n, const void *alpha, void *x, int step)
{
	return scal_submit(SIM_CALL_cublasSscal_v2, handle,
	                   (struct scal_call){'S', n, step, alpha, x, false, 0});
}

int cublasDscal_v2(void *handle, int n, const void *alpha, void *x, int step)
{
	return scal_submit(SIM_CALL_cublasDscal_v2, handle,
	                   (struct scal_call){'D', n, step, alpha, x, false, 0});
}

#if SIMCUDA_MAJOR >= 12
int cublasSscal_v2_64(void *handle, int64_t n, const void *alpha, void *x, int64_t step)
{
	return scal_submit(SIM_CALL_cublasSscal_v2_64, handle,
	                   (struct scal_call){'S', n, step, alpha, x, false, 0});
}

int cublasDscal_v2_64(void *handle, int64_t n, const void *alpha, void *x, int64_t step)
{
	return scal_submit(SIM_CALL_cublasDscal_v2_64, handle,
	                   (struct scal_call){'D', n, step, alpha, x, false, 0});
}
#endif
