/* mirror_arm.h - pages of a call's result are armed by a copy thread while the rest is stored */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_ENGINE_MIRROR_ARM_H
#define GPUSHIM_SHIM_EXECUTE_GPU_ENGINE_MIRROR_ARM_H

#include "shim/execute/gpu/copy/copy_job.h"
#include "shim/execute/gpu/resident/resident.h"

/* At most one job at a time. It is the lane's, so it outlives the call. */
struct mirror_arm {
	struct resident_operand *operand; /* NULL: none */
	uint64_t stored_bytes;            /* of the operand, in the order of its rows */
	uintptr_t end;                    /* of the bytes that jobs were made for */
	_Atomic uintptr_t stored_end;     /* of all that is stored by now: the job goes on so far */
	struct copy_job job;
	struct copy_bell bell;
	bool busy;
};

/* A result that the call will commit. */
void mirror_arm_begin(struct mirror_arm *arm, struct resident_operand *operand);
/*
 * The area is in the program's memory. Areas that do not follow each other from the first byte on
 * are armed at the end of the call, with the rest.
 */
void mirror_arm_note_stored(struct mirror_arm *arm, const struct pack_area *area);
/* No job of the call's is under way afterwards. */
void mirror_arm_end(struct mirror_arm *arm);

#endif
