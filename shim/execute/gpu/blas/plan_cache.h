/* plan_cache.h - remembers the planner's choices for recent calls */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_BLAS_PLAN_CACHE_H
#define GPUSHIM_SHIM_EXECUTE_GPU_BLAS_PLAN_CACHE_H

#include "policy/plan/panels.h"

/*
 * panels_plan, but with the remembered choice for a call that was planned before. Where the
 * operands do not fit, the memory is rounded down, so that small changes of it find the same
 * choice. From any thread.
 */
bool plan_cache_plan(const struct panel_problem *problem, const struct panel_rates *rates,
                     struct panel_plan *plan);

/* For tests: how many plans were remembered. */
uint64_t plan_cache_count_found(void);

#endif
