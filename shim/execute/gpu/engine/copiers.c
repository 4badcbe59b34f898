/* copiers.c - a queue of copy jobs, the threads that take from it, and their wake-ups */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/engine/copiers.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>

#include "shim/base/clock.h"
#include "shim/base/fp_environment.h"
#include "shim/base/futex.h"
#include "shim/base/observe.h"
#include "shim/execute/gpu/engine/copiers_count.h"
#include "shim/execute/gpu/engine/pack_probe.h"
#include "shim/execute/gpu/node/processors.h"

enum {
	COPIERS_STACK_BYTES = 262144, /* includes the static TLS of the program's libraries */
	COPIERS_SPIN_NS = 20000,
	COPIERS_SPIN_LOOKS = 64 /* at the queue for each look at the clock */
};

/* Guards the queue and the fields that the threads are created from. */
static pthread_mutex_t copiers_mutex = PTHREAD_MUTEX_INITIALIZER;
static struct copy_job *copiers_first, **copiers_end = &copiers_first;
static bool copiers_made, copiers_pinned;
static cpu_set_t copiers_set;

static atomic_int copiers_threads = 1; /* includes the caller */
static atomic_bool copiers_counted;    /* by copiers_set_count */
static atomic_bool copiers_spinning;   /* idle threads spin: there is a processor for it */
static _Atomic uint32_t copiers_jobs;  /* submitted so far; idle threads sleep on it */
static atomic_int copiers_sleeping;

static void copiers_spin_once(void)
{
#if defined(__x86_64__)
	__builtin_ia32_pause();
#elif defined(__aarch64__)
	__asm__ volatile("yield");
#endif
}

void copiers_configure(int node)
{
	cpu_set_t set;
	const int processors = processors_count("");
	const bool pinned = processors_of_node("", node, &set);
	int count = copiers_count_choose(processors);
	if (pinned && CPU_COUNT(&set) < count)
		count = CPU_COUNT(&set);
	pthread_mutex_lock(&copiers_mutex);
	copiers_pinned = pinned;
	if (pinned)
		copiers_set = set;
	pthread_mutex_unlock(&copiers_mutex);
	if (!atomic_load(&copiers_counted))
		atomic_store(&copiers_threads, count);
	atomic_store(&copiers_spinning, processors > 1);
}

int copiers_count(void)
{
	return atomic_load(&copiers_threads);
}

void copiers_set_count(int count)
{
	atomic_store(&copiers_counted, true);
	atomic_store(&copiers_threads, count < 1                   ? 1
	                               : count > COPIERS_COUNT_MAX ? COPIERS_COUNT_MAX
	                                                           : count);
	atomic_store(&copiers_spinning, processors_count("") > 1);
}

/* -- one job -- */

/* Names for a listener. */
static const char *const copiers_word[] = {[COPY_GATHER] = "gather",
                                           [COPY_SCATTER] = "scatter",
                                           [COPY_POPULATE] = "populate",
                                           [COPY_BOTH] = "gather and keep"};

static void copiers_scatter(const struct copy_job *job)
{
	const unsigned found =
		pack_scatter_watched(&job->area, job->staging, job->rule, job->bell->watch);
	if (found != 0)
		atomic_fetch_or_explicit(&job->bell->found, found, memory_order_relaxed);
}

static void copiers_move(const struct copy_job *job)
{
	const uint64_t size_bytes = job->area.run_bytes * job->area.count;
	if (job->kind == COPY_GATHER || job->kind == COPY_BOTH)
		pack_gather_part(job->staging, &job->area, job->rule);
	if (job->kind == COPY_BOTH)
		pack_scatter(&(struct pack_area){job->shadow, size_bytes, 1, size_bytes},
		             job->staging, NULL);
	if (job->kind == COPY_SCATTER)
		copiers_scatter(job);
	if (job->kind == COPY_POPULATE)
		pack_populate(&job->area, job->rule);
}

void copiers_copy(struct copy_job *job)
{
	copiers_move(job);
	job->refused = false;
	atomic_store_explicit(&job->done, true, memory_order_release);
}

/* Populating raises no signal. */
static bool copiers_may_touch(const struct copy_job *job)
{
	return !job->bell->probes || job->kind == COPY_POPULATE ||
	       pack_probe(&job->area, job->rule, job->kind == COPY_SCATTER);
}

/* Once done is set the owner may free job and bell; after it only the bell's address is used. */
static void copiers_finish(struct copy_job *job)
{
	struct copy_bell *bell = job->bell;
	atomic_fetch_add(&bell->rings, 1);
	const bool wake = atomic_load(&bell->sleeper) != 0;
	atomic_store_explicit(&job->done, true, memory_order_release);
	if (wake)
		futex_wake(&bell->rings, 1);
}

static struct copy_job *copiers_take(void)
{
	pthread_mutex_lock(&copiers_mutex);
	struct copy_job *job = copiers_first;
	if (job != NULL)
		copiers_first = job->next;
	if (copiers_first == NULL)
		copiers_end = &copiers_first;
	pthread_mutex_unlock(&copiers_mutex);
	return job;
}

bool copiers_help(void)
{
	struct copy_job *job = copiers_take();
	if (job == NULL)
		return false;
	const int64_t begin_ns = observe_begin(copiers_word[job->kind]);
	job->refused = !copiers_may_touch(job);
	if (!job->refused)
		copiers_move(job);
	observe_end_piece(copiers_word[job->kind], begin_ns, job->area.run_bytes * job->area.count,
	                  job->bell->call);
	copiers_finish(job);
	return true;
}

/* -- threads -- */

static void copiers_spin(uint32_t seen)
{
	const int64_t end_ns = clock_monotonic_ns() + COPIERS_SPIN_NS;
	while (clock_monotonic_ns() < end_ns)
		for (int i = 0; i < COPIERS_SPIN_LOOKS; i++) {
			if (atomic_load_explicit(&copiers_jobs, memory_order_relaxed) != seen)
				return;
			copiers_spin_once();
		}
}

static void *copiers_run(void *unused)
{
	(void)unused;
	fp_environment_forget();
	for (;;) {
		const uint32_t seen = atomic_load(&copiers_jobs);
		if (copiers_help())
			continue;
		if (atomic_load(&copiers_spinning))
			copiers_spin(seen);
		atomic_fetch_add(&copiers_sleeping, 1);
		futex_wait(&copiers_jobs, seen, -1);
		atomic_fetch_sub(&copiers_sleeping, 1);
	}
	return NULL;
}

/*
 * New threads inherit the mask: they take none of the program's signals. SIGSEGV and SIGBUS stay
 * unblocked, because the program's own handlers may manage the memory that a copy touches.
 */
static void copiers_block_signals(sigset_t *before)
{
	sigset_t set;
	sigfillset(&set);
	sigdelset(&set, SIGSEGV);
	sigdelset(&set, SIGBUS);
	pthread_sigmask(SIG_SETMASK, &set, before);
}

static void copiers_make_threads(const pthread_attr_t *attributes, int count)
{
	sigset_t before;
	pthread_t thread;
	copiers_block_signals(&before);
	for (int i = 0; i < count && pthread_create(&thread, attributes, copiers_run, NULL) == 0;
	     i++)
		pthread_setname_np(thread, "gpushim-copy");
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

/* Once, with the mutex held. Where no thread can be created, copiers_help does all jobs. */
static void copiers_make(void)
{
	pthread_attr_t attributes;
	if (copiers_made)
		return;
	copiers_made = true;
	if (copiers_count() == 1 || pthread_attr_init(&attributes) != 0)
		return;
	pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
	pthread_attr_setstacksize(&attributes, COPIERS_STACK_BYTES);
	if (copiers_pinned)
		pthread_attr_setaffinity_np(&attributes, sizeof copiers_set, &copiers_set);
	copiers_make_threads(&attributes, copiers_count() - 1);
	pthread_attr_destroy(&attributes);
}

void copiers_submit(struct copy_job *job)
{
	job->next = NULL;
	pthread_mutex_lock(&copiers_mutex);
	copiers_make();
	*copiers_end = job;
	copiers_end = &job->next;
	pthread_mutex_unlock(&copiers_mutex);
	atomic_fetch_add(&copiers_jobs, 1);
	if (atomic_load(&copiers_sleeping) > 0)
		futex_wake(&copiers_jobs, 1);
}

void copiers_wait(struct copy_bell *bell, uint32_t seen, int64_t timeout_ns)
{
	atomic_store(&bell->sleeper, 1);
	if (atomic_load(&bell->rings) == seen)
		futex_wait(&bell->rings, seen, timeout_ns);
	atomic_store(&bell->sleeper, 0);
}

/* Another thread of the parent may have held the mutex. */
void copiers_after_fork_child(void)
{
	copiers_mutex = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
	copiers_first = NULL;
	copiers_end = &copiers_first;
	copiers_made = false;
	atomic_store(&copiers_sleeping, 0);
}
