/* mirror_numbers.c - the note: the watch in the lowest bits, above it how often one was ended */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/engine/mirror_numbers.h"

#include <stdatomic.h>

enum { MIRROR_NUMBERS_WATCH = 3, MIRROR_NUMBERS_ONE_MORE = 4 };

static _Atomic uint64_t *mirror_numbers_note(const struct mirror *mirror)
{
	return &((struct memory_block *)mirror->operand->mirror)->note;
}

void mirror_numbers_begin(struct memory_block *block, enum pack_watch watch)
{
	atomic_store(&block->note, (uint64_t)watch);
}

bool mirror_numbers_are_known(struct mirror *mirror, enum pack_watch watch)
{
	mirror->note = atomic_load(mirror_numbers_note(mirror));
	return watch == PACK_WATCH_NONE || (mirror->note & MIRROR_NUMBERS_WATCH) == (uint64_t)watch;
}

/* Of a run that was sent only the pages that lie whole in it become valid, where none is shared. */
static bool mirror_numbers_makes_valid(const struct mirror *mirror)
{
	const struct resident_operand *operand = mirror->operand;
	bool makes = mirror->commits;
	for (uint64_t run = 0; run < operand->runs && !makes; run++)
		makes = operand->shares || !pages_is_empty(pages_inside(operand->run[run]));
	return makes;
}

/* Whether the call has copied all that the window can have as valid pages. */
static bool mirror_numbers_is_whole(const struct mirror *mirror)
{
	const struct resident_operand *operand = mirror->operand;
	const struct host_view *view = &operand->view;
	const struct pages_span pages = pages_around(host_view_hull(view));
	return !mirror->held && (mirror->commits || operand->access == RESIDENT_READ) &&
	       pages.start == operand->window_span.start && pages.end == operand->window_span.end &&
	       view->pitch_bytes - view->width_bytes < pages_size();
}

/*
 * A call whose watch is another one ends that of the note. Its own takes the place if it has copied
 * all there is, and no other call has ended one since the plan.
 */
void mirror_numbers_end(const struct mirror *mirror, enum pack_watch watch)
{
	const bool makes = mirror_numbers_makes_valid(mirror),
		   whole = watch != PACK_WATCH_NONE && mirror_numbers_is_whole(mirror);
	_Atomic uint64_t *note = mirror_numbers_note(mirror);
	uint64_t now = atomic_load(note), next;
	do {
		const uint64_t known = now & MIRROR_NUMBERS_WATCH;
		const bool takes = whole && now == mirror->note;
		const bool stays = watch != PACK_WATCH_NONE && known == (uint64_t)watch;
		if (stays || (!takes && !makes))
			return;
		next = now - known + (takes ? (uint64_t)watch : MIRROR_NUMBERS_ONE_MORE);
	} while (!atomic_compare_exchange_weak(note, &now, next));
}
