/* resident_prove.c - whether calls need the room; what they found before, asked anew */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/resident/operand_proof.h"
#include "shim/execute/gpu/resident/resident.h"
#include "shim/execute/gpu/resident/resident_room.h"
#include "shim/execute/gpu/resident/track.h"
#include "shim/rights/call_filter.h"

/* What is read here without the mutex is that of the opening, but for the number of windows. */
bool resident_wants(double send_bytes_s, uint64_t most_bytes)
{
	if (!resident_is_on())
		return false;
	const struct tracking_rates rates = {.look_ns = resident_context.rates.look_ns,
	                                     .sample_ns = resident_context.rates.sample_ns,
	                                     .send_bytes_s = send_bytes_s};
	return resident_context.tracks_at_once || resident_context.hashes || windows_exist() ||
	       tracking_cost_pays_sample(&rates, most_bytes);
}

bool resident_has_mirrors(void)
{
	return windows_exist();
}

static void resident_prove_note(enum resident_proof proof)
{
	resident_repeats = proof == RESIDENT_REFUTED && resident_now == TRACK_REASON_NONE;
}

enum resident_proof resident_prove_begin(struct resident_operand *operand,
                                         struct resident_question question[], int *count)
{
	const int most = *count;
	*count = 0;
	if (!operand->is_unproven && pages_is_empty(operand->armed))
		return RESIDENT_PROVEN;
	if (!resident_enter())
		return RESIDENT_REFUTED;
	if (resident_now == TRACK_REASON_NONE) {
		*count = most;
		resident_suspend(operand_proof_begin(&resident_context, operand, question, count));
	}
	const enum resident_proof proof = *count > 0 ? RESIDENT_PENDING : RESIDENT_REFUTED;
	resident_prove_note(proof);
	resident_leave();
	return proof;
}

void resident_ask(struct resident_question *question)
{
	operand_proof_ask(question);
}

void resident_prove_cancel(struct resident_question question[], int count)
{
	for (int i = 0; i < count; i++)
		pages_end(&question[i].clean);
}

enum resident_proof resident_prove_end(struct resident_operand *operand,
                                       struct resident_question question[], int count)
{
	enum resident_proof proof = RESIDENT_REFUTED;
	if (resident_enter()) {
		if (resident_now == TRACK_REASON_NONE)
			proof = operand_proof_end(&resident_context, operand, question, count);
		resident_prove_note(proof);
		resident_leave();
	}
	resident_prove_cancel(question, count);
	return proof;
}

enum resident_proof resident_prove(struct resident_operand *operand)
{
	struct resident_question question;
	int count = 1;
	const enum resident_proof proof = resident_prove_begin(operand, &question, &count);
	if (count == 0)
		return proof;
	resident_ask(&question);
	return resident_prove_end(operand, &question, count);
}

void resident_prove_later(void)
{
	resident_begin_watch *begin =
		resident_context.has_guess ? resident_context.begin_watch : NULL;
	resident_context.has_guess = false;
	resident_leave();
	if (begin != NULL && !begin())
		resident_context.begin_watch = NULL;
}

/* A filter of system calls may end the program for those that this needs. */
int64_t resident_watch(void)
{
	int64_t wait_ns = 0;
	if (call_filter_is_on() || !resident_enter())
		return 0;
	if (resident_now == TRACK_REASON_NONE && track_is_ours())
		wait_ns = operand_context_watch(&resident_context);
	resident_leave();
	return wait_ns;
}
