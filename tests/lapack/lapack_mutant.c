/* lapack_mutant.c - a faulty interposer of LAPACK: tests must find the fault that MUTANT names */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

void dgetrf_(const int *m, const int *n, double *a, const int *lda, int *ipiv, int *info);
void dgesv_(const int *n, const int *nrhs, double *a, const int *lda, int *ipiv, double *b,
            const int *ldb, int *info);
void dpotrf_(const char *uplo, const int *n, double *a, const int *lda, int *info, size_t length);
void dgeqrf_(const int *m, const int *n, double *a, const int *lda, double *tau, double *work,
             const int *lwork, int *info);
void dsyevd_(const char *jobz, const char *uplo, const int *n, double *a, const int *lda, double *w,
             double *work, const int *lwork, int *iwork, const int *liwork, int *info,
             size_t jobz_length, size_t uplo_length);
void dgesdd_(const char *jobz, const int *m, const int *n, double *a, const int *lda, double *s,
             double *u, const int *ldu, double *vt, const int *ldvt, double *work, const int *lwork,
             int *iwork, int *info, size_t length);

void dgels_(const char *trans, const int *m, const int *n, const int *nrhs, double *a,
            const int *lda, double *b, const int *ldb, double *work, const int *lwork, int *info,
            size_t length);

static bool mutant_is(const char *fault)
{
	const char *chosen = getenv("MUTANT");
	return chosen != NULL && strcmp(chosen, fault) == 0;
}

static void *mutant_real(const char *name)
{
	void *real = dlsym(RTLD_NEXT, name);
	if (real == NULL)
		abort();
	return real;
}

#define REAL(routine) ((__typeof__(routine) *)mutant_real(#routine))

/* Pivots that count from 0; a gap that is written; the error of singular matrices left out. */
void dgetrf_(const int *m, const int *n, double *a, const int *lda, int *ipiv, int *info)
{
	REAL(dgetrf_)(m, n, a, lda, ipiv, info);
	const int k = *m < *n ? *m : *n;
	for (int i = 0; i < k && mutant_is("pivots"); i++)
		ipiv[i]--;
	if (mutant_is("gap") && *lda > *m && *n > 1)
		a[*m] = 0;
	if (mutant_is("info") && *info > 0)
		*info = 0;
}

/* An illegal call that nobody hears of. */
void dgesv_(const int *n, const int *nrhs, double *a, const int *lda, int *ipiv, double *b,
            const int *ldb, int *info)
{
	if (mutant_is("silent") && (*n < 0 || *nrhs < 0 || *lda < *n || *ldb < *n)) {
		*info = 0;
		return;
	}
	REAL(dgesv_)(n, nrhs, a, lda, ipiv, b, ldb, info);
}

/* The other triangle comes back from a device too. */
void dpotrf_(const char *uplo, const int *n, double *a, const int *lda, int *info, size_t length)
{
	REAL(dpotrf_)(uplo, n, a, lda, info, length);
	if (mutant_is("triangle") && *n > 1 && *info == 0)
		a[*uplo == 'U' || *uplo == 'u' ? 1 : *lda] = 0;
}

/* A workspace that is left as it was. */
void dgeqrf_(const int *m, const int *n, double *a, const int *lda, double *tau, double *work,
             const int *lwork, int *info)
{
	REAL(dgeqrf_)(m, n, a, lda, tau, work, lwork, info);
	if (mutant_is("work") && *lwork != -1 && *info == 0)
		work[0] = 1;
}

/* What is left below the solution, of which the residual's length is told, comes back as 0. */
void dgels_(const char *trans, const int *m, const int *n, const int *nrhs, double *a,
            const int *lda, double *b, const int *ldb, double *work, const int *lwork, int *info,
            size_t length)
{
	REAL(dgels_)(trans, m, n, nrhs, a, lda, b, ldb, work, lwork, info, length);
	for (int j = 0; mutant_is("rest") && *lwork != -1 && *info == 0 && j < *nrhs; j++)
		for (int i = *n; i < *m; i++)
			b[i + j * *ldb] = 0;
}

/* Vectors that are a little off. */
void dsyevd_(const char *jobz, const char *uplo, const int *n, double *a, const int *lda, double *w,
             double *work, const int *lwork, int *iwork, const int *liwork, int *info,
             size_t jobz_length, size_t uplo_length)
{
	REAL(dsyevd_)
	(jobz, uplo, n, a, lda, w, work, lwork, iwork, liwork, info, jobz_length, uplo_length);
	if (mutant_is("vectors") && (*jobz == 'V' || *jobz == 'v') && *lwork != -1 && *n > 2)
		a[0] += 1e-9;
}

/* V for its transpose. */
void dgesdd_(const char *jobz, const int *m, const int *n, double *a, const int *lda, double *s,
             double *u, const int *ldu, double *vt, const int *ldvt, double *work, const int *lwork,
             int *iwork, int *info, size_t length)
{
	REAL(dgesdd_)(jobz, m, n, a, lda, s, u, ldu, vt, ldvt, work, lwork, iwork, info, length);
	if (!mutant_is("transposed") || *lwork == -1 || *jobz != 'A')
		return;
	for (int j = 0; j < *n; j++)
		for (int i = 0; i < j; i++) {
			const double swap = vt[i + j * *ldvt];
			vt[i + j * *ldvt] = vt[j + i * *ldvt];
			vt[j + i * *ldvt] = swap;
		}
}
