/* operand_proof.c - what was found unchanged is taken for unchanged, and asked about later */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/resident/operand_proof.h"

/* So many calls in a row have found all of it unchanged. */
enum { OPERAND_PROOF_PROOFS = 2 };

/* In small pages the kernel takes 10 to 20 us for a part. Tests with small operands need less. */
#ifndef OPERAND_PROOF_PART_BYTES
#define OPERAND_PROOF_PART_BYTES (16 << 20)
#endif

bool operand_proof_guess(struct resident_operand *operand)
{
	const struct window *window = windows_find(&operand->view);
	if (window == NULL || window->mirror == NULL || window->proofs < OPERAND_PROOF_PROOFS ||
	    !window->is_whole || !windows_shares(window, &operand->view))
		return false;
	operand_plan_find_window(operand, false);
	operand_plan_settle(operand, false);
	operand->shares = operand->is_unproven = true;
	return true;
}

/*
 * No page was found written, by this call or another one. Another call may have found some, and
 * armed and sent them since: by then a kernel of this one may have read what was there before. Or
 * it has found pages written that the window shared, and the window is whole without any by now.
 */
static bool operand_proof_stands(const struct resident_operand *operand)
{
	const struct window *window = operand->window;
	return !window->is_dropped && window->is_whole && windows_shares(window, &operand->view) &&
	       window->generation == operand->generation;
}

/* What the kernel is to be asked next. */
static struct pages_span operand_proof_next_part(const struct resident_operand *operand)
{
	struct pages_span part = pages_around(host_view_hull(&operand->view));
	if (operand->asked_end > part.start)
		part.start = operand->asked_end;
	if (part.end - part.start > OPERAND_PROOF_PART_BYTES)
		part.end = part.start + OPERAND_PROOF_PART_BYTES;
	return part;
}

enum track_reason operand_proof_ask(struct operand_plan_context *context,
                                    struct resident_operand *operand, enum resident_proof *proof)
{
	const struct pages_span part = operand_proof_next_part(operand);
	*proof = RESIDENT_REFUTED;
	if (operand->asked_end == 0) {
		const enum track_reason reason = operand_plan_guard(context);
		if (reason != TRACK_REASON_NONE)
			return reason;
	}
	if (!operand_proof_stands(operand) ||
	    !operand_plan_look_at_part(context, operand->window, part) ||
	    !operand_proof_stands(operand))
		return TRACK_REASON_NONE;
	*proof = RESIDENT_PENDING;
	operand->asked_end = part.end;
	if (part.end < host_view_hull(&operand->view).end)
		return TRACK_REASON_NONE;
	*proof = RESIDENT_PROVEN;
	operand->is_unproven = false;
	operand->window->proofs++;
	if (!context->tracks_at_once)
		operand_plan_note_hit(operand);
	return TRACK_REASON_NONE;
}
