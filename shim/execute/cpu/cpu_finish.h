/* cpu_finish.h - computes what the GPU left undone of a BLAS call, by the CPU library */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_CPU_CPU_FINISH_H
#define GPUSHIM_SHIM_EXECUTE_CPU_CPU_FINISH_H

#include "policy/plan/region.h"

/*
 * Computes C[row, column] of a legal level-3 call that is no batch, and writes nothing else: by the
 * Fortran routines of the library that caller would reach, else in plain loops. Reads all operands;
 * for trmm and trsm see region.h.
 */
void cpu_finish_region(const struct call *call, const void *caller, struct panel_span row,
                       struct panel_span column);

/* The same, but handlers of the program do not run meanwhile. */
void cpu_finish_part(const struct call *call, const void *caller, struct panel_span row,
                     struct panel_span column);

#endif
