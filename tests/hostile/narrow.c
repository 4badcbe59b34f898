/* narrow.c - a program of another word size */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>

int main(void)
{
	printf("%d bits\n", (int)sizeof(void *) * 8);
	return 9;
}
