/* timeline_out.c - moves lines from the ring to the file, between a first and a last line */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/record/timeline/timeline_out.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "shim/base/clock.h"
#include "shim/base/diag.h"
#include "shim/libc/program.h"
#include "shim/record/drainer.h"
#include "shim/record/lock_within.h"
#include "shim/record/signal_shield.h"
#include "shim/record/timeline/timeline_file.h"
#include "shim/record/timeline/timeline_ring.h"

enum {
	TIMELINE_OUT_BYTES = 65536,
	TIMELINE_OUT_PATIENCE_MS = 2000,
	TIMELINE_OUT_ATTEMPTS = 100,
	TIMELINE_OUT_PAUSE_NS = 500000
};

/*
 * The lock guards the ring's reading side, the text and the file; signals are blocked while it is
 * held. stuck: the last line that waited for room found none.
 */
static struct {
	pthread_mutex_t lock;
	struct signal_shield before_fork; /* belongs to the thread that holds the lock */
	int64_t begun_ns;
	atomic_bool works, stuck;
	_Atomic uint64_t lost;
	size_t used;
	char text[TIMELINE_OUT_BYTES];
} timeline_out = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* -- to the file, under the lock -------------------------------------------------------------- */

static void timeline_out_flush(void)
{
	if (timeline_out.used > 0 && !timeline_file_write(timeline_out.text, timeline_out.used))
		atomic_store(&timeline_out.works, false);
	timeline_out.used = 0;
}

static void timeline_out_put(const char *line, size_t size)
{
	if (timeline_out.used + size > TIMELINE_OUT_BYTES)
		timeline_out_flush();
	memcpy(timeline_out.text + timeline_out.used, line, size);
	timeline_out.used += size;
}

/*
 * The process, and one moment on both clocks: the trace's times are CLOCK_MONOTONIC, the log's
 * CLOCK_REALTIME.
 */
static void timeline_out_put_head(void)
{
	const struct timeline_place place = {getpid(), getpid()};
	struct timeline_line line;
	timeline_out_put("[\n", 2);
	timeline_line_begin_metadata(&line, "process_name", &place);
	timeline_line_add_text(&line, "name", program_name());
	timeline_out_put(line.text, timeline_line_end(&line));
	timeline_line_begin_instant(&line, "trace begins", &place, timeline_out.begun_ns);
	timeline_line_add_text(&line, "gpushim", GPUSHIM_VERSION);
	timeline_line_add_count(
		&line, "realtime_ns",
		(uint64_t)(clock_realtime_ns() - clock_monotonic_ns() + timeline_out.begun_ns));
	timeline_out_put(line.text, timeline_line_end(&line));
}

/* The last line has no comma behind it: the file is valid JSON. */
static void timeline_out_put_tail(void)
{
	const struct timeline_place place = {getpid(), getpid()};
	struct timeline_line line;
	timeline_line_begin_instant(&line, "trace ends", &place, clock_monotonic_ns());
	timeline_line_add_count(&line, "lost_events", atomic_load(&timeline_out.lost));
	timeline_out_put(line.text, timeline_line_end(&line) - sizeof ",\n" + 1);
	timeline_out_put("\n]\n", 3);
}

static void timeline_out_take(const char *line, size_t size)
{
	if (timeline_out.used == 0 && !timeline_file_begun())
		timeline_out_put_head();
	timeline_out_put(line, size);
}

static bool timeline_out_drain_locked(void)
{
	const bool any = timeline_ring_empty(timeline_out_take);
	timeline_out_flush();
	return any;
}

/* -- from the threads ------------------------------------------------------------------------- */

static bool timeline_out_drain(void)
{
	struct signal_shield shield;
	signal_shield_all(&shield);
	pthread_mutex_lock(&timeline_out.lock);
	const bool any = atomic_load(&timeline_out.works) && timeline_out_drain_locked();
	pthread_mutex_unlock(&timeline_out.lock);
	signal_shield_restore(&shield);
	return any;
}

static struct drainer_user timeline_out_user = {timeline_out_drain, DRAINER_ASLEEP};

/* After a line was added: the fence lets the drain thread see the line, or this one the notice. */
static void timeline_out_need_drainer(void)
{
	struct signal_shield shield;
	atomic_thread_fence(memory_order_seq_cst);
	if (__builtin_expect(
		    atomic_load_explicit(&timeline_out_user.notice, memory_order_relaxed) == 0, 1))
		return;
	signal_shield_all(&shield);
	drainer_start(&timeline_out_user);
	signal_shield_restore(&shield);
}

bool timeline_out_works(void)
{
	return atomic_load_explicit(&timeline_out.works, memory_order_acquire);
}

/* A handler that jumps away would leave a place in the ring that is never filled. */
static enum timeline_ring_room timeline_out_add(const char *line, size_t size)
{
	struct signal_shield shield;
	signal_shield_all(&shield);
	const enum timeline_ring_room room = timeline_ring_add(line, size);
	signal_shield_restore(&shield);
	return room;
}

/*
 * The ring is full because a thread was interrupted in the middle of adding a line. That may be
 * this thread, below a signal handler, so the wait is bounded; and after a wait in vain nobody
 * waits again until there is room: a handler may have abandoned that line (longjmp).
 */
static enum timeline_ring_room timeline_out_make_room(const char *line, size_t size)
{
	static const struct timespec pause = {.tv_nsec = TIMELINE_OUT_PAUSE_NS};
	const int attempts = atomic_load(&timeline_out.stuck) ? 1 : TIMELINE_OUT_ATTEMPTS;
	enum timeline_ring_room room = TIMELINE_RING_FULL;
	for (int attempt = 0; room == TIMELINE_RING_FULL && attempt < attempts; attempt++) {
		if (attempt > 0)
			nanosleep(&pause, NULL);
		timeline_out_drain();
		room = timeline_out_add(line, size);
	}
	atomic_store(&timeline_out.stuck, room == TIMELINE_RING_FULL);
	return room;
}

void timeline_out_write(const char *line, size_t size)
{
	enum timeline_ring_room room = timeline_out_add(line, size);
	if (__builtin_expect(room == TIMELINE_RING_FULL, 0))
		room = timeline_out_make_room(line, size);
	timeline_out_need_drainer();
	if (room == TIMELINE_RING_TAKEN_AT_MARK)
		drainer_wake();
	else if (room == TIMELINE_RING_FULL)
		atomic_fetch_add(&timeline_out.lost, 1);
}

/* -- beginning, fork, end --------------------------------------------------------------------- */

bool timeline_out_open(const char *pattern)
{
	if (!timeline_ring_open()) {
		diag_warn("no memory to trace into '%s'; nothing is traced", pattern);
		return false;
	}
	timeline_file_name(pattern);
	timeline_out.begun_ns = clock_monotonic_ns();
	atomic_store_explicit(&timeline_out.works, true, memory_order_release);
	return true;
}

/* Without a line no file is opened: another process may write one of that name. */
static void timeline_out_end_file(void)
{
	timeline_out_drain_locked();
	if (timeline_file_begun()) {
		timeline_out_put_tail();
		timeline_out_flush();
	}
	timeline_file_close();
}

void timeline_out_close(void)
{
	struct signal_shield shield;
	if (!atomic_exchange(&timeline_out.works, false))
		return;
	drainer_stop();
	signal_shield_all(&shield);
	if (lock_within_ms(&timeline_out.lock, TIMELINE_OUT_PATIENCE_MS)) {
		timeline_out_end_file();
		pthread_mutex_unlock(&timeline_out.lock);
	}
	signal_shield_restore(&shield);
}

void timeline_out_before_fork(void)
{
	const int saved_errno = errno;
	struct signal_shield shield;
	signal_shield_all(&shield);
	pthread_mutex_lock(&timeline_out.lock);
	timeline_out.before_fork = shield;
	if (atomic_load(&timeline_out.works))
		timeline_out_drain_locked();
	errno = saved_errno;
}

static void timeline_out_end_fork(void)
{
	const struct signal_shield shield = timeline_out.before_fork;
	pthread_mutex_unlock(&timeline_out.lock);
	signal_shield_restore(&shield);
}

void timeline_out_after_fork_parent(void)
{
	timeline_out_end_fork();
}

void timeline_out_renew(void)
{
	timeline_out.lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
	timeline_out.used = 0;
	timeline_ring_clear();
}

void timeline_out_after_fork_child(void)
{
	const int saved_errno = errno;
	timeline_ring_clear();
	drainer_after_fork_child();
	if (atomic_load(&timeline_out.works) && !timeline_file_leave())
		atomic_store(&timeline_out.works, false);
	atomic_store(&timeline_out.stuck, false);
	atomic_store(&timeline_out.lost, 0);
	timeline_out.begun_ns = clock_monotonic_ns();
	timeline_out_end_fork();
	errno = saved_errno;
}
