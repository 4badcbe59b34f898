/* verify_shadow.h - a verification in progress: its memory, and its steps for BLAS and for FFTW */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_VERIFY_VERIFY_SHADOW_H
#define GPUSHIM_SHIM_EXECUTE_VERIFY_VERIFY_SHADOW_H

#include "policy/call/call.h"
#include "policy/verify/verify_norm.h"

struct cuda_api;

/*
 * A call that is to run on the device; call and what it points to outlive the verification. caller:
 * the CPU library that it would reach computes the call again; code: the call's real routine, NULL
 * if there is none. tf32: cuBLAS may use TensorFloat-32.
 */
struct verify_request {
	const struct call *call;
	const void *caller;
	void *code;
	int device;
	bool tf32;
};

/*
 * Blocks of memory by their use. BLAS: SHADOW_RESULT holds the results of all problems in order,
 * without gaps; SHADOW_SPARE the difference of two solutions. A transform: its result, the input
 * that the CPU reads and may overwrite (SHADOW_INPUT), and the input as it was (SHADOW_SPARE), each
 * laid out as the program's array; first[] points to their first elements. LAPACK: copies of the
 * matrices that the call overwrites (SHADOW_INPUT), room for the checks (SHADOW_SPARE), and values
 * that have no vectors to be judged by (SHADOW_RESULT). verdict: of the GPU's result, before the
 * CPU library was asked; library: it has to be, in the program's memory.
 */
enum shadow { SHADOW_RESULT, SHADOW_INPUT, SHADOW_SPARE, SHADOW_COUNT };

struct verify {
	struct verify_request request;
	void *memory[SHADOW_COUNT];
	char *first[SHADOW_COUNT];
	void (*execute)(void *plan, void *in, void *out); /* of transforms */
	struct verify_verdict verdict;
	bool library;
};

/* A zeroed verification of the request; NULL without a real routine or memory (the latter said). */
struct verify *verify_shadow_make(const struct verify_request *request);

/*
 * Allocates blocks of these sizes, 0 for none. False if they need more than half of the machine's
 * available memory, or malloc fails; blocks already allocated are freed by verify_shadow_free.
 */
bool verify_shadow_take_memory(struct verify *verify, const uint64_t size_bytes[SHADOW_COUNT]);

/* Frees the verification and its blocks. NULL is allowed. */
void verify_shadow_free(struct verify *verify);

/*
 * For each kind of call: begin fills the blocks before the GPU runs, false where that is not
 * possible; compare computes the call on the CPU and returns the verdict, the worst of its
 * problems; restore copies the CPU's result to the program's memory.
 */
bool verify_blas_begin(struct verify *verify);
struct verify_verdict verify_blas_compare(struct verify *verify);
void verify_blas_restore(const struct verify *verify);

bool verify_plan_begin(struct verify *verify);
struct verify_verdict verify_plan_compare(struct verify *verify);
void verify_plan_restore(const struct verify *verify);

/*
 * LAPACK is judged by residuals. needs_library: they do not tell enough, or they tell that the
 * result is wrong; what the GPU wrote over is as before, and the CPU library is to compute the call
 * in the program's memory, before compare. is_solved: its info was 0, if it was asked.
 */
bool verify_lapack_begin(struct verify *verify);
bool verify_lapack_needs_library(struct verify *verify);
bool verify_lapack_is_solved(const struct verify *verify);
struct verify_verdict verify_lapack_compare(struct verify *verify);

/* Whether an address is the host's alone: neither the device's nor managed. */
bool verify_blas_is_host_address(const struct cuda_api *api, const void *address);

/* Whether all operands of a BLAS or LAPACK call lie in the host's memory. Takes no lane. */
bool verify_blas_is_on_host(const struct call *call, int device);
bool verify_lapack_is_on_host(const struct call *call, int device);

#endif
