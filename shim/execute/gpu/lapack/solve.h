/* solve.h - one LAPACK call on a device: its arrays there, and the steps of recipes */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_LAPACK_SOLVE_H
#define GPUSHIM_SHIM_EXECUTE_GPU_LAPACK_SOLVE_H

#include "policy/call/lapack_operand.h"
#include "shim/execute/gpu/cuda/cuda_solver.h"
#include "shim/execute/gpu/device/lanes.h"

/* Most steps of a recipe that report an info. */
enum { SOLVE_INFOS = 4 };

/* Workspace, on the device and on the host. */
struct solve_room {
	uint64_t device_bytes, host_bytes;
};

/* An operand on the device, column-major. Pivots are int64_t there. memory NULL: there is none. */
struct solve_array {
	char *memory;
	int64_t rows, columns, ld;
};

/*
 * A call for its recipe. measures: steps compute nothing, and enlarge room to what they need; else
 * room is what they have, from work and host_work on. The first step that fails sets reason, and
 * the steps after it do nothing. info: of each step, on the device; infos: written so far. The
 * addresses in call are the program's, and not followed here.
 */
struct solve {
	const struct cuda_solver *api;
	struct lane *lane;
	void *handle, *params;
	struct call call;
	struct solve_array array[LAPACK_NAMES];
	bool measures, frugal; /* frugal: params ask for little workspace */
	struct solve_room room;
	char *work;
	void *host_work;
	int *info, infos;
	void *tail; /* on the host; the device's begins with info */
	uint64_t tail_bytes;
	enum reason reason;
};

/* Of a status of cuSOLVER. */
enum reason solve_judge_status(int status);

/* -- steps: cuSOLVER's functions -- */

/* A := its factors L and U, with pivots in IPIV. */
void solve_getrf(struct solve *solve);
/* B := X of op(A) X = B, with A and IPIV from getrf. */
void solve_getrs(struct solve *solve, enum transpose trans);
/* The triangle of A that the call names := its Cholesky factor. */
void solve_potrf(struct solve *solve);
/* B := X of A X = B, with A from potrf. */
void solve_potrs(struct solve *solve);

#endif
