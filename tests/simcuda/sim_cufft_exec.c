/* sim_cufft_exec.c - exported: the executions, from the plan to the kernel */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "sim_cufft_plan.h"
#include "sim_fft.h"

/* The arguments of one execution, copied: the plan may change or be destroyed before it runs. */
struct exec_call {
	struct sim_cufft_shape shape;
	void *in, *out;
	bool inverse;
};

/*
 * One side of an execution in the engine's memory. `row` counts the elements of the innermost
 * dimension.
 */
struct exec_side {
	const struct sim_cufft_side *layout;
	char *view;
	bool real, wide;
	size_t row, embed_row, dist;
};

static size_t side_element_bytes(const struct exec_side *s)
{
	return (s->wide ? sizeof(double) : sizeof(float)) * (s->real ? 1 : 2);
}

static struct exec_side side_of(const struct exec_call *call, bool output)
{
	const struct sim_cufft_shape *shape = &call->shape;
	bool from_real = sim_cufft_is_real_to_complex(shape->type),
	     to_real = sim_cufft_is_complex_to_real(shape->type);
	struct exec_side side = {.layout = output ? &shape->out : &shape->in,
	                         .real = output ? to_real : from_real,
	                         .wide = sim_cufft_is_double(shape->type)};
	side.row = (output ? from_real : to_real) ? shape->n[2] / 2 + 1 : shape->n[2];
	side.embed_row = side.layout->embed[2];
	side.dist = side.layout->dist;
	if (side.layout->basic && side.real && call->in == call->out) {
		side.embed_row = 2 * (shape->n[2] / 2 + 1);
		side.dist = shape->n[0] * shape->n[1] * side.embed_row;
	}
	return side;
}

static size_t side_index(const struct exec_side *s, size_t batch, size_t x, size_t y)
{
	return batch * s->dist + (x * s->layout->embed[1] + y) * s->embed_row * s->layout->stride;
}

/* Bytes from the first element to the end of the last one that the transform reads or writes. */
static size_t side_extent_bytes(const struct exec_side *s, const struct sim_cufft_shape *shape)
{
	size_t last = side_index(s, shape->batch - 1, shape->n[0] - 1, shape->n[1] - 1) +
	              (s->row - 1) * s->layout->stride;
	return (last + 1) * side_element_bytes(s);
}

/*
 * Complex data must be aligned to a whole element, and real data to the complex element of its
 * precision.
 */
static bool side_open(struct exec_side *s, const struct sim_cufft_shape *shape, const void *pointer,
                      int *error)
{
	s->view = simcuda_view(pointer, side_extent_bytes(s, shape), s->wide ? 16 : 8, error);
	return s->view != NULL;
}

static struct sim_complex side_load(const struct exec_side *s, size_t index)
{
	if (s->wide) {
		const double *from =
			(const double *)(const void *)s->view + index * (s->real ? 1 : 2);
		return (struct sim_complex){from[0], s->real ? 0 : from[1]};
	}
	const float *from = (const float *)(const void *)s->view + index * (s->real ? 1 : 2);
	return (struct sim_complex){(double)from[0], s->real ? 0 : (double)from[1]};
}

static void side_store(const struct exec_side *s, size_t index, struct sim_complex value)
{
	if (s->wide) {
		double *to = (double *)(void *)s->view + index * (s->real ? 1 : 2);
		to[0] = value.re;
		if (!s->real)
			to[1] = value.im;
		return;
	}
	float *to = (float *)(void *)s->view + index * (s->real ? 1 : 2);
	to[0] = (float)value.re;
	if (!s->real)
		to[1] = (float)value.im;
}

enum side_action { SIDE_READ, SIDE_WRITE, SIDE_RUIN };

/* Copies one batch of one side to or from the tight array, whose rows have n[2] elements. */
static void side_walk(const struct exec_side *s, const struct sim_cufft_shape *shape, size_t batch,
                      struct sim_complex *tight, enum side_action action)
{
	size_t element = side_element_bytes(s);
	for (size_t x = 0; x < shape->n[0]; x++)
		for (size_t y = 0; y < shape->n[1]; y++) {
			size_t index = side_index(s, batch, x, y);
			struct sim_complex *row = tight + (x * shape->n[1] + y) * shape->n[2];
			for (size_t z = 0; z < s->row; z++, index += s->layout->stride) {
				if (action == SIDE_READ)
					row[z] = side_load(s, index);
				else if (action == SIDE_WRITE)
					side_store(s, index, row[z]);
				else
					simcuda_poison(s->view + index * element, element);
			}
		}
}

static bool exec_batch(const struct exec_call *call, const struct exec_side *in,
                       const struct exec_side *out, size_t batch, struct sim_complex *tight)
{
	const struct sim_cufft_shape *shape = &call->shape;
	enum sim_fft_kind kind = in->real    ? SIM_FFT_FROM_REAL
	                         : out->real ? SIM_FFT_TO_REAL
	                                     : SIM_FFT_COMPLEX;
	side_walk(in, shape, batch, tight, SIDE_READ);
	/* A transform to real data overwrites its input, also out of place. */
	if (kind == SIM_FFT_TO_REAL && call->in != call->out)
		side_walk(in, shape, batch, tight, SIDE_RUIN);
	if (!sim_fft_array(shape->n, kind, call->inverse, tight))
		return false;
	side_walk(out, shape, batch, tight, SIDE_WRITE);
	return true;
}

static int exec_run(void *arguments, int intact)
{
	const struct exec_call *call = arguments;
	const struct sim_cufft_shape *shape = &call->shape;
	struct exec_side in = side_of(call, false), out = side_of(call, true);
	int error = 0;
	if (!side_open(&in, shape, call->in, &error) || !side_open(&out, shape, call->out, &error))
		return error;
	struct sim_complex *tight = calloc(shape->n[0] * shape->n[1] * shape->n[2], sizeof *tight);
	bool done = tight;
	for (size_t batch = 0; done && batch < shape->batch; batch++) {
		done = exec_batch(call, &in, &out, batch, tight);
		if (!intact)
			side_walk(&out, shape, batch, tight, SIDE_RUIN);
	}
	free(tight);
	return done ? 0 : SIM_cudaErrorLaunchFailure;
}

static struct simcuda_area exec_area(const struct exec_call *call, bool output)
{
	struct exec_side side = side_of(call, output);
	size_t extent = side_extent_bytes(&side, &call->shape);
	return (struct simcuda_area){output ? call->out : call->in, extent, extent, 1};
}

/*
 * Bytes that the memory moves for one side: an element with a gap behind it costs a whole sector.
 */
static double exec_side_bytes(const struct exec_call *call, bool output)
{
	enum { SECTOR_BYTES = 32 };
	const struct sim_cufft_shape *shape = &call->shape;
	struct exec_side side = side_of(call, output);
	double extent = (double)side_extent_bytes(&side, shape),
	       sectors = (double)shape->n[0] * (double)shape->n[1] * (double)side.row *
	                 (double)shape->batch * SECTOR_BYTES;
	return sectors < extent ? sectors : extent;
}

static int exec_launch(const struct sim_cufft_plan *plan, int call, void *in, void *out,
                       bool inverse)
{
	struct exec_call *arguments = malloc(sizeof *arguments);
	const size_t *n = plan->shape.n;
	double points = (double)n[0] * (double)n[1] * (double)n[2] * (double)plan->shape.batch;
	if (!arguments)
		return SIM_CUFFT_EXEC_FAILED;
	*arguments = (struct exec_call){plan->shape, in, out, inverse};
	struct simcuda_kernel kernel = {.run = exec_run,
	                                .arguments = arguments,
	                                .workspace = plan->work_area,
	                                .workspace_bytes = plan->work_bytes,
	                                .work_flops = 100 * points,
	                                .moved_bytes = exec_side_bytes(arguments, false) +
	                                               exec_side_bytes(arguments, true),
	                                .call = call,
	                                .dimensions = plan->shape.rank,
	                                .reads = {exec_area(arguments, false)},
	                                .written = exec_area(arguments, true)};
	return simcuda_launch(plan->stream, &kernel) ? SIM_CUFFT_EXEC_FAILED : 0;
}

static int exec_submit(int call, int id, int type, void *in, void *out, int direction)
{
	struct sim_cufft_plan plan;
	int result = sim_cufft_open(call, id, &plan);
	if (result)
		return result;
	if (!plan.made || plan.shape.type != type)
		return SIM_CUFFT_INVALID_PLAN;
	if (!in || !out || (direction != -1 && direction != 1))
		return SIM_CUFFT_INVALID_VALUE;
	if (plan.context != simcuda_context())
		return SIM_CUFFT_INVALID_DEVICE;
	if (simcuda_guard(SIMCUDA_NEEDS_CONTEXT))
		return SIM_CUFFT_EXEC_FAILED;
	if (!plan.work_area)
		return SIM_CUFFT_NO_WORKSPACE;
	return exec_launch(&plan, call, in, out, direction == 1);
}

int cufftExecC2C(int plan, void *in, void *out, int direction)
{
	return exec_submit(SIM_CALL_cufftExecC2C, plan, SIM_CUFFT_C2C, in, out, direction);
}

int cufftExecZ2Z(int plan, void *in, void *out, int direction)
{
	return exec_submit(SIM_CALL_cufftExecZ2Z, plan, SIM_CUFFT_Z2Z, in, out, direction);
}

int cufftExecR2C(int plan, void *in, void *out)
{
	return exec_submit(SIM_CALL_cufftExecR2C, plan, SIM_CUFFT_R2C, in, out, -1);
}

int cufftExecD2Z(int plan, void *in, void *out)
{
	return exec_submit(SIM_CALL_cufftExecD2Z, plan, SIM_CUFFT_D2Z, in, out, -1);
}

int cufftExecC2R(int plan, void *in, void *out)
{
	return exec_submit(SIM_CALL_cufftExecC2R, plan, SIM_CUFFT_C2R, in, out, 1);
}

int cufftExecZ2D(int plan, void *in, void *out)
{
	return exec_submit(SIM_CALL_cufftExecZ2D, plan, SIM_CUFFT_Z2D, in, out, 1);
}
