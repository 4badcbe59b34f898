/* operand_proof.c - what was found unchanged is taken for unchanged, and asked about later */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/resident/operand_proof.h"

#include "shim/execute/gpu/resident/operand_arm.h"
#include "shim/execute/gpu/resident/track.h"

/* In small pages the kernel takes 5 to 10 us for a part. Tests with small operands need less. */
#ifndef OPERAND_PROOF_PART_BYTES
#define OPERAND_PROOF_PART_BYTES (8 << 20)
#endif

bool operand_proof_guess(struct resident_operand *operand)
{
	const struct window *window = windows_find(&operand->view);
	if (window == NULL || window->mirror == NULL || window->proofs < OPERAND_PLAN_PROOFS ||
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

static bool operand_proof_disarms(const struct resident_operand *operand)
{
	return !pages_is_empty(operand->armed);
}

/* What the kernel is to be asked next; empty: nothing is left. No large page is cut. */
static struct pages_span operand_proof_next_part(const struct resident_operand *operand,
                                                 uintptr_t asked_end)
{
	struct pages_span part = operand_proof_disarms(operand)
	                                 ? operand->armed
	                                 : pages_around(host_view_hull(&operand->view));
	if (asked_end > part.start)
		part.start = asked_end;
	if (pages_is_empty(part) || part.end - part.start <= OPERAND_PROOF_PART_BYTES)
		return part;
	const uintptr_t end = part.start + OPERAND_PROOF_PART_BYTES, edge = track_find_edge(end);
	part.end = edge > part.start ? edge : end;
	return part;
}

/* Files that were lost, and guards, are asked about once for an operand. */
static enum track_reason operand_proof_guard(struct operand_context *context,
                                             const struct resident_operand *operand)
{
	if (operand->asked_end != 0)
		return TRACK_REASON_NONE;
	if (!operand_proof_disarms(operand))
		return operand_arm_guard(context);
	return track_is_ours() ? TRACK_REASON_NONE : TRACK_REASON_LOST;
}

enum track_reason operand_proof_begin(struct operand_context *context,
                                      const struct resident_operand *operand,
                                      struct resident_question question[], int *count)
{
	const int most = *count;
	const bool disarms = operand_proof_disarms(operand);
	uintptr_t asked_end = operand->asked_end;
	*count = 0;
	const enum track_reason reason = operand_proof_guard(context, operand);
	if (reason != TRACK_REASON_NONE)
		return reason;
	while ((disarms || operand_proof_stands(operand)) && *count < most) {
		const struct pages_span part = operand_proof_next_part(operand, asked_end);
		if (pages_is_empty(part) || !pages_begin(&question[*count].clean, part))
			break;
		question[*count].disarms = disarms;
		asked_end = part.end;
		++*count;
	}
	return TRACK_REASON_NONE;
}

/* A page that stays armed costs a page fault, and hides nothing. */
void operand_proof_ask(struct resident_question *question)
{
	if (question->disarms)
		track_disarm(question->clean.span);
	else
		track_scan(question->clean.span, &question->clean);
}

static enum resident_proof operand_proof_end_disarm(struct resident_operand *operand,
                                                    const struct resident_question question[],
                                                    int count)
{
	operand->asked_end = question[count - 1].clean.span.end;
	if (operand->asked_end < operand->armed.end)
		return RESIDENT_PENDING;
	operand->armed = (struct pages_span){0, 0};
	return RESIDENT_PROVEN;
}

/*
 * An answer is of no use once another call has armed pages of the window anew. It need not be of
 * this moment: what was written after the kernel was asked is written while the call reads it.
 */
enum resident_proof operand_proof_end(struct operand_context *context,
                                      struct resident_operand *operand,
                                      const struct resident_question question[], int count)
{
	if (operand_proof_disarms(operand))
		return operand_proof_end_disarm(operand, question, count);
	for (int i = 0; i < count; i++) {
		if (operand_proof_stands(operand))
			operand_plan_classify(context, operand->window, &question[i].clean);
		operand->asked_end = question[i].clean.span.end;
	}
	if (!operand_proof_stands(operand))
		return RESIDENT_REFUTED;
	if (operand->asked_end < host_view_hull(&operand->view).end)
		return RESIDENT_PENDING;
	if (!track_scan_is_own(pages_around(host_view_hull(&operand->view)))) {
		windows_forget_view(&operand->view, NULL);
		return RESIDENT_REFUTED;
	}
	operand->is_unproven = false;
	operand->window->proofs++;
	operand->window->unchanged++;
	if (!context->tracks_at_once)
		operand_plan_note_hit(operand);
	return RESIDENT_PROVEN;
}
