/* cuda_solver.h - finds and opens the cuSOLVER that belongs to a set of CUDA libraries */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_CUDA_CUDA_SOLVER_H
#define GPUSHIM_SHIM_EXECUTE_GPU_CUDA_CUDA_SOLVER_H

#include "shim/execute/gpu/cuda/cuda_api.h"

/* The vendor's values; tests/abi compares each with the vendor's headers. */
enum cuda_solver_value {
	CUSOLVER_SUCCESS = 0,
	CUSOLVER_OUT_OF_MEMORY = 2,
	CUSOLVER_NOT_OFFERED = 9,
	CUSOLVER_FUNCTION_GETRF = 0,
	CUSOLVER_VECTORS_NONE = 0,
	CUSOLVER_VECTORS = 1,
	CUSOLVER_RANGE_INDICES = 1002,
	CUSOLVER_ALGORITHM_SMALL = 1,
	CUSOLVER_MATH_DEFAULT = 1,
	CUSOLVER_DETERMINISTIC = 1,
	CUSOLVER_PROPERTY_MAJOR = 0,
	CUSOLVER_PROPERTY_MINOR = 1,
	CUSOLVER_PROPERTY_PATCH = 2,
	CUDA_TYPE_R_32F = 0,
	CUDA_TYPE_R_64F = 1,
	CUDA_TYPE_C_32F = 4,
	CUDA_TYPE_C_64F = 5
};

/* An opened cuSOLVER. Each function may be NULL. */
struct cuda_solver {
#define SOLVER(field, name, parameters) int(*field) parameters;
#include "shim/execute/gpu/cuda/cuda_solver.def"
	int version; /* 10000 major + 100 minor + patch */
	char path[CUDA_PATH_BYTES];
};

/*
 * Opens cuSOLVER for a set: beside its cuBLAS, in pip's folder of it, else where the loader finds
 * it. One file name serves CUDA 11 and 12, so the release must be one of the set's CUDA; of several
 * files the first that is. CUDA 11.0 has no functions that the shim uses. false: *solver is
 * undefined, and sentence tells why, without a consequence. The library stays open. From any
 * thread.
 */
bool cuda_solver_open(const struct cuda_set *set, struct cuda_solver *solver,
                      char sentence[CUDA_SENTENCE_BYTES]);

#endif
