/* verify_call.h - shadow verification: a call that the GPU computed is computed by the CPU library too, and compared */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_VERIFY_VERIFY_CALL_H
#define GPUSHIM_SHIM_EXECUTE_VERIFY_VERIFY_CALL_H

#include "policy/call/call.h"

/*
 * A call on its way to the device; call and what it points to outlive the verification. caller:
 * whose CPU library computes it; code: its real routine, NULL where there is none. tf32: cuBLAS may
 * use TensorFloat-32.
 */
struct verify_request {
	const struct call *call;
	const void *caller;
	void *code;
	int device;
	bool tf32;
};

/*
 * Whether this call on the GPU is one of the share of all that are to be verified: the first one,
 * and then one in every 1 / share. Counts; from any thread.
 */
bool verify_call_wants(double share);

struct verify;

/*
 * Before the GPU runs the call: keeps what it will overwrite, in memory of the call's own. NULL
 * where the call is not
 * verified: an operand lies in device or managed memory, no library has the routine, or memory is
 * short (said once).
 */
struct verify *verify_call_begin(const struct verify_request *request);

/*
 * After the GPU ran the call: computes it by the CPU library and compares, by the bounds of
 * policy/verify/verify.h and policy/verify/verify_fft.h. REASON_NONE: they agree.
 * REASON_VERIFY_FAILED: they do not, a sentence said so, and the program has the CPU's result; only
 * elements of the result were written. Frees verify.
 */
enum reason verify_call_end(struct verify *verify);

/* Instead, where the GPU did not end the call. NULL is fine. */
void verify_call_drop(struct verify *verify);

#endif
