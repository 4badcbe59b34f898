/* hash_threads.c - copy threads hash the parts of operands, each once, with and without handlers */
/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "shim/execute/gpu/copy/copiers.h"
#include "shim/execute/gpu/copy/pack_probe.h"
#include "shim/execute/gpu/engine/hash_parts.h"
#include "shim/execute/gpu/node/processors.h"

enum { CALLERS = 3, ROUNDS = 200, PARTS = 40, COPIERS = 4 };

static atomic_int passed, failed;

static void check(const char *what, bool holds)
{
	atomic_fetch_add(holds ? &passed : &failed, 1);
	if (!holds)
		printf("failed: %s\n", what);
}

/*
 * Of one caller: how often each part was worked on, how many of them by the caller, how many of
 * these while another thread was in one, and how many are in one now.
 */
struct tally {
	pthread_t caller;
	atomic_int worked[PARTS], own, beside, others;
};

static void work(void *self, uint64_t part)
{
	struct tally *tally = self;
	const bool own = pthread_equal(pthread_self(), tally->caller) != 0;
	atomic_fetch_add(&tally->worked[part], 1);
	atomic_fetch_add(&tally->own, own);
	if (own)
		atomic_fetch_add(&tally->beside, atomic_load(&tally->others) > 0);
	else
		atomic_fetch_add(&tally->others, 1);
	sched_yield();
	atomic_fetch_sub(&tally->others, !own);
}

/* The parts of the caller's own. */
static int run(uint64_t parts)
{
	struct tally tally = {.caller = pthread_self()};
	hash_parts_run(work, &tally, parts);
	for (uint64_t part = 0; part < PARTS; part++)
		check("a part is worked on once", tally.worked[part] == (part < parts));
	check("no thread is in a part afterwards", tally.others == 0);
	if (pack_probe_is_needed())
		check("a caller that may be left by a jump works alone", tally.beside == 0);
	return tally.own;
}

static void *call(void *unused)
{
	for (int round = 0; round < ROUNDS; round++)
		run((uint64_t)(round % (PARTS + 1)));
	return unused;
}

static void run_callers(void)
{
	pthread_t callers[CALLERS];
	for (int i = 0; i < CALLERS; i++)
		pthread_create(&callers[i], NULL, call, NULL);
	for (int i = 0; i < CALLERS; i++)
		pthread_join(callers[i], NULL);
}

/* A thread that copies shows that there is one. */
static bool have_threads(void)
{
	return copiers_count_others_now() > 0;
}

static void handle(int number)
{
	_exit(number);
}

static void test_handled(void)
{
	int own = 0;
	signal(SIGSEGV, handle);
	run(PARTS);
	for (int round = 0; round < ROUNDS; round++)
		own += run(PARTS);
	check("there are other threads", have_threads());
	check("others work for a caller with a handler", own < ROUNDS * PARTS);
	run_callers();
	copiers_spare(processors_count(""));
	check("where no other thread may copy, the caller works", run(PARTS) == PARTS);
	copiers_spare(0);
	signal(SIGSEGV, SIG_DFL);
}

static void test_reads(void)
{
	const size_t page_bytes = (size_t)sysconf(_SC_PAGESIZE);
	char *pages = mmap(NULL, 3 * page_bytes, PROT_READ | PROT_WRITE,
	                   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	mprotect(pages + page_bytes, page_bytes, PROT_NONE);
	/* The thread sanitizer has a handler. */
	if (!pack_probe_is_needed())
		check("without a handler nothing is asked",
		      hash_parts_may_read(pages, 3 * page_bytes));
	signal(SIGSEGV, handle);
	check("a page that can be read", hash_parts_may_read(pages, page_bytes));
	check("a page that cannot", !hash_parts_may_read(pages, page_bytes + 1));
	check("a page behind it", hash_parts_may_read(pages + 2 * page_bytes, page_bytes));
	signal(SIGSEGV, SIG_DFL);
	munmap(pages, 3 * page_bytes);
}

int main(void)
{
	copiers_configure(-1);
	copiers_set_count(1);
	check("alone the caller works", run(PARTS) == PARTS);
	copiers_set_count(COPIERS);
	run_callers();
	test_handled();
	test_reads();
	printf("hash_threads: %d checks held, %d failed\n", passed, failed);
	return failed > 0;
}
