/* operand_proof.c - what was found unchanged is taken for unchanged, and asked about later */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/resident/operand_proof.h"

#include "shim/execute/gpu/resident/track.h"

/* So many calls in a row have found all of it unchanged. */
enum { OPERAND_PROOF_PROOFS = 2 };

/* In small pages the kernel takes 5 to 10 us for a part. Tests with small operands need less. */
#ifndef OPERAND_PROOF_PART_BYTES
#define OPERAND_PROOF_PART_BYTES (8 << 20)
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

/* What the kernel is to be asked next; empty: nothing is left. */
static struct pages_span operand_proof_next_part(const struct resident_operand *operand,
                                                 uintptr_t asked_end)
{
	struct pages_span part = pages_around(host_view_hull(&operand->view));
	if (asked_end > part.start)
		part.start = asked_end;
	if (!pages_is_empty(part) && part.end - part.start > OPERAND_PROOF_PART_BYTES)
		part.end = part.start + OPERAND_PROOF_PART_BYTES;
	return part;
}

enum track_reason operand_proof_begin(struct operand_plan_context *context,
                                      const struct resident_operand *operand,
                                      struct resident_question question[], int *count)
{
	const int most = *count;
	uintptr_t asked_end = operand->asked_end;
	*count = 0;
	if (asked_end == 0) {
		const enum track_reason reason = operand_plan_guard(context);
		if (reason != TRACK_REASON_NONE)
			return reason;
	}
	while (operand_proof_stands(operand) && *count < most) {
		const struct pages_span part = operand_proof_next_part(operand, asked_end);
		if (pages_is_empty(part) || !pages_begin(&question[*count].clean, part))
			break;
		asked_end = part.end;
		++*count;
	}
	return TRACK_REASON_NONE;
}

void operand_proof_ask(struct resident_question *question)
{
	track_scan(question->clean.span, &question->clean);
}

/*
 * An answer is of no use once another call has armed pages of the window anew. It need not be of
 * this moment: what was written after the kernel was asked is written while the call reads it.
 */
enum resident_proof operand_proof_end(struct operand_plan_context *context,
                                      struct resident_operand *operand,
                                      const struct resident_question question[], int count)
{
	for (int i = 0; i < count; i++) {
		if (operand_proof_stands(operand))
			operand_plan_classify(context, operand->window, &question[i].clean);
		operand->asked_end = question[i].clean.span.end;
	}
	if (!operand_proof_stands(operand))
		return RESIDENT_REFUTED;
	if (operand->asked_end < host_view_hull(&operand->view).end)
		return RESIDENT_PENDING;
	operand->is_unproven = false;
	operand->window->proofs++;
	if (!context->tracks_at_once)
		operand_plan_note_hit(operand);
	return RESIDENT_PROVEN;
}
