/* resident_prove.c - whether an operand is unchanged, asked while the device works */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/resident/operand_proof.h"
#include "shim/execute/gpu/resident/resident.h"
#include "shim/execute/gpu/resident/resident_room.h"

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
