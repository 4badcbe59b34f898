/* lapack_provider.c - a LAPACK under every name; whoever sets forward_serve serves the calls */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "lapack_forward.h"

forward_server *forward_serve;
int forward_reports, forward_reported;

void xerbla_(const char *name, const void *position, size_t length);
void xerbla_(const char *name, const void *position, size_t length)
{
	(void)name, (void)length;
	forward_reports++;
	memcpy(&forward_reported, position, sizeof forward_reported);
}

/* The shim asks this function for the width of integers. */
#ifdef FORWARD_WIDE
typedef int64_t provider_integer;
#else
typedef int32_t provider_integer;
#endif
provider_integer isamax_(const provider_integer *n, const float *x, const provider_integer *step);
provider_integer isamax_(const provider_integer *n, const float *x, const provider_integer *step)
{
	provider_integer found = 0;
	for (provider_integer i = 0; i < *n; i++)
		if (found == 0 || x[i * *step] > x[(found - 1) * *step])
			found = i + 1;
	return found;
}

static void provider_serve(const char *symbol, const uint64_t words[FORWARD_WORDS])
{
	const int64_t position = forward_serve(symbol, words);
	if (position != 0)
		xerbla_(symbol, &position, strlen(symbol));
}

#define NAME(symbol, width, arguments)                                                             \
	forward_routine symbol;                                                                    \
	void symbol(FORWARD_EACH(FORWARD_PARAMETER))                                               \
	{                                                                                          \
		const uint64_t words[] = {FORWARD_EACH(FORWARD_ARGUMENT)};                         \
		provider_serve(#symbol, words);                                                    \
	}
#define LIST(routine, arguments) FORWARD_NAMES(NAME, routine, arguments)
#include "lapack_lists.def"
