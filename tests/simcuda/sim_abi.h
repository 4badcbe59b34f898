/* sim_abi.h - the part of the CUDA ABI that the stand-ins and their tests declare for themselves */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SIMCUDA_SIM_ABI_H
#define SIMCUDA_SIM_ABI_H

#include <stddef.h>
#include <stdint.h>

#ifndef SIMCUDA_MAJOR
#define SIMCUDA_MAJOR 13
#endif

/* Every status as SIM_<its name>, so that these can live beside the vendor's own header. */
enum sim_status {
#define SIM_CUDA_ERROR(name, value, sticky, text) SIM_##name = (value),
#define SIM_CUBLAS_STATUS(name, value, text) SIM_##name = (value),
#define SIM_CUFFT_RESULT(name, value) SIM_##name = (value),
#define SIM_CUSOLVER_STATUS(name, value) SIM_##name = (value),
#include "sim_status.def"
};

enum sim_copy_kind { SIM_COPY_H2H, SIM_COPY_H2D, SIM_COPY_D2H, SIM_COPY_D2D, SIM_COPY_DEFAULT };
enum sim_memory_type {
	SIM_MEMORY_UNREGISTERED,
	SIM_MEMORY_HOST,
	SIM_MEMORY_DEVICE,
	SIM_MEMORY_MANAGED
};
enum sim_transposition { SIM_TRANS_N, SIM_TRANS_T, SIM_TRANS_C };
enum sim_side { SIM_SIDE_LEFT, SIM_SIDE_RIGHT };
enum sim_uplo { SIM_UPLO_LOWER, SIM_UPLO_UPPER, SIM_UPLO_FULL };
enum sim_diag { SIM_DIAG_NON_UNIT, SIM_DIAG_UNIT };
enum sim_cufft_type {
	SIM_CUFFT_R2C = 0x2a,
	SIM_CUFFT_C2R = 0x2c,
	SIM_CUFFT_C2C = 0x29,
	SIM_CUFFT_D2Z = 0x6a,
	SIM_CUFFT_Z2D = 0x6c,
	SIM_CUFFT_Z2Z = 0x69
};
enum sim_flag {
	SIM_STREAM_NON_BLOCKING = 1,
	SIM_EVENT_DISABLE_TIMING = 2,
	SIM_ATTACH_GLOBAL = 1,
	SIM_ATTACH_HOST = 2,
	SIM_MATH_DEFAULT = 0,
	SIM_MATH_PEDANTIC = 2,
	SIM_MATH_TF32 = 3,
	SIM_MATH_BF16X9 = 4,
	SIM_MATH_FP64_EMULATED = 8,
	SIM_STRATEGY_DEFAULT = 0,
	SIM_STRATEGY_PERFORMANT = 1,
	SIM_STRATEGY_EAGER = 2,
	SIM_INVALID_DEVICE = -2
};
/* Elements of matrices, as cudaDataType. */
enum sim_type { SIM_TYPE_S = 0, SIM_TYPE_D = 1, SIM_TYPE_C = 4, SIM_TYPE_Z = 5 };
enum sim_cusolver_flag {
	SIM_EIG_NO_VECTORS = 0,
	SIM_EIG_VECTORS = 1,
	SIM_RANGE_ALL = 1001,
	SIM_RANGE_INDICES = 1002,
	SIM_RANGE_VALUES = 1003,
	SIM_DN_GETRF = 0,
	SIM_DN_POTRF = 1,
	SIM_DN_FUNCTIONS = 2,
	SIM_ALG_0 = 0,
	SIM_ALG_1 = 1,
	SIM_ALG_2 = 2,
	SIM_PROPERTY_MAJOR = 0,
	SIM_PROPERTY_MINOR = 1,
	SIM_PROPERTY_PATCH = 2
};

/*
 * What cudaPointerGetAttributes fills; major 13 appended reserved words, which the library zeroes.
 */
struct sim_pointer_attributes {
	int type;
	int device;
	void *device_pointer;
	void *host_pointer;
#if SIMCUDA_MAJOR >= 13
	long reserved[8];
#endif
};

#endif
