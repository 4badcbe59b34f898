/* illegal_nothing.c - in place of illegal_throw.cc where there is no C++ compiler */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "illegal_blas.h"

void illegal_throw(void)
{
	abort();
}

void illegal_catch(void (*work)(void *), void *argument)
{
	(void)work;
	(void)argument;
	abort();
}
