/* sim_cublas.h - exported functions of the cublas stand-in, with the real library's signatures */
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
SIM_API int cublasSscal_v2(void *handle, int n, const void *alpha, void *x, int step);
SIM_API int cublasDscal_v2(void *handle, int n, const void *alpha, void *x, int step);
#if SIMCUDA_MAJOR >= 12
SIM_API int cublasSscal_v2_64(void *handle, int64_t n, const void *alpha, void *x, int64_t step);
SIM_API int cublasDscal_v2_64(void *handle, int64_t n, const void *alpha, void *x, int64_t step);
#endif
SIM_API const char *cublasGetStatusString(int status);
SIM_API const char *cublasGetStatusName(int status);

/*
 * Exported by the stand-in only: level 3 calls of single or double precision in this math mode, in
 * all handles.
 */
SIM_API unsigned long simcuda_math_count(bool single, int mode);
#if SIMCUDA_MAJOR >= 13
SIM_API int cublasSetEmulationStrategy(void *handle, int strategy);
SIM_API int cublasGetEmulationStrategy(void *handle, int *strategy);
#endif

/*
 * Complex operands are void pointers to interleaved pairs, as in the ABI. Each list of arguments is
 * written once, for int and for int64_t. The functions are the rows of sim_level3.def.
 */
#define SIM_PARAMETERS_gemm(integer)                                                               \
	void *handle, int transa, int transb, integer m, integer n, integer k, const void *alpha,  \
		const void *a, integer lda, const void *b, integer ldb, const void *beta, void *c, \
		integer ldc
#define SIM_PARAMETERS_strided(integer)                                                            \
	void *handle, int transa, int transb, integer m, integer n, integer k, const void *alpha,  \
		const void *a, integer lda, long long stride_a, const void *b, integer ldb,        \
		long long stride_b, const void *beta, void *c, integer ldc, long long stride_c,    \
		integer batch
#define SIM_PARAMETERS_symm(integer)                                                               \
	void *handle, int side, int uplo, integer m, integer n, const void *alpha, const void *a,  \
		integer lda, const void *b, integer ldb, const void *beta, void *c, integer ldc
#define SIM_PARAMETERS_syrk(integer)                                                               \
	void *handle, int uplo, int trans, integer n, integer k, const void *alpha, const void *a, \
		integer lda, const void *beta, void *c, integer ldc
#define SIM_PARAMETERS_syr2k(integer)                                                              \
	void *handle, int uplo, int trans, integer n, integer k, const void *alpha, const void *a, \
		integer lda, const void *b, integer ldb, const void *beta, void *c, integer ldc
#define SIM_PARAMETERS_trmm(integer)                                                               \
	void *handle, int side, int uplo, int trans, int diag, integer m, integer n,               \
		const void *alpha, const void *a, integer lda, const void *b, integer ldb,         \
		void *c, integer ldc
#define SIM_PARAMETERS_trsm(integer)                                                               \
	void *handle, int side, int uplo, int trans, int diag, integer m, integer n,               \
		const void *alpha, const void *a, integer lda, void *b, integer ldb
#define SIM_PARAMETERS_geam(integer)                                                               \
	void *handle, int transa, int transb, integer m, integer n, const void *alpha,             \
		const void *a, integer lda, const void *beta, const void *b, integer ldb, void *c, \
		integer ldc

SIM_API int cublasSgeam(SIM_PARAMETERS_geam(int));
SIM_API int cublasDgeam(SIM_PARAMETERS_geam(int));
SIM_API int cublasCgeam(SIM_PARAMETERS_geam(int));
SIM_API int cublasZgeam(SIM_PARAMETERS_geam(int));
#if SIMCUDA_MAJOR >= 12
SIM_API int cublasSgeam_64(SIM_PARAMETERS_geam(int64_t));
SIM_API int cublasDgeam_64(SIM_PARAMETERS_geam(int64_t));
SIM_API int cublasCgeam_64(SIM_PARAMETERS_geam(int64_t));
SIM_API int cublasZgeam_64(SIM_PARAMETERS_geam(int64_t));
#endif

#define SIM_LEVEL3(name, shape, routine, element) SIM_API int name(SIM_PARAMETERS_##shape(int));
#include "sim_level3.def"
#if SIMCUDA_MAJOR >= 12
#define SIM_LEVEL3(name, shape, routine, element)                                                  \
	SIM_API int name##_64(SIM_PARAMETERS_##shape(int64_t));
#include "sim_level3.def"
#endif

#endif
