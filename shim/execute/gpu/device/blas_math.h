/* blas_math.h - the arithmetic of cuBLAS calls, whatever environment variables ask for */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_DEVICE_BLAS_MATH_H
#define GPUSHIM_SHIM_EXECUTE_GPU_DEVICE_BLAS_MATH_H

#include "policy/options/options.h"
#include "shim/execute/gpu/device/lane.h"

/*
 * Arithmetic is chosen by a handle's math mode, never by changing the program's environment. All
 * functions are about the precision of the element: S and C single, D and Z double. From any
 * thread.
 */

/* Keeps what the option math allows and reads cuBLAS's variables, as cuBLAS will do. */
void blas_math_start(enum math allowed);

/* The math mode of the element's calls: a cublasMath_t. */
int blas_math_mode(enum element element);

/* Sets the lane's cuBLAS handle to that mode. REASON_LIBRARY_FAILED: cuBLAS refuses it. */
enum reason blas_math_pin(struct lane *lane, enum element element);

/*
 * The variable that may override the pinned native mode, since no document says which of them takes
 * precedence; or NULL. math_proof then tests the results.
 */
const char *blas_math_find_doubt(enum element element);

/* Called when a result was not native: refuses the precision from now on, with one message. */
void blas_math_refuse(enum element element);

/* REASON_NONE, or REASON_MATH_NOT_NATIVE for a refused precision. */
enum reason blas_math_judge(enum element element);

/* The arithmetic of a GPU call for its record: a word of the option math. Static. */
const char *blas_math_word(enum family family, enum element element);

#endif
