/* cpu_batch.h - computes some problems of a batch by the CPU library */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_CPU_CPU_BATCH_H
#define GPUSHIM_SHIM_EXECUTE_CPU_CPU_BATCH_H

#include "policy/call/call.h"

/*
 * Computes the problems from begin to before end of a legal batch, counted over the whole batch,
 * and writes nothing else: by the library's Fortran routine of batches, else by its gemm for each
 * problem, else in plain loops. Handlers of the program do not run meanwhile.
 */
void cpu_batch_run(const struct call *call, const void *caller, int64_t begin, int64_t end);

/* The same, and handlers of the program run meanwhile. */
void cpu_batch_run_open(const struct call *call, const void *caller, int64_t begin, int64_t end);

#endif
