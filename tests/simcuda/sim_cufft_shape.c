/* sim_cufft_shape.c - sizes and layouts from a planner's arguments, with the vendor's refusals */
/* SPDX-License-Identifier: Apache-2.0 */
#include "sim_cufft_plan.h"

bool sim_cufft_is_real_to_complex(int type)
{
	return type == SIM_CUFFT_R2C || type == SIM_CUFFT_D2Z;
}

bool sim_cufft_is_complex_to_real(int type)
{
	return type == SIM_CUFFT_C2R || type == SIM_CUFFT_Z2D;
}

bool sim_cufft_is_double(int type)
{
	return type == SIM_CUFFT_Z2Z || type == SIM_CUFFT_D2Z || type == SIM_CUFFT_Z2D;
}

static bool type_exists(int type)
{
	return type == SIM_CUFFT_C2C || type == SIM_CUFFT_Z2Z ||
	       sim_cufft_is_real_to_complex(type) || sim_cufft_is_complex_to_real(type);
}

/*
 * Without an embedding the stride and the distance are ignored. `row`: elements of this side in the
 * innermost dimension.
 */
static int side_make(struct sim_cufft_side *side, const struct sim_cufft_shape *shape, size_t row,
                     const long long *embed, long long stride, long long dist)
{
	*side = (struct sim_cufft_side){
		!embed, {shape->n[0], shape->n[1], row}, 1, shape->n[0] * shape->n[1] * row};
	if (!embed)
		return 0;
	if (stride < 1 || dist < 0 || (shape->batch > 1 && dist < 1))
		return SIM_CUFFT_INVALID_VALUE;
	int missing = 3 - shape->rank;
	for (int i = 0; i < shape->rank; i++) {
		/*
		 * The outermost embedding is never used to find an element, so it is not compared
		 * with the size.
		 */
		if (embed[i] < 1 || (i > 0 && (size_t)embed[i] < side->embed[missing + i]))
			return SIM_CUFFT_INVALID_SIZE;
		side->embed[missing + i] = (size_t)embed[i];
	}
	side->stride = (size_t)stride;
	side->dist = (size_t)dist;
	return 0;
}

static int shape_read_sizes(const struct sim_cufft_request *r, struct sim_cufft_shape *shape)
{
	if (r->rank < 1 || r->rank > 3 || !r->n)
		return SIM_CUFFT_INVALID_VALUE;
	if (!type_exists(r->type))
		return SIM_CUFFT_INVALID_TYPE;
	*shape = (struct sim_cufft_shape){.rank = r->rank, .type = r->type, .n = {1, 1, 1}};
	for (int i = 0; i < r->rank; i++) {
		if (r->n[i] < 1 || r->n[i] > 1ll << 40)
			return SIM_CUFFT_INVALID_SIZE;
		shape->n[3 - r->rank + i] = (size_t)r->n[i];
	}
	if (r->batch < 1)
		return SIM_CUFFT_INVALID_SIZE;
	shape->batch = (size_t)r->batch;
	return 0;
}

int sim_cufft_shape_make(const struct sim_cufft_request *r, struct sim_cufft_shape *shape)
{
	int result = shape_read_sizes(r, shape);
	if (result)
		return result;
	size_t n = shape->n[2], half = n / 2 + 1;
	result = side_make(&shape->in, shape, sim_cufft_is_complex_to_real(r->type) ? half : n,
	                   r->inembed, r->istride, r->idist);
	if (!result)
		result = side_make(&shape->out, shape,
		                   sim_cufft_is_real_to_complex(r->type) ? half : n, r->onembed,
		                   r->ostride, r->odist);
	return result;
}
