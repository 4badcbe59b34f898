/* state.c - the state that is made at the first intercepted call, and its end */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/route/state.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "shim/base/aside.h"
#include "shim/base/clock.h"
#include "shim/base/fp_environment.h"
#include "shim/base/loader_lock.h"
#include "shim/base/privilege.h"
#include "shim/base/variables.h"
#include "shim/describe/plans.h"
#include "shim/execute/cpu/cpu.h"
#include "shim/execute/cpu/cpu_planner.h"
#include "shim/execute/gpu/device/fftw_blocks.h"
#include "shim/execute/gpu/device/memory.h"
#include "shim/execute/gpu/session/session.h"
#include "shim/gate/gate_open.h"
#include "shim/libc/libc_find.h"
#include "shim/record/counters.h"
#include "shim/record/record.h"
#include "shim/record/summary/children.h"
#include "shim/record/summary/summary.h"
#include "shim/record/timeline/timeline.h"
#include "shim/route/route_decide.h"
#include "shim/route/route_dry.h"
#include "shim/route/route_machine.h"
#include "shim/settings/settings.h"
#include "shim/shield/shield.h"

/* In memory that the kernel clears in a child, so that one whose fork ran no handler notices. */
struct state_here {
	atomic_bool made;
};

static struct shim_state state;
static struct state_here state_anywhere; /* where the kernel gives no such memory */
static struct state_here *_Atomic state_here = &state_anywhere;
static atomic_bool state_opened;     /* all of it, in this process or in a parent */
static _Atomic pid_t state_pid;      /* of the process whose files and threads these are; 0: none */
static atomic_bool state_registered; /* the handlers of fork, which a child inherits */
static pthread_once_t state_once = PTHREAD_ONCE_INIT;

static bool state_is_made(void)
{
	const struct state_here *here = atomic_load_explicit(&state_here, memory_order_acquire);
	return atomic_load_explicit(&here->made, memory_order_acquire);
}

static void state_set_made(void)
{
	atomic_store(&state_opened, true);
	atomic_store_explicit(&atomic_load(&state_here)->made, true, memory_order_release);
}

/* Kernels before 4.14 have no such memory: there a child without handlers is not noticed. */
static void state_place(void)
{
	enum { WIPED_IN_CHILD = 18, PAGE_BYTES = 4096 }; /* MADV_WIPEONFORK */
	void *page =
		mmap(NULL, PAGE_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (page == MAP_FAILED)
		return;
	if (madvise(page, PAGE_BYTES, WIPED_IN_CHILD) == 0)
		atomic_store(&state_here, (struct state_here *)page);
	else
		munmap(page, PAGE_BYTES);
}

static void state_lock_rooms(void)
{
	cpu_planner_lock();
	if (session_has_started())
		children_prepare();
	session_before_fork();
	route_dry_before_fork();
	record_before_fork();
	timeline_before_fork();
	plans_before_fork();
	fftw_blocks_before_fork();
}

static void state_unlock_rooms(void)
{
	fftw_blocks_after_fork();
	plans_after_fork();
	timeline_after_fork_parent();
	record_after_fork_parent();
	route_dry_after_fork_parent();
	session_after_fork_parent();
	cpu_planner_unlock();
}

static void state_renew_rooms(void)
{
	fftw_blocks_after_fork();
	plans_after_fork();
	cpu_planner_after_fork_child();
	cpu_after_fork_child();
	gate_thread.counts = NULL;
	children_after_fork_child();
	counters_after_fork_child();
	timeline_after_fork_child();
	record_after_fork_child();
	route_dry_after_fork_child();
	session_after_fork_child();
}

/*
 * Held while the state is made, so that no child inherits locks and lists as the start of another
 * thread left them. Recursive: a handler of the starting thread may fork.
 */
static pthread_mutex_t state_start = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static bool state_fork_is_late; /* of the fork under way: the state was made before */

/*
 * A fork that was on its way before the handlers were registered runs none of them, nor does _Fork:
 * its child may find locks held by threads that it does not have, and rooms open by halves.
 */
static void state_renew_inherited(void)
{
	state_start = (pthread_mutex_t)PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
	loader_lock_renew_orphans();
	counters_renew();
	route_dry_renew();
	record_renew();
	timeline_renew();
	plans_renew();
	fftw_blocks_renew();
}

/* What the handlers would have done; the session locks nothing for the child's sake. */
static void state_renew_late(void)
{
	route_dry_before_fork();
	record_before_fork();
	timeline_before_fork();
	plans_before_fork();
	fftw_blocks_before_fork();
	state_renew_rooms();
	state_set_made();
}

/*
 * In such a child the first thread that comes renews all; others wait for it. A child that shares
 * its parent's memory finds the state made, and must leave it alone.
 */
static void state_notice_process(void)
{
	const pid_t pid = getpid();
	pid_t owner = atomic_load(&state_pid);
	if (owner == 0 || owner == pid || state_is_made())
		return;
	if (!atomic_compare_exchange_strong(&state_pid, &owner, -pid)) {
		while (atomic_load(&state_pid) != pid)
			sched_yield();
		return;
	}
	state_renew_inherited();
	if (atomic_load(&state_opened))
		state_renew_late();
	atomic_store(&state_pid, pid);
}

/* Of the thread that forks, which holds the locks. */
static struct shield state_fork_shield;

/* Lock order: start, then planner. The latter is contended only with fftw_planning = lazy. */
static void state_before_fork(void)
{
	struct fp_environment program;
	struct shield shield;
	fp_environment_enter(&program);
	shield_begin(&shield);
	state_notice_process();
	pthread_mutex_lock(&state_start);
	state_fork_shield = shield;
	state_fork_is_late = state_is_made();
	if (state_fork_is_late)
		state_lock_rooms();
	fp_environment_leave(&program);
}

static void state_after_fork_parent(void)
{
	const struct shield shield = state_fork_shield;
	struct fp_environment program;
	fp_environment_enter(&program);
	if (state_fork_is_late)
		state_unlock_rooms();
	pthread_mutex_unlock(&state_start);
	shield_end(&shield);
	fp_environment_leave(&program);
}

static void state_after_fork_child(void)
{
	const struct shield shield = state_fork_shield;
	struct fp_environment program;
	fp_environment_enter(&program);
	state_start = (pthread_mutex_t)PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
	atomic_store(&state_pid, getpid());
	loader_lock_after_fork_child();
	if (state_fork_is_late) {
		state_renew_rooms();
		state_set_made();
	}
	shield_end(&shield);
	fp_environment_leave(&program);
}

static uint64_t state_find_gate(enum family family, enum element element, int threads)
{
	const struct situation situation = {.gpu = GPU_ASLEEP,
	                                    .program_excluded = state.program_excluded,
	                                    .setting.cpu_threads = threads};
	return route_decide_find_gate(&situation, family, element);
}

static bool state_find_untimed(const struct options *options)
{
	return options->log[0] == '\0' && options->counters[0] == '\0' &&
	       (options->summary[0] == '\0' || strcmp(options->summary, "off") == 0);
}

/* All rooms stay as they are before their opening: no option, file, counter, handler or thread. */
static void state_make_forwarder(void)
{
	options_set_defaults(&state.options);
	state.options.enabled = false;
	state.forwards_only = true;
	state_set_made();
}

/* What pthread_atfork calls; that itself is in libpthread before glibc 2.34. */
int __register_atfork(void (*before)(void), void (*parent)(void), void (*child)(void), void *owner);
extern char __dso_handle __attribute__((visibility("hidden")));

static void state_make_all(void)
{
	loader_lock_find_list();
	/* A child made between the two registers nothing: its children notice it as it did. */
	if (!atomic_exchange(&state_registered, true))
		__register_atfork(state_before_fork, state_after_fork_parent,
		                  state_after_fork_child, &__dso_handle);
	atomic_store(&state_pid, getpid());
	state_place();
	pthread_mutex_lock(&state_start);
	clock_open();
	variables_keep();
	settings_load(&state.options);
	options_settle(&state.options);
	state.program_excluded = settings_program_excluded(&state.options);
	state.untimed = state_find_untimed(&state.options);
	route_decide_open(&state.options);
	gate_open_configure(state_find_gate,
	                    state.options.log_level == LOG_CALL && state.options.log[0] != '\0');
	cpu_configure(&state.options);
	fftw_blocks_configure(state.options.fftw_pinned);
	counters_open(&state.options, state.program_excluded);
	route_dry_open(&state.options, state.program_excluded);
	memory_set_observer(counters_add_device_bytes);
	const struct record_head head = route_machine_describe();
	record_set_head(&head);
	record_open(&state.options, state.program_excluded);
	session_configure(&state.options);
	session_set_observer(counters_note_loss);
	state_set_made();
	/* A thread that forks may hold the loader's lock, for which timeline_open may wait. */
	pthread_mutex_unlock(&state_start);
	/* Last: a profiler's library that this loads may call intercepted routines. */
	observe_set(timeline_open(&state.options));
}

static void state_make(void)
{
	if (!libc_find_is_glibc() || privilege_is_raised())
		state_make_forwarder();
	else
		state_make_all();
}

static void state_make_once(void *unused)
{
	(void)unused;
	state_notice_process();
	pthread_once(&state_once, state_make);
}

static void state_begin(void)
{
	struct fp_environment program;
	struct shield shield;
	fp_environment_enter(&program);
	shield_begin(&shield);
	aside_run_anyway(STACK_FOR_CPU, state_make_once, NULL);
	shield_end(&shield);
	fp_environment_leave(&program);
}

const struct shim_state *state_get(void)
{
	if (__builtin_expect(!state_is_made(), 0))
		state_begin();
	return &state;
}

static void state_close(void *unused)
{
	(void)unused;
	session_stop();
	record_close();
	timeline_close();
	summary_print(&state.options);
	counters_close();
}

/* Whether a tool collects counters. */
static bool state_is_collected;

/*
 * glibc hands the variables to constructors: at the end their list may lie in memory that the
 * program has given back. By no function of libc: to bind the first one takes some pages, in every
 * process that makes no call.
 */
__attribute__((constructor)) static void state_look_for_collector(int count, char **words,
                                                                  char **variables)
{
	static const char wanted[] = "EPOCHLY_GPU_COUNTERS=";
	(void)count;
	(void)words;
	for (; libc_find_is_glibc() && *variables != NULL && !state_is_collected; variables++) {
		size_t length = 0;
		while (wanted[length] != '\0' && (*variables)[length] == wanted[length])
			length++;
		state_is_collected = wanted[length] == '\0';
	}
}

/*
 * Runs before the destructors of the program's libraries, which may still call BLAS or FFTW: those
 * calls run on the CPU. A child whose fork ran no handlers (state_pid) has no threads, and its
 * files are the parent's.
 */
__attribute__((destructor)) static void state_finish(void)
{
	struct fp_environment program;
	if (!state_is_made() && atomic_load(&state_pid) == 0 && state_is_collected &&
	    !privilege_is_raised())
		counters_note_presence();
	if (!state_is_made() || state.forwards_only || atomic_load(&state_pid) != getpid())
		return;
	fp_environment_enter(&program);
	aside_run_anyway(STACK_FOR_CPU, state_close, NULL);
	fp_environment_leave(&program);
}
