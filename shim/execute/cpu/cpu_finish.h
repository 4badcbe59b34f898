/* cpu_finish.h - computes parts of a BLAS call by the CPU library, after the GPU has given up on them */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_CPU_CPU_FINISH_H
#define GPUSHIM_SHIM_EXECUTE_CPU_CPU_FINISH_H

#include "policy/plan/region.h"

/*
 * Computes C[row, column] of a legal level-3 call that is no batch, and writes nothing else: by the
 * library that caller would reach (its Fortran names), else by plain loops. Reads all operands; for
 * trmm and trsm see region.h.
 */
void cpu_finish_region(const struct call *call, const void *caller, struct panel_span row,
                       struct panel_span column);

#endif
