/* panel_job.h - planned problems as one flow: what each step copies, which kernel it is, and what was left undone */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_BLAS_PANEL_JOB_H
#define GPUSHIM_SHIM_EXECUTE_GPU_BLAS_PANEL_JOB_H

#include "policy/plan/region.h"
#include "shim/execute/gpu/engine/flow.h"

/* One planned problem. problem.blas holds its addresses in the program's memory. */
struct panel_job_part {
	struct panel_problem problem;
	struct panel_plan plan;
	struct matrix matrix[OPERAND_COUNT];
	bool locked[OPERAND_COUNT]; /* page-locked by the program */
	struct pack_rule rule;
	bool ruled, backward;
	uint32_t first, base[PANEL_KINDS]; /* steps of the parts before, in all and of each kind */
};

/* The parts that one device does, one after the other, with the same memory. */
struct panel_job {
	struct lane *lane;
	char *arena;
	int count;
	uint32_t steps;
	struct panel_job_part part[REGION_PROBLEMS];
};

/* Adds a problem to the job, with its plan, which the job then owns. */
void panel_job_add(struct panel_job *job, const struct panel_problem *problem,
                   const struct panel_plan *plan, const bool locked[OPERAND_COUNT]);

/* Drops the parts; the lane and what was taken by it stay. */
void panel_job_clear(struct panel_job *job);

/* The arena that all parts can use in turn. */
uint64_t panel_job_arena_bytes(const struct panel_job *job);

/* The job as a flow does it; the job must stay where it is. */
struct flow_program panel_job_program(const struct panel_job *job);

/*
 * Calls visit for each region of C that was not committed: of which part, rows and columns of that
 * part's C. Those of families that overwrite an operand are as region_cut wants them.
 */
typedef void panel_visit(void *self, const struct panel_job_part *part, struct panel_span row,
                         struct panel_span column);
void panel_job_visit_rest(const struct panel_job *job, const struct flow_progress *progress,
                          panel_visit *visit, void *self);

#endif
