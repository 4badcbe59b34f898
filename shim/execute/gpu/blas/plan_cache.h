/* plan_cache.h - plans of calls like recent ones: which choice was best is remembered, only the steps are new */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_BLAS_PLAN_CACHE_H
#define GPUSHIM_SHIM_EXECUTE_GPU_BLAS_PLAN_CACHE_H

#include "policy/plan/panels.h"

/*
 * panels_plan, unless the same call was planned a while ago: then its choice is taken. Where the
 * operands do not fit into the memory, somewhat less of it is used, so that a little more or less
 * of it makes no other call. From any thread.
 */
bool plan_cache_plan(const struct panel_problem *problem, const struct panel_rates *rates,
                     struct panel_plan *plan);

/* For tests: how many plans were remembered. */
uint64_t plan_cache_count_found(void);

#endif
