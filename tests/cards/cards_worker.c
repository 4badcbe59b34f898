/* cards_worker.c - makes calls of the size that it is told, and ends when its input does */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

void dgemm_(const char *transa, const char *transb, const int *m, const int *n, const int *k,
            const double *alpha, const double *a, const int *lda, const double *b, const int *ldb,
            const double *beta, double *c, const int *ldc);

/* Of matrices of ones each element is n. */
static int worker_multiply(int n)
{
	const size_t count = (size_t)n * (size_t)n;
	double *memory = calloc(2 * count, sizeof *memory);
	const double one = 1, zero = 0;
	int wrong = 0;
	if (memory == NULL)
		return 1;
	for (size_t i = 0; i < count; i++)
		memory[i] = 1;
	dgemm_("N", "N", &n, &n, &n, &one, memory, &n, memory, &n, &zero, memory + count, &n);
	for (size_t i = 0; i < count; i++)
		wrong += memory[count + i] != n;
	free(memory);
	return wrong;
}

/* A child that only leaves by exit: it inherits all that the process has of the shim. */
static int worker_fork(int n)
{
	int status = 1;
	const pid_t child = fork();
	if (child == 0)
		exit(worker_multiply(n) != 0);
	return child < 0 || waitpid(child, &status, 0) != child || status != 0;
}

/*
 * usage: cards_worker N [fork|twice]   a product of order N; fork: another one in a child; twice:
 *                                      another one at each line of the input
 */
int main(int count, char **argument)
{
	const int n = count > 1 ? atoi(argument[1]) : 0;
	const char *word = count > 2 ? argument[2] : "";
	char line[64];
	int wrong = worker_multiply(n);
	if (strcmp(word, "fork") == 0)
		wrong += worker_fork(n);
	printf("%s\n", wrong == 0 ? "right" : "wrong");
	fflush(stdout);
	while (fgets(line, sizeof line, stdin) != NULL) {
		wrong += strcmp(word, "twice") == 0 ? worker_multiply(n) : 0;
		printf("%s\n", wrong == 0 ? "right" : "wrong");
		fflush(stdout);
	}
	return wrong != 0;
}
