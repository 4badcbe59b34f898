/* sim_cusolver.h - exported functions of the cusolver stand-in, with the real library's signatures */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SIMCUDA_SIM_CUSOLVER_H
#define SIMCUDA_SIM_CUSOLVER_H

#include "simcuda.h"

SIM_API int cusolverGetProperty(int property, int *value);
SIM_API int cusolverDnCreate(void **handle);
SIM_API int cusolverDnDestroy(void *handle);
SIM_API int cusolverDnSetStream(void *handle, void *stream);
SIM_API int cusolverDnGetStream(void *handle, void **stream);
SIM_API int cusolverDnCreateParams(void **params);
SIM_API int cusolverDnDestroyParams(void *params);
SIM_API int cusolverDnSetAdvOptions(void *params, int function, int algorithm);
#if SIMCUDA_MAJOR >= 12
SIM_API int cusolverDnSetDeterministicMode(void *handle, int mode);
SIM_API int cusolverDnGetDeterministicMode(void *handle, int *mode);
#endif
#if SIMCUDA_MAJOR >= 13
SIM_API int cusolverDnSetMathMode(void *handle, int mode);
SIM_API int cusolverDnGetMathMode(void *handle, int *mode);
#endif

/*
 * Types are those of enum sim_type. Sizes of workspaces are in bytes; those on the host are written
 * when the device executes the call.
 */
SIM_API int cusolverDnXgetrf_bufferSize(void *handle, void *params, int64_t m, int64_t n,
                                        int type_a, const void *a, int64_t lda, int compute,
                                        size_t *device_bytes, size_t *host_bytes);
SIM_API int cusolverDnXgetrf(void *handle, void *params, int64_t m, int64_t n, int type_a, void *a,
                             int64_t lda, int64_t *pivots, int compute, void *device_buffer,
                             size_t device_bytes, void *host_buffer, size_t host_bytes, int *info);
SIM_API int cusolverDnXgetrs(void *handle, void *params, int trans, int64_t n, int64_t columns,
                             int type_a, const void *a, int64_t lda, const int64_t *pivots,
                             int type_b, void *b, int64_t ldb, int *info);
SIM_API int cusolverDnXpotrf_bufferSize(void *handle, void *params, int uplo, int64_t n, int type_a,
                                        const void *a, int64_t lda, int compute,
                                        size_t *device_bytes, size_t *host_bytes);
SIM_API int cusolverDnXpotrf(void *handle, void *params, int uplo, int64_t n, int type_a, void *a,
                             int64_t lda, int compute, void *device_buffer, size_t device_bytes,
                             void *host_buffer, size_t host_bytes, int *info);
SIM_API int cusolverDnXpotrs(void *handle, void *params, int uplo, int64_t n, int64_t columns,
                             int type_a, const void *a, int64_t lda, int type_b, void *b,
                             int64_t ldb, int *info);

#endif
