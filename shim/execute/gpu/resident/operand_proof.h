/* operand_proof.h - inputs that are proven unchanged after their plan, part by part */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_RESIDENT_OPERAND_PROOF_H
#define GPUSHIM_SHIM_EXECUTE_GPU_RESIDENT_OPERAND_PROOF_H

#include "shim/execute/gpu/resident/operand_plan.h"

/* Plans an input that the last calls found unchanged, without asking the kernel; false: another. */
bool operand_proof_guess(struct resident_operand *operand);
/*
 * Asks about the next parts of it, at any time in the call, which does not write it: see
 * resident_prove_begin. The mutex is not held while a question is asked.
 */
enum track_reason operand_proof_begin(struct operand_context *context,
                                      const struct resident_operand *operand,
                                      struct resident_question question[], int *count);
void operand_proof_ask(struct resident_question *question);
enum resident_proof operand_proof_end(struct operand_context *context,
                                      struct resident_operand *operand,
                                      const struct resident_question question[], int count);

#endif
