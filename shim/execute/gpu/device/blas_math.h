/* blas_math.h - the arithmetic that cuBLAS is held to, whatever variables of its own ask for */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_DEVICE_BLAS_MATH_H
#define GPUSHIM_SHIM_EXECUTE_GPU_DEVICE_BLAS_MATH_H

#include "policy/options/options.h"
#include "shim/execute/gpu/device/lane.h"

/*
 * Arithmetic is chosen by a handle's math mode, never by the environment, which is the program's.
 * All functions are about one precision, that of the element: C is single, Z is double. From any
 * thread.
 */

/* Keeps what the option math allows and reads cuBLAS's variables, as cuBLAS is about to do. */
void blas_math_start(enum math allowed);

/* The mode that the element's calls run in: a cublasMath_t. */
int blas_math_mode(enum element element);

/* Sets the lane's cuBLAS handle to that mode. REASON_LIBRARY_FAILED: cuBLAS refuses it. */
enum reason blas_math_pin(struct lane *lane, enum element element);

/*
 * The variable because of which native arithmetic is pinned by a mode of which no document says
 * that it goes before the variable, or NULL: then it is to be seen what comes out.
 */
const char *blas_math_find_doubt(enum element element);

/* It was seen: what cuBLAS computes is not native. Said once. */
void blas_math_refuse(enum element element);

/* REASON_NONE, or REASON_MATH_NOT_NATIVE: such calls are not for cuBLAS. */
enum reason blas_math_judge(enum element element);

/* What a call on the GPU was computed with, for its record: a word of the option math. Static. */
const char *blas_math_word(enum family family, enum element element);

#endif
