/* cli_crash.c - a BLAS that ends the program: whoever calls it had better be somebody else's process */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

__attribute__((visibility("default"))) void dgemm_(void);

void dgemm_(void)
{
	abort();
}
