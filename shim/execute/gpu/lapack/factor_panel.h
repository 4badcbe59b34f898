/* factor_panel.h - one panel of a factorization: factored on the lane's blocking thread */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_LAPACK_FACTOR_PANEL_H
#define GPUSHIM_SHIM_EXECUTE_GPU_LAPACK_FACTOR_PANEL_H

#include "policy/factor/factor_plan.h"
#include "shim/execute/gpu/lapack/solve.h"

/*
 * Memory of all panels of a call, and the panel under way. info: of each panel; raw: pivots of one,
 * as cuSOLVER leaves them. pivots: of the whole matrix, from 1 on, as laswp reads them; kept: the
 * same as int64_t, for the program. Fields that begin with host_, and kept, are host memory of the
 * lane's, the others device memory.
 */
struct factor_panel {
	const struct cuda_solver *api;
	void *handle, *params;
	enum factor_form form;
	bool frugal; /* LU with less workspace, more slowly */
	int type, triangle;
	struct solve_room room;
	void *work, *host_work;
	int64_t *raw, *host_raw;
	int *pivots, *host_pivots, *info, *host_info;
	int64_t *kept;
	/*
	 * The panel: its number from 1 on, its first row and column, and its size. last_: the size
	 * of the last one. count: of all.
	 */
	int64_t number, count;
	uint32_t step;
	int64_t first, rows, columns, last_rows, last_columns, ld;
	char *memory;
};

/* Bytes that panels take beside their workspace. least: the pivots of the matrix. */
struct solve_room factor_panel_find_room(const struct factor_panel *panel, int64_t least);

/* Places what they take. */
void factor_panel_place(struct factor_panel *panel, char *device, char *host, int64_t least);

/* For blocking_run: the workspace of a panel of this size, and of the last one: panel->room. */
enum reason factor_panel_measure(struct lane *lane, void *panel);

/*
 * For blocking_begin: factors the panel. With pivots it waits for the panel, because pivots that
 * are none would take the device to other memory; also with a workspace on the host, which the next
 * panel uses. REASON_NOT_SOLVED: a pivot is 0, or a minor not positive.
 */
enum reason factor_panel_run(struct lane *lane, void *panel);

/* For blocking_run: waits for the panels so far. REASON_NOT_SOLVED as above. */
enum reason factor_panel_end(struct lane *lane, void *panel);

/*
 * Then, in the flow's thread: the pivots for laswp. The flow knows of the copy, so that no call
 * ends with it pending.
 */
enum reason factor_panel_send(const struct factor_panel *panel, struct lane *lane);

#endif
