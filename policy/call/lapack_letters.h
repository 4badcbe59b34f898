/* lapack_letters.h - the flags of a LAPACK call as text */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_CALL_LAPACK_LETTERS_H
#define GPUSHIM_POLICY_CALL_LAPACK_LETTERS_H

#include "policy/call/call.h"

/*
 * Writes the letters of the call in the order of its arguments, as capitals, terminated: "VU" of
 * dsyevd. itype is a digit; what is illegal is '?'. Empty for a routine without letters.
 */
void lapack_letters_write(const struct call *call, char out[LAPACK_LETTERS_BYTES]);

#endif
