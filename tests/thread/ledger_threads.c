/* ledger_threads.c - threads use and borrow GPUs while others join, end and remove the ledger */
/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "shim/execute/gpu/node/ledger.h"
#include "tests/thread/thread_check.h"

enum { THREADS = 4, ROUNDS = 2, FIRST = 11, SECOND = 22 };

static const uint64_t keys[] = {FIRST, SECOND};
static char folder[] = "ledger_threads_XXXXXX", path[64];
static atomic_bool ends, lent;
static atomic_int wrong;
static int to_child[ROUNDS][2], to_parent[2];

static uint32_t choose_first(const struct ledger_found *found, void *self)
{
	(void)found, (void)self;
	return 1;
}

static void *use(void *unused)
{
	while (!atomic_load(&ends)) {
		ledger_note_use();
		atomic_fetch_add(&wrong, ledger_count_others(SECOND) != 0);
		sched_yield();
	}
	return unused;
}

static void *borrow(void *unused)
{
	while (!atomic_load(&ends) && !ledger_borrow(SECOND))
		sched_yield();
	atomic_store(&lent, true);
	return unused;
}

static bool tell(int pipe_end)
{
	return write(pipe_end, "", 1) == 1;
}

static bool hear(int pipe_end)
{
	char byte;
	return read(pipe_end, &byte, 1) == 1;
}

/* Joins and ends when it is told to; made before there are threads. */
static void start_child(int round)
{
	thread_check("pipe", pipe(to_child[round]), 0);
	const pid_t child = fork();
	if (child == 0) {
		const bool fine = hear(to_child[round][0]) &&
		                  ledger_join(keys, 2, choose_first, NULL) == 0 &&
		                  tell(to_parent[1]) && hear(to_child[round][0]);
		_exit(fine ? 0 : 1);
	}
	thread_check("fork", child > 0, true);
}

static void wait_for_others(int wanted)
{
	while (ledger_count_others(FIRST) != wanted)
		sched_yield();
}

static void wait_for_file(void)
{
	while (access(path, F_OK) != 0)
		sched_yield();
}

static void run_round(int round)
{
	int status = 1;
	thread_check("a child joins", tell(to_child[round][1]) && hear(to_parent[0]), true);
	wait_for_others(1);
	if (round == 1) {
		thread_check("unlink", unlink(path), 0);
		wait_for_file();
	}
	thread_check("a child ends", tell(to_child[round][1]) && wait(&status) > 0, true);
	thread_check("its status", status, 0);
	wait_for_others(0);
}

static void run_threads(void)
{
	pthread_t thread[THREADS + 1];
	for (int i = 0; i < THREADS; i++)
		thread_check("a thread", pthread_create(&thread[i], NULL, use, NULL), 0);
	thread_check("a thread", pthread_create(&thread[THREADS], NULL, borrow, NULL), 0);
	for (int round = 0; round < ROUNDS; round++)
		run_round(round);
	thread_check("lent", atomic_load(&lent), true);
	/* While the others still use it. */
	ledger_leave();
	thread_check("the file", access(path, F_OK), -1);
	atomic_store(&ends, true);
	for (int i = 0; i <= THREADS; i++)
		pthread_join(thread[i], NULL);
	thread_check("wrong counts", atomic_load(&wrong), 0);
}

int main(void)
{
	unsetenv("XDG_RUNTIME_DIR");
	thread_check("a folder", mkdtemp(folder) != NULL && pipe(to_parent) == 0, true);
	snprintf(path, sizeof path, "%s/gpushim-%u", folder, geteuid());
	ledger_set_folder(folder, "");
	for (int round = 0; round < ROUNDS; round++)
		start_child(round);
	thread_check("join", ledger_join(keys, 2, choose_first, NULL), 0);
	run_threads();
	thread_check("nothing is left", rmdir(folder), 0);
	return thread_check_end();
}
