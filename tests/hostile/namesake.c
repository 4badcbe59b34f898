/* namesake.c - a program with functions of its own under all names of libc that the shim calls */
/* SPDX-License-Identifier: Apache-2.0 */
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "hostile_work.h"
#include "namesake_judge.h"

/* Variables of libc that a program may define as well; nothing of the shim may read these. */
char **environ = NULL;
char *program_invocation_short_name = (char *)1;
char *program_invocation_name = (char *)1;
char *__progname = NULL; /* portable BSD programs have one */

static int work(int rounds)
{
	int wrong = 0;
	for (int i = 0; i < rounds; i++)
		wrong += work_dgemm(20 + i) + work_cblas(40 + i) + work_fft(64 + i);
	return wrong + work_dgemm(300) + work_fft(1 << 14);
}

static void *run_thread(void *wrong)
{
	*(int *)wrong = work(2);
	return NULL;
}

static void work_at_exit(void)
{
	if (work(1) != 0)
		printf("wrong at exit\n");
}

int main(void)
{
	pthread_t thread;
	int thread_wrong = -1, status = -1, wrong = work(3);
	fflush(stdout);
	const pid_t child = fork();
	if (child == 0)
		exit(work(2) == 0 ? 7 : 8);
	waitpid(child, &status, 0);
	pthread_create(&thread, NULL, run_thread, &thread_wrong);
	pthread_join(thread, NULL);
	atexit(work_at_exit);
	wrong += work(2);
	printf("%d wrong, %d wrong in a thread, the child ended with %d\n", wrong, thread_wrong,
	       WEXITSTATUS(status));
	namesake_report();
	return 42;
}
