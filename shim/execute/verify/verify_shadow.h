/* verify_shadow.h - a verification in progress: the memory beside the program's, and the two kinds of calls */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_VERIFY_VERIFY_SHADOW_H
#define GPUSHIM_SHIM_EXECUTE_VERIFY_VERIFY_SHADOW_H

#include "policy/verify/verify_norm.h"
#include "shim/execute/verify/verify_call.h"

/*
 * Blocks of memory by what they are for. Of BLAS: SHADOW_RESULT holds the results of all problems,
 * each tight, the one behind the other; SHADOW_SPARE the difference of two solutions. Of a
 * transform: the input that the CPU reads and may ruin, its result, and the input as it was, each
 * laid out as the program's arrays; first[] is where their first elements are.
 */
enum shadow { SHADOW_RESULT, SHADOW_INPUT, SHADOW_SPARE, SHADOW_COUNT };

struct verify {
	struct verify_request request;
	void *memory[SHADOW_COUNT];
	char *first[SHADOW_COUNT];
	void (*execute)(void *plan, void *in, void *out); /* of transforms */
};

/*
 * Memory of these sizes, 0 where none is needed. False where that is more than half of what the
 * machine can still give, or malloc has none; nothing is freed.
 */
bool verify_shadow_take_memory(struct verify *verify, const uint64_t size_bytes[SHADOW_COUNT]);

/*
 * Of each kind: fills the memory before the GPU runs; false where that cannot be done. Then the
 * CPU's turn and the verdict, the worst of the call's problems. And the CPU's result into the
 * program's memory.
 */
bool verify_blas_begin(struct verify *verify);
struct verify_verdict verify_blas_compare(struct verify *verify);
void verify_blas_restore(const struct verify *verify);

bool verify_plan_begin(struct verify *verify);
struct verify_verdict verify_plan_compare(struct verify *verify);
void verify_plan_restore(const struct verify *verify);

/*
 * The halves of verify_call_begin and verify_call_end without CUDA: what begins has its operands in the
 * host's memory.
 */
struct verify *verify_shadow_start(const struct verify_request *request);

/*
 * Whether all operands of a BLAS call lie in the host's own memory, as far as CUDA tells. Takes no
 * lane.
 */
bool verify_shadow_is_on_host(const struct call *call, int device);

#endif
