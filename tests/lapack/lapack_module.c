/* lapack_module.c - a plug-in that is linked with a LAPACK of its own */
/* SPDX-License-Identifier: Apache-2.0 */

void dgesv_(const int *n, const int *nrhs, double *a, const int *lda, int *ipiv, double *b,
            const int *ldb, int *info);
int module_solve(void);

/* An empty system and an illegal one are the library's; a real one may be anyone's. */
int module_solve(void)
{
	double a[1] = {2}, b[1] = {6};
	int ipiv[1], empty = 0, illegal = 0;
	const int none = 0, negative = -1, one = 1;
	dgesv_(&none, &one, a, &one, ipiv, b, &one, &empty);
	dgesv_(&negative, &one, a, &one, ipiv, b, &one, &illegal);
	return empty == -illegal ? empty : -1;
}
