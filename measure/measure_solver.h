/* measure_solver.h - the speed of cuSOLVER, by the shim's own recipes */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_MEASURE_MEASURE_SOLVER_H
#define GPUSHIM_MEASURE_MEASURE_SOLVER_H

#include "shim/execute/gpu/lapack/solver.h"
#include "shim/execute/gpu/session/probe.h"

/*
 * cuSOLVER on the probe's lane. start_ns: what opening its library and making its handle took.
 * given: the matrix that each call gets a copy of, in the probe's device memory.
 */
struct measure_solver {
	const struct probe *probe;
	struct solver *solver;
	double start_ns;
	char *given;
	uint64_t matrix_bytes;
	void *host_work;
};

/*
 * Opens cuSOLVER, once per process; the probe has been started. Returns REASON_NONE, or why there
 * is none.
 */
enum reason measure_solver_open(struct measure_solver *measure, const struct probe *probe);

/*
 * Places the square call of this family of this order, in doubles with the vectors that the GPU can
 * compute, in the probe's memory. REASON_DEVICE_MEMORY where it does not fit,
 * REASON_FUNCTION_MISSING where this cuSOLVER has no function for it.
 */
enum reason measure_solver_take(struct measure_solver *measure, enum family family, int64_t order);

/* Seconds of one call without its copies over the link; NaN where it failed. */
double measure_solver_call(struct measure_solver *measure);

/* Why the last call failed. */
enum reason measure_solver_find_reason(const struct measure_solver *measure);

#endif
