/* hash_plan.h - what an operand lacks on the device, by hashes of its pages */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_RESIDENT_HASH_PLAN_H
#define GPUSHIM_SHIM_EXECUTE_GPU_RESIDENT_HASH_PLAN_H

#include "shim/execute/gpu/resident/operand_plan.h"

/*
 * A page that is valid in a window has a digest there, which is that of the mirror's bytes. A page
 * is hashed only if it holds nothing but bytes of the operand: nobody writes those during a call,
 * so what is hashed at the plan are the bytes that are sent.
 *
 * Callers hold the mutex of resident.c, except for hash_plan_take.
 */

/* Whether the operand, which is read, is to be hashed; then its window is in use. */
bool hash_plan_begin(const struct operand_context *context, struct resident_operand *operand);
/*
 * Hashes its pages, by the threads behind run (NULL: by the caller). false: not all may be read.
 * may_read may be NULL.
 */
bool hash_plan_take(struct resident_operand *operand, resident_run_parts *run,
                    resident_may_read *may_read);
/*
 * Lists what is to be sent. Without memory for the list, and where not all was hashed, the operand
 * is not tracked.
 */
void hash_plan_settle(struct operand_context *context, struct resident_operand *operand,
                      bool is_hashed);

/* An operand that is written and not read: whether its result is worth hashing by now. */
void hash_plan_note_write(const struct operand_context *context, const struct host_view *view);

/* The run is in the mirror. */
void hash_plan_note_sent(struct resident_operand *operand, struct pages_span run);

/* At the end of the call: whether the result is to be hashed; and once that is so or not. */
bool hash_plan_begin_result(struct resident_operand *operand);
void hash_plan_note_result(struct operand_context *context, struct resident_operand *operand,
                           bool is_hashed);

#endif
