/* argument.h - arguments of BLAS as callers pass them: integers of either width, scalars, flags */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_CALL_ARGUMENT_H
#define GPUSHIM_POLICY_CALL_ARGUMENT_H

#include "policy/call/call.h"

enum { ARGUMENT_ILLEGAL = -1 };

/*
 * An integer argument of 32 bits, or of 64 if wide: element index of an array, or index 0 of one
 * value.
 */
static inline int64_t argument_read_integer(const void *address, int64_t index, bool wide)
{
	return wide ? ((const int64_t *)address)[index] : ((const int32_t *)address)[index];
}

/* Reads scalar number index of an array (0: one alpha or beta) as its real and imaginary part. */
static inline void argument_read_scalar(enum element element, const void *address, int64_t index,
                                        double value[2])
{
	const int64_t at = element_is_complex(element) ? 2 * index : index;
	const bool single = element == ELEMENT_S || element == ELEMENT_C;
	value[0] = single ? (double)((const float *)address)[at] : ((const double *)address)[at];
	value[1] = 0;
	if (element_is_complex(element))
		value[1] = single ? (double)((const float *)address)[at + 1]
		                  : ((const double *)address)[at + 1];
}

static inline bool argument_is_zero(const double value[2])
{
	return value[0] == 0 && value[1] == 0;
}

/*
 * Reads a flag of Fortran, a letter in either case: its index in letters (capitals), or
 * ARGUMENT_ILLEGAL.
 */
static inline int argument_read_letter(const char *letter, const char *letters)
{
	const char capital =
		*letter >= 'a' && *letter <= 'z' ? (char)(*letter - 'a' + 'A') : *letter;
	for (int i = 0; letters[i] != '\0'; i++)
		if (letters[i] == capital)
			return i;
	return ARGUMENT_ILLEGAL;
}

/* Reads a flag of CBLAS, one of count numbers from first on: its index, or ARGUMENT_ILLEGAL. */
static inline int argument_read_flag(int flag, int first, int count)
{
	return flag >= first && flag < first + count ? flag - first : ARGUMENT_ILLEGAL;
}

/* A transposition in either convention: an enum transpose, or ARGUMENT_ILLEGAL. */
static inline int argument_read_transpose_letter(const char *letter)
{
	return argument_read_letter(letter, "NTC");
}

static inline int argument_read_transpose_flag(int flag)
{
	return argument_read_flag(flag, 111, 3);
}

#endif
