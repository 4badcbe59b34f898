/* cli_static.c - linked statically by the tests: a program that no preload can reach */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>

int main(void)
{
	puts("static");
	return 5;
}
