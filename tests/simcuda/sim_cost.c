/* sim_cost.c - how long copies and kernels take in virtual time, by the profile of their device */
/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "sim_engine.h"
#include "sim_visible.h"

static double area_bytes(const struct simcuda_area *area)
{
	return (double)area->width * (double)area->height;
}

static double cost_moved_bytes(const struct simcuda_kernel *kernel)
{
	if (kernel->moved_bytes > 0)
		return kernel->moved_bytes;
	return area_bytes(&kernel->reads[0]) + area_bytes(&kernel->written);
}

static double cost_flops_ns(const struct sim_profile *profile, char element)
{
	double tflops = element == 'S'   ? profile->sgemm_tflops_s
	                : element == 'D' ? profile->dgemm_tflops_s
	                : element == 'C' ? profile->cgemm_tflops_s
	                                 : profile->zgemm_tflops_s;
	return tflops * 1000;
}

/* The area of all tiles of all waves, full or not, divided by the area of the result. */
static double cost_waste(const struct sim_profile *profile, const struct simcuda_result *result)
{
	double side = profile->tile, units = profile->units;
	if (!(side >= 1) || !(units >= 1))
		return 1;
	double down = ceil(result->rows / side), across = ceil(result->columns / side);
	double tiles = result->triangle ? down * (down + 1) / 2 : down * across;
	double area = result->triangle ? result->rows * (result->rows + 1) / 2
	                               : result->rows * result->columns;
	return ceil(tiles * result->count / units) * units * side * side / (area * result->count);
}

static double cost_fft_ns(const struct sim_profile *profile, const struct simcuda_kernel *kernel)
{
	double floor_us = kernel->dimensions >= 3   ? profile->fft_floor_3d_us
	                  : kernel->dimensions == 2 ? profile->fft_floor_2d_us
	                                            : profile->fft_floor_1d_us;
	return floor_us * 1000 +
	       profile->fft_passes * cost_moved_bytes(kernel) / profile->memory_gbytes_s;
}

/*
 * The operations at the rate of the element, but no less than reading and writing the operands;
 * trsm has its rows beside them.
 */
static double cost_level3_ns(const struct sim_profile *profile, const struct simcuda_kernel *kernel)
{
	double bytes = area_bytes(&kernel->written);
	for (int i = 0; i < SIMCUDA_MAX_READS; i++)
		bytes += area_bytes(&kernel->reads[i]);
	double work_ns = kernel->work_flops / cost_flops_ns(profile, kernel->result.element) *
	                 cost_waste(profile, &kernel->result);
	if (profile->level3_gbytes_s > 0)
		work_ns = fmax(work_ns, bytes / profile->level3_gbytes_s);
	return work_ns + kernel->result.serial_rows * profile->trsm_row_us * 1000;
}

static double cost_column_us(const struct sim_profile *profile, enum simcuda_solver solver)
{
	switch (solver) {
	case SIMCUDA_SOLVER_LU: return profile->solver_lu_us;
	case SIMCUDA_SOLVER_CHOLESKY: return profile->solver_cholesky_us;
	case SIMCUDA_SOLVER_QR: return profile->solver_qr_us;
	case SIMCUDA_SOLVER_TRIDIAGONAL: return profile->solver_tridiagonal_us;
	case SIMCUDA_SOLVER_SINGULAR: return profile->solver_singular_us;
	default: return 0;
	}
}

/* The operations at the rate of the element, what moves at that of memory, and the columns. */
static double cost_solver_ns(const struct sim_profile *profile, const struct simcuda_kernel *kernel)
{
	return kernel->work_flops / cost_flops_ns(profile, kernel->result.element) +
	       kernel->moved_bytes / profile->memory_gbytes_s +
	       kernel->solver_columns * cost_column_us(profile, kernel->solver) * 1000;
}

static double cost_kernel_ns(const struct sim_profile *profile, const struct simcuda_kernel *kernel)
{
	if (kernel->solver)
		return cost_solver_ns(profile, kernel);
	return kernel->result.element ? cost_level3_ns(profile, kernel)
	                              : cost_fft_ns(profile, kernel);
}

double sim_cost_boost_ns(struct sim_device *device, const struct sim_op *op, double work_ns)
{
	const struct sim_profile *profile = sim_profile(device->index);
	double left_ns = fmax(profile->boost_ms * 1e6 - device->boosted_ns, 0);
	if (op->kind != SIM_OP_KERNEL || !op->kernel.result.element || left_ns <= 0)
		return work_ns;
	double boosted_ns = fmin(work_ns / profile->boost, left_ns);
	device->boosted_ns += boosted_ns;
	return boosted_ns + work_ns - boosted_ns * profile->boost;
}

double sim_cost_work_ns(const struct sim_device *device, const struct sim_op *op)
{
	const struct sim_profile *profile = sim_profile(device->index);
	if (op->kind == SIM_OP_COPY)
		return (sim_copy_describe(op->copy).fill ? 1 : 2) * op->bytes /
		       profile->memory_gbytes_s;
	return op->load_ns + cost_kernel_ns(profile, &op->kernel);
}

/* Memory whose node nobody asked for is taken to be near. */
static double cost_node_share(const struct sim_profile *profile, const struct sim_op *op)
{
	int node = sim_pinned_node(sim_copy_describe(op->copy).host.first);
	return profile->node < 0 || node < 0 || node == (int)profile->node
	               ? 1
	               : profile->other_node_share;
}

double sim_cost_link_rate(const struct sim_device *device, const struct sim_op *op, bool both)
{
	const struct sim_profile *profile = sim_profile(device->index);
	bool up = op->engine == SIM_ENGINE_UPLOAD;
	double rate = up ? profile->up_gbytes_s : profile->down_gbytes_s;
	double pageable = up ? profile->pageable_up_gbytes_s : profile->pageable_down_gbytes_s;
	if (pageable > 0 && sim_copy_describe(op->copy).pageable)
		rate = pageable;
	return rate * cost_node_share(profile, op) * (both ? profile->duplex : 1);
}
