/* cli_wants.c - never run: a program that references routines, some seen and some not */
/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/cli/cli_fake.h"

#include <stdio.h>

int main(void)
{
	puts("the doctor must not run this");
	dgecon_();
	dgemm_(NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, 0);
	return 1;
}
