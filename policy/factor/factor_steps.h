/* factor_steps.h - the steps of a factorization, and when each of them ends; internal, pure */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_FACTOR_FACTOR_STEPS_H
#define GPUSHIM_POLICY_FACTOR_FACTOR_STEPS_H

#include "policy/factor/factor_plan.h"

/*
 * Columns count from 0 over A and then B. A failure (no host memory) is kept, and later calls do
 * nothing. keeps: false where only the time is asked for.
 */
struct factor_steps {
	const struct factor_problem *problem;
	const struct factor_rates *rates;
	struct factor_plan *plan;
	int64_t width;
	bool keeps, failed;
	uint32_t room, times_room[FACTOR_KINDS];
	uint32_t loads;                 /* those that the kernels so far wait for */
	uint64_t kept;                  /* elements of the loads that the host keeps */
	double *times_ns[FACTOR_KINDS]; /* when each step of the kind ends */
	double end_ns[FACTOR_KINDS];    /* of the last step of each kind */
};

/* Begins a plan, whose steps are the caller's. */
struct factor_steps factor_steps_begin(const struct factor_problem *problem,
                                       const struct factor_rates *rates, int64_t width, bool keeps,
                                       struct factor_plan *plan);

/* Adds the loads of all columns, width at a time. */
void factor_steps_load_all(struct factor_steps *steps);

/*
 * Adds the load of a block with its place. after: as of a step. kept: the host keeps it, because it
 * is overwritten later.
 */
void factor_steps_load(struct factor_steps *steps, const struct factor_block *block,
                       const uint32_t *after, bool kept);

/* Finds the time of the plan. false if it failed: the plan is empty then. */
bool factor_steps_end(struct factor_steps *steps);

/* How many columns the link has delivered when the last kernel so far ends, at least `least`. */
int64_t factor_steps_find_loaded(const struct factor_steps *steps, int64_t least);

/*
 * Adds a kernel on columns before `loaded`, for which it waits; none where z is empty. Blocks have
 * no places: A and B lie on the device.
 */
void factor_steps_work(struct factor_steps *steps, const struct factor_work *work, int64_t loaded);

/* The same on blocks with places, after so many loads. */
void factor_steps_work_after(struct factor_steps *steps, const struct factor_work *work,
                             uint32_t loads);

/*
 * Adds the store of what the kernels so far have made of a block; none where it is empty. Without
 * a place: as above.
 */
void factor_steps_store(struct factor_steps *steps, const struct factor_block *block);

#endif
