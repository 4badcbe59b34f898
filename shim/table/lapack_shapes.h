/* lapack_shapes.h - each argument list of LAPACK once: to declare, to pass on, to describe */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_TABLE_LAPACK_SHAPES_H
#define GPUSHIM_SHIM_TABLE_LAPACK_SHAPES_H

#include "shim/table/shapes.h"

/* clang-format off */
/*
 * The lists of lapack_shape.def, with the words of shapes.h: C(name) is a character, I(name) an
 * input, O(name) an operand, H(count) the hidden lengths of the characters, which C callers may
 * omit. Names are those of struct lapack_call: job and job2 are jobs[0] and jobs[1]; b of ormqr is
 * C; w is also S and WR; u is also Z and VL, vt is also VR; found is the argument M.
 */
#define LIST_f77_GETRF(C, I, O, H) I(m), I(n), O(a), I(lda), O(ipiv), O(info)
#define LIST_f77_GETRS(C, I, O, H) \
	C(trans), I(n), I(nrhs), O(a), I(lda), O(ipiv), O(b), I(ldb), O(info) H(1)
#define LIST_f77_GESV(C, I, O, H) I(n), I(nrhs), O(a), I(lda), O(ipiv), O(b), I(ldb), O(info)
#define LIST_f77_GETRI(C, I, O, H) I(n), O(a), I(lda), O(ipiv), O(work), I(lwork), O(info)
#define LIST_f77_POTRF(C, I, O, H) C(uplo), I(n), O(a), I(lda), O(info) H(1)
#define LIST_f77_POTRS(C, I, O, H) \
	C(uplo), I(n), I(nrhs), O(a), I(lda), O(b), I(ldb), O(info) H(1)
#define LIST_f77_TRTRI(C, I, O, H) C(uplo), C(diag), I(n), O(a), I(lda), O(info) H(2)
#define LIST_f77_GEQRF(C, I, O, H) I(m), I(n), O(a), I(lda), O(tau), O(work), I(lwork), O(info)
#define LIST_f77_ORGQR(C, I, O, H) \
	I(m), I(n), I(k), O(a), I(lda), O(tau), O(work), I(lwork), O(info)
#define LIST_f77_ORMQR(C, I, O, H) \
	C(side), C(trans), I(m), I(n), I(k), O(a), I(lda), O(tau), O(b), I(ldb), O(work), I(lwork), \
	O(info) H(2)
#define LIST_f77_GELS(C, I, O, H) \
	C(trans), I(m), I(n), I(nrhs), O(a), I(lda), O(b), I(ldb), O(work), I(lwork), O(info) H(1)

#define LIST_f77_SYEV(C, I, O, H) \
	C(job), C(uplo), I(n), O(a), I(lda), O(w), O(work), I(lwork), O(info) H(2)
#define LIST_f77_HEEV(C, I, O, H) \
	C(job), C(uplo), I(n), O(a), I(lda), O(w), O(work), I(lwork), O(rwork), O(info) H(2)
#define LIST_f77_SYEVD(C, I, O, H) \
	C(job), C(uplo), I(n), O(a), I(lda), O(w), O(work), I(lwork), O(iwork), I(liwork), O(info) H(2)
#define LIST_f77_HEEVD(C, I, O, H) \
	C(job), C(uplo), I(n), O(a), I(lda), O(w), O(work), I(lwork), O(rwork), I(lrwork), O(iwork), \
	I(liwork), O(info) H(2)
/* The range of eigenvalues, and what is computed of it. */
#define LIST_RANGE(I, O) \
	I(vl), I(vu), I(il), I(iu), I(abstol), O(found), O(w), O(u), I(ldu)
#define LIST_f77_SYEVR(C, I, O, H) \
	C(job), C(range), C(uplo), I(n), O(a), I(lda), LIST_RANGE(I, O), O(isuppz), O(work), \
	I(lwork), O(iwork), I(liwork), O(info) H(3)
#define LIST_f77_HEEVR(C, I, O, H) \
	C(job), C(range), C(uplo), I(n), O(a), I(lda), LIST_RANGE(I, O), O(isuppz), O(work), \
	I(lwork), O(rwork), I(lrwork), O(iwork), I(liwork), O(info) H(3)
#define LIST_f77_SYEVX(C, I, O, H) \
	C(job), C(range), C(uplo), I(n), O(a), I(lda), LIST_RANGE(I, O), O(work), I(lwork), \
	O(iwork), O(isuppz), O(info) H(3)
#define LIST_f77_HEEVX(C, I, O, H) \
	C(job), C(range), C(uplo), I(n), O(a), I(lda), LIST_RANGE(I, O), O(work), I(lwork), \
	O(rwork), O(iwork), O(isuppz), O(info) H(3)
#define LIST_f77_SYGV(C, I, O, H) \
	I(itype), C(job), C(uplo), I(n), O(a), I(lda), O(b), I(ldb), O(w), O(work), I(lwork), \
	O(info) H(2)
#define LIST_f77_HEGV(C, I, O, H) \
	I(itype), C(job), C(uplo), I(n), O(a), I(lda), O(b), I(ldb), O(w), O(work), I(lwork), \
	O(rwork), O(info) H(2)
#define LIST_f77_SYGVD(C, I, O, H) \
	I(itype), C(job), C(uplo), I(n), O(a), I(lda), O(b), I(ldb), O(w), O(work), I(lwork), \
	O(iwork), I(liwork), O(info) H(2)
#define LIST_f77_HEGVD(C, I, O, H) \
	I(itype), C(job), C(uplo), I(n), O(a), I(lda), O(b), I(ldb), O(w), O(work), I(lwork), \
	O(rwork), I(lrwork), O(iwork), I(liwork), O(info) H(2)
#define LIST_f77_SYGVX(C, I, O, H) \
	I(itype), C(job), C(range), C(uplo), I(n), O(a), I(lda), O(b), I(ldb), LIST_RANGE(I, O), \
	O(work), I(lwork), O(iwork), O(isuppz), O(info) H(3)
#define LIST_f77_HEGVX(C, I, O, H) \
	I(itype), C(job), C(range), C(uplo), I(n), O(a), I(lda), O(b), I(ldb), LIST_RANGE(I, O), \
	O(work), I(lwork), O(rwork), O(iwork), O(isuppz), O(info) H(3)

/* What singular values and general eigenvalues end with, or begin with. */
#define LIST_SIDES(I, O) O(u), I(ldu), O(vt), I(ldvt), O(work), I(lwork)
#define LIST_SINGULAR(I, O) I(m), I(n), O(a), I(lda), O(w), LIST_SIDES(I, O)
#define LIST_f77_GESDD(C, I, O, H) C(job), LIST_SINGULAR(I, O), O(iwork), O(info) H(1)
#define LIST_f77_GESDD_C(C, I, O, H) C(job), LIST_SINGULAR(I, O), O(rwork), O(iwork), O(info) H(1)
#define LIST_f77_GESVD(C, I, O, H) C(job), C(job2), LIST_SINGULAR(I, O), O(info) H(2)
#define LIST_f77_GESVD_C(C, I, O, H) C(job), C(job2), LIST_SINGULAR(I, O), O(rwork), O(info) H(2)
#define LIST_f77_GEEV(C, I, O, H) \
	C(job), C(job2), I(n), O(a), I(lda), O(w), O(wi), LIST_SIDES(I, O), O(info) H(2)
#define LIST_f77_GEEV_C(C, I, O, H) \
	C(job), C(job2), I(n), O(a), I(lda), O(w), LIST_SIDES(I, O), O(rwork), O(info) H(2)
/* clang-format on */

/* All arguments that a list can have; NULL where a shape lacks one. */
struct lapack_arguments {
	const char *side, *uplo, *trans, *diag, *job, *job2, *range;
	const void *itype, *m, *n, *k, *nrhs, *lda, *ldb, *ldu, *ldvt;
	const void *vl, *vu, *il, *iu, *abstol, *lwork, *lrwork, *liwork;
	void *a, *b, *u, *vt, *w, *wi, *tau, *ipiv, *isuppz, *found, *work, *rwork, *iwork, *info;
};

#endif
