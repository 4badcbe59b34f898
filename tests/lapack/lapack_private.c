/* lapack_private.c - a LAPACK of a plug-in's own: its dgesv_ solves nothing but says VALUE */
/* SPDX-License-Identifier: Apache-2.0 */

void dgesv_(const int *n, const int *nrhs, double *a, const int *lda, int *ipiv, double *b,
            const int *ldb, int *info);

void dgesv_(const int *n, const int *nrhs, double *a, const int *lda, int *ipiv, double *b,
            const int *ldb, int *info)
{
	(void)nrhs, (void)a, (void)lda, (void)ipiv, (void)b, (void)ldb;
	*info = *n < 0 ? -VALUE : VALUE;
}
