/* operand_runs.h - the bytes of an operand that a window lacks, as a list of runs */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_RESIDENT_OPERAND_RUNS_H
#define GPUSHIM_SHIM_EXECUTE_GPU_RESIDENT_OPERAND_RUNS_H

#include "shim/execute/gpu/resident/resident_operand.h"

/* Lists the bytes whose pages are not valid in the operand's window; false without memory. */
bool operand_runs_list(struct resident_operand *operand);
void operand_runs_free(struct resident_operand *operand);

#endif
