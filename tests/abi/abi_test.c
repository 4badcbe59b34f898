/* abi_test.c - compiles only if our declarations agree with the vendor's headers */
/* SPDX-License-Identifier: Apache-2.0 */
#include <cublas_v2.h>
#include <cuda_runtime_api.h>
#include <cufft.h>
#include <cusolverDn.h>

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "shim/execute/gpu/cuda/cuda.h"
#include "shim/execute/gpu/cuda/cuda_solver.h"

/*
 * Casts between functions whose arguments differ in number, size or kind are errors. All pointers
 * count as one kind.
 */
#pragma GCC diagnostic error "-Wcast-function-type"

#define ABI_REQUIRED(field, name, result, parameters)                                              \
	static result(*const abi_##field) parameters __attribute__((unused)) =                     \
		(result(*) parameters)name;
#if CUDART_VERSION >= 12000
#define ABI_OPTIONAL ABI_REQUIRED
#else
#define ABI_OPTIONAL(field, name, result, parameters)
#endif
/* Older headers may lack it; this function has the same list of arguments. */
#if CUBLAS_VERSION < 130100
#define cublasSetEmulationStrategy cublasSetMathMode
#endif
#define CUDA(library, field, name, need, result, parameters)                                       \
	ABI_##need(field, name, result, parameters)
#include "shim/execute/gpu/cuda/cuda_api.def"

/* Functions that only some releases have. */
#if CUDART_VERSION >= 13000
#define SOLVER(field, name, parameters)                                                            \
	static int(*const abi_solver_##field) parameters __attribute__((unused)) =                 \
		(int(*) parameters)name;
#include "shim/execute/gpu/cuda/cuda_solver.def"
#endif

#define ABI_VALUE(ours, theirs)                                                                    \
	_Static_assert((int)(ours) == (int)(theirs), #ours " is not " #theirs)
ABI_VALUE(CUDA_SUCCESS, cudaSuccess);
ABI_VALUE(CUDA_ERROR_MEMORY_ALLOCATION, cudaErrorMemoryAllocation);
ABI_VALUE(CUDA_ERROR_STUB_LIBRARY, cudaErrorStubLibrary);
ABI_VALUE(CUDA_ERROR_INSUFFICIENT_DRIVER, cudaErrorInsufficientDriver);
ABI_VALUE(CUDA_ERROR_DEVICES_UNAVAILABLE, cudaErrorDevicesUnavailable);
ABI_VALUE(CUDA_ERROR_NO_DEVICE, cudaErrorNoDevice);
ABI_VALUE(CUDA_COPY_HOST_TO_DEVICE, cudaMemcpyHostToDevice);
ABI_VALUE(CUDA_COPY_DEVICE_TO_HOST, cudaMemcpyDeviceToHost);
ABI_VALUE(CUDA_ERROR_INVALID_VALUE, cudaErrorInvalidValue);
ABI_VALUE(CUDA_COPY_BY_ADDRESS, cudaMemcpyDefault);
ABI_VALUE(CUDA_MEMORY_DEVICE, cudaMemoryTypeDevice);
ABI_VALUE(CUDA_MEMORY_MANAGED, cudaMemoryTypeManaged);
ABI_VALUE(CUDA_STREAM_NON_BLOCKING, cudaStreamNonBlocking);
ABI_VALUE(CUDA_ERROR_NOT_READY, cudaErrorNotReady);
ABI_VALUE(CUDA_EVENT_UNTIMED, cudaEventDisableTiming);
ABI_VALUE(CUDA_HOST_FOR_ALL, cudaHostAllocPortable);
ABI_VALUE(CUDA_ATTRIBUTE_MULTIPROCESSORS, cudaDevAttrMultiProcessorCount);
ABI_VALUE(CUDA_ATTRIBUTE_COMPUTE_MODE, cudaDevAttrComputeMode);
ABI_VALUE(CUDA_COMPUTE_MODE_SHARED, cudaComputeModeDefault);
ABI_VALUE(CUDA_ATTRIBUTE_CAPABILITY_MAJOR, cudaDevAttrComputeCapabilityMajor);
ABI_VALUE(CUDA_ATTRIBUTE_CAPABILITY_MINOR, cudaDevAttrComputeCapabilityMinor);
ABI_VALUE(CUDA_ATTRIBUTE_HOST_PAGE_TABLES, cudaDevAttrPageableMemoryAccessUsesHostPageTables);
#if CUDART_VERSION >= 12030
ABI_VALUE(CUDA_ATTRIBUTE_NUMA_CONFIG, cudaDevAttrNumaConfig);
ABI_VALUE(CUDA_ATTRIBUTE_NUMA_ID, cudaDevAttrNumaId);
#endif
ABI_VALUE(CUBLAS_SUCCESS, CUBLAS_STATUS_SUCCESS);
ABI_VALUE(CUBLAS_OPERATION_N, CUBLAS_OP_N);
ABI_VALUE(CUBLAS_OPERATION_T, CUBLAS_OP_T);
ABI_VALUE(CUBLAS_OPERATION_C, CUBLAS_OP_C);
ABI_VALUE(CUBLAS_ON_LEFT, CUBLAS_SIDE_LEFT);
ABI_VALUE(CUBLAS_ON_RIGHT, CUBLAS_SIDE_RIGHT);
ABI_VALUE(CUBLAS_TRIANGLE_LOWER, CUBLAS_FILL_MODE_LOWER);
ABI_VALUE(CUBLAS_TRIANGLE_UPPER, CUBLAS_FILL_MODE_UPPER);
ABI_VALUE(CUBLAS_DIAGONAL_STORED, CUBLAS_DIAG_NON_UNIT);
ABI_VALUE(CUBLAS_DIAGONAL_ONES, CUBLAS_DIAG_UNIT);
ABI_VALUE(CUBLAS_MATH_DEFAULT, CUBLAS_DEFAULT_MATH);
ABI_VALUE(CUBLAS_MATH_PEDANTIC, CUBLAS_PEDANTIC_MATH);
ABI_VALUE(CUBLAS_MATH_TF32, CUBLAS_TF32_TENSOR_OP_MATH);
#if CUBLAS_VERSION >= 120900
ABI_VALUE(CUBLAS_MATH_EMULATED_SINGLE, CUBLAS_FP32_EMULATED_BF16X9_MATH);
#endif
#if CUBLAS_VERSION >= 130100
ABI_VALUE(CUBLAS_MATH_EMULATED_DOUBLE, CUBLAS_FP64_EMULATED_FIXEDPOINT_MATH);
ABI_VALUE(CUBLAS_STRATEGY_DEFAULT, CUBLAS_EMULATION_STRATEGY_DEFAULT);
ABI_VALUE(CUBLAS_STRATEGY_EAGER, CUBLAS_EMULATION_STRATEGY_EAGER);
#endif
ABI_VALUE(CUBLAS_POINTERS_ON_HOST, CUBLAS_POINTER_MODE_HOST);
ABI_VALUE(CUBLAS_ATOMICS_OFF, CUBLAS_ATOMICS_NOT_ALLOWED);
ABI_VALUE(CUFFT_FINE, CUFFT_SUCCESS);
ABI_VALUE(CUFFT_OUT_OF_MEMORY, CUFFT_ALLOC_FAILED);
ABI_VALUE(CUFFT_NO_SUCH_TYPE, CUFFT_INVALID_TYPE);
ABI_VALUE(CUFFT_NO_SUCH_VALUE, CUFFT_INVALID_VALUE);
ABI_VALUE(CUFFT_NO_SUCH_SIZE, CUFFT_INVALID_SIZE);
ABI_VALUE(CUFFT_NOT_BUILT, CUFFT_NOT_IMPLEMENTED);
ABI_VALUE(CUFFT_NOT_OFFERED, CUFFT_NOT_SUPPORTED);
ABI_VALUE(CUFFT_TYPE_R2C, CUFFT_R2C);
ABI_VALUE(CUFFT_TYPE_C2R, CUFFT_C2R);
ABI_VALUE(CUFFT_TYPE_C2C, CUFFT_C2C);
ABI_VALUE(CUFFT_TYPE_D2Z, CUFFT_D2Z);
ABI_VALUE(CUFFT_TYPE_Z2D, CUFFT_Z2D);
ABI_VALUE(CUFFT_TYPE_Z2Z, CUFFT_Z2Z);
ABI_VALUE(CUSOLVER_SUCCESS, CUSOLVER_STATUS_SUCCESS);
ABI_VALUE(CUSOLVER_OUT_OF_MEMORY, CUSOLVER_STATUS_ALLOC_FAILED);
ABI_VALUE(CUSOLVER_NOT_OFFERED, CUSOLVER_STATUS_NOT_SUPPORTED);
ABI_VALUE(CUSOLVER_FUNCTION_GETRF, CUSOLVERDN_GETRF);
ABI_VALUE(CUSOLVER_VECTORS_NONE, CUSOLVER_EIG_MODE_NOVECTOR);
ABI_VALUE(CUSOLVER_VECTORS, CUSOLVER_EIG_MODE_VECTOR);
ABI_VALUE(CUSOLVER_RANGE_INDICES, CUSOLVER_EIG_RANGE_I);
ABI_VALUE(CUSOLVER_ALGORITHM_SMALL, CUSOLVER_ALG_1);
ABI_VALUE(CUSOLVER_PROPERTY_MAJOR, MAJOR_VERSION);
ABI_VALUE(CUSOLVER_PROPERTY_MINOR, MINOR_VERSION);
ABI_VALUE(CUSOLVER_PROPERTY_PATCH, PATCH_LEVEL);
ABI_VALUE(CUDA_TYPE_R_32F, CUDA_R_32F);
ABI_VALUE(CUDA_TYPE_R_64F, CUDA_R_64F);
ABI_VALUE(CUDA_TYPE_C_32F, CUDA_C_32F);
ABI_VALUE(CUDA_TYPE_C_64F, CUDA_C_64F);
#if CUDART_VERSION >= 12020
ABI_VALUE(CUSOLVER_DETERMINISTIC, CUSOLVER_DETERMINISTIC_RESULTS);
#endif
#if CUDART_VERSION >= 13000
ABI_VALUE(CUSOLVER_MATH_DEFAULT, CUSOLVER_DEFAULT_MATH);
#endif
ABI_VALUE(-1, CUFFT_FORWARD);
ABI_VALUE(1, CUFFT_INVERSE);
_Static_assert(offsetof(struct cuda_pointer_attributes, type) ==
                               offsetof(struct cudaPointerAttributes, type) &&
                       offsetof(struct cuda_pointer_attributes, device) ==
                               offsetof(struct cudaPointerAttributes, device) &&
                       sizeof(struct cuda_pointer_attributes) >=
                               sizeof(struct cudaPointerAttributes),
               "what cudaPointerGetAttributes fills");
_Static_assert(sizeof(cufftHandle) == sizeof(int), "a cuFFT plan is an int");

/* The error codes that cuda_is_fatal knows by number. */
ABI_VALUE(3, cudaErrorInitializationError);
ABI_VALUE(4, cudaErrorCudartUnloading);
ABI_VALUE(214, cudaErrorECCUncorrectable);
ABI_VALUE(220, cudaErrorNvlinkUncorrectable);
#if CUDART_VERSION >= 12080
ABI_VALUE(226, cudaErrorContained);
#endif
ABI_VALUE(700, cudaErrorIllegalAddress);
ABI_VALUE(702, cudaErrorLaunchTimeout);
ABI_VALUE(709, cudaErrorContextIsDestroyed);
ABI_VALUE(710, cudaErrorAssert);
ABI_VALUE(714, cudaErrorHardwareStackError);
ABI_VALUE(715, cudaErrorIllegalInstruction);
ABI_VALUE(716, cudaErrorMisalignedAddress);
ABI_VALUE(717, cudaErrorInvalidAddressSpace);
ABI_VALUE(718, cudaErrorInvalidPc);
ABI_VALUE(719, cudaErrorLaunchFailure);
#if CUDART_VERSION >= 12080
ABI_VALUE(721, cudaErrorTensorMemoryLeak);
#endif
#if CUDART_VERSION >= 11080
ABI_VALUE(810, cudaErrorMpsClientTerminated);
#endif
#if CUDART_VERSION >= 12000
ABI_VALUE(911, cudaErrorExternalDevice);
#endif

enum { ABI_SKIPPED = 77 };

/*
 * Checks that the real library exports the functions in the rows of its major version. Returns the
 * number that are missing.
 */
static int abi_count_missing(void *const handle[CUDA_LIBRARY_COUNT])
{
	static const struct {
		enum cuda_library from;
		const char *name;
	} rows[] = {
#define CUDA(library, field, name, need, result, parameters) {CUDA_LIBRARY_##library, #name},
#include "shim/execute/gpu/cuda/cuda_api.def"
	};
	int missing = 0;
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		const enum cuda_library from = rows[i].from;
		const char *const name = rows[i].name;
		const bool recent = strstr(name, "EmulationStrategy") != NULL;
		if (dlsym(handle[from], name) != NULL || (recent && CUBLAS_VERSION < 130100))
			continue;
		fprintf(stderr, "abi_test: %s is not exported\n", name);
		missing++;
	}
	return missing;
}

/* Arguments: the folder of the toolkit's libraries, and their three names. */
int main(int argc, char **argv)
{
	void *handle[CUDA_LIBRARY_COUNT] = {NULL};
	char file[1024];
	printf("abi_test: declarations and values agree with the headers of CUDA %d.%d\n",
	       CUDART_VERSION / 1000, CUDART_VERSION % 1000 / 10);
	for (int i = 0; i < CUDA_LIBRARY_COUNT; i++) {
		snprintf(file, sizeof file, "%s/%s", argc > 1 ? argv[1] : "",
		         argc > i + 2 ? argv[i + 2] : "");
		handle[i] = dlopen(file, RTLD_NOW | RTLD_LOCAL);
		if (handle[i] == NULL) {
			printf("skipped: exports of the libraries: %s\n", dlerror());
			return ABI_SKIPPED;
		}
	}
	return abi_count_missing(handle) == 0 ? 0 : 1;
}
