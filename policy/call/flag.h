/* flag.h - the flags of BLAS and LAPACK: side, triangle, transposition, diagonal */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_CALL_FLAG_H
#define GPUSHIM_POLICY_CALL_FLAG_H

enum transpose { TRANSPOSE_N, TRANSPOSE_T, TRANSPOSE_C };
enum side { SIDE_LEFT, SIDE_RIGHT };
enum uplo { UPLO_UPPER, UPLO_LOWER };
enum diag { DIAG_NON_UNIT, DIAG_UNIT };

#endif
