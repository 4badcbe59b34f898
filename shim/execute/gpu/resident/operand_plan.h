/* operand_plan.h - what an operand lacks on the device, and which of its pages are armed */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_RESIDENT_OPERAND_PLAN_H
#define GPUSHIM_SHIM_EXECUTE_GPU_RESIDENT_OPERAND_PLAN_H

#include "policy/resident/admission.h"
#include "policy/resident/track_reason.h"
#include "shim/execute/gpu/resident/operand_context.h"
#include "shim/execute/gpu/resident/resident_operand.h"

/*
 * So many looks in a row that found all of an input unchanged have the next call take it for
 * unchanged until it is asked about.
 */
enum { OPERAND_PLAN_PROOFS = 2 };

/* Callers hold the mutex of resident.c. */

/*
 * Fills what view and access of the operand leave open. Returns TRACK_REASON_NONE, or why nothing
 * may be tracked any more; the operand then has to be planned as untracked.
 */
enum track_reason operand_plan_read(struct operand_context *context,
                                    struct resident_operand *operand);
/* defers: pages of it that are armed may stay so until operand_proof has disarmed them. */
enum track_reason operand_plan_write(struct operand_context *context,
                                     struct resident_operand *operand, bool defers);

/* The run is in the mirror. */
void operand_plan_note_sent(struct resident_operand *operand, struct pages_span run);
/* At the end of the call: the operand's result may be valid from now on. */
enum track_reason operand_plan_note_result(struct operand_context *context,
                                           struct resident_operand *operand);
/* The operand's window is left to others. */
void operand_plan_end(struct resident_operand *operand);

/*
 * Of operands of a call: a sibling of the same window that was planned before, with this
 * generation, keeps its copies. No page of its own was armed again.
 */
void operand_plan_follow(struct resident_operand *operands, int count,
                         const struct resident_operand *operand, const uint64_t generation[]);

/* Parts of the above, for operands that are proven later, and for those whose pages are hashed. */

/* Valid pages of this part of the window that are not clean are not valid any more. */
void operand_plan_classify(struct operand_context *context, struct window *window,
                           const struct pages_set *clean);
/* All of a tracked operand is unchanged. */
void operand_plan_note_hit(const struct resident_operand *operand);

/* Whether most of the operand lies in pages of its own, and is worth a window. */
bool operand_plan_is_worth_it(const struct host_view *view);
bool operand_plan_find_window(struct resident_operand *operand, bool may_make);
/*
 * Of what a call reads and then overwrites: whether its sample shows that a result is worth keeping
 * for that; then the same of a result that is kept.
 */
bool operand_plan_takes_update(const struct resident_operand *operand, struct admission *admission);
void operand_plan_note_update(const struct resident_operand *operand, struct admission *admission);
/* From here on the window is in use. */
void operand_plan_settle(struct resident_operand *operand, bool is_kept);
/* Nothing that happened since the plan has made the copies void. */
bool operand_plan_is_current(const struct resident_operand *operand);

#endif
