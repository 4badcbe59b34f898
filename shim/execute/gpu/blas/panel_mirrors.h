/* panel_mirrors.h - operands of a planned call that are on the device already, or stay there */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_BLAS_PANEL_MIRRORS_H
#define GPUSHIM_SHIM_EXECUTE_GPU_BLAS_PANEL_MIRRORS_H

#include "shim/execute/gpu/blas/gpu_batch.h"
#include "shim/execute/gpu/blas/panel_job.h"

/* call: NULL where nothing is tracked; mirror: one for each operand, maybe an empty one. */
struct panel_mirrors {
	struct mirrors *call;
	const struct mirror *mirror[OPERAND_COUNT];
};

/*
 * Plans the operands of the group, and sets which of them the problem holds. uses: they may have
 * mirrors; otherwise it is only noted that C is written. defers: see mirrors_defer; the job proves
 * them.
 */
void panel_mirrors_begin(struct panel_mirrors *mirrors, struct lane *lane,
                         const struct gpu_group *group, struct panel_problem *problem, bool uses,
                         bool defers);

/* The device had no room for the call, for this reason: whether to begin again without mirrors. */
bool panel_mirrors_give_way(const struct panel_mirrors *mirrors, enum reason reason);

/* A call on one device uses them; one that is divided does not. */
void panel_mirrors_use(const struct panel_mirrors *mirrors, struct panel_job *job);
void panel_mirrors_skip(const struct panel_mirrors *mirrors);

/* Not where the call has lost its lane. Whether the job found that the call is to be repeated. */
bool panel_mirrors_retreat(const struct panel_mirrors *mirrors);
void panel_mirrors_end(const struct panel_mirrors *mirrors, bool fine);

#endif
