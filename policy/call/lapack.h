/* lapack.h - the arguments of a LAPACK call */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_CALL_LAPACK_H
#define GPUSHIM_POLICY_CALL_LAPACK_H

#include <stdbool.h>
#include <stdint.h>

#include "policy/call/flag.h"

/* Most letters that the arguments of a call have together, with the terminator. */
enum { LAPACK_LETTERS_BYTES = 8 };

/*
 * The arguments by LAPACK's names. What a routine does not have is 0 or NULL. Leading dimensions
 * are in elements. Integers that LAPACK writes, and those of ipiv, have 64 bits if wide, else 32.
 * Of a call with a defect only sizes and letters are valid.
 *
 *   field        routines
 *   jobs[0]      syev*, sygv*, gesdd: JOBZ; gesvd: JOBU; geev: JOBVL
 *   jobs[1]      gesvd: JOBVT; geev: JOBVR
 *   m, n, k      of square matrices n is the order, and m is n; k of orgqr, ormqr alone
 *   b            of ormqr C
 *   u            gesdd, gesvd: U; syevr, syevx, sygvx: Z; geev: VL
 *   vt           gesdd, gesvd: VT; geev: VR
 *   w            eigenvalues; singular values S; real geev: WR
 *   isuppz       syevr: ISUPPZ; syevx, sygvx: IFAIL
 *   found        the argument M of syevr, syevx, sygvx
 *   lrwork, liwork  elements of rwork and iwork, by their arguments or, where there are none, by
 *                the documentation
 */
struct lapack_call {
	enum side side;
	enum uplo uplo;
	enum transpose trans;
	enum diag diag;
	int itype;
	char jobs[2], range; /* capitals */
	bool wide;
	int64_t m, n, k, nrhs, lda, ldb, ldu, ldvt;
	void *a, *b, *u, *vt;
	void *w, *wi, *tau, *ipiv, *isuppz;
	double vl, vu, abstol;
	int64_t il, iu;
	void *work, *rwork, *iwork;
	int64_t lwork, lrwork, liwork;
	void *found, *info;
};

#endif
