/* mirror_proof.h - operands of a call that are proven unchanged by several threads at once */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_ENGINE_MIRROR_PROOF_H
#define GPUSHIM_SHIM_EXECUTE_GPU_ENGINE_MIRROR_PROOF_H

#include "shim/execute/gpu/copy/copy_job.h"
#include "shim/execute/gpu/resident/resident.h"

/* 8 MiB each: what is under way at a time is 256 MiB of an operand. */
enum { MIRROR_PROOF_QUESTIONS = 32 };

/* The questions that are under way, of one operand. It is the lane's, so it outlives the call. */
struct mirror_proof {
	struct resident_operand *operand;
	struct resident_question question[MIRROR_PROOF_QUESTIONS];
	struct copy_job job[MIRROR_PROOF_QUESTIONS];
	struct copy_bell bell;
	int count; /* 0: none */
};

/*
 * Goes on with the proof of the operand (resident_prove). Copy threads ask, behind all copies,
 * where there are any: RESIDENT_AWAITED while they do.
 */
enum resident_proof mirror_proof_go_on(struct mirror_proof *proof,
                                       struct resident_operand *operand);

/* Gives up what is under way. Waits for threads that ask at this moment, some microseconds. */
void mirror_proof_stop(struct mirror_proof *proof);

#endif
