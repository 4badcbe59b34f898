/* lapack_hostile.c - threads, forks, jumps, sizes; usage: lapack_hostile WAY */
/* SPDX-License-Identifier: Apache-2.0 */
#include <malloc.h>
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ORDER = 64, THREADS = 16, ROUNDS = 12, JUMPS = 60, CHILDREN = 6 };

void dgesv_(const int *n, const int *nrhs, double *a, const int *lda, int *ipiv, double *b,
            const int *ldb, int *info);
void dgeqrf_(const int *m, const int *n, double *a, const int *lda, double *tau, double *work,
             const int *lwork, int *info);
void dpotrf_(const char *uplo, const int *n, double *a, const int *lda, int *info, size_t length);
void dsyevd_(const char *jobz, const char *uplo, const int *n, double *a, const int *lda, double *w,
             double *work, const int *lwork, int *iwork, const int *liwork, int *info,
             size_t jobz_length, size_t uplo_length);

void dsyev_(const char *jobz, const char *uplo, const int *n, double *a, const int *lda, double *w,
            double *work, const int *lwork, int *info, size_t jobz_length, size_t uplo_length);

typedef __typeof__(dgesv_) solver;

/* A system of its own: A(i,j) = 1 / (1 + |i - j|) and n on the diagonal; the solution is i + 1. */
struct system {
	int n, info, ipiv[ORDER];
	double a[ORDER * ORDER], b[ORDER];
};

static void system_fill(struct system *s, int n)
{
	s->n = n;
	for (int i = 0; i < n; i++)
		s->b[i] = 0;
	for (int j = 0; j < n; j++)
		for (int i = 0; i < n; i++) {
			s->a[i + j * n] = i == j ? n : 1.0 / (1 + abs(i - j) + (i > j));
			s->b[i] += s->a[i + j * n] * (j + 1);
		}
}

static bool system_is_solved(const struct system *s)
{
	bool right = s->info == 0;
	for (int i = 0; i < s->n; i++)
		right = right && fabs(s->b[i] - (i + 1)) < 1e-9;
	return right;
}

static bool system_solve(struct system *s, int n, solver *solve)
{
	const int one = 1;
	system_fill(s, n);
	s->info = -99;
	solve(&n, &one, s->a, &n, s->ipiv, s->b, &n, &s->info);
	return system_is_solved(s);
}

static void *thread_run(void *wrong)
{
	struct system *s = malloc(sizeof *s);
	for (int i = 0; i < ROUNDS && s != NULL; i++)
		if (!system_solve(s, 5 + 4 * i, dgesv_))
			__atomic_fetch_add((int *)wrong, 1, __ATOMIC_RELAXED);
	free(s);
	return s == NULL ? wrong : NULL;
}

static int run_threads(void)
{
	pthread_t thread[THREADS];
	int wrong = 0;
	for (int i = 0; i < THREADS; i++)
		if (pthread_create(&thread[i], NULL, thread_run, &wrong) != 0)
			return 3;
	for (int i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	return wrong;
}

/* Children begin between the calls of two threads, and in the first thread's middle. */
static int run_fork(void)
{
	pthread_t thread[2];
	static struct system s;
	int wrong = !system_solve(&s, ORDER, dgesv_);
	for (int i = 0; i < 2; i++)
		if (pthread_create(&thread[i], NULL, thread_run, &wrong) != 0)
			return 3;
	for (int i = 0; i < CHILDREN; i++) {
		const pid_t child = fork();
		int status = 1;
		if (child == 0)
			_exit(!system_solve(&s, 20 + i, dgesv_) ||
			      !system_solve(&s, 40 + i, dgesv_));
		waitpid(child, &status, 0);
		wrong += status != 0;
		wrong += !system_solve(&s, 30 + i, dgesv_);
	}
	for (int i = 0; i < 2; i++)
		pthread_join(thread[i], NULL);
	return wrong;
}

static sigjmp_buf jump_place;
static volatile sig_atomic_t jump_allowed;

static void jump_out(int signal)
{
	(void)signal;
	if (jump_allowed)
		siglongjmp(jump_place, 1);
}

/* What a jump leaves behind must not spoil the next call. */
static int run_jump(void)
{
	static struct system left, s;
	static int wrong;
	signal(SIGALRM, jump_out);
	for (volatile int i = 0; i < JUMPS; i++) {
		if (sigsetjmp(jump_place, 1) == 0) {
			const struct itimerval soon = {.it_value = {0, 20 + 37 * i}};
			jump_allowed = 1;
			setitimer(ITIMER_REAL, &soon, NULL);
			for (int calls = 0; calls < 50; calls++)
				system_solve(&left, ORDER, dgesv_);
		}
		jump_allowed = 0;
		wrong += !system_solve(&s, 5 + i, dgesv_);
	}
	return wrong;
}

/*
 * Handlers jump out of calls that are verified, on either side: what was kept for that is freed.
 * Each keeps a copy of A. Times between jumps are prime to those of calls.
 */
static int run_leave(void)
{
	enum { LEAVES = 24, SETTLED = 8, N = 150, WORK = 40 * N };
	static double a[N * N], w[N], work[WORK];
	const int n = N, length = WORK;
	volatile size_t used = 0;
	int info;
	signal(SIGALRM, jump_out);
	for (volatile int i = 0; i < LEAVES; i++) {
		if (sigsetjmp(jump_place, 1) == 0) {
			const struct itimerval soon = {.it_value = {0, 30000 + 1370 * i}};
			jump_allowed = 1;
			setitimer(ITIMER_REAL, &soon, NULL);
			for (;;) {
				for (int k = 0; k < N * N; k++)
					a[k] = k % N == k / N ? N : (k % N + k / N) % 7;
				dsyev_("N", "U", &n, a, &n, w, work, &length, &info, 1, 1);
			}
		}
		jump_allowed = 0;
		if (i == SETTLED)
			used = mallinfo2().uordblks + mallinfo2().hblkhd;
	}
	const size_t now = mallinfo2().uordblks + mallinfo2().hblkhd;
	const long long more = (long long)now - (long long)used;
	/* A process that was left in the library's call each time would have lost them all. */
	if (more > 3 * (long long)sizeof a)
		printf("%lld bytes more\n", more);
	return more > 3 * (long long)sizeof a;
}

/* Sizes that only their products or their illegal leading dimensions tell from real ones. */
static int run_sizes(void)
{
	static double a[4] = {1, 2, 3, 4}, b[2] = {5, 6}, tau[2], work[8];
	static int ipiv[2], iwork[8];
	const int huge = 2147483647, one = 1, query = -1, minus = -1, large = 46341;
	int info = -99;
	dgesv_(&huge, &one, a, &one, ipiv, b, &huge, &info);
	printf("n huge, lda 1: info %d\n", info);
	dgesv_(&minus, &one, a, &one, ipiv, b, &one, &info);
	printf("n negative: info %d\n", info);
	dpotrf_("X", &huge, a, &huge, &info, 1);
	printf("no such triangle: info %d\n", info);
	dpotrf_("U", &huge, a, &one, &info, 1);
	printf("n huge, lda 1: info %d\n", info);
	dgeqrf_(&large, &large, NULL, &large, tau, work, &query, &info);
	printf("query of a product beyond 31 bits: info %d, %.17g\n", info, work[0]);
	dgeqrf_(&huge, &one, a, &one, tau, work, &query, &info);
	printf("query with an illegal lda: info %d\n", info);
	dsyevd_("V", "U", &large, NULL, &large, NULL, work, &query, iwork, &query, &info, 1, 1);
	printf("query of a square beyond 31 bits: info %d\n", info);
	printf("operands %g %g %g %g, %g %g\n", a[0], a[1], a[2], a[3], b[0], b[1]);
	return 0;
}

int main(int argc, char **argv)
{
	const char *way = argc > 1 ? argv[1] : "";
	int wrong = 2;
	if (strcmp(way, "threads") == 0)
		wrong = run_threads();
	else if (strcmp(way, "fork") == 0)
		wrong = run_fork();
	else if (strcmp(way, "jump") == 0)
		wrong = run_jump();
	else if (strcmp(way, "leave") == 0)
		wrong = run_leave();
	else if (strcmp(way, "sizes") == 0)
		wrong = run_sizes();
	printf("%s: %d wrong\n", way, wrong);
	return wrong != 0;
}
