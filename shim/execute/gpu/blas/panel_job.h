/* panel_job.h - planned problems as one flow: copies, kernels, and what was not committed */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_BLAS_PANEL_JOB_H
#define GPUSHIM_SHIM_EXECUTE_GPU_BLAS_PANEL_JOB_H

#include "policy/plan/region.h"
#include "shim/execute/gpu/engine/flow.h"
#include "shim/execute/gpu/engine/mirrors.h"

/* One planned problem. problem.blas has its addresses in the program's memory. */
struct panel_job_part {
	struct panel_problem problem;
	struct panel_plan plan;
	struct matrix matrix[OPERAND_COUNT];
	bool locked[OPERAND_COUNT]; /* page-locked by the program */
	/* NULL, or where the operand lies on the device, in the layout of the program's memory */
	char *mirror[OPERAND_COUNT];
	struct pack_rule rule, square; /* of stores, and of loads of a square A */
	bool ruled, backward;
	uint32_t first, base[PANEL_KINDS]; /* steps of the earlier parts: all, and of each kind */
	uint32_t end; /* results of the plan's steps from here on are another thread's */
};

/* The parts of one device, carried out one after the other in one arena. */
struct panel_job {
	struct lane *lane;
	char *arena;
	int count;
	uint32_t steps;
	struct panel_job_part part[REGION_PROBLEMS];
	/* Held operands, whose areas are sent before the parts; the number of these areas. */
	const struct mirror *held[OPERAND_COUNT];
	uint32_t areas;
	struct mirrors *unproven; /* to be proven before the first store; or NULL */
};

/* Adds a problem and its plan, which the job then owns. */
void panel_job_add(struct panel_job *job, const struct panel_problem *problem,
                   const struct panel_plan *plan, const bool locked[OPERAND_COUNT]);

/*
 * A job of one part uses the mirrors, which must outlive it: of operands that its problem says are
 * held, and of those that have a mirror without being held, which are loaded there.
 */
void panel_job_use_mirrors(struct panel_job *job, const struct mirror *const mirror[OPERAND_COUNT]);

/* Frees the plans; the lane and its memory stay. */
void panel_job_clear(struct panel_job *job);

/* Bytes of an arena for any of the parts. */
uint64_t panel_job_arena_bytes(const struct panel_job *job);

/* The job as a flow's program; the job must not move meanwhile. */
struct flow_program panel_job_program(const struct panel_job *job);

/*
 * Calls visit for each region of C that was not committed, with its part, and rows and columns of
 * that part's C. Of families that overwrite an operand the regions are as region_cut requires.
 */
typedef void panel_visit(void *self, const struct panel_job_part *part, struct panel_span row,
                         struct panel_span column);
void panel_job_visit_rest(const struct panel_job *job, const struct flow_progress *progress,
                          panel_visit *visit, void *self);

#endif
