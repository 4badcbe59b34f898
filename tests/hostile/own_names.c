/* own_names.c - a program whose functions and variables happen to have names of libc */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>

#include "hostile_work.h"

/* ISO C leaves these names to programs. None of their headers is included here. */
int access(double level);
double stat(double mean, double variance);
extern int uname, flock, ftruncate, gettid;

static int access_calls, stat_calls;
int uname = 1, flock = 2, ftruncate = 3, gettid = 4;

int access(double level)
{
	access_calls++;
	return level > 0;
}

double stat(double mean, double variance)
{
	stat_calls++;
	return mean / variance;
}

int main(void)
{
	int wrong = 0;
	for (int i = 0; i < 5; i++)
		wrong += work_dgemm(10 + 60 * i) + work_cblas(30 + i) + work_fft(64 << i);
	printf("%d wrong, access called %d times, stat %d times, %d\n", wrong, access_calls,
	       stat_calls, uname + flock + ftruncate + gettid);
	return wrong != 0;
}
