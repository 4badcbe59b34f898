/* copier_threads.c - threads submit copies and wait for them, or help, while the process forks */
/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "shim/execute/gpu/copy/copiers.h"
#include "shim/execute/gpu/copy/copiers_count.h"

enum { OWNERS = 4, ROUNDS = 60, JOBS = 16, COPIERS = 4, FORKS = 5 };
enum { RUN_BYTES = 700, RUNS = 12, PITCH_BYTES = 900, TIGHT_BYTES = RUN_BYTES * RUNS };

static const int64_t wait_ns = 1000000;
static atomic_int passed, failed;

static void check(const char *what, bool holds)
{
	atomic_fetch_add(holds ? &passed : &failed, 1);
	if (!holds)
		printf("failed: %s\n", what);
}

/* A job and its data, freed as soon as it is done. */
struct piece {
	struct copy_job job;
	char matrix[PITCH_BYTES * RUNS], staging[TIGHT_BYTES], shadow[TIGHT_BYTES];
};

static struct piece *piece_begin(enum copy_kind kind, struct copy_bell *bell, int value)
{
	struct piece *piece = calloc(1, sizeof *piece);
	if (piece == NULL)
		exit(1);
	const bool staged = kind == COPY_SCATTER || kind == COPY_KEEP;
	memset(staged ? piece->staging : piece->matrix, value,
	       staged ? sizeof piece->staging : sizeof piece->matrix);
	piece->job = (struct copy_job){.kind = kind,
	                               .area = {piece->matrix, RUN_BYTES, RUNS, PITCH_BYTES},
	                               .staging = piece->staging,
	                               .shadow = piece->shadow,
	                               .bell = bell};
	copiers_submit(&piece->job);
	return piece;
}

static bool is_all(const char *bytes, size_t count, int value)
{
	for (size_t i = 0; i < count; i++)
		if (bytes[i] != value)
			return false;
	return true;
}

/* Of a matrix the runs; the gaps are as they were, 0. */
static bool is_scattered(const char *matrix, int value)
{
	for (int i = 0; i < RUNS; i++)
		if (!is_all(matrix + (size_t)i * PITCH_BYTES, RUN_BYTES, value) ||
		    !is_all(matrix + (size_t)i * PITCH_BYTES + RUN_BYTES, PITCH_BYTES - RUN_BYTES,
		            0))
			return false;
	return true;
}

static void piece_end(struct piece *piece, int value)
{
	const enum copy_kind kind = piece->job.kind;
	if (kind == COPY_GATHER || kind == COPY_BOTH)
		check("gathered", is_all(piece->staging, sizeof piece->staging, value));
	if (kind == COPY_BOTH || kind == COPY_KEEP)
		check("kept", is_all(piece->shadow, sizeof piece->shadow, value));
	if (kind == COPY_SCATTER)
		check("scattered", is_scattered(piece->matrix, value));
	free(piece);
}

/* Frees the jobs that are done. Returns whether all are. */
static bool sweep(struct piece *pieces[JOBS], int value)
{
	bool all = true;
	for (int i = 0; i < JOBS; i++) {
		if (pieces[i] == NULL)
			continue;
		if (atomic_load_explicit(&pieces[i]->job.done, memory_order_acquire)) {
			piece_end(pieces[i], value + i);
			pieces[i] = NULL;
		} else {
			all = false;
		}
	}
	return all;
}

/* The bell lives as long as its jobs, not longer. */
static void run_round(bool helping, int value)
{
	struct copy_bell *bell = calloc(1, sizeof *bell);
	struct piece *pieces[JOBS];
	if (bell == NULL)
		exit(1);
	for (int i = 0; i < JOBS; i++)
		pieces[i] = piece_begin((enum copy_kind)(i % (COPY_KEEP + 1)), bell, value + i);
	for (;;) {
		const uint32_t seen = atomic_load(&bell->rings);
		if (sweep(pieces, value))
			break;
		if (!helping || !copiers_help())
			copiers_wait(bell, seen, wait_ns);
	}
	free(bell);
}

static void *run_owner(void *argument)
{
	const int number = (int)(intptr_t)argument;
	for (int round = 0; round < ROUNDS; round++)
		run_round(number % 2 == 0, 1 + round);
	return NULL;
}

/*
 * The child has neither the threads nor the parent's jobs. It allocates nothing, because a
 * sanitizer's lock may be held.
 */
static int run_child(void)
{
	static struct piece piece;
	static struct copy_bell bell;
	copiers_after_fork_child();
	copiers_set_count(1);
	const bool empty = !copiers_help();
	memset(piece.matrix, 7, sizeof piece.matrix);
	piece.job = (struct copy_job){.area = {piece.matrix, RUN_BYTES, RUNS, PITCH_BYTES},
	                              .staging = piece.staging,
	                              .bell = &bell};
	copiers_submit(&piece.job);
	const bool helped = copiers_help() && !copiers_help();
	const bool done = atomic_load(&piece.job.done) && atomic_load(&bell.rings) == 1;
	return empty && helped && done && is_all(piece.staging, sizeof piece.staging, 7) ? 0 : 1;
}

static void fork_once(void)
{
	int status = -1;
	const pid_t child = fork();
	if (child == 0)
		_exit(run_child());
	waitpid(child, &status, 0);
	check("status of a child", status == 0);
}

/* Without helpers the caller does all jobs, also those that were queued during a fork. */
static void run_alone(void)
{
	struct copy_bell bell = {.rings = 0};
	copiers_set_count(0);
	check("the caller counts", copiers_count() == 1);
	check("nothing to do yet", !copiers_help());
	struct piece *piece = piece_begin(COPY_GATHER, &bell, 5);
	fork_once();
	check("it waited", copiers_help() && !copiers_help());
	piece_end(piece, 5);
	run_round(true, 3);
	copiers_after_fork_child();
}

/* The number depends on the processors: three quarters of them, sixteen at most. */
static void check_count(void)
{
	static const int chosen[][2] = {{0, 1}, {1, 1},   {2, 2},   {4, 3},
	                                {8, 6}, {16, 12}, {22, 16}, {128, 16}};
	for (size_t i = 0; i < sizeof chosen / sizeof chosen[0]; i++)
		check("number by processors", copiers_count_choose(chosen[i][0]) == chosen[i][1]);
	copiers_configure(-1);
	check("at least the caller", copiers_count() >= 1);
	check("no more than processors", copiers_count() <= sysconf(_SC_NPROCESSORS_ONLN));
	copiers_set_count(1000);
	check("at most sixteen, also when asked for more", copiers_count() == 16);
}

/*
 * Threads that are wanted but not there, or may not copy while the processors compute, do not
 * count: a caller that leaves the jobs to them would wait for ever.
 */
static void check_others(void)
{
	copiers_set_count(1000);
	check("no thread without a job", copiers_count_others_now() == 0);
	run_round(true, 3);
	check("threads are there", copiers_count_others_now() > 0);
	copiers_spare((int)sysconf(_SC_NPROCESSORS_ONLN));
	check("none may copy", copiers_count_others_now() == 0);
	copiers_spare(0);
	check("they may again", copiers_count_others_now() > 0);
}

static void check_timeout(void)
{
	struct copy_bell bell = {.rings = 0};
	copiers_wait(&bell, 0, 1);
	copiers_wait(&bell, 1, INT64_MAX);
	check("returns by time, and at once where it has rung", atomic_load(&bell.sleeper) == 0);
}

int main(void)
{
	pthread_t owners[OWNERS];
	check_count();
	check_timeout();
	run_alone();
	check_others();
	copiers_set_count(COPIERS);
	for (int i = 0; i < OWNERS; i++)
		if (pthread_create(&owners[i], NULL, run_owner, (void *)(intptr_t)i) != 0)
			return 1;
	for (int i = 0; i < FORKS; i++)
		fork_once();
	for (int i = 0; i < OWNERS; i++)
		pthread_join(owners[i], NULL);
	printf("%d passed, %d failed\n", atomic_load(&passed), atomic_load(&failed));
	return atomic_load(&failed) == 0 ? 0 : 1;
}
