/* cluster_rank.c - ranks of MPI that multiply, while all of them hold their GPU */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dirent.h>
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void dgemm_(const char *transa, const char *transb, const int *m, const int *n, const int *k,
            const double *alpha, const double *a, const int *lda, const double *b, const int *ldb,
            const double *beta, double *c, const int *ldc);

enum { RANK_CALLS = 3, RANK_ORDER = 300 };

static double *rank_allocate(int rows, int columns)
{
	const size_t count = (size_t)rows * (size_t)columns;
	double *memory = malloc(count * sizeof *memory);
	if (memory == NULL)
		MPI_Abort(MPI_COMM_WORLD, 3);
	for (size_t i = 0; i < count; i++)
		memory[i] = 1;
	return memory;
}

/* Of matrices of ones each element is k. */
static int rank_multiply(int order, int k)
{
	double *a = rank_allocate(order, k), *b = rank_allocate(k, order),
	       *c = rank_allocate(order, order);
	const double one = 1, zero = 0;
	int wrong = 0;
	dgemm_("N", "N", &order, &order, &k, &one, a, &order, b, &k, &zero, c, &order);
	for (size_t i = 0; i < (size_t)order * (size_t)order; i++)
		wrong += c[i] != k;
	free(a);
	free(b);
	free(c);
	return wrong;
}

/* Threads of this process that copy operands. */
static int rank_count_copiers(void)
{
	DIR *folder = opendir("/proc/self/task");
	int count = 0;
	for (const struct dirent *entry; folder != NULL && (entry = readdir(folder)) != NULL;) {
		char path[512], name[32] = "";
		snprintf(path, sizeof path, "/proc/self/task/%s/comm", entry->d_name);
		FILE *file = fopen(path, "r");
		if (file == NULL)
			continue;
		count += fgets(name, sizeof name, file) != NULL && !strcmp(name, "gpushim-copy\n");
		fclose(file);
	}
	if (folder != NULL)
		closedir(folder);
	return count;
}

static void rank_note(const char *folder, const char *name, int number, int value)
{
	char path[4096];
	snprintf(path, sizeof path, "%s/%s.%d", folder, name, number);
	FILE *file = fopen(path, "w");
	if (file == NULL || fprintf(file, "%d\n", value) < 0 || fclose(file) != 0)
		MPI_Abort(MPI_COMM_WORLD, 4);
}

/* The machine of the simulated GPUs as it is now, with a row for each process that has one. */
static void rank_copy_node(const char *folder)
{
	const char *path = getenv("SIMCUDA_NODE");
	char copy[4096], block[4096];
	snprintf(copy, sizeof copy, "%s/node.seen", folder);
	FILE *from = path != NULL ? fopen(path, "r") : NULL, *to = fopen(copy, "w");
	for (size_t count;
	     from != NULL && to != NULL && (count = fread(block, 1, sizeof block, from)) > 0;)
		fwrite(block, 1, count, to);
	if (from != NULL)
		fclose(from);
	if (to != NULL)
		fclose(to);
}

/*
 * usage: cluster_rank [FOLDER ORDER K]   products of ORDER x K by K x ORDER. FOLDER gets the
 *                                        process and the copy threads of each rank, and the
 *                                        machine of the GPUs, while all ranks hold theirs
 */
int main(int count, char **argument)
{
	int rank, ranks, wrong = 0, all = 0;
	MPI_Init(&count, &argument);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	const bool told = count == 4;
	for (int i = 0; i < RANK_CALLS; i++) {
		wrong += rank_multiply(told ? atoi(argument[2]) : RANK_ORDER,
		                       told ? atoi(argument[3]) : RANK_ORDER);
		MPI_Barrier(MPI_COMM_WORLD);
	}
	if (told) {
		rank_note(argument[1], "pid", rank, (int)getpid());
		rank_note(argument[1], "copiers", rank, rank_count_copiers());
		if (rank == 0)
			rank_copy_node(argument[1]);
	}
	MPI_Allreduce(&wrong, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	if (rank == 0)
		printf("%d ranks, %d wrong\n", ranks, all);
	MPI_Finalize();
	return all != 0;
}
