/* operand_context.c - the budget of page faults: what the program has written of tracked pages */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/resident/operand_context.h"

#include "shim/execute/gpu/resident/sightings.h"
#include "shim/execute/gpu/resident/track.h"

/* So many pages stand for all of a view; each time so many further on, modulo their number. */
enum { CONTEXT_PART_PAGES = 512, CONTEXT_STRIDE = 40503 };

/* So many windows at most are audited at once. */
enum { CONTEXT_AUDITS = 4 };

void operand_context_count_faults(struct operand_context *context, uint64_t written_pages)
{
	context->stats.written_pages += written_pages;
	context->stats.fault_ns += written_pages * context->fault_ns;
}

void operand_context_note_paid(struct operand_context *context, const struct admission *admission,
                               uint64_t written_pages)
{
	if (admission_is_paid(admission))
		context->paid_ns += written_pages * context->fault_ns;
}

struct pages_span operand_context_choose_part(const struct host_view *view)
{
	static uint64_t turn;
	const struct pages_span hull = pages_around(host_view_hull(view));
	const uint64_t pages = pages_in(hull);
	if (pages <= CONTEXT_PART_PAGES)
		return hull;
	const uint64_t first = ++turn * CONTEXT_STRIDE % (pages - CONTEXT_PART_PAGES + 1);
	const uintptr_t start = hull.start + first * pages_size();
	return (struct pages_span){start, start + CONTEXT_PART_PAGES * pages_size()};
}

uint64_t operand_context_look(struct operand_context *context, struct window *window,
                              struct pages_span part)
{
	struct pages_set clean;
	if (pages_is_empty(part) || !pages_begin(&clean, part))
		return 0;
	track_scan(part, &clean);
	const uint64_t written = windows_keep(window, &clean);
	pages_end(&clean);
	operand_context_count_faults(context, written);
	return written;
}

/*
 * As if a call had asked for the window. A part of it tells whether anything was written. Memory
 * that is not there any more was not written.
 */
static void operand_context_audit(struct operand_context *context, struct window *window)
{
	const struct host_view *view = &window->only;
	if (!track_scan_is_there(window->valid.span)) {
		windows_drop(window);
		return;
	}
	if (operand_context_look(context, window, operand_context_choose_part(view)) == 0)
		return;
	operand_context_look(context, window, window->valid.span);
	const uint64_t own = windows_count_own(window, view),
		       valid = windows_count_valid(window, view);
	struct admission *admission = sightings_find(view);
	if (admission_is_hit(valid, own))
		return;
	operand_context_note_paid(context, admission, own - valid);
	admission_judge_look(admission, valid * pages_size(), own * pages_size());
	windows_drop(window);
}

static void operand_context_audit_others(struct operand_context *context,
                                         const struct host_view *view, bool meets, int *place)
{
	if (context->hashes || context->tracks_at_once || !track_is_ours())
		return;
	for (int i = 0; i < CONTEXT_AUDITS; i++) {
		struct window *window = windows_find_other(view, meets, place);
		if (window == NULL)
			return;
		operand_context_audit(context, window);
	}
}

void operand_context_audit_some(struct operand_context *context, const struct host_view *view)
{
	static int place;
	operand_context_audit_others(context, view, false, &place);
}

void operand_context_audit_meeting(struct operand_context *context, const struct host_view *view)
{
	int place = 0;
	operand_context_audit_others(context, view, true, &place);
}
