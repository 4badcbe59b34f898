/* reach_linked.c - a program whose library calls dgemm_ in its constructor and destructor */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>

void module_call(double *result, long size);

int main(void)
{
	double result[3];
	module_call(result, 2);
	printf("main %.3f %.0f %.0f\n", result[0], result[1], result[2]);
	return 0;
}
