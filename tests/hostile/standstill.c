/* standstill.c - work of a moment, whatever the clock says: more CPU time ends the program */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "hostile_work.h"

/* The work needs a tenth of a second. */
enum { STANDSTILL_CPU_S = 8 };

static int work(void)
{
	int wrong = 0;
	for (int i = 0; i < 12; i++)
		wrong += work_dgemm(20 + 8 * i) + work_cblas(30 + i) + work_fft(128 << (i / 3));
	return wrong + work_dgemm(400) + work_dgemm(400) + work_fft(1 << 15);
}

int main(void)
{
	const struct rlimit limit = {STANDSTILL_CPU_S, STANDSTILL_CPU_S};
	int status = -1;
	setrlimit(RLIMIT_CPU, &limit);
	int wrong = work();
	const pid_t child = fork();
	if (child == 0)
		exit(work() == 0 ? 7 : 8);
	waitpid(child, &status, 0);
	wrong += work();
	printf("%d wrong, the child ended with %d\n", wrong,
	       WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status));
	return wrong != 0;
}
