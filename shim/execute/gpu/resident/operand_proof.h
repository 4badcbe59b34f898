/* operand_proof.h - inputs that are proven unchanged after their plan, part by part */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_RESIDENT_OPERAND_PROOF_H
#define GPUSHIM_SHIM_EXECUTE_GPU_RESIDENT_OPERAND_PROOF_H

#include "shim/execute/gpu/resident/operand_plan.h"

/* Plans an input that the last calls found unchanged, without asking the kernel; false: another. */
bool operand_proof_guess(struct resident_operand *operand);
/* Asks about the next part of it, at any time in the call, which does not write it. */
enum track_reason operand_proof_ask(struct operand_plan_context *context,
                                    struct resident_operand *operand, enum resident_proof *proof);

#endif
