/* mirror_proof.c - questions to the kernel as jobs of the copy threads */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/engine/mirror_proof.h"

#include "shim/execute/gpu/copy/copiers.h"
#include "shim/execute/gpu/copy/copy_jobs.h"

static void mirror_proof_ask(void *question)
{
	resident_ask(question);
}

static enum resident_proof mirror_proof_end(struct mirror_proof *proof)
{
	const int count = proof->count;
	proof->count = 0;
	return resident_prove_end(proof->operand, proof->question, count);
}

static enum resident_proof mirror_proof_submit(struct mirror_proof *proof)
{
	for (int i = 0; i < proof->count; i++)
		proof->job[i] = (struct copy_job){.kind = COPY_ASK,
		                                  .ask = mirror_proof_ask,
		                                  .question = &proof->question[i],
		                                  .bell = &proof->bell};
	copiers_submit_all(proof->job, proof->count);
	return RESIDENT_AWAITED;
}

enum resident_proof mirror_proof_go_on(struct mirror_proof *proof, struct resident_operand *operand)
{
	if (proof->count > 0 && proof->operand != operand)
		mirror_proof_stop(proof);
	if (proof->count > 0)
		return copy_jobs_have_ended(proof->job, proof->count) ? mirror_proof_end(proof)
		                                                      : RESIDENT_AWAITED;
	int count = copiers_count() > 1 ? MIRROR_PROOF_QUESTIONS : 1;
	const enum resident_proof known = resident_prove_begin(operand, proof->question, &count);
	proof->operand = operand;
	proof->count = count;
	if (count == 0)
		return known;
	if (count > 1)
		return mirror_proof_submit(proof);
	resident_ask(&proof->question[0]);
	return mirror_proof_end(proof);
}

void mirror_proof_stop(struct mirror_proof *proof)
{
	if (proof->count == 0)
		return;
	copy_jobs_recall(proof->job, proof->count);
	resident_prove_cancel(proof->question, proof->count);
	proof->count = 0;
}
