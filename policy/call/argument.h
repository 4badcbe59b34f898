/* argument.h - single arguments of BLAS as their callers pass them: integers of either width, scalars, flags */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_CALL_ARGUMENT_H
#define GPUSHIM_POLICY_CALL_ARGUMENT_H

#include "policy/call/call.h"

enum { ARGUMENT_ILLEGAL = -1 };

/* The integer of this index in an array, or the one at this address: index 0. */
static inline int64_t argument_read_integer(const void *address, int64_t index, bool wide)
{
	return wide ? ((const int64_t *)address)[index] : ((const int32_t *)address)[index];
}

/* alpha or beta number index as its real and imaginary part. */
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
 * A letter of Fortran in either case: the index of it in letters, which are capital ones, or
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

/* A number of CBLAS, counted from first. */
static inline int argument_read_flag(int flag, int first, int count)
{
	return flag >= first && flag < first + count ? flag - first : ARGUMENT_ILLEGAL;
}

/* enum transpose, from either convention. */
static inline int argument_read_transpose_letter(const char *letter)
{
	return argument_read_letter(letter, "NTC");
}

static inline int argument_read_transpose_flag(int flag)
{
	return argument_read_flag(flag, 111, 3);
}

#endif
