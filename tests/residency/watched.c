/* watched.c - programs that rewrite factors, or end, beside the thread that watches: watched WAY */
/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

void dgetrf_(const int *m, const int *n, double *a, const int *lda, int *ipiv, int *info);
void dgetrs_(const char *trans, const int *n, const int *nrhs, const double *a, const int *lda,
             const int *ipiv, double *b, const int *ldb, int *info);

/* So many page faults that factors are watched; calls that have paid for them. */
enum { ORDER = 2600, SOLVES = 40, ROUNDS = 3, CHILDREN = 3 };
static const size_t bytes = (size_t)ORDER * ORDER * sizeof(double);
static const double rounding = 1e-9;

static double *factor;
static int pivot[ORDER];
static int seed;

static double find_element(int row, int column)
{
	const double small = (double)((row * 31 + column * 17 + seed * 7) % 13 - 6);
	return row == column ? 13.0 * ORDER + seed : small;
}

static double *map_factor(void *at, int flags)
{
	void *memory =
		mmap(at, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);
	return memory == MAP_FAILED ? NULL : memory;
}

/* Another matrix each time. */
static void rewrite(void)
{
	seed++;
	for (int j = 0; j < ORDER; j++)
		for (int i = 0; i < ORDER; i++)
			factor[(size_t)j * ORDER + (size_t)i] = find_element(i, j);
}

static int decompose(void)
{
	const int order = ORDER;
	int info;
	dgetrf_(&order, &order, factor, &order, pivot, &info);
	return info;
}

/* Whether the solution is that of the matrix that was decomposed last. */
static int solve(void)
{
	static double right[ORDER];
	const int order = ORDER, one = 1;
	int info, wrong = 0;
	for (int i = 0; i < ORDER; i++)
		right[i] = 1 + i % 3;
	dgetrs_("N", &order, &one, factor, &order, pivot, right, &order, &info);
	for (int i = 0; i < ORDER; i += ORDER / 20) {
		double sum = 0;
		for (int j = 0; j < ORDER; j++)
			sum += find_element(i, j) * right[j];
		wrong += fabs(sum - (1 + i % 3)) > rounding;
	}
	return info != 0 || wrong > 0;
}

static int solve_often(void)
{
	int failed = 0;
	for (int i = 0; i < SOLVES; i++)
		failed |= solve();
	return failed;
}

static int begin(void)
{
	factor = map_factor(NULL, 0);
	if (factor == NULL)
		return 1;
	rewrite();
	return decompose();
}

/* Newton's method: each matrix serves one solve. */
static int go_on_rewriting(void)
{
	int failed = 0;
	for (int i = 0; i < ROUNDS; i++) {
		failed |= solve();
		rewrite();
		failed |= decompose();
	}
	return failed | solve_often();
}

/* Other memory takes the place of the factors. */
static int map_anew(void)
{
	int failed = 0;
	for (int i = 0; i < ROUNDS && !failed; i++) {
		munmap(factor, bytes);
		factor = map_factor(factor, MAP_FIXED);
		failed = factor == NULL;
		if (!failed)
			rewrite();
		failed = failed || decompose() || solve();
	}
	return failed || solve_often();
}

static int fork_children(void)
{
	int failed = 0, status;
	for (int i = 0; i < CHILDREN; i++) {
		const pid_t child = fork();
		if (child == 0) {
			rewrite();
			_exit(decompose() || solve());
		}
		failed |= child < 0 || waitpid(child, &status, 0) != child || status != 0;
	}
	return failed | solve_often();
}

static void *solve_last(void *unused)
{
	printf("%s\n", solve_often() ? "FAIL the solves of another thread" : "right");
	fflush(stdout);
	return unused;
}

/* The first thread ends before the others do. */
static int leave(void)
{
	pthread_t thread;
	if (pthread_create(&thread, NULL, solve_last, NULL) != 0)
		return 1;
	pthread_exit(NULL);
}

static int end_at_once(void)
{
	printf("right\n");
	exit(0);
}

static const struct {
	const char *name;
	int (*go_on)(void);
} ways[] = {
	{"solves", solve_often},   {"rewritten", go_on_rewriting},
	{"mapped-anew", map_anew}, {"forks", fork_children},
	{"leaves", leave},         {"ends", end_at_once},
};

int main(int count, char **word)
{
	for (size_t i = 0; count > 1 && i < sizeof ways / sizeof *ways; i++)
		if (strcmp(word[1], ways[i].name) == 0) {
			const int failed = begin() || ways[i].go_on();
			printf("%s\n", failed ? "FAIL a solution is wrong" : "right");
			return failed;
		}
	return 2;
}
