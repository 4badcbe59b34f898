/* sim_cusolver_call.c - checks, queues and runs the calls of all routines of cuSOLVER */
/* SPDX-License-Identifier: Apache-2.0 */
#include "sim_cusolver_call.h"

#include <stdlib.h>
#include <string.h>

#include "sim_level3.h"

/* A workspace on the device begins where cudaMalloc would let it begin. */
enum { WORKSPACE_ALIGNMENT = 256 };

char sim_cusolver_element(int type)
{
	switch (type) {
	case SIM_TYPE_S: return 'S';
	case SIM_TYPE_D: return 'D';
	case SIM_TYPE_C: return 'C';
	case SIM_TYPE_Z: return 'Z';
	default: return 0;
	}
}

char sim_cusolver_real(char element)
{
	return element == 'C' ? 'S' : element == 'Z' ? 'D' : element;
}

void sim_cusolver_add_matrix(struct sim_cusolver_call *c, size_t field, int use, int64_t rows,
                             int64_t columns, int64_t ld)
{
	if (ld < 1 || ld < rows)
		c->valid = false;
	if (rows > 0 && columns > 0)
		c->operands[c->operand_count++] = (struct sim_cusolver_operand){
			field, use, rows, columns, ld, sim_level3_element_bytes(c->work.element),
			0};
}

void sim_cusolver_add_vector(struct sim_cusolver_call *c, size_t field, int use, int64_t count,
                             size_t bytes)
{
	if (count > 0)
		c->operands[c->operand_count++] =
			(struct sim_cusolver_operand){field, use, count, 1, count, bytes, 0};
}

static void **operand_pointer(struct sim_solver *work, const struct sim_cusolver_operand *operand)
{
	return (void **)(void *)((char *)work + operand->field);
}

static size_t operand_extent(const struct sim_cusolver_operand *operand)
{
	return (size_t)(operand->ld * (operand->columns - 1) + operand->rows) * operand->bytes;
}

/* -- the kernel -- */

/* Replaces the program's pointers in `work` by the engine's. */
static int call_view(const struct sim_cusolver_call *c, struct sim_solver *work)
{
	int error = 0;
	for (int i = 0; i < c->operand_count && !error; i++) {
		const struct sim_cusolver_operand *operand = &c->operands[i];
		void **pointer = operand_pointer(work, operand);
		*pointer = simcuda_view(*pointer, operand_extent(operand), operand->bytes, &error);
	}
	return error;
}

/* Both workspaces hold garbage when the routine begins. */
static int call_spoil_rooms(const struct sim_cusolver_call *c)
{
	int error = 0;
	if (c->given.host_bytes)
		memset(c->host_buffer, 0xff, c->given.host_bytes);
	if (!c->given.device_bytes)
		return 0;
	void *view =
		simcuda_view(c->device_buffer, c->given.device_bytes, WORKSPACE_ALIGNMENT, &error);
	if (view)
		simcuda_poison(view, c->given.device_bytes);
	return error;
}

static void operand_ruin(const struct sim_cusolver_operand *operand, char *data)
{
	for (int64_t j = 0; j < operand->columns; j++)
		simcuda_poison(data + (size_t)(j * operand->ld) * operand->bytes,
		               (size_t)operand->rows * operand->bytes);
}

/* The elements above the diagonal where the triangle is the lower one, else those below. */
static void operand_ruin_triangle(const struct sim_cusolver_operand *operand, char *data, int uplo)
{
	const bool lower = uplo == SIM_UPLO_LOWER;
	for (int64_t j = 0; j < operand->columns; j++) {
		int64_t first = lower ? 0 : j + 1, end = lower ? j : operand->rows;
		if (first < end)
			simcuda_poison(data + (size_t)(first + j * operand->ld) * operand->bytes,
			               (size_t)(end - first) * operand->bytes);
	}
}

/* The columns behind the values that were found, or the values of a vector. */
static void operand_ruin_rest(const struct sim_cusolver_operand *operand, char *data, int64_t found)
{
	struct sim_cusolver_operand rest = *operand;
	int64_t *size = operand->columns == 1 ? &rest.rows : &rest.columns;
	const int64_t skipped = operand->columns == 1 ? found : found * operand->ld;
	if (found >= *size)
		return;
	*size -= found;
	operand_ruin(&rest, data + (size_t)skipped * operand->bytes);
}

/* What a caller may not use is garbage: scratch, and every result of a call that failed. */
static void call_ruin(const struct sim_cusolver_call *c, struct sim_solver *work, bool failed)
{
	for (int i = 0; i < c->operand_count; i++) {
		const struct sim_cusolver_operand *operand = &c->operands[i];
		void *data = *operand_pointer(work, operand);
		if (operand->use & SIM_RUINED || (operand->use & SIM_WRITTEN && failed))
			operand_ruin(operand, data);
		else if (operand->use & SIM_TRIANGLE_RUINED)
			operand_ruin_triangle(operand, data, work->uplo);
		else if (operand->use & SIM_REST_RUINED)
			operand_ruin_rest(operand, data, work->found);
	}
}

static void call_report(const struct sim_cusolver_call *c, const struct sim_solver *work)
{
	if (c->found)
		*c->found = work->found;
	if (c->narrow_found)
		*c->narrow_found = (int)work->found;
	if (c->error_sigma)
		*c->error_sigma = work->error_sigma;
}

static int call_run(void *arguments, int intact)
{
	const struct sim_cusolver_call *c = arguments;
	struct sim_solver work = c->work;
	int error = call_view(c, &work), *info = NULL;
	if (!error && !c->routine->has_no_info)
		info = simcuda_view(c->info, sizeof *info, sizeof *info, &error);
	if (!error)
		error = call_spoil_rooms(c);
	if (error)
		return error;
	if (!c->routine->compute(&work))
		return SIM_cudaErrorLaunchFailure;
	call_ruin(c, &work, work.info || !intact);
	call_report(c, &work);
	if (info)
		*info = work.info;
	return 0;
}

/* Without data: info says that all went well, and no rows are exchanged. */
static int call_run_dry(void *arguments)
{
	const struct sim_cusolver_call *c = arguments;
	const int64_t count = c->work.m < c->work.n ? c->work.m : c->work.n;
	int error = 0;
	if (!c->routine->has_no_info) {
		int *info = simcuda_view(c->info, sizeof *info, sizeof *info, &error);
		if (info)
			*info = 0;
	}
	if (error || !c->work.pivots || !c->routine->finds_pivots)
		return error;
	int64_t *pivots = simcuda_view(c->work.pivots, (size_t)count * sizeof *pivots,
	                               sizeof *pivots, &error);
	for (int64_t i = 0; pivots && i < count; i++)
		pivots[i] = i + 1;
	return error;
}

/* -- the checks -- */

static bool call_operands_exist(struct sim_cusolver_call *c)
{
	for (int i = 0; i < c->operand_count; i++)
		if (!*operand_pointer(&c->work, &c->operands[i]))
			return false;
	return c->info || c->routine->has_no_info;
}

/* The parameters, and what only the routine could check. */
static int call_check(const void *params, struct sim_cusolver_call *c)
{
	struct sim_cusolver_params known = {0};
	if (c->routine->has_params && !sim_cusolver_find_params(params, &known))
		return SIM_CUSOLVER_STATUS_INVALID_VALUE;
	c->algorithm = known.algorithms[SIM_DN_GETRF];
	return c->valid && c->work.element ? 0 : SIM_CUSOLVER_STATUS_INVALID_VALUE;
}

void sim_cusolver_give(struct sim_cusolver_call *c, void *device_buffer, size_t device_bytes,
                       void *host_buffer, size_t host_bytes, int *info)
{
	c->device_buffer = device_buffer;
	c->host_buffer = host_buffer;
	c->given = (struct sim_cusolver_room){device_bytes, host_bytes};
	c->info = info;
}

bool sim_cusolver_has_uplo(int uplo)
{
	return uplo == SIM_UPLO_LOWER || uplo == SIM_UPLO_UPPER;
}

void sim_cusolver_give_elements(struct sim_cusolver_call *c, void *work, int count, int *info)
{
	if (count < 0)
		c->valid = false;
	sim_cusolver_give(c, work,
	                  count > 0 ? (size_t)count * sim_level3_element_bytes(c->work.element) : 0,
	                  NULL, 0, info);
}

int sim_cusolver_measure(int name, void *handle, void *params, struct sim_cusolver_call *c,
                         size_t *device_bytes, size_t *host_bytes)
{
	struct sim_cusolver_handle state;
	int status = sim_cusolver_open(name, handle, &state);
	if (!status)
		status = call_check(params, c);
	if (!status && (!device_bytes || !host_bytes))
		status = SIM_CUSOLVER_STATUS_INVALID_VALUE;
	if (status)
		return status;
	const struct sim_cusolver_room room = c->routine->room(c);
	*device_bytes = room.device_bytes;
	*host_bytes = room.host_bytes;
	return 0;
}

int sim_cusolver_measure_elements(int name, void *handle, struct sim_cusolver_call *c, int *count)
{
	size_t device_bytes = 0, host_bytes = 0;
	int status = sim_cusolver_measure(name, handle, NULL, c, &device_bytes, &host_bytes);
	if (!status && !count)
		status = SIM_CUSOLVER_STATUS_INVALID_VALUE;
	if (!status)
		*count = (int)(device_bytes / sim_level3_element_bytes(c->work.element));
	return status;
}

/* A workspace that is a byte too small is refused. */
static int call_check_rooms(const struct sim_cusolver_handle *state, struct sim_cusolver_call *c)
{
	struct sim_cusolver_room needed = {0};
	if (c->routine->own_room) {
		c->device_buffer = state->pool;
		c->given.device_bytes = state->pool_bytes;
		return 0;
	}
	if (c->routine->room)
		needed = c->routine->room(c);
	if (c->given.device_bytes < needed.device_bytes || c->given.host_bytes < needed.host_bytes)
		return SIM_CUSOLVER_STATUS_INVALID_WORKSPACE;
	if ((needed.device_bytes && !c->device_buffer) || (needed.host_bytes && !c->host_buffer))
		return SIM_CUSOLVER_STATUS_INVALID_VALUE;
	/* More than is needed is not used. */
	c->given = needed;
	return 0;
}

/* -- the launch -- */

static struct simcuda_area operand_area(struct sim_cusolver_call *c,
                                        const struct sim_cusolver_operand *operand)
{
	return (struct simcuda_area){(char *)*operand_pointer(&c->work, operand) +
	                                     (size_t)operand->unused * operand->bytes,
	                             (size_t)operand->ld * operand->bytes,
	                             (size_t)(operand->rows - operand->unused) * operand->bytes,
	                             (size_t)operand->columns};
}

/* The first operands that are read, and the last one with a result. */
static void call_describe(struct sim_cusolver_call *c, struct simcuda_kernel *kernel)
{
	int reads = 0;
	kernel->result.element = sim_cusolver_real(c->work.element);
	for (int i = 0; i < c->operand_count; i++) {
		const struct sim_cusolver_operand *operand = &c->operands[i];
		if (operand->use & SIM_READ && reads < SIMCUDA_MAX_READS)
			kernel->reads[reads++] = operand_area(c, operand);
		if (operand->use & SIM_WRITTEN && !kernel->written.height)
			kernel->written = operand_area(c, operand);
	}
}

/* What the host's results are where no data are computed (SIMCUDA_DRY). */
static void call_expect(const struct sim_cusolver_call *c)
{
	const struct sim_solver *w = &c->work;
	const struct sim_solver expected = {
		.found = w->range == SIM_RANGE_INDICES ? w->iu - w->il + 1 : w->n};
	call_report(c, &expected);
}

static int call_launch(const struct sim_cusolver_handle *state, int name,
                       const struct sim_cusolver_call *c)
{
	const struct sim_cusolver_cost cost = c->routine->cost(&c->work);
	const bool is_complex = c->work.element == 'C' || c->work.element == 'Z';
	struct sim_cusolver_call *arguments = malloc(sizeof *arguments);
	if (!arguments)
		return SIM_CUSOLVER_STATUS_ALLOC_FAILED;
	*arguments = *c;
	call_expect(c);
	struct simcuda_kernel kernel = {.run = call_run,
	                                .run_dry = call_run_dry,
	                                .arguments = arguments,
	                                .workspace = c->device_buffer,
	                                .workspace_bytes = c->given.device_bytes,
	                                .work_flops = cost.flops * (is_complex ? 4 : 1),
	                                .moved_bytes = cost.moved_bytes,
	                                .solver = cost.kind,
	                                .solver_columns = cost.columns,
	                                .info = c->routine->has_no_info ? NULL : c->info,
	                                .call = name};
	call_describe(arguments, &kernel);
	if (simcuda_launch(state->stream, &kernel))
		return SIM_CUSOLVER_STATUS_EXECUTION_FAILED;
	return c->routine->blocks && simcuda_wait(state->stream)
	               ? SIM_CUSOLVER_STATUS_EXECUTION_FAILED
	               : 0;
}

int sim_cusolver_submit(int name, void *handle, void *params, struct sim_cusolver_call *c)
{
	struct sim_cusolver_handle state;
	int status = sim_cusolver_open(name, handle, &state);
	if (!status)
		status = call_check(params, c);
	if (!status && !call_operands_exist(c))
		status = SIM_CUSOLVER_STATUS_INVALID_VALUE;
	if (!status)
		status = call_check_rooms(&state, c);
	if (status)
		return status;
	if (simcuda_guard(SIMCUDA_NEEDS_CONTEXT) || state.context != simcuda_context())
		return SIM_CUSOLVER_STATUS_EXECUTION_FAILED;
	return call_launch(&state, name, c);
}
