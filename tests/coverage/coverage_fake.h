/* coverage_fake.h - the tests' own libraries: they check their arguments and compute nothing */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_COVERAGE_COVERAGE_FAKE_H
#define GPUSHIM_TESTS_COVERAGE_COVERAGE_FAKE_H

#include <complex.h>
#include <stddef.h>

/* alpha must be 2, beta 3, ldc the value of m, and the lengths 1. */
void dgemm_(const char *transa, const char *transb, const int *m, const int *n, const int *k,
            const double *alpha, const double *a, const int *lda, const double *b, const int *ldb,
            const double *beta, double *c, const int *ldc, size_t transa_length,
            size_t transb_length);
void dgemm(int m, int n, int k, double alpha);
void cblas_dgemm(int order, int transa, int transb, int m, int n, int k, double alpha,
                 const double *a, int lda, const double *b, int ldb, double beta, double *c,
                 int ldc);
void dtrsm_(const char *side, const char *uplo, const char *transa, const char *diag, const int *m,
            const int *n, const double *alpha, const double *a, const int *lda, double *b,
            const int *ldb);
double ddot_(const int *n, const double *x, const int *incx, const double *y, const int *incy);
double complex zdotc_(const int *n, const void *x, const int *incx, const void *y, const int *incy);
void dgetrf_(const int *m, const int *n, double *a, const int *lda, int *pivots, int *info);
void dsyev_(const char *jobz, const char *uplo, const int *n, double *a, const int *lda, double *w,
            double *work, const int *lwork, int *info, size_t jobz_length, size_t uplo_length);

/* Routines with other argument lists; each checks its last argument. */
void dgemm_64_(const char *transa, const char *transb, const long *m, const long *n, const long *k,
               const double *alpha, const double *a, const long *lda, const double *b,
               const long *ldb, const double *beta, double *c, const long *ldc,
               size_t transa_length, size_t transb_length);
void cblas_dtrsm(int order, int side, int uplo, int transa, int diag, int m, int n, double alpha,
                 const double *a, int lda, double *b, int ldb);
void cblas_dgemm_batch_strided(int order, int transa, int transb, int m, int n, int k, double alpha,
                               const double *a, int lda, int stridea, const double *b, int ldb,
                               int strideb, double beta, double *c, int ldc, int stridec,
                               int batch);
void cblas_zgemm_batch_strided(int order, int transa, int transb, int m, int n, int k,
                               const void *alpha, const void *a, int lda, int stridea,
                               const void *b, int ldb, int strideb, const void *beta, void *c,
                               int ldc, int stridec, int batch);
void sgemm_batch_(const char *transa, const char *transb, const int *m, const int *n, const int *k,
                  const float *alpha, const float *const *a, const int *lda, const float *const *b,
                  const int *ldb, const float *beta, float *const *c, const int *ldc,
                  const int *groups, const int *group_sizes);

/* The plan's value is its sign or rank. */
void *fftw_plan_dft_2d(int n0, int n1, void *in, void *out, int sign, unsigned flags);
void *fftw_plan_many_dft(int rank, const int *n, int howmany, void *in, const int *inembed,
                         int istride, int idist, void *out, const int *onembed, int ostride,
                         int odist, int sign, unsigned flags);
void *fftwf_plan_dft_r2c_1d(int n, float *in, void *out, unsigned flags);
void *fftw_plan_r2r_1d(int n, double *in, double *out, int kind, unsigned flags);
void fftw_execute(const void *plan);
void fftw_execute_dft(const void *plan, void *in, void *out);
void fftwf_execute(const void *plan);
void dfftw_plan_dft_1d_(void **plan, const int *n, void *in, void *out, const int *sign,
                        const int *flags);
void dfftw_execute_(void *const *plan);
void dfftw_plan_many_dft_(void **plan, const int *rank, const int *n, const int *howmany, void *in,
                          const int *inembed, const int *istride, const int *idist, void *out,
                          const int *onembed, const int *ostride, const int *odist, const int *sign,
                          const int *flags);

struct fake_dim {
	int n, is, os;
};

struct fake_dim64 {
	long n, is, os;
};

void *fftwf_plan_guru_dft(int rank, const struct fake_dim *dims, int loops,
                          const struct fake_dim *loop_dims, void *in, void *out, int sign,
                          unsigned flags);
void *fftw_plan_guru64_dft_c2r(int rank, const struct fake_dim64 *dims, int loops,
                               const struct fake_dim64 *loop_dims, void *in, double *out,
                               unsigned flags);

#endif
