/* timeline_ring.c - a ring of lines; each slot's turn says whether it is to be written or read */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/record/timeline/timeline_ring.h"

#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

enum { TIMELINE_RING_SLOTS = 1024 };

/*
 * turn: n * TIMELINE_RING_SLOTS if the slot is free for its line of round n, plus 1 once that is
 * written. Zeroed memory is thus an empty ring.
 */
struct timeline_slot {
	_Alignas(64) _Atomic uint64_t turn;
	uint32_t size;
	char text[TIMELINE_LINE_BYTES];
};

static struct timeline_slot *timeline_ring_slots;
static _Atomic uint64_t timeline_ring_head; /* lines begun */
static uint64_t timeline_ring_tail;         /* lines handed over */

bool timeline_ring_open(void)
{
	void *memory = mmap(NULL, TIMELINE_RING_SLOTS * sizeof(struct timeline_slot),
	                    PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED)
		return false;
	timeline_ring_slots = memory;
	return true;
}

static uint64_t timeline_ring_round(uint64_t number)
{
	return number - number % TIMELINE_RING_SLOTS;
}

/* *number: of the line that the caller has to write. Returns false if the ring is full. */
static bool timeline_ring_claim(uint64_t *number)
{
	uint64_t head = atomic_load_explicit(&timeline_ring_head, memory_order_relaxed);
	for (;;) {
		const struct timeline_slot *slot = &timeline_ring_slots[head % TIMELINE_RING_SLOTS];
		const uint64_t turn = atomic_load_explicit(&slot->turn, memory_order_acquire);
		if (turn < timeline_ring_round(head))
			return false;
		if (turn > timeline_ring_round(head))
			head = atomic_load_explicit(&timeline_ring_head, memory_order_relaxed);
		else if (atomic_compare_exchange_weak_explicit(&timeline_ring_head, &head, head + 1,
		                                               memory_order_relaxed,
		                                               memory_order_relaxed))
			break;
	}
	*number = head;
	return true;
}

enum timeline_ring_room timeline_ring_add(const char *line, size_t size)
{
	uint64_t number;
	if (!timeline_ring_claim(&number))
		return TIMELINE_RING_FULL;
	struct timeline_slot *slot = &timeline_ring_slots[number % TIMELINE_RING_SLOTS];
	memcpy(slot->text, line, size);
	slot->size = (uint32_t)size;
	atomic_store_explicit(&slot->turn, timeline_ring_round(number) + 1, memory_order_release);
	return (number + 1) % (TIMELINE_RING_SLOTS / 2) == 0 ? TIMELINE_RING_TAKEN_AT_MARK
	                                                     : TIMELINE_RING_TAKEN;
}

bool timeline_ring_empty(void (*take)(const char *line, size_t size))
{
	for (bool any = false;; any = true) {
		struct timeline_slot *slot =
			&timeline_ring_slots[timeline_ring_tail % TIMELINE_RING_SLOTS];
		const uint64_t round = timeline_ring_round(timeline_ring_tail);
		if (atomic_load_explicit(&slot->turn, memory_order_acquire) != round + 1)
			return any;
		take(slot->text, slot->size);
		atomic_store_explicit(&slot->turn, round + TIMELINE_RING_SLOTS,
		                      memory_order_release);
		timeline_ring_tail++;
	}
}

void timeline_ring_clear(void)
{
	if (timeline_ring_slots == NULL)
		return;
	for (int i = 0; i < TIMELINE_RING_SLOTS; i++)
		atomic_store_explicit(&timeline_ring_slots[i].turn, 0, memory_order_relaxed);
	atomic_store(&timeline_ring_head, 0);
	timeline_ring_tail = 0;
}
