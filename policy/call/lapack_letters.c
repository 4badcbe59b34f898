/* lapack_letters.c - the letters column of lapack_family.def */
/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/call/lapack_letters.h"

#include <string.h>

static char lapack_letters_pick(int index, const char *letters)
{
	return index >= 0 && (size_t)index < strlen(letters) ? letters[index] : '?';
}

static char lapack_letters_find(const struct lapack_call *lapack, char which)
{
	switch (which) {
	case 'i': return lapack_letters_pick(lapack->itype - 1, "123");
	case 's': return lapack_letters_pick((int)lapack->side, "LR");
	case 'u': return lapack_letters_pick((int)lapack->uplo, "UL");
	case 't': return lapack_letters_pick((int)lapack->trans, "NTC");
	case 'd': return lapack_letters_pick((int)lapack->diag, "NU");
	case 'j': return lapack->jobs[0];
	case 'v': return lapack->jobs[1];
	default: return lapack->range;
	}
}

void lapack_letters_write(const struct call *call, char out[LAPACK_LETTERS_BYTES])
{
	int count = 0;
	for (const char *which = family_letters(call->family); *which != '\0'; which++)
		if (count + 1 < LAPACK_LETTERS_BYTES)
			out[count++] = lapack_letters_find(&call->lapack, *which);
	out[count] = '\0';
}
