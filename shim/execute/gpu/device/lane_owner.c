/* lane_owner.c - what the thread of a call does, and whether it has left the call */
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The word of a call's first lane holds its serial number and one of these states:
 *   RUNS    the thread is in the call, with the program's signals blocked
 *   PARKED  the thread is in a gap, where handlers run and may jump away
 *   OVER    the call was ended or taken over
 * PARKED becomes RUNS or OVER by one exchange, so that a call that is taken for left by mistake
 * loses its lanes and no more: its thread finds that when it comes back, and the CPU does the rest.
 */
#include "shim/execute/gpu/device/lane_owner.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <sys/mman.h>
#include <unistd.h>

#include "shim/base/clock.h"
#include "shim/base/stack.h"

enum { OWNER_RUNS, OWNER_PARKED, OWNER_OVER, OWNER_STATES };

/* A call, and one of a handler within it. */
enum { OWNER_CALLS = 2 };

/* munmap rounds up to the page of the system, which is a multiple. */
enum { OWNER_PAGE = 4096 };

/* A handler that takes longer loses the GPU's part of the call that it interrupts. */
static const int64_t owner_patience_ns = INT64_C(1000000000);

struct owner_call {
	struct lane *leader;
	uint64_t serial;
};

static _Atomic uint64_t owner_serials;
/* The calls of the thread, from the outermost to the innermost. */
static _Thread_local struct owner_call owner_calls[OWNER_CALLS];
/*
 * count: of owner_calls. lost_pages: of owner_lost, the staging of a call that was taken over while
 * its thread was in a handler. Both are small, since static thread-local memory is scarce.
 */
static _Thread_local struct {
	int count;
	uint32_t lost_pages;
} owner;
static _Thread_local void *owner_lost;
static _Thread_local const void *owner_frame; /* of the call that takes lanes next */

static uint64_t lane_owner_word(uint64_t serial, uint64_t state)
{
	return serial * OWNER_STATES + state;
}

static bool lane_owner_is(struct owner_call *call, uint64_t state)
{
	return atomic_load(&call->leader->owner.word) == lane_owner_word(call->serial, state);
}

static struct owner_call *lane_owner_innermost(void)
{
	return owner.count > 0 ? &owner_calls[owner.count - 1] : NULL;
}

static bool lane_owner_push(struct lane *leader, uint64_t serial)
{
	if (owner.count == OWNER_CALLS)
		return false;
	owner_calls[owner.count++] = (struct owner_call){leader, serial};
	return true;
}

bool lane_owner_is_any(void)
{
	return owner.count > 0;
}

void lane_owner_frame(const void *frame)
{
	owner_frame = frame;
}

bool lane_owner_begin(struct lane *lane)
{
	struct owner_call *call = lane_owner_innermost();
	lane->owner.thread = gettid();
	if (call != NULL && lane_owner_is(call, OWNER_RUNS)) {
		lane->owner.leader = call->leader;
		return true;
	}
	const uint64_t serial = atomic_fetch_add(&owner_serials, 1) + 1;
	if (!lane_owner_push(lane, serial))
		return false;
	atomic_store(&lane->owner.frame, owner_frame);
	lane->owner.leader = lane;
	atomic_store(&lane->owner.copies, false);
	atomic_store(&lane->owner.word, lane_owner_word(serial, OWNER_RUNS));
	return true;
}

bool lane_owner_end(struct lane *lane)
{
	struct owner_call *call = lane_owner_innermost();
	if (call == NULL || !lane_owner_is(call, OWNER_RUNS))
		return false;
	lane->owner.leader = NULL;
	if (call->leader == lane) {
		atomic_store(&lane->owner.word, lane_owner_word(call->serial, OWNER_OVER));
		owner.count--;
	}
	return true;
}

void lane_owner_leave(struct lane *leader, struct lane_gap *gap)
{
	*gap = (struct lane_gap){.leader = leader};
	if (leader == NULL)
		return;
	gap->serial = atomic_load(&leader->owner.word) / OWNER_STATES;
	gap->caller = leader->caller;
	gap->staging = leader->staging;
	gap->staging_bytes = leader->staging_bytes;
	atomic_store(&leader->owner.parked_ns, clock_monotonic_ns());
	atomic_store(&leader->owner.word, lane_owner_word(gap->serial, OWNER_PARKED));
}

/* The call's place in the list, or its end. */
static int lane_owner_find(uint64_t serial)
{
	int place = owner.count;
	while (place > 0 && owner_calls[place - 1].serial != serial)
		place--;
	return place > 0 ? place - 1 : owner.count;
}

static void lane_owner_lose(struct lane_gap *gap)
{
	lane_owner_forget();
	owner_lost = gap->staging;
	owner.lost_pages = (uint32_t)((gap->staging_bytes + OWNER_PAGE - 1) / OWNER_PAGE);
	guest_leave(&gap->caller);
}

/*
 * What lies above the call in the list are calls that handlers have left. A coroutine may have come
 * to another thread meanwhile.
 */
bool lane_owner_come_back(struct lane_gap *gap)
{
	uint64_t parked = lane_owner_word(gap->serial, OWNER_PARKED);
	const uint64_t runs = lane_owner_word(gap->serial, OWNER_RUNS);
	const int place = lane_owner_find(gap->serial);
	const bool known = place < owner.count;
	if (gap->leader == NULL)
		return true;
	const bool kept = atomic_compare_exchange_strong(&gap->leader->owner.word, &parked, runs);
	if (!kept)
		lane_owner_lose(gap);
	if (known)
		owner.count = place + kept;
	else if (kept)
		lane_owner_push(gap->leader, gap->serial);
	return kept;
}

void lane_owner_forget(void)
{
	if (owner_lost != NULL)
		munmap(owner_lost, (size_t)owner.lost_pages * OWNER_PAGE);
	owner_lost = NULL;
}

void lane_owner_copy(bool copies)
{
	struct owner_call *call = lane_owner_innermost();
	if (call != NULL)
		atomic_store_explicit(&call->leader->owner.copies, copies, memory_order_relaxed);
}

/*
 * Whether the frame lies where that of the call was, or outside of it: the call is gone. Frames on
 * different stacks, those of coroutines say, tell nothing; and a handler's own stack may be part of
 * the thread's.
 */
static bool lane_owner_is_outside(const struct owner_call *call, const void *frame)
{
	const void *outer = atomic_load(&call->leader->owner.frame);
	stack_t stack;
	if ((uintptr_t)frame < (uintptr_t)outer)
		return false;
	if (sigaltstack(NULL, &stack) != 0 || (stack.ss_flags & SS_ONSTACK) != 0)
		return false;
	return stack_has(frame, outer);
}

/*
 * Outside of gaps only handlers of faults run, with all of a section's signals blocked. A jump out
 * of one restores the mask, unless it is longjmp.
 */
static bool lane_owner_is_gone(const struct owner_call *call, uint64_t word,
                               const struct lane_asker *asker)
{
	return (word % OWNER_STATES == OWNER_RUNS && !asker->shielded) ||
	       lane_owner_is_outside(call, asker->frame);
}

static bool lane_owner_exchange(struct lane *leader, uint64_t word, struct lane_left *left)
{
	left->leader = leader;
	left->trusted = word % OWNER_STATES == OWNER_PARKED || atomic_load(&leader->owner.copies);
	return atomic_compare_exchange_strong(&leader->owner.word, &word,
	                                      lane_owner_word(word / OWNER_STATES, OWNER_OVER));
}

static bool lane_owner_is_late(const struct lane *leader)
{
	return clock_monotonic_ns() - atomic_load(&leader->owner.parked_ns) > owner_patience_ns;
}

enum lane_owner_state lane_owner_find_own(const struct lane_asker *asker, struct lane_left *left)
{
	struct owner_call *call;
	while ((call = lane_owner_innermost()) != NULL) {
		const uint64_t word = atomic_load(&call->leader->owner.word);
		const bool over =
			word / OWNER_STATES != call->serial || word % OWNER_STATES == OWNER_OVER;
		const bool gone = !over && lane_owner_is_gone(call, word, asker);
		const bool late =
			word % OWNER_STATES == OWNER_PARKED && lane_owner_is_late(call->leader);
		if (!over && !gone && !late)
			return LANE_OWNER_INSIDE;
		struct lane *leader = call->leader;
		owner.count--;
		if (!over && lane_owner_exchange(leader, word, left)) {
			left->gone = gone;
			return LANE_OWNER_LEFT;
		}
	}
	return LANE_OWNER_NONE;
}

/* A thread that is gone cannot come back; one in a handler finds what happened when it does. */
bool lane_owner_take_over(struct lane *leader, struct lane_left *left)
{
	const uint64_t word = atomic_load(&leader->owner.word), state = word % OWNER_STATES;
	if (state == OWNER_OVER)
		return false;
	left->gone = tgkill(getpid(), leader->owner.thread, 0) != 0 && errno == ESRCH;
	if (!left->gone && (state == OWNER_RUNS || !lane_owner_is_late(leader)))
		return false;
	return lane_owner_exchange(leader, word, left);
}
