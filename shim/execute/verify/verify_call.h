/* verify_call.h - shadow verification: the CPU library computes a call of the GPU's again */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_VERIFY_VERIFY_CALL_H
#define GPUSHIM_SHIM_EXECUTE_VERIFY_VERIFY_CALL_H

#include "shim/execute/verify/verify_shadow.h"

/*
 * Whether this call on the GPU is verified, for a share of all of them: the first one, then one in
 * every 1 / share. Counts the call; from any thread.
 */
bool verify_call_wants(double share);

/*
 * Before the GPU runs the call: copies what it will overwrite. NULL if the call is not verified: an
 * operand lies in device or managed memory, no library has the routine, or there is no memory for
 * the copy (said once). verify_call_start does the same for a call that is known to have its
 * operands in the host's memory, without asking CUDA.
 */
struct verify *verify_call_begin(const struct verify_request *request);
struct verify *verify_call_start(const struct verify_request *request);

/*
 * After the GPU ran the call, once. true: of LAPACK alone, the CPU library has to compute the call
 * too, with the program's own arguments, and verify_call_end comes after that. What the GPU wrote
 * over is as it was. It is to be called where the residuals of the GPU's result are too large, and
 * where it has values alone.
 */
bool verify_call_needs_library(struct verify *verify);

/*
 * After the GPU ran the call: computes it by the CPU library and compares, by the bounds of
 * policy/verify/verify.h, policy/verify/verify_fft.h and policy/verify/verify_solver.h.
 * REASON_NONE: they agree. REASON_NOT_SOLVED: of LAPACK, the CPU's info is not 0; nothing is known.
 * REASON_VERIFY_FAILED: they do not; that was reported, and the program has the CPU's result. Only
 * elements of the result are written. Frees verify; where the GPU did not finish the call,
 * verify_shadow_free does instead. *ratio, unless NULL: verify_norm_find_ratio of the verdict.
 */
enum reason verify_call_end(struct verify *verify, double *ratio);

#endif
