/* operand_arm.h - arms pages of a call's operands; internal to the room */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_RESIDENT_OPERAND_ARM_H
#define GPUSHIM_SHIM_EXECUTE_GPU_RESIDENT_OPERAND_ARM_H

#include "shim/execute/gpu/resident/operand_context.h"

/* Callers hold the mutex of resident.c. */

/* Asks the guards, unless this call has done so. */
enum track_reason operand_arm_guard(struct operand_context *context);

/*
 * Arms all pages of the operand's own, and those that it has a part of where its window shares
 * them. false: not all; *reason says why nothing may be tracked any more, if so.
 */
bool operand_arm_all(struct operand_context *context, struct resident_operand *operand,
                     bool is_result, enum track_reason *reason);

/*
 * Arms pages of a result that is current (operand_plan_is_current), and whose bytes up to
 * stored_end are in the program's memory. Returns TRACK_REASON_NONE, or why nothing may be tracked
 * any more.
 */
enum track_reason operand_arm_stored(struct operand_context *context,
                                     struct resident_operand *operand, uintptr_t stored_end);

/*
 * At the end of a call: if pages were armed, whether a descriptor is open by which they may be
 * written unseen. Buffers of an io_uring are pinned some time before the process's pins are
 * accounted, and some never are; one that is registered once a page is armed writes to the page.
 */
enum track_reason operand_arm_search(struct operand_context *context);

/* The armed pages of a result are valid from now on. */
void operand_arm_clear(struct resident_operand *operand);
/* Those that are not are disarmed. */
void operand_arm_end(struct resident_operand *operand);

#endif
