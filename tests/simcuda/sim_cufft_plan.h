/* sim_cufft_plan.h - the plans of the cufft stand-in */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SIMCUDA_SIM_CUFFT_PLAN_H
#define SIMCUDA_SIM_CUFFT_PLAN_H

#include <stdbool.h>

#include "sim_cufft.h"

/*
 * One side of a transform: element (x, y, z) of batch b at b * dist + ((x * embed[1] + y) *
 * embed[2] + z) * stride.
 */
struct sim_cufft_side {
	/*
	 * No layout was given: tight, except that real rows are padded when the transform is in
	 * place.
	 */
	bool basic;
	size_t embed[3];
	size_t stride, dist;
};

/*
 * The sizes of a transform, innermost last. Sizes that the rank does not have are 1 and come first.
 */
struct sim_cufft_shape {
	int rank, type;
	size_t n[3], batch;
	struct sim_cufft_side in, out;
};

struct sim_cufft_plan {
	struct sim_cufft_plan *next;
	int id;
	unsigned long long context; /* of its creation */
	bool made, automatic;
	struct sim_cufft_shape shape;
	void *stream;
	void *work_area, *own_area;
	void *tables; /* of roots of unity, in device memory as long as the plan exists */
	size_t work_bytes;
};

/* The arguments of all planners, in the widest integers. NULL embeds mean the basic layout. */
struct sim_cufft_request {
	int rank, type;
	const long long *n, *inembed, *onembed;
	long long istride, idist, ostride, odist, batch;
};

bool sim_cufft_is_real_to_complex(int type);
bool sim_cufft_is_complex_to_real(int type);
bool sim_cufft_is_double(int type);

/* Returns CUFFT_SUCCESS and sets the shape, or returns the vendor's error for such a plan. */
int sim_cufft_shape_make(const struct sim_cufft_request *request, struct sim_cufft_shape *shape);

/* As sim_cublas_open: counts, injects errors, finds the plan and copies it. */
int sim_cufft_open(int call, int id, struct sim_cufft_plan *copy);

#endif
