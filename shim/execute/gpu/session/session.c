/* session.c - the state of the GPU in this process: asleep, warming, ready, off */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/session/session.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

#include "shim/base/clock.h"
#include "shim/base/diag.h"
#include "shim/base/fp_environment.h"
#include "shim/base/variables.h"
#include "shim/execute/gpu/copy/copiers.h"
#include "shim/execute/gpu/cuda/cuda_exit.h"
#include "shim/execute/gpu/device/lanes.h"
#include "shim/execute/gpu/device/pinned.h"
#include "shim/execute/gpu/engine/flow.h"
#include "shim/execute/gpu/engine/mirrors.h"
#include "shim/execute/gpu/engine/staging.h"
#include "shim/execute/gpu/node/affinity.h"
#include "shim/execute/gpu/node/ledger.h"
#include "shim/execute/gpu/session/card_choice.h"
#include "shim/execute/gpu/session/session_guard.h"
#include "shim/execute/gpu/session/session_leave.h"
#include "shim/execute/gpu/session/warmup.h"
#include "shim/shield/shield.h"

enum { SESSION_FAILURES_MAX = 3, SESSION_STACK_BYTES = 4 << 20 };
enum { SESSION_ROUNDS = PTHREAD_DESTRUCTOR_ITERATIONS };
/* Of work that further devices would have shared, they would have saved half or more. */
enum { SESSION_SHARED_PART = 2 };

/* State and reason in one word, so that they are read and changed together. */
static _Atomic uint64_t session_word;
static _Atomic(const struct options *) session_options;
static _Atomic(session_observer *) session_observes;
static atomic_int session_failures;
static _Atomic int64_t session_more_ns = INT64_MAX; /* from so much lonely work on */
static atomic_bool session_opened;                  /* in this process: CUDA may have threads */
static pthread_key_t session_key; /* of threads that have made calls since: the round, from 1 */
static atomic_bool session_key_made;

static const int64_t session_second_ns = INT64_C(1000000000);

static uint64_t session_pack(enum gpu_state state, enum reason reason)
{
	return (uint64_t)state | (uint64_t)reason << 8;
}

static enum gpu_state session_state_of(uint64_t word)
{
	return (enum gpu_state)(word & 0xff);
}

static bool session_is_ready(void)
{
	return session_state_of(atomic_load_explicit(&session_word, memory_order_acquire)) ==
	       GPU_READY;
}

static void session_end_thread(void *round);

void session_configure(const struct options *options)
{
	atomic_store(&session_options, options);
	pinned_configure(session_is_ready);
	flow_set_patience((int64_t)options->patience * session_second_ns);
	atomic_store(&session_key_made, pthread_key_create(&session_key, session_end_thread) == 0);
}

void session_set_observer(session_observer *observer)
{
	atomic_store(&session_observes, observer);
}

static enum reason session_reason_of(uint64_t word)
{
	return (enum reason)(word >> 8 & 0xffff);
}

enum reason session_find_absence(void)
{
	const uint64_t word = atomic_load_explicit(&session_word, memory_order_acquire);
	const enum reason reason = session_reason_of(word);
	return session_state_of(word) == GPU_OFF && reason_is_absence(reason) ? reason
	                                                                      : REASON_NONE;
}

void session_describe(struct situation *situation)
{
	const uint64_t word = atomic_load_explicit(&session_word, memory_order_acquire);
	situation->gpu = session_state_of(word);
	situation->off_reason = session_reason_of(word);
	if (situation->gpu == GPU_READY)
		card_choice_watch();
	situation->device = situation->gpu == GPU_READY ? lanes_choose() : 0;
}

int session_device_count(void)
{
	return session_state_of(atomic_load(&session_word)) == GPU_READY ? lanes_count() : 0;
}

/* Sets GPU_OFF unless it was set before: the first reason stays. true: this call set it. */
static bool session_switch_off(enum reason reason)
{
	uint64_t word = atomic_load(&session_word);
	do {
		if (session_state_of(word) == GPU_OFF)
			return false;
	} while (
		!atomic_compare_exchange_weak(&session_word, &word, session_pack(GPU_OFF, reason)));
	session_observer *observer = atomic_load(&session_observes);
	if (observer != NULL && reason != REASON_EXITING)
		observer(reason);
	return true;
}

/* The program's environment while the libraries' exit handlers run; valid while held is true. */
static struct fp_environment session_exit_program;
static bool session_exit_held;

/*
 * session_stop has to run before the libraries' own exit handlers (cuda_exit_register). These run
 * between session_begin_exit and session_end_exit, which was registered before any library was
 * opened.
 */
static void session_begin_exit(void)
{
	struct fp_environment program;
	fp_environment_enter(&program);
	if (!session_exit_held)
		session_exit_program = program;
	session_exit_held = true;
	session_stop();
}

static void session_end_exit(void)
{
	if (session_exit_held)
		fp_environment_leave(&session_exit_program);
	session_exit_held = false;
}

static const struct cuda_guard session_guard = {session_guard_enter, session_guard_leave,
                                                session_guard_enter_load};

/*
 * The loader's message about a library that is not there is a block of this thread: one call takes
 * it, the next one frees it. At exit it would be a lost block.
 */
static void session_drop_loader_error(void)
{
	dlerror();
	dlerror();
}

/* A device that refuses its first lane says what refused a call; of the start that is not true. */
static enum reason session_judge_start(enum reason reason)
{
	return reason_outcome(reason) == OUTCOME_BACK ? REASON_CUDA_START_FAILED : reason;
}

/*
 * With warmup = wait all devices are started first; in the background the first one takes calls
 * while the others start.
 */
static void session_warm_up(void)
{
	const struct options *options = atomic_load(&session_options);
	const bool waited_for = options->warmup == WARMUP_WAIT;
	const int64_t begin_ns = clock_monotonic_ns();
	uint64_t warming = session_pack(GPU_WARMING, REASON_NONE);
	variables_keep();
	atexit(session_end_exit);
	cuda_exit_set(session_begin_exit);
	const enum reason reason = session_judge_start(warmup_run(options, &session_guard));
	if (reason == REASON_NONE && waited_for)
		warmup_run_rest();
	const bool has_more = reason == REASON_NONE && warmup_has_more();
	if (reason != REASON_NONE)
		session_switch_off(reason);
	else
		atomic_compare_exchange_strong(&session_word, &warming,
		                               session_pack(GPU_READY, REASON_NONE));
	session_guard_tell();
	if (reason == REASON_NONE && !waited_for)
		warmup_run_rest();
	cuda_exit_register(); /* some handlers are registered by the first calls */
	session_drop_loader_error();
	const int64_t cost_ns = clock_monotonic_ns() - begin_ns;
	session_guard_end();
	if (has_more)
		atomic_store(&session_more_ns, SESSION_SHARED_PART * cost_ns);
}

static void *session_run_thread(void *unused)
{
	(void)unused;
	fp_environment_forget();
	pthread_setname_np(pthread_self(), "gpushim-warmup");
	session_guard_begin_thread();
	session_warm_up();
	return NULL;
}

static void *session_run_more_thread(void *unused)
{
	(void)unused;
	fp_environment_forget();
	pthread_setname_np(pthread_self(), "gpushim-warmup");
	session_guard_begin_thread();
	warmup_run_more();
	session_drop_loader_error();
	const bool again = warmup_has_more();
	session_guard_end();
	if (again)
		atomic_store(&session_more_ns, SESSION_SHARED_PART * lanes_find_lonely_ns());
	return NULL;
}

/*
 * Run by one caller only. Always on a thread of its own: CUDA needs a large stack, and its threads
 * inherit its processors and the blocked signal mask, so that they take no signals of the program;
 * but a caller that waits takes them.
 */
static bool session_begin_thread(void *(*run)(void *))
{
	sigset_t all, before;
	sigfillset(&all);
	session_guard_begin();
	pthread_sigmask(SIG_SETMASK, &all, &before);
	const bool started = affinity_make_thread(SESSION_STACK_BYTES, NULL, run, NULL);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (!started)
		session_guard_end();
	return started;
}

static void session_start(void)
{
	atomic_store(&session_opened, true);
	if (session_begin_thread(session_run_thread))
		return;
	if (session_switch_off(REASON_CUDA_START_FAILED))
		diag_warn("no thread could be made to start CUDA; every call stays on the CPU");
}

static bool session_is_warming(void)
{
	return session_state_of(atomic_load(&session_word)) == GPU_WARMING;
}

void session_wake(void)
{
	const struct options *options = atomic_load(&session_options);
	const int caller_errno = errno;
	uint64_t asleep = session_pack(GPU_ASLEEP, REASON_NONE);
	struct shield shield;
	struct cancellation cancellation;
	if (options == NULL)
		return;
	cancellation_hold(&cancellation);
	shield_begin(&shield);
	if (atomic_load(&session_word) == asleep)
		session_guard_claim();
	if (atomic_compare_exchange_strong(&session_word, &asleep,
	                                   session_pack(GPU_WARMING, REASON_NONE)))
		session_start();
	shield_end(&shield);
	if (options->warmup == WARMUP_WAIT)
		session_guard_wait(session_is_warming);
	cancellation_release(&cancellation);
	errno = caller_errno;
}

/* Once, by the call that has made the sum large enough. Without a thread all stays as it is. */
static void session_start_more(void)
{
	int64_t wanted_ns = atomic_load_explicit(&session_more_ns, memory_order_relaxed);
	if (lanes_find_lonely_ns() >= wanted_ns &&
	    atomic_compare_exchange_strong(&session_more_ns, &wanted_ns, INT64_MAX))
		session_begin_thread(session_run_more_thread);
}

static void session_open_breaker(enum reason outcome)
{
	if (!session_switch_off(REASON_BREAKER_OPEN))
		return;
	lanes_close();
	mirrors_stop();
	if (outcome == REASON_VERIFY_FAILED)
		return; /* verify_call_end has reported it, with the numbers */
	if (lanes_context_lost())
		diag_warn("the GPU's context is lost (%s); the GPU is left alone in this process",
		          reason_sentence(outcome));
	else if (outcome == REASON_DEVICE_SILENT)
		diag_warn("%s; it is left alone in this process", reason_sentence(outcome));
	else
		diag_warn("%d calls in a row failed on the GPU (at last: %s); it is left alone in "
		          "this process",
		          SESSION_FAILURES_MAX, reason_sentence(outcome));
}

static void session_note_reset(void)
{
	if (!session_switch_off(REASON_DEVICE_RESET))
		return;
	lanes_close();
	mirrors_stop();
	diag_warn("the program has reset the GPU (cudaDeviceReset), which ended the shim's work on "
	          "it; every call stays on the CPU from now on");
}

void session_note_outcome(enum reason outcome)
{
	if (outcome == REASON_NONE) {
		atomic_store(&session_failures, 0);
		session_start_more();
		ledger_note_use();
		return;
	}
	if (reason_outcome(outcome) != OUTCOME_BACK)
		return;
	if (lanes_context_ended()) {
		session_note_reset();
		return;
	}
	/*
	 * Each further wait for a silent device would take as long; one wrong result is too many.
	 */
	if (lanes_context_lost() || outcome == REASON_DEVICE_SILENT ||
	    outcome == REASON_VERIFY_FAILED)
		session_open_breaker(outcome);
	/* These do not indicate a failing GPU; the last four are about the program's numbers. */
	if (outcome == REASON_DEVICE_MEMORY || outcome == REASON_HOST_MEMORY ||
	    outcome == REASON_FUNCTION_MISSING || outcome == REASON_CALL_LEFT ||
	    outcome == REASON_NOT_FINITE || outcome == REASON_NOT_SOLVED ||
	    outcome == REASON_ZERO_MATRIX || outcome == REASON_EXTREME_SCALE)
		return;
	if (atomic_fetch_add(&session_failures, 1) + 1 >= SESSION_FAILURES_MAX)
		session_open_breaker(outcome);
}

uint64_t session_trim(void)
{
	if (session_state_of(atomic_load(&session_word)) != GPU_READY)
		return 0;
	mirrors_trim();
	return lanes_trim();
}

bool session_has_started(void)
{
	const enum gpu_state state = session_state_of(atomic_load(&session_word));
	return state == GPU_WARMING || state == GPU_READY;
}

void session_before_fork(void)
{
	session_guard_before_fork();
}

void session_after_fork_parent(void)
{
	session_guard_after_fork_parent();
}

void session_after_fork_child(void)
{
	const bool started = session_has_started();
	session_guard_after_fork_child();
	session_leave_after_fork_child();
	atomic_store(&session_opened, false);
	staging_after_fork_child();
	copiers_after_fork_child();
	if (started)
		session_switch_off(REASON_FORKED);
}

/* In the last of the rounds in which libc runs destructors: those of others may make calls. */
static void session_end_thread(void *round)
{
	if ((uintptr_t)round < SESSION_ROUNDS)
		pthread_setspecific(session_key, (char *)round + 1);
	else if (atomic_load(&session_opened))
		session_leave_thread();
}

void session_mark_thread(void)
{
	if (atomic_load_explicit(&session_key_made, memory_order_acquire) &&
	    atomic_load_explicit(&session_opened, memory_order_relaxed) &&
	    pthread_getspecific(session_key) == NULL)
		pthread_setspecific(session_key, (void *)(uintptr_t)1);
}

void session_stop(void)
{
	struct shield shield;
	session_switch_off(REASON_EXITING);
	session_guard_stop();
	shield_begin(&shield);
	ledger_leave();
	shield_end(&shield);
}
