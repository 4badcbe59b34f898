/* copiers.c - a queue of copy jobs, the threads that take from it, and their wake-ups */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/copy/copiers.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>

#include "shim/base/clock.h"
#include "shim/base/fp_environment.h"
#include "shim/base/futex.h"
#include "shim/base/observe.h"
#include "shim/execute/gpu/copy/copiers_count.h"
#include "shim/execute/gpu/copy/copy_queue.h"
#include "shim/execute/gpu/copy/pack_probe.h"
#include "shim/execute/gpu/device/lane_owner.h"
#include "shim/execute/gpu/node/affinity.h"
#include "shim/execute/gpu/node/processors.h"
#include "shim/execute/gpu/node/sharers.h"

/*
 * COPIERS_STACK_BYTES: includes the static TLS of the program's libraries; and where all threads of
 * the program have ended, libc runs its exit handlers on the last one of these. COPIERS_REST_NS:
 * a thread without a job for so long ends.
 */
enum {
	COPIERS_STACK_BYTES = 1 << 20,
	COPIERS_REST_NS = 250000000,
	COPIERS_SPIN_NS = 20000,
	COPIERS_SPIN_LOOKS = 64 /* at the queue for each look at the clock */
};

/* Guards the queue and the fields that the threads are created from. */
static pthread_mutex_t copiers_mutex = PTHREAD_MUTEX_INITIALIZER;
static struct copy_queue copiers_queue = COPY_QUEUE_EMPTY(copiers_queue);
static atomic_int copiers_alive; /* threads; changed under the mutex */
static bool copiers_refused;
/* copiers_set: where they run; empty: unknown. copiers_first: where the first thread ran then. */
static int copiers_node = -1;
static cpu_set_t copiers_set, copiers_first;

static atomic_int copiers_threads = 1; /* includes the caller */
/* Processors of the process, and of these the ones that compute; threads that copy now. */
static atomic_int copiers_processors = 1, copiers_spared, copiers_working;
static atomic_bool copiers_counted;   /* by copiers_set_count */
static atomic_bool copiers_spinning;  /* idle threads spin: there is a processor for it */
static _Atomic uint32_t copiers_jobs; /* submitted so far; idle threads sleep on it */
static atomic_int copiers_sleeping, copiers_idle; /* idle: without a job; asleep: of these */

static void copiers_spin_once(void)
{
#if defined(__x86_64__)
	__builtin_ia32_pause();
#elif defined(__aarch64__)
	__asm__ volatile("yield");
#endif
}

/* With the mutex held. */
static void copiers_place(void)
{
	if (!processors_of_node("", copiers_node, &copiers_set) &&
	    !affinity_of_process(&copiers_set))
		CPU_ZERO(&copiers_set);
	if (!affinity_of_first(&copiers_first))
		CPU_ZERO(&copiers_first);
}

/* With the mutex held: somebody (OpenMP, taskset) has bound the process's threads since. */
static bool copiers_are_misplaced(void)
{
	cpu_set_t first;
	return affinity_of_first(&first) && !CPU_EQUAL(&first, &copiers_first);
}

void copiers_configure(int node)
{
	const int processors = processors_share("", sharers_count_processes());
	int count = copiers_count_choose(processors);
	pthread_mutex_lock(&copiers_mutex);
	copiers_node = node;
	copiers_place();
	if (CPU_COUNT(&copiers_set) > 0 && CPU_COUNT(&copiers_set) < count)
		count = CPU_COUNT(&copiers_set);
	pthread_mutex_unlock(&copiers_mutex);
	if (!atomic_load(&copiers_counted))
		atomic_store(&copiers_threads, count);
	atomic_store(&copiers_processors, processors);
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
	atomic_store(&copiers_processors, processors_count(""));
	atomic_store(&copiers_spinning, atomic_load(&copiers_processors) > 1);
}

void copiers_spare(int processors)
{
	atomic_store(&copiers_spared, processors);
}

int copiers_count_beside(int processors)
{
	const int all = copiers_count() - 1;
	const int left = atomic_load(&copiers_processors) - processors;
	return 1 + (all < left ? all : left > 0 ? left : 0);
}

/* Threads beside the caller that may copy now. */
static int copiers_count_others(void)
{
	const int spared = atomic_load(&copiers_spared);
	return (spared == 0 ? copiers_count() : copiers_count_beside(spared)) - 1;
}

int copiers_count_others_now(void)
{
	const int alive = atomic_load(&copiers_alive), others = copiers_count_others();
	return alive < others ? alive : others;
}

/* -- one job -- */

/* Names for a listener. */
static const char *const copiers_word[] = {
	[COPY_GATHER] = "gather",        [COPY_SCATTER] = "scatter", [COPY_POPULATE] = "populate",
	[COPY_BOTH] = "gather and keep", [COPY_KEEP] = "keep",       [COPY_ASK] = "ask"};

static void copiers_scatter(const struct copy_job *job)
{
	const unsigned found =
		pack_scatter_watched(&job->area, job->staging, job->rule, job->bell->watch);
	if (found != 0)
		atomic_fetch_or_explicit(&job->bell->found, found, memory_order_relaxed);
}

/* The shadow keeps the imaginary parts of a diagonal that the device gets as real. */
static void copiers_keep(const struct copy_job *job)
{
	const uint64_t size_bytes = job->area.run_bytes * job->area.count;
	if (job->rule != NULL && job->rule->hermitian) {
		struct pack_rule rule = *job->rule;
		rule.hermitian = false;
		pack_gather_part(job->shadow, &job->area, &rule);
		return;
	}
	pack_scatter(&(struct pack_area){job->shadow, size_bytes, 1, size_bytes}, job->staging,
	             NULL);
}

static void copiers_measure(const struct copy_job *job)
{
	_Atomic uint32_t *largest = job->rule->largest;
	const uint32_t size =
		pack_copy_find_size(job->staging, job->area.run_bytes * job->area.count,
	                            pack_find_watch(job->rule->element));
	uint32_t seen = atomic_load_explicit(largest, memory_order_relaxed);
	while (size > seen && !atomic_compare_exchange_weak(largest, &seen, size))
		;
}

static void copiers_gather(const struct copy_job *job)
{
	pack_gather_part(job->staging, &job->area, job->rule);
	if (job->rule != NULL && job->rule->largest != NULL)
		copiers_measure(job);
	if (job->rule != NULL && job->rule->watch != PACK_WATCH_NONE &&
	    pack_is_special(job->staging, &job->area, job->rule))
		atomic_store_explicit(&job->bell->special, true, memory_order_relaxed);
}

static void copiers_move(const struct copy_job *job)
{
	if (job->kind == COPY_GATHER || job->kind == COPY_BOTH)
		copiers_gather(job);
	if (job->kind == COPY_BOTH || job->kind == COPY_KEEP)
		copiers_keep(job);
	if (job->kind == COPY_SCATTER)
		copiers_scatter(job);
	if (job->kind == COPY_POPULATE)
		pack_populate(&job->area, job->rule);
	if (job->kind == COPY_ASK)
		job->ask(job->question);
}

void copiers_copy(struct copy_job *job)
{
	lane_owner_copy(true);
	copiers_move(job);
	lane_owner_copy(false);
	job->refused = false;
	atomic_store_explicit(&job->done, true, memory_order_release);
}

/* Populating raises no signal, and neither of the others touches the program's memory. */
static bool copiers_may_touch(const struct copy_job *job)
{
	const struct copy_bell *bell = job->bell;
	if (job->kind == COPY_POPULATE || job->kind == COPY_KEEP || job->kind == COPY_ASK)
		return true;
	if (bell->compares && bell->rights != processor_read_rights())
		return false;
	return !bell->probes || pack_probe(&job->area, job->rule, job->kind == COPY_SCATTER);
}

/* Once done is set the owner may free job and bell; after it only the bell's address is used. */
static void copiers_finish(struct copy_job *job)
{
	struct copy_bell *bell = job->bell;
	if (job->refused)
		atomic_store_explicit(&bell->refused, true, memory_order_relaxed);
	atomic_fetch_add(&bell->rings, 1);
	const bool wake = atomic_load(&bell->sleeper) != 0;
	atomic_store_explicit(&job->done, true, memory_order_release);
	if (wake)
		futex_wake(&bell->rings, 1);
}

static struct copy_job *copiers_take(bool asks, uint64_t most_bytes)
{
	pthread_mutex_lock(&copiers_mutex);
	struct copy_job *job = asks ? copy_queue_take(&copiers_queue)
	                            : copy_queue_take_copy(&copiers_queue, most_bytes);
	pthread_mutex_unlock(&copiers_mutex);
	return job;
}

/* A handler of the program may jump out of the copy, whose memory is the program's. */
static _Thread_local struct copy_job *copiers_own;

static bool copiers_do(struct copy_job *job)
{
	if (job == NULL)
		return false;
	const int64_t begin_ns = observe_begin(copiers_word[job->kind]);
	job->refused = !copiers_may_touch(job);
	copiers_own = job;
	lane_owner_copy(true);
	if (!job->refused)
		copiers_move(job);
	lane_owner_copy(false);
	copiers_own = NULL;
	observe_end_piece(copiers_word[job->kind], begin_ns, job->area.run_bytes * job->area.count,
	                  job->bell->call);
	copiers_finish(job);
	return true;
}

bool copiers_help(void)
{
	return copiers_do(copiers_take(true, UINT64_MAX));
}

bool copiers_help_to_copy(uint64_t most_bytes)
{
	return copiers_do(copiers_take(false, most_bytes));
}

void copiers_withdraw(struct copy_bell *bell)
{
	pthread_mutex_lock(&copiers_mutex);
	struct copy_job *job = copy_queue_take_all(&copiers_queue, bell);
	pthread_mutex_unlock(&copiers_mutex);
	while (job != NULL) {
		struct copy_job *next = job->next;
		copiers_finish(job);
		job = next;
	}
	if (copiers_own != NULL)
		copiers_finish(copiers_own);
	copiers_own = NULL;
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

/* Sleeps until there is a job. false: there was none for COPIERS_REST_NS. */
static bool copiers_rest(uint32_t seen)
{
	atomic_fetch_add(&copiers_sleeping, 1);
	futex_wait(&copiers_jobs, seen, COPIERS_REST_NS);
	atomic_fetch_sub(&copiers_sleeping, 1);
	return atomic_load(&copiers_jobs) != seen;
}

/* Whether the calling thread ends: under the mutex there still is no job. */
static bool copiers_retire(void)
{
	pthread_mutex_lock(&copiers_mutex);
	const bool retires = copiers_queue.count == 0;
	if (retires) {
		copiers_alive--;
		atomic_fetch_sub(&copiers_idle, 1);
	}
	pthread_mutex_unlock(&copiers_mutex);
	return retires;
}

/* One job, unless as many threads as may copy do. */
static bool copiers_work(void)
{
	const int others = atomic_fetch_add(&copiers_working, 1);
	const bool helped = others < copiers_count_others() && copiers_help();
	atomic_fetch_sub(&copiers_working, 1);
	return helped;
}

/* A thread is made idle. */
static void *copiers_run(void *unused)
{
	fp_environment_forget();
	pthread_setname_np(pthread_self(), "gpushim-copy");
	for (;;) {
		const uint32_t seen = atomic_load(&copiers_jobs);
		atomic_fetch_sub(&copiers_idle, 1);
		const bool helped = copiers_work();
		atomic_fetch_add(&copiers_idle, 1);
		if (helped)
			continue;
		if (atomic_load(&copiers_spinning) && atomic_load(&copiers_spared) == 0)
			copiers_spin(seen);
		if (!copiers_rest(seen) && copiers_retire())
			return unused;
	}
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

static bool copiers_make_thread(void)
{
	sigset_t before;
	if (copiers_are_misplaced())
		copiers_place();
	copiers_block_signals(&before);
	const bool made = affinity_make_thread(COPIERS_STACK_BYTES,
	                                       CPU_COUNT(&copiers_set) > 0 ? &copiers_set : NULL,
	                                       copiers_run, NULL);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return made;
}

/*
 * With the mutex held, which a fork child renews. One more thread where there are more jobs than
 * idle threads. If none can be made, copiers_help does all jobs.
 */
static void copiers_man(void)
{
	if (copiers_refused || copiers_alive >= copiers_count_others() ||
	    copiers_queue.count <= atomic_load(&copiers_idle))
		return;
	copiers_alive++;
	atomic_fetch_add(&copiers_idle, 1);
	if (copiers_make_thread())
		return;
	copiers_refused = true;
	copiers_alive--;
	atomic_fetch_sub(&copiers_idle, 1);
}

void copiers_submit(struct copy_job *job)
{
	copiers_submit_all(job, 1);
}

void copiers_submit_all(struct copy_job job[], int count)
{
	pthread_mutex_lock(&copiers_mutex);
	for (int i = 0; i < count; i++) {
		copy_queue_put(&copiers_queue, &job[i]);
		copiers_man();
	}
	pthread_mutex_unlock(&copiers_mutex);
	atomic_fetch_add(&copiers_jobs, 1);
	if (atomic_load(&copiers_sleeping) > 0)
		futex_wake(&copiers_jobs, count);
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
	copy_queue_clear(&copiers_queue);
	copiers_alive = 0;
	copiers_refused = false;
	atomic_store(&copiers_sleeping, 0);
	atomic_store(&copiers_idle, 0);
	atomic_store(&copiers_working, 0);
	atomic_store(&copiers_spared, 0);
}
