/* math_proof.c - multiplies matrices whose product has known digits */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/device/math_proof.h"

#include <float.h>
#include <stdlib.h>

#include "policy/call/operand.h"
#include "shim/execute/gpu/device/blas_math.h"

enum { PROOF_MATRICES = 3, PROOF_FACTORS = 2 };

/*
 * cuBLAS emulates where that pays, which depends on the size; the eager strategy emulates whenever
 * that is possible. So small orders are tested with that strategy, and large ones too, for a cuBLAS
 * without strategies and for TF32.
 */
static const int proof_orders[] = {128, 512, 2048};

/* A running test. host holds A, B and the result. */
struct proof {
	enum element element;
	int order;
	uint64_t size_bytes; /* of a matrix */
	struct memory_block *block;
	char *host;
};

static char *math_proof_place(const struct proof *proof, enum operand operand)
{
	return (char *)proof->block->pointer + (uint64_t)operand * proof->size_bytes;
}

/*
 * The expected element of C. Its last digit is lost in narrower formats, and in fixed-point numbers
 * that share the scale of the 1 beside it.
 */
static double math_proof_number(const struct proof *proof)
{
	return proof->element == ELEMENT_S ? 1 + (double)FLT_EPSILON : 0x1p-40 * (1 + DBL_EPSILON);
}

static void math_proof_store(const struct proof *proof, enum operand operand, int row, int column,
                             double value)
{
	const int index = row + column * proof->order;
	char *matrix = proof->host + (uint64_t)operand * proof->size_bytes;
	if (proof->element == ELEMENT_S)
		((float *)(void *)matrix)[index] = (float)value;
	else
		((double *)(void *)matrix)[index] = value;
}

/* Each row of A is 1, number, 0, 0, ...; the second row of B is 1: every element of C is number. */
static void math_proof_fill(const struct proof *proof)
{
	for (int i = 0; i < proof->order; i++) {
		math_proof_store(proof, OPERAND_A, i, 0, 1);
		math_proof_store(proof, OPERAND_A, i, 1, math_proof_number(proof));
		math_proof_store(proof, OPERAND_B, 1, i, 1);
	}
}

static bool math_proof_holds(const struct proof *proof)
{
	const double number = math_proof_number(proof);
	const char *c = proof->host + (uint64_t)OPERAND_C * proof->size_bytes;
	for (int i = 0; i < proof->order * proof->order; i++) {
		const double value = proof->element == ELEMENT_S
		                             ? (double)((const float *)(const void *)c)[i]
		                             : ((const double *)(const void *)c)[i];
		if (value != number)
			return false;
	}
	return true;
}

static bool math_proof_multiply(struct lane *lane, struct proof *proof)
{
	const bool single = proof->element == ELEMENT_S;
	const float single_scalar[2] = {1, 0};
	const double double_scalar[2] = {1, 0};
	const void *one = single ? (const void *)&single_scalar[0] : &double_scalar[0];
	const void *zero = single ? (const void *)&single_scalar[1] : &double_scalar[1];
	const void *a = math_proof_place(proof, OPERAND_A), *b = math_proof_place(proof, OPERAND_B);
	const int n = proof->order;
	return (single ? lane->api->sgemm : lane->api->dgemm)(
		       lane->blas, CUBLAS_OPERATION_N, CUBLAS_OPERATION_N, n, n, n, one, a, n, b, n,
		       zero, math_proof_place(proof, OPERAND_C), n) == CUBLAS_SUCCESS;
}

/* A cuBLAS that lacks or refuses strategies is tested as it is. */
static void math_proof_set_strategy(const struct lane *lane, int strategy)
{
	if (lane->api->blas_set_strategy != NULL)
		lane->api->blas_set_strategy(lane->blas, strategy);
}

/* Library calls in their order. */
enum proof_step {
	PROOF_PIN,
	PROOF_TAKE,
	PROOF_SEND,
	PROOF_URGE,
	PROOF_MULTIPLY,
	PROOF_CALM,
	PROOF_RECEIVE,
	PROOF_CONFIRM,
	PROOF_STEPS
};

static bool math_proof_take_step(struct lane *lane, struct proof *proof, enum proof_step step)
{
	const struct cuda_api *api = lane->api;
	const uint64_t sent_bytes = PROOF_FACTORS * proof->size_bytes,
		       all_bytes = PROOF_MATRICES * proof->size_bytes;
	switch (step) {
	case PROOF_PIN: return blas_math_pin(lane, proof->element) == REASON_NONE;
	case PROOF_TAKE: return memory_take(lane->device, all_bytes, &proof->block) == REASON_NONE;
	case PROOF_SEND:
		return api->memcpy_async(proof->block->pointer, proof->host, sent_bytes,
		                         CUDA_COPY_HOST_TO_DEVICE, lane->stream) == CUDA_SUCCESS;
	case PROOF_URGE: math_proof_set_strategy(lane, CUBLAS_STRATEGY_EAGER); return true;
	case PROOF_MULTIPLY: return math_proof_multiply(lane, proof);
	case PROOF_CALM: math_proof_set_strategy(lane, CUBLAS_STRATEGY_DEFAULT); return true;
	case PROOF_RECEIVE:
		return api->memcpy_async(proof->host + (uint64_t)OPERAND_C * proof->size_bytes,
		                         math_proof_place(proof, OPERAND_C), proof->size_bytes,
		                         CUDA_COPY_DEVICE_TO_HOST, lane->stream) == CUDA_SUCCESS;
	default: return api->stream_synchronize(lane->stream) == CUDA_SUCCESS;
	}
}

/*
 * The step that waits for the stream runs after a failed step too, since queued copies use our
 * memory; and the one that resets the strategy.
 */
static enum reason math_proof_take_steps(struct lane *lane, struct proof *proof,
                                         const struct cuda_guard *guard, bool *done)
{
	*done = true;
	for (int step = 0; step < PROOF_STEPS; step++) {
		if (!*done && step != PROOF_CONFIRM && step != PROOF_CALM)
			continue;
		if (!cuda_api_enter(guard))
			return REASON_EXITING;
		*done = math_proof_take_step(lane, proof, (enum proof_step)step) && *done;
		cuda_api_leave(guard);
	}
	return REASON_NONE;
}

/*
 * Where memory is short a large order is left out: products of that size do not fit either.
 */
static enum reason math_proof_run_order(struct lane *lane, enum element element, int order,
                                        const struct cuda_guard *guard)
{
	struct proof proof = {.element = element,
	                      .order = order,
	                      .size_bytes = (uint64_t)order * (uint64_t)order *
	                                    element_size_bytes(element)};
	bool done = false;
	proof.host = calloc(PROOF_MATRICES, proof.size_bytes);
	if (proof.host != NULL) {
		math_proof_fill(&proof);
		if (math_proof_take_steps(lane, &proof, guard, &done) == REASON_EXITING)
			return REASON_EXITING; /* copies may be pending: nothing is freed */
	}
	const bool left_out = proof.block == NULL && order > proof_orders[0];
	memory_give(proof.block);
	if (!left_out && (!done || !math_proof_holds(&proof)))
		blas_math_refuse(element);
	free(proof.host);
	return REASON_NONE;
}

static enum reason math_proof_run_element(struct lane *lane, enum element element,
                                          const struct cuda_guard *guard)
{
	enum reason reason = REASON_NONE;
	for (size_t i = 0; i < sizeof proof_orders / sizeof proof_orders[0] &&
	                   reason == REASON_NONE && blas_math_judge(element) == REASON_NONE;
	     i++)
		reason = math_proof_run_order(lane, element, proof_orders[i], guard);
	return reason;
}

enum reason math_proof_run(struct lane *lane, const struct cuda_guard *guard)
{
	static const enum element elements[] = {ELEMENT_S, ELEMENT_D};
	enum reason reason = REASON_NONE;
	for (int i = 0; i < 2 && reason == REASON_NONE; i++)
		if (blas_math_find_doubt(elements[i]) != NULL)
			reason = math_proof_run_element(lane, elements[i], guard);
	return reason;
}
