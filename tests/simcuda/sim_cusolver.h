/* sim_cusolver.h - exported functions of the cusolver stand-in, with the real ones' signatures */
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
SIM_API int cusolverDnXtrtri_bufferSize(void *handle, int uplo, int diag, int64_t n, int type_a,
                                        void *a, int64_t lda, size_t *device_bytes,
                                        size_t *host_bytes);
SIM_API int cusolverDnXtrtri(void *handle, int uplo, int diag, int64_t n, int type_a, void *a,
                             int64_t lda, void *device_buffer, size_t device_bytes,
                             void *host_buffer, size_t host_bytes, int *info);
SIM_API int cusolverDnXgeqrf_bufferSize(void *handle, void *params, int64_t m, int64_t n,
                                        int type_a, const void *a, int64_t lda, int type_tau,
                                        const void *tau, int compute, size_t *device_bytes,
                                        size_t *host_bytes);
SIM_API int cusolverDnXgeqrf(void *handle, void *params, int64_t m, int64_t n, int type_a, void *a,
                             int64_t lda, int type_tau, void *tau, int compute, void *device_buffer,
                             size_t device_bytes, void *host_buffer, size_t host_bytes, int *info);
SIM_API int cusolverDnXsyevd_bufferSize(void *handle, void *params, int jobz, int uplo, int64_t n,
                                        int type_a, const void *a, int64_t lda, int type_w,
                                        const void *w, int compute, size_t *device_bytes,
                                        size_t *host_bytes);
SIM_API int cusolverDnXsyevd(void *handle, void *params, int jobz, int uplo, int64_t n, int type_a,
                             void *a, int64_t lda, int type_w, void *w, int compute,
                             void *device_buffer, size_t device_bytes, void *host_buffer,
                             size_t host_bytes, int *info);
/* vl and vu are real numbers in host memory; found is written there before the call returns. */
SIM_API int cusolverDnXsyevdx_bufferSize(void *handle, void *params, int jobz, int range, int uplo,
                                         int64_t n, int type_a, const void *a, int64_t lda,
                                         void *vl, void *vu, int64_t il, int64_t iu, int64_t *found,
                                         int type_w, const void *w, int compute,
                                         size_t *device_bytes, size_t *host_bytes);
SIM_API int cusolverDnXsyevdx(void *handle, void *params, int jobz, int range, int uplo, int64_t n,
                              int type_a, void *a, int64_t lda, void *vl, void *vu, int64_t il,
                              int64_t iu, int64_t *found, int type_w, void *w, int compute,
                              void *device_buffer, size_t device_bytes, void *host_buffer,
                              size_t host_bytes, int *info);
SIM_API int cusolverDnXgesvd_bufferSize(void *handle, void *params, signed char jobu,
                                        signed char jobvt, int64_t m, int64_t n, int type_a,
                                        const void *a, int64_t lda, int type_s, const void *s,
                                        int type_u, const void *u, int64_t ldu, int type_v,
                                        const void *v, int64_t ldv, int compute,
                                        size_t *device_bytes, size_t *host_bytes);
SIM_API int cusolverDnXgesvd(void *handle, void *params, signed char jobu, signed char jobvt,
                             int64_t m, int64_t n, int type_a, void *a, int64_t lda, int type_s,
                             void *s, int type_u, void *u, int64_t ldu, int type_v, void *v,
                             int64_t ldv, int compute, void *device_buffer, size_t device_bytes,
                             void *host_buffer, size_t host_bytes, int *info);
SIM_API int cusolverDnXgesvdp_bufferSize(void *handle, void *params, int jobz, int econ, int64_t m,
                                         int64_t n, int type_a, const void *a, int64_t lda,
                                         int type_s, const void *s, int type_u, const void *u,
                                         int64_t ldu, int type_v, const void *v, int64_t ldv,
                                         int compute, size_t *device_bytes, size_t *host_bytes);
SIM_API int cusolverDnXgesvdp(void *handle, void *params, int jobz, int econ, int64_t m, int64_t n,
                              int type_a, void *a, int64_t lda, int type_s, void *s, int type_u,
                              void *u, int64_t ldu, int type_v, void *v, int64_t ldv, int compute,
                              void *device_buffer, size_t device_bytes, void *host_buffer,
                              size_t host_bytes, int *info, double *error_sigma);
#if SIMCUDA_MAJOR >= 13
SIM_API int cusolverDnXgeev_bufferSize(void *handle, void *params, int jobvl, int jobvr, int64_t n,
                                       int type_a, const void *a, int64_t lda, int type_w,
                                       const void *w, int type_vl, const void *vl, int64_t ldvl,
                                       int type_vr, const void *vr, int64_t ldvr, int compute,
                                       size_t *device_bytes, size_t *host_bytes);
SIM_API int cusolverDnXgeev(void *handle, void *params, int jobvl, int jobvr, int64_t n, int type_a,
                            void *a, int64_t lda, int type_w, void *w, int type_vl, void *vl,
                            int64_t ldvl, int type_vr, void *vr, int64_t ldvr, int compute,
                            void *device_buffer, size_t device_bytes, void *host_buffer,
                            size_t host_bytes, int *info);
#endif

/*
 * Functions of one element, whose real numbers are `real`. Complex operands are void pointers, as
 * in the ABI. Workspaces are counted in elements.
 */
#define SIM_QUERY_getrf(real) void *handle, int m, int n, void *a, int lda
#define SIM_SOLVE_getrf(real)                                                                      \
	void *handle, int m, int n, void *a, int lda, void *work, int *pivots, int *info
#define SIM_QUERY_potri(real) void *handle, int uplo, int n, void *a, int lda
#define SIM_SOLVE_potri(real)                                                                      \
	void *handle, int uplo, int n, void *a, int lda, void *work, int lwork, int *info
#define SIM_QUERY_orgqr(real)                                                                      \
	void *handle, int m, int n, int k, const void *a, int lda, const void *tau
#define SIM_SOLVE_orgqr(real)                                                                      \
	void *handle, int m, int n, int k, void *a, int lda, const void *tau, void *work,          \
		int lwork, int *info
#define SIM_QUERY_ormqr(real)                                                                      \
	void *handle, int side, int trans, int m, int n, int k, const void *a, int lda,            \
		const void *tau, const void *c, int ldc
#define SIM_SOLVE_ormqr(real)                                                                      \
	void *handle, int side, int trans, int m, int n, int k, const void *a, int lda,            \
		const void *tau, void *c, int ldc, void *work, int lwork, int *info
#define SIM_QUERY_sygvd(real)                                                                      \
	void *handle, int itype, int jobz, int uplo, int n, const void *a, int lda, const void *b, \
		int ldb, const void *w
#define SIM_SOLVE_sygvd(real)                                                                      \
	void *handle, int itype, int jobz, int uplo, int n, void *a, int lda, void *b, int ldb,    \
		void *w, void *work, int lwork, int *info
#define SIM_QUERY_sygvdx(real)                                                                     \
	void *handle, int itype, int jobz, int range, int uplo, int n, const void *a, int lda,     \
		const void *b, int ldb, real vl, real vu, int il, int iu, int *found,              \
		const void *w
#define SIM_SOLVE_sygvdx(real)                                                                     \
	void *handle, int itype, int jobz, int range, int uplo, int n, void *a, int lda, void *b,  \
		int ldb, real vl, real vu, int il, int iu, int *found, void *w, void *work,        \
		int lwork, int *info
#define SIM_SOLVE_laswp(real)                                                                      \
	void *handle, int n, void *a, int lda, int k1, int k2, const int *pivots, int step

#define SIM_TYPED(name, shape, element, real)                                                      \
	SIM_API int name##_bufferSize(SIM_QUERY_##shape(real), int *lwork);                        \
	SIM_API int name(SIM_SOLVE_##shape(real));
#define SIM_TYPED_ALONE(name, shape, element, real) SIM_API int name(SIM_SOLVE_##shape(real));
#include "sim_typed.def"

#endif
