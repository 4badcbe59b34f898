/* ordinary.c - an ordinary program: some work, a result, an exit status of its own */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>

#include "hostile_work.h"

int main(void)
{
	int wrong = 0;
	for (int round = 0; round < 6; round++) {
		wrong += work_dgemm(7 + 11 * round);
		wrong += work_cblas(64 - round);
		wrong += work_fft(32 + 8 * round);
	}
	printf("%d wrong results\ncall dgemm_ 6\ncall cblas_dgemm 6\ncall fftw_execute 6\n", wrong);
	return wrong != 0 ? 1 : 42;
}
