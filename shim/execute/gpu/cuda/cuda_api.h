/* cuda_api.h - the part of CUDA's ABI that the shim uses, and one opened set of libraries */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_CUDA_CUDA_API_H
#define GPUSHIM_SHIM_EXECUTE_GPU_CUDA_CUDA_API_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "policy/call/reason.h"

/* The vendor's values; tests/abi compares each with the vendor's headers. */
enum cuda_value {
	CUDA_SUCCESS = 0,
	CUDA_ERROR_INVALID_VALUE = 1,
	CUDA_ERROR_MEMORY_ALLOCATION = 2,
	CUDA_ERROR_STUB_LIBRARY = 34,
	CUDA_ERROR_INSUFFICIENT_DRIVER = 35,
	CUDA_ERROR_DEVICES_UNAVAILABLE = 46,
	CUDA_ERROR_NO_DEVICE = 100,
	CUDA_COPY_HOST_TO_DEVICE = 1,
	CUDA_COPY_DEVICE_TO_HOST = 2,
	CUDA_COPY_BY_ADDRESS = 4,
	CUDA_MEMORY_HOST = 1,
	CUDA_MEMORY_DEVICE = 2,
	CUDA_MEMORY_MANAGED = 3,
	CUDA_STREAM_NON_BLOCKING = 1,
	CUDA_ERROR_NOT_READY = 600,
	CUDA_EVENT_UNTIMED = 2,
	CUDA_HOST_FOR_ALL = 1,
	CUDA_ATTRIBUTE_MULTIPROCESSORS = 16,
	CUDA_ATTRIBUTE_COMPUTE_MODE = 20,
	CUDA_COMPUTE_MODE_SHARED = 0,
	CUDA_ATTRIBUTE_CAPABILITY_MAJOR = 75,
	CUDA_ATTRIBUTE_CAPABILITY_MINOR = 76,
	CUDA_ATTRIBUTE_HOST_PAGE_TABLES = 100,
	CUDA_ATTRIBUTE_NUMA_CONFIG = 130,
	CUDA_ATTRIBUTE_NUMA_ID = 131,
	CUBLAS_SUCCESS = 0,
	CUBLAS_OPERATION_N = 0,
	CUBLAS_OPERATION_T = 1,
	CUBLAS_OPERATION_C = 2,
	CUBLAS_ON_LEFT = 0,
	CUBLAS_ON_RIGHT = 1,
	CUBLAS_TRIANGLE_LOWER = 0,
	CUBLAS_TRIANGLE_UPPER = 1,
	CUBLAS_DIAGONAL_STORED = 0,
	CUBLAS_DIAGONAL_ONES = 1,
	CUBLAS_MATH_DEFAULT = 0,
	CUBLAS_MATH_PEDANTIC = 2,
	CUBLAS_MATH_TF32 = 3,
	CUBLAS_MATH_EMULATED_SINGLE = 4,
	CUBLAS_MATH_EMULATED_DOUBLE = 8,
	CUBLAS_STRATEGY_DEFAULT = 0,
	CUBLAS_STRATEGY_EAGER = 2,
	CUBLAS_POINTERS_ON_HOST = 0,
	CUBLAS_ATOMICS_OFF = 0,
	CUFFT_FINE = 0,
	CUFFT_OUT_OF_MEMORY = 2,
	CUFFT_NO_SUCH_TYPE = 3,
	CUFFT_NO_SUCH_VALUE = 4,
	CUFFT_NO_SUCH_SIZE = 8,
	CUFFT_NOT_BUILT = 14,
	CUFFT_NOT_OFFERED = 16,
	CUFFT_TYPE_R2C = 0x2a,
	CUFFT_TYPE_C2R = 0x2c,
	CUFFT_TYPE_C2C = 0x29,
	CUFFT_TYPE_D2Z = 0x6a,
	CUFFT_TYPE_Z2D = 0x6c,
	CUFFT_TYPE_Z2Z = 0x69
};

/* The smallest pitch limit that a device documents for cudaMemcpy2D, in bytes. */
enum { CUDA_PITCH_MAX_BYTES = INT32_MAX };

/* The first fields of the vendor's struct, which has 24 bytes in CUDA 11 and 12, 88 in 13. */
struct cuda_pointer_attributes {
	int type; /* CUDA_MEMORY_...; other values: host memory */
	int device;
	char rest[248];
};

#define CUDA_GEMM_PARAMETERS(integer)                                                              \
	(void *handle, int transa, int transb, integer m, integer n, integer k, const void *alpha, \
	 const void *a, integer lda, const void *b, integer ldb, const void *beta, void *c,        \
	 integer ldc)
#define CUDA_STRIDED_PARAMETERS(integer)                                                           \
	(void *handle, int transa, int transb, integer m, integer n, integer k, const void *alpha, \
	 const void *a, integer lda, long long stridea, const void *b, integer ldb,                \
	 long long strideb, const void *beta, void *c, integer ldc, long long stridec,             \
	 integer count)
#define CUDA_SYMM_PARAMETERS(integer)                                                              \
	(void *handle, int side, int uplo, integer m, integer n, const void *alpha, const void *a, \
	 integer lda, const void *b, integer ldb, const void *beta, void *c, integer ldc)
#define CUDA_SYRK_PARAMETERS(integer)                                                              \
	(void *handle, int uplo, int trans, integer n, integer k, const void *alpha,               \
	 const void *a, integer lda, const void *beta, void *c, integer ldc)
#define CUDA_SYR2K_PARAMETERS(integer)                                                             \
	(void *handle, int uplo, int trans, integer n, integer k, const void *alpha,               \
	 const void *a, integer lda, const void *b, integer ldb, const void *beta, void *c,        \
	 integer ldc)
#define CUDA_TRMM_PARAMETERS(integer)                                                              \
	(void *handle, int side, int uplo, int trans, int diag, integer m, integer n,              \
	 const void *alpha, const void *a, integer lda, const void *b, integer ldb, void *c,       \
	 integer ldc)
#define CUDA_TRSM_PARAMETERS(integer)                                                              \
	(void *handle, int side, int uplo, int trans, int diag, integer m, integer n,              \
	 const void *alpha, const void *a, integer lda, void *b, integer ldb)
#define CUDA_GEAM_PARAMETERS(integer)                                                              \
	(void *handle, int transa, int transb, integer m, integer n, const void *alpha,            \
	 const void *a, integer lda, const void *beta, const void *b, integer ldb, void *c,        \
	 integer ldc)

/* The functions of one opened set. OPTIONAL ones may be NULL. */
struct cuda_api {
#define CUDA(library, field, name, need, result, parameters) result(*field) parameters;
#include "shim/execute/gpu/cuda/cuda_api.def"
};

enum cuda_library {
	CUDA_LIBRARY_CUDART,
	CUDA_LIBRARY_CUBLAS,
	CUDA_LIBRARY_CUFFT,
	CUDA_LIBRARY_COUNT
};

/*
 * Names of functions and libraries in tables. The tables hold the text, not its address: the loader
 * relocates each address in every process, also in those that never use a GPU.
 */
enum { CUDA_FUNCTION_BYTES = 40, CUDA_SONAME_BYTES = 24 };

enum { CUDA_PATH_BYTES = 512, CUDA_SENTENCE_BYTES = 512, CUDA_REFUSALS = 12, CUDA_PLACES = 48 };

/* Only devices with CUDA's numbers 0 .. CUDA_DEVICES - 1 are used. */
enum { CUDA_DEVICES = 32, CUDA_BUS_ID_BYTES = 32 };

struct cuda_device {
	int number, capability;             /* 10 major + minor */
	int multiprocessors;                /* 0: unknown */
	int numa_node;                      /* NUMA node of the device; -1: unknown */
	int memory_node;                    /* NUMA node that its memory is; -1: none, or unknown */
	bool reads_host;                    /* ordinary host memory, by the host's page tables */
	char pci_bus_id[CUDA_BUS_ID_BYTES]; /* spelt as in /sys/bus/pci/devices; empty: unknown */
};

/*
 * The opened set. path: the files as the loader names them. devices: count entries, in order of
 * use.
 */
struct cuda_set {
	int major;
	int driver_version, runtime_version; /* 1000 major + 10 minor, as CUDA counts */
	int device_count;                    /* shown by the driver */
	/* named by the option devices and usable with this set */
	int count;
	struct cuda_device devices[CUDA_DEVICES];
	void *library[CUDA_LIBRARY_COUNT];
	char path[CUDA_LIBRARY_COUNT][CUDA_PATH_BYTES];
	struct cuda_api api;
};

/*
 * A set that was found and not taken. sentence: no program name in front, no newline. expected:
 * nothing is broken, the machine has no driver or no device. device: >= 0 where only this one of
 * several devices was refused, else -1.
 */
struct cuda_refusal {
	int major, device;
	int capability; /* of the first device; 0: the search ended before it was known */
	enum reason reason;
	bool expected;
	char sentence[CUDA_SENTENCE_BYTES];
};

/* All that a search found. Refusals beyond CUDA_REFUSALS are only counted. */
struct cuda_search {
	int refusal_count, refusals_dropped;
	/* a variable that is left out, as it holds no absolute path, or NULL */
	const char *relative;
	/* LD_LIBRARY_PATH leads to such libraries in the working directory: none is opened */
	bool planted;
	struct cuda_refusal refusal[CUDA_REFUSALS];
	int place_count;
	char place[CUDA_PLACES]
		  [CUDA_PATH_BYTES]; /* folders in search order; "" is the loader's path */
};

/*
 * Functions around each call into a CUDA library, and (enter_load instead of enter) into the
 * loader. enter: false ends the search. A NULL guard allows every call.
 */
struct cuda_guard {
	bool (*enter)(void);
	void (*leave)(void);
	bool (*enter_load)(void);
};

static inline bool cuda_api_enter(const struct cuda_guard *guard)
{
	return guard == NULL || guard->enter();
}

static inline bool cuda_api_enter_load(const struct cuda_guard *guard)
{
	return guard == NULL || guard->enter_load();
}

static inline void cuda_api_leave(const struct cuda_guard *guard)
{
	if (guard != NULL)
		guard->leave();
}

#endif
