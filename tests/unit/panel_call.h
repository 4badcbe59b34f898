/* panel_call.h - the machine and the calls that tests of the planner share */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_UNIT_PANEL_CALL_H
#define GPUSHIM_TESTS_UNIT_PANEL_CALL_H

#include "policy/plan/panels.h"

/* An H200 on PCI Express 5, see config/machines/h200.conf, with memory for all operands. */
static const struct panel_rates h200 = {.up_bytes_s = 55.3e9,
                                        .down_bytes_s = 53e9,
                                        .duplex = 0.92,
                                        .work_flops_s = 55e12,
                                        .operation_ns = 8000,
                                        .copy_ns = 8000,
                                        .tile = 128,
                                        .units = 132,
                                        .copy_bytes = 32 << 20,
                                        .memory_bytes = UINT64_C(140) << 30};

/* In double precision, alpha 1 and beta 0. */
static inline struct panel_problem panel_call(enum family family, int64_t m, int64_t n, int64_t k)
{
	return (struct panel_problem){.family = family,
	                              .element = ELEMENT_D,
	                              .blas = {.m = m, .n = n, .k = k, .alpha = {1}}};
}

#endif
