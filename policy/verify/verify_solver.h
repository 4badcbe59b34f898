/* verify_solver.h - whether the result of a LAPACK call is as right as rounding lets it be; pure */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_VERIFY_VERIFY_SOLVER_H
#define GPUSHIM_POLICY_VERIFY_VERIFY_SOLVER_H

#include "policy/verify/verify_bench.h"

/*
 * Results are judged by LAPACK's own measures, times a vector y of signs at random, which costs
 * as much as reading the matrices a few times: |R y| is about the Frobenius norm of R. Signs,
 * phases, bases of equal eigenvalues and the choice of pivots are free. u is the unit roundoff,
 * d the largest dimension and v its root; | |L| |U| |y| | is the norm of the product of absolute
 * values. The worst case has d in place of v: it needs errors that all point the same way.
 *
 *   getrf               P A = L U               |(P A - L U) y| <= 16 v u | |L| |U| |y| |
 *   potrf               A = U^H U               likewise
 *   getrs potrs gesv    op(A) X = B             |(B - A X) y| <= 16 v u | |L| |U| |X| |y| |
 *   getri potri trtri   X A = I or A X = I      |(I - A X) y| <= 16 v u | |L| |U| |X| |y| |
 *   geqrf               A = Q R, Q^H Q = I      |(A - Q R) y| <= 30 d u |A|
 *   orgqr ormqr         the same product by reflectors
 *   gels                A^H (B - A X) = 0, R^H R = A^H A, norms of residuals; or A^H X = B
 *   syev and the like   A Z = Z W, Z^H Z = I    |(A Z - Z W) y| <= 30 d u |A|
 *   sygv and the like   by B's factor, which is judged as potrf's: |L|, |inv(L)| enter the bounds
 *   gesdd gesvd         A = U S VT, U^H U = I, VT VT^H = I; of one side alone A A^H U = U S^2
 *   geev                A V = V W, |V(i)| = 1; without vectors the sums of W and of its squares
 *
 * Sources: Higham, Accuracy and Stability of Numerical Algorithms, 2nd edition, theorems 9.3, 9.4,
 * 10.3, 14.2; LAPACK Working Note 41, section 7, whose threshold is 30.
 */

/* Judges the results that are in the program's arrays. */
struct verify_verdict verify_solver_judge(const struct verify_solved *solved);

/*
 * Whether a call computes values that have no vectors to be judged by, so that another library's
 * values are needed: eigenvalues of symmetric matrices, and singular values.
 */
bool verify_solver_needs_values(const struct call *call);

/* Judges values of the same problem (as W holds them) by those in W, and by the factor in B. */
struct verify_verdict verify_solver_compare(const struct verify_solved *solved, const void *values);

#endif
