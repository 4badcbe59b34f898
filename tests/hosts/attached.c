/* attached.c - a program that a debugger attaches to while it waits for a line */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <sys/prctl.h>

#include "tests/hostile/hostile_work.h"

int main(void)
{
	prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY);
	const int before = work_dgemm(40) + work_cblas(40);
	printf("waiting\n");
	fflush(stdout);
	if (getchar() == EOF)
		return 1;
	printf("around a debugger: %d wrong\n", before + work_dgemm(50) + work_cblas(50));
	return 0;
}
