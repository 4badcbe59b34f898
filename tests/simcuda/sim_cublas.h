/* sim_cublas.h - the exported functions of the cublas stand-in, with the real library's signatures */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SIMCUDA_SIM_CUBLAS_H
#define SIMCUDA_SIM_CUBLAS_H

#include "simcuda.h"

SIM_API int cublasCreate_v2(void **handle);
SIM_API int cublasDestroy_v2(void *handle);
SIM_API int cublasSetStream_v2(void *handle, void *stream);
SIM_API int cublasGetStream_v2(void *handle, void **stream);
SIM_API int cublasSetWorkspace_v2(void *handle, void *workspace, size_t size_bytes);
SIM_API int cublasSetMathMode(void *handle, int mode);
SIM_API int cublasGetMathMode(void *handle, int *mode);
SIM_API int cublasSetPointerMode_v2(void *handle, int mode);
SIM_API int cublasGetPointerMode_v2(void *handle, int *mode);
SIM_API int cublasSetAtomicsMode(void *handle, int mode);
SIM_API int cublasGetVersion_v2(void *handle, int *version);
SIM_API const char *cublasGetStatusString(int status);
SIM_API const char *cublasGetStatusName(int status);

/* Complex operands are pointers to interleaved pairs, which is all that the ABI says about them. */
#define SIM_GEMM_PARAMETERS(integer)                                                                                   \
	void *handle, int transa, int transb, integer m, integer n, integer k, const void *alpha, const void *a,       \
		integer lda, const void *b, integer ldb, const void *beta, void *c, integer ldc

SIM_API int cublasSgemm_v2(SIM_GEMM_PARAMETERS(int));
SIM_API int cublasDgemm_v2(SIM_GEMM_PARAMETERS(int));
SIM_API int cublasCgemm_v2(SIM_GEMM_PARAMETERS(int));
SIM_API int cublasZgemm_v2(SIM_GEMM_PARAMETERS(int));
#if SIMCUDA_MAJOR >= 12
SIM_API int cublasSgemm_v2_64(SIM_GEMM_PARAMETERS(int64_t));
SIM_API int cublasDgemm_v2_64(SIM_GEMM_PARAMETERS(int64_t));
SIM_API int cublasCgemm_v2_64(SIM_GEMM_PARAMETERS(int64_t));
SIM_API int cublasZgemm_v2_64(SIM_GEMM_PARAMETERS(int64_t));
#endif

#endif
