/* lapack_plan.h - LU and Cholesky as the engine plans them, with the rates of the model; pure */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_DECIDE_LAPACK_PLAN_H
#define GPUSHIM_POLICY_DECIDE_LAPACK_PLAN_H

#include "policy/call/call.h"
#include "policy/factor/factor_plan.h"
#include "policy/machine/panel_rates.h"

/* The factorization that a call begins with. false: its family is none that is planned. */
bool lapack_plan_find_problem(const struct call *call, struct factor_problem *problem);

/*
 * The rates of its plan: those of products, with the latencies that the machine's curves tell, else
 * lapack_cost.def. machine may be NULL.
 */
struct factor_rates lapack_plan_find_rates(const struct machine *machine, const struct call *call,
                                           const struct panel_rates *rates, double memory_bytes_s);

/* Bytes of A, or of B, that the plan sends, and as many that come back. */
double lapack_plan_count_bytes(const struct factor_problem *problem, bool of_b);

/* Whether the plan takes less time than in, solve, out. */
bool lapack_plan_wants(const struct factor_problem *problem, const struct factor_rates *rates);

/* What B leaves of the device's memory to blocks of A; 0: too little for a plan. */
double lapack_plan_find_share(const struct factor_problem *problem, double memory_bytes);

/*
 * Sets the problem's room where the operands take more than the device's memory for the call, and
 * blocks can take turns there. memory_bytes: 0 if it is not known.
 */
void lapack_plan_limit(struct factor_problem *problem, double memory_bytes);

/* Bytes of the factor that are sent a second time and more often then. */
double lapack_plan_count_again(const struct factor_problem *problem, double memory_bytes);

/*
 * A formula for the time of the plan, from the time of each part alone: all that is sent, the
 * factors that come back, and X, which comes back last. Never less where a part or a size is more,
 * or duplex less.
 */
struct lapack_plan_times {
	double in_ns, work_ns, out_ns, last_ns, duplex;
};
double lapack_plan_estimate(const struct factor_problem *problem,
                            const struct lapack_plan_times *times);

#endif
