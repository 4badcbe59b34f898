/* ring.c - a ring of ticks per thread, drained by one thread */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/record/ring.h"

#include <errno.h>
#include <linux/membarrier.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "shim/record/drainer.h"
#include "shim/record/lock_within.h"
#include "shim/record/signal_shield.h"
#include "shim/record/tick_lines.h"

enum { RING_SLOTS = 8192, RING_PATIENCE_MS = 2000 };

struct ring_slot {
	_Alignas(64) struct record_tick tick;
};

/*
 * head and tail count ticks; the owner writes head, whoever drains (under the lock) writes tail.
 * limit: the owner knows that there is room up to this head. busy: the owner is using the ring, so
 * a signal handler in its thread must not.
 */
struct ring {
	_Alignas(64) _Atomic uint64_t head;
	uint64_t limit;
	atomic_bool busy;
	_Alignas(64) _Atomic uint64_t tail;
	struct ring *next;
	pid_t tid; /* 0: no owner */
	struct ring_slot slots[];
};

/* The lock guards the list of rings, and draining; signals are blocked while it is held. */
static struct {
	pthread_mutex_t lock;
	struct ring *first;
	pthread_key_t key;
	bool key_made;
} rings = {.lock = PTHREAD_MUTEX_INITIALIZER};

/*
 * What a push has to look after: DRAINER_ASLEEP, or RING_CLOSED. One word, so that it is one load.
 */
enum { RING_CLOSED = 2 };
static bool ring_drain_all(void);
static struct drainer_user ring_user = {ring_drain_all, DRAINER_ASLEEP};

static bool ring_is_closed(void)
{
	return (atomic_load(&ring_user.notice) & RING_CLOSED) != 0;
}

/* The ring of a thread that has none: always busy, so that its lines are written at once. */
static struct ring ring_none = {.busy = true};
static _Thread_local struct ring *ring_mine;

static void ring_lock(struct signal_shield *shield)
{
	signal_shield_all(shield);
	pthread_mutex_lock(&rings.lock);
}

static void ring_unlock(const struct signal_shield *shield)
{
	pthread_mutex_unlock(&rings.lock);
	signal_shield_restore(shield);
}

/* Under the lock. Ticks that the owner adds meanwhile stay in the ring. */
static bool ring_drain(struct ring *ring)
{
	const uint64_t head = atomic_load_explicit(&ring->head, memory_order_acquire);
	uint64_t tail = atomic_load_explicit(&ring->tail, memory_order_relaxed);
	if (tail == head)
		return false;
	tick_lines_begin();
	while (tail != head) {
		tick_lines_add(&ring->slots[tail % RING_SLOTS].tick, ring->tid);
		atomic_store_explicit(&ring->tail, ++tail, memory_order_release);
	}
	tick_lines_end();
	return true;
}

static bool ring_drain_each(void)
{
	bool any = false;
	for (struct ring *ring = rings.first; ring != NULL; ring = ring->next)
		any = ring_drain(ring) || any;
	return any;
}

/* What the drain thread calls. */
static bool ring_drain_all(void)
{
	struct signal_shield shield;
	ring_lock(&shield);
	const bool any = ring_drain_each();
	ring_unlock(&shield);
	return any;
}

static void ring_drain_own(struct ring *ring)
{
	struct signal_shield shield;
	ring_lock(&shield);
	ring_drain(ring);
	ring_unlock(&shield);
}

/* At the end of a thread: its ring is free for another thread. */
static void ring_release(void *owned)
{
	const int saved_errno = errno;
	struct ring *ring = owned;
	struct signal_shield shield;
	ring_lock(&shield);
	ring_drain(ring);
	ring->tid = 0;
	ring_mine = NULL;
	ring_unlock(&shield);
	errno = saved_errno;
}

/* Under the lock. A ring without owner; NULL where there is no memory for one. */
static struct ring *ring_obtain(void)
{
	struct ring *ring = rings.first;
	while (ring != NULL && ring->tid != 0)
		ring = ring->next;
	if (ring != NULL)
		return ring;
	ring = mmap(NULL, sizeof(*ring) + RING_SLOTS * sizeof(struct ring_slot),
	            PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (ring == MAP_FAILED)
		return NULL;
	ring->next = rings.first;
	rings.first = ring;
	return ring;
}

/* Without a key the end of the thread would not be noticed, and its ring never be used again. */
static struct ring *ring_own(void)
{
	if (!rings.key_made)
		rings.key_made = pthread_key_create(&rings.key, ring_release) == 0;
	struct ring *ring = rings.key_made ? ring_obtain() : NULL;
	if (ring == NULL || pthread_setspecific(rings.key, ring) != 0)
		return NULL;
	ring->tid = gettid();
	ring->limit = atomic_load_explicit(&ring->tail, memory_order_relaxed) + RING_SLOTS;
	return ring;
}

/* At the thread's first tick. */
static __attribute__((noinline, cold)) struct ring *ring_begin(void)
{
	const int saved_errno = errno;
	struct signal_shield shield;
	ring_mine = &ring_none;
	if (ring_is_closed())
		return ring_mine;
	ring_lock(&shield);
	struct ring *ring = ring_own();
	if (ring != NULL)
		ring_mine = ring;
	ring_unlock(&shield);
	errno = saved_errno;
	return ring_mine;
}

/* The thread has no ring yet or cannot have one, or a signal handler interrupted a push. */
static __attribute__((noinline, cold)) void ring_push_otherwise(const struct record_tick *tick)
{
	struct ring *ring = ring_mine != NULL ? ring_mine : ring_begin();
	if (atomic_load_explicit(&ring->busy, memory_order_relaxed))
		tick_lines_write_now(tick);
	else
		ring_push(tick);
}

/* Pushes after making room. */
static __attribute__((noinline, cold)) void ring_push_full(struct ring *ring,
                                                           const struct record_tick *tick)
{
	const int saved_errno = errno;
	const uint64_t head = atomic_load_explicit(&ring->head, memory_order_relaxed);
	if (atomic_load_explicit(&ring->tail, memory_order_acquire) + RING_SLOTS == head)
		ring_drain_own(ring);
	ring->limit = atomic_load_explicit(&ring->tail, memory_order_acquire) + RING_SLOTS;
	atomic_store_explicit(&ring->busy, false, memory_order_relaxed);
	errno = saved_errno;
	ring_push(tick);
}

/* The thread inherits the blocked signals. */
static void ring_start_drainer(void)
{
	struct signal_shield shield;
	signal_shield_all(&shield);
	drainer_start(&ring_user);
	signal_shield_restore(&shield);
}

/*
 * Ends a push that filled half a ring since the last wake, or that found no drain thread or the log
 * closed.
 */
static __attribute__((noinline, cold)) void ring_pass_mark(struct ring *ring)
{
	const int saved_errno = errno;
	const uint64_t head = atomic_load_explicit(&ring->head, memory_order_relaxed);
	if (ring_is_closed())
		ring_drain_own(ring);
	else if ((atomic_load(&ring_user.notice) & DRAINER_ASLEEP) != 0)
		ring_start_drainer();
	else if (head % (RING_SLOTS / 2) == 0)
		drainer_wake();
	atomic_store_explicit(&ring->busy, false, memory_order_relaxed);
	errno = saved_errno;
}

/* The rare cases are tail calls, so that the usual case saves no registers. */
void ring_push(const struct record_tick *tick)
{
	struct ring *ring = ring_mine;
	if (__builtin_expect(
		    ring == NULL || atomic_load_explicit(&ring->busy, memory_order_relaxed), 0)) {
		ring_push_otherwise(tick);
		return;
	}
	atomic_store_explicit(&ring->busy, true, memory_order_relaxed);
	atomic_signal_fence(memory_order_seq_cst);
	const uint64_t head = atomic_load_explicit(&ring->head, memory_order_relaxed);
	if (__builtin_expect(head == ring->limit, 0)) {
		ring_push_full(ring, tick);
		return;
	}
	ring->slots[head % RING_SLOTS].tick = *tick;
	atomic_store_explicit(&ring->head, head + 1, memory_order_release);
	atomic_signal_fence(memory_order_seq_cst);
	/* Read after the store of head: ring_close and the drain thread rely on this order. */
	const unsigned notice = atomic_load_explicit(&ring_user.notice, memory_order_relaxed);
	if (__builtin_expect(notice != 0 || (head + 1) % (RING_SLOTS / 2) == 0, 0)) {
		ring_pass_mark(ring);
		return;
	}
	atomic_signal_fence(memory_order_seq_cst);
	atomic_store_explicit(&ring->busy, false, memory_order_relaxed);
}

void ring_open(const struct gate_reasons *reasons)
{
	tick_lines_open(reasons);
	syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0);
	atomic_fetch_and(&ring_user.notice, ~(unsigned)RING_CLOSED);
}

/*
 * The barrier runs on every thread of the process: an owner that did not see RING_CLOSED has stored
 * its head, so the last drain finds its tick. Owners need no fence of their own.
 */
void ring_close(void)
{
	struct signal_shield shield;
	atomic_fetch_or(&ring_user.notice, RING_CLOSED);
	syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0);
	drainer_stop();
	signal_shield_all(&shield);
	if (lock_within_ms(&rings.lock, RING_PATIENCE_MS)) {
		ring_drain_each();
		pthread_mutex_unlock(&rings.lock);
	}
	signal_shield_restore(&shield);
}

/*
 * Other libraries' fork handlers may make calls between before and after: their ticks are written
 * at once.
 */
void ring_before_fork(void)
{
	pthread_mutex_lock(&rings.lock);
	ring_drain_each();
	if (ring_mine == NULL)
		ring_mine = &ring_none;
	atomic_store_explicit(&ring_mine->busy, true, memory_order_relaxed);
}

void ring_after_fork_parent(void)
{
	if (ring_mine == &ring_none)
		ring_mine = NULL;
	else
		atomic_store_explicit(&ring_mine->busy, false, memory_order_relaxed);
	pthread_mutex_unlock(&rings.lock);
}

/* Ticks that wait are the parent's, which writes them. */
static void ring_leave_ticks(void)
{
	for (struct ring *ring = rings.first; ring != NULL; ring = ring->next) {
		atomic_store(&ring->tail, atomic_load(&ring->head));
		atomic_store(&ring->busy, false);
		ring->tid = 0;
	}
}

void ring_renew(void)
{
	rings.lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
	ring_leave_ticks();
}

/* The child's thread gets a ring anew, with its own tid. */
void ring_after_fork_child(void)
{
	ring_leave_ticks();
	if (rings.key_made)
		pthread_setspecific(rings.key, NULL);
	ring_mine = NULL;
	drainer_after_fork_child();
	pthread_mutex_unlock(&rings.lock);
}
