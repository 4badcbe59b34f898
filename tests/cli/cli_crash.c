/* cli_crash.c - a BLAS that ends the program: the tool must never call it in its own process */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

__attribute__((visibility("default"))) void dgemm_(void);

void dgemm_(void)
{
	abort();
}
