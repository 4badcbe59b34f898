/* record_threads.c - threads log and end while the process forks: no line is lost or torn */
/* SPDX-License-Identifier: Apache-2.0 */
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "shim/base/clock.h"
#include "shim/record/counters.h"
#include "shim/record/record.h"
#include "tests/thread/thread_check.h"

/*
 * A tick in a child of a process with threads starts the drain thread anew. The thread sanitizer's
 * own runtime does not support that, so there its children write decisions only.
 */
#if defined(__SANITIZE_THREAD__)
#define RECORD_THREADS_CHILD_TICKS 0
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define RECORD_THREADS_CHILD_TICKS 0
#endif
#endif
#ifndef RECORD_THREADS_CHILD_TICKS
#define RECORD_THREADS_CHILD_TICKS 10
#endif

enum {
	THREADS = 8,
	ROUNDS = 3,
	TICKS = 20000,
	WRITES = 200,
	FORKS = 6,
	CHILD_TICKS = RECORD_THREADS_CHILD_TICKS
};
enum { LINES = ROUNDS * THREADS * (TICKS + WRITES) + FORKS * (CHILD_TICKS + 1) };

static void write_tick(int64_t size)
{
	const uint64_t now = clock_ticks();
	record_tick(&(struct record_tick){now, now + 100, {size, 2, 3}, SYMBOL_dgemm_, 1});
}

static void write_decision(void)
{
	struct call call = {.symbol = SYMBOL_zgemm_, .family = FAMILY_GEMM, .element = ELEMENT_Z};
	const struct decision decision = {.target = TARGET_CPU,
	                                  .reason = REASON_NO_DEVICE,
	                                  .device = -1,
	                                  .wakes_gpu = false,
	                                  .predicted_cpu_ns = -1,
	                                  .predicted_gpu_ns = -1};
	record_write(&(struct record){.call = &call,
	                              .decision = &decision,
	                              .start_ns = clock_realtime_ns(),
	                              .elapsed_ns = 5});
	counters_add(SYMBOL_zgemm_, REASON_NO_DEVICE, 5, 7);
}

static void count_forwarded(void)
{
	bool shared;
	_Atomic uint64_t *row = counters_claim_slot(&shared);
	if (shared)
		atomic_fetch_add(&row[SYMBOL_dgemm_], 1);
	else
		atomic_store_explicit(
			&row[SYMBOL_dgemm_],
			atomic_load_explicit(&row[SYMBOL_dgemm_], memory_order_relaxed) + 1,
			memory_order_relaxed);
}

static void *run_thread(void *unused)
{
	for (int i = 0; i < TICKS; i++) {
		write_tick(i);
		count_forwarded();
		if (i % (TICKS / WRITES) == 0)
			write_decision();
	}
	return unused;
}

static void fork_once(void)
{
	int status = -1;
	record_before_fork();
	const pid_t child = fork();
	if (child == 0) {
		counters_after_fork_child();
		record_after_fork_child();
		for (int i = 0; i < CHILD_TICKS; i++)
			write_tick(i);
		write_decision();
		record_close();
		counters_close();
		_exit(0);
	}
	record_after_fork_parent();
	waitpid(child, &status, 0);
	thread_check("status of a child", status, 0);
}

static void run_round(int forks)
{
	pthread_t thread[THREADS];
	for (int i = 0; i < THREADS; i++)
		pthread_create(&thread[i], NULL, run_thread, NULL);
	for (int i = 0; i < forks; i++)
		fork_once();
	for (int i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
}

static void check_log(const char *path)
{
	static char line[4096];
	long lines = 0, torn = 0;
	FILE *log = fopen(path, "r");
	for (; log != NULL && fgets(line, sizeof(line), log) != NULL; lines++) {
		const size_t length = strlen(line);
		torn += strncmp(line, "{\"time\":\"", 9) != 0 || length < 200 ||
		        strcmp(line + length - 2, "}\n") != 0;
	}
	if (log != NULL)
		fclose(log);
	thread_check("lines", lines, LINES);
	thread_check("torn lines", torn, 0);
}

static void check_counters(void)
{
	const struct counters_file *file = counters_view();
	uint64_t calls = 0;
	for (int slot = 0; slot < COUNTERS_SLOTS; slot++)
		calls += atomic_load(&file->forwarded[slot][SYMBOL_dgemm_]);
	thread_check("forwarded calls", (long)calls, ROUNDS * THREADS * TICKS);
	thread_check("decided calls",
	             (long)atomic_load(
			     &counters_find_cell(file, SYMBOL_zgemm_, REASON_NO_DEVICE)->calls),
	             ROUNDS * THREADS * WRITES);
}

int main(void)
{
	static struct options options = {
		.enabled = true, .policy = POLICY_THRESHOLD, .log_level = LOG_CALL};
	char folder[] = "/tmp/record_threads_XXXXXX";
	if (mkdtemp(folder) == NULL)
		return 1;
	setenv("XDG_RUNTIME_DIR", folder, 1);
	snprintf(options.log, sizeof(options.log), "%s/log", folder);
	counters_open(&options, false);
	record_open(&options, false);
	for (int i = 0; i < ROUNDS; i++)
		run_round(FORKS / ROUNDS);
	record_close();
	counters_close();
	check_log(options.log);
	check_counters();
	remove(options.log);
	thread_check("files left behind", rmdir(folder), 0);
	return thread_check_end();
}
