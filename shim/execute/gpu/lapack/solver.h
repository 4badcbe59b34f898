/* solver.h - cuSOLVER in this process: opened at its first use; a handle per lane */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_LAPACK_SOLVER_H
#define GPUSHIM_SHIM_EXECUTE_GPU_LAPACK_SOLVER_H

#include "shim/execute/gpu/cuda/cuda_solver.h"
#include "shim/execute/gpu/lapack/factor_panel.h"
#include "shim/execute/gpu/lapack/solve.h"

/* Workspaces that are kept in mind for a lane: those of the last shapes. */
enum { SOLVER_SHAPES = 16 };

/* All that the workspace of a call depends on. */
struct solver_shape {
	enum family family;
	enum element element;
	int letters[6];
	int64_t m, n, k, nrhs, ld; /* ld: of A on the device */
};

struct solver_size {
	struct solver_shape shape;
	struct solve_room room;
};

/*
 * What a lane keeps of cuSOLVER between calls. It is never freed: a thread that hangs in a call may
 * still use it. host: host memory for the recipe, of host_bytes.
 */
struct solver {
	void *handle, *params, *small_params; /* small: getrf with less workspace, more slowly */
	bool prepared;
	struct solver_size size[SOLVER_SHAPES];
	int sizes;
	void *host;
	uint64_t host_bytes;
	struct solve solve;        /* of the current call */
	struct factor_panel panel; /* the same, of a call that is planned */
	struct factor_plan plan;   /* of that call too, which frees it */
};

/*
 * Opens cuSOLVER at the first call, with a message where that is not possible; from any thread.
 * REASON_WARMING_UP: another thread opens it, or holds a lock of the loader, which cuSOLVER may
 * need. REASON_FUNCTION_MISSING: there is none.
 */
enum reason solver_open(const struct cuda_solver **api);

/* The lane's solver, without a handle at first; NULL: no memory. */
struct solver *solver_find(struct lane *lane);

/* Host memory of at least size_bytes in solver->host. */
enum reason solver_take_host(struct solver *solver, uint64_t size_bytes);

/* The workspace of a shape, if it is known, and a place to note it. */
bool solver_recall(const struct solver *solver, const struct solver_shape *shape,
                   struct solve_room *room);
void solver_note(struct solver *solver, const struct solver_shape *shape,
                 const struct solve_room *room);

/* Makes the lane's handle and parameters, once; on the lane's blocking thread. */
enum reason solver_prepare(struct lane *lane, const struct cuda_solver *api);

/* Whether a lane of the device has got a handle. */
bool solver_is_started(int device);

#endif
