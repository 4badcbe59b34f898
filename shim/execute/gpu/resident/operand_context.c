/* operand_context.c - the budget of page faults: what the program has written of tracked pages */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/resident/operand_context.h"

#include "shim/base/clock.h"
#include "shim/execute/gpu/resident/sightings.h"
#include "shim/execute/gpu/resident/track.h"

/* So many pages stand for all of a view; each time so many further on, modulo their number. */
enum { CONTEXT_PART_PAGES = 512, CONTEXT_STRIDE = 40503 };

/* So many windows at most are audited at once. */
enum { CONTEXT_AUDITS = 4 };

/*
 * A window that is watched is looked at in so many places of a few pages, each millisecond at
 * first, later each hundredth of the time since then: a program that begins to rewrite it has lost
 * no more than that when the window is given up. In an old process that ends after a second.
 */
enum { CONTEXT_WATCH_PLACES = 16, CONTEXT_WATCH_PAGES = 8, CONTEXT_WATCH_SHARE = 100 };
static const int64_t context_watch_ns = 1000000, context_watch_old_ns = 1000000000;

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

/* As if a call had asked for the window, of which some is written. Whether it is kept. */
static bool operand_context_judge(struct operand_context *context, struct window *window)
{
	const struct host_view *view = &window->only;
	operand_context_look(context, window, window->valid.span);
	const uint64_t own = windows_count_own(window, view),
		       valid = windows_count_valid(window, view);
	struct admission *admission = sightings_find(view);
	if (admission_is_hit(valid, own))
		return true;
	operand_context_note_paid(context, admission, own - valid);
	admission_judge_look(admission, valid * pages_size(), own * pages_size());
	windows_drop(window);
	return false;
}

/*
 * A part of the window tells whether anything was written. Memory that is not there any more was
 * not written.
 */
static void operand_context_audit(struct operand_context *context, struct window *window)
{
	if (!track_scan_is_there(window->valid.span))
		windows_drop(window);
	else if (operand_context_look(context, window, operand_context_choose_part(&window->only)) >
	         0)
		operand_context_judge(context, window);
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

/* -- guesses ----------------------------------------------------------------------------------- */

static bool operand_context_is_written(struct operand_context *context, struct window *window)
{
	const struct pages_span all = window->valid.span;
	const uint64_t step = pages_in(all) / CONTEXT_WATCH_PLACES * pages_size();
	uint64_t written = 0;
	for (uint64_t i = 0; i < CONTEXT_WATCH_PLACES && written == 0; i++) {
		const uintptr_t start = all.start + i * step;
		const struct pages_span place = {start, start + CONTEXT_WATCH_PAGES * pages_size()};
		written = operand_context_look(context, window, pages_meeting(place, all));
	}
	return written > 0;
}

/* Whether it goes on being watched. Calls that use it now do not write it. */
static bool operand_context_watch_one(struct operand_context *context, struct window *window,
                                      int64_t now_ns)
{
	const struct host_view *view = &window->only;
	const uint64_t own = windows_count_own(window, view), fault_ns = own * context->fault_ns;
	if (window->users > 0)
		return true;
	if (!track_scan_is_there(window->valid.span) ||
	    pages_is_empty(pages_find_run(&window->valid, window->valid.span, false))) {
		windows_drop(window);
		return false;
	}
	if (operand_context_is_written(context, window) && !operand_context_judge(context, window))
		return false;
	if (admission_is_paid(sightings_find(view)) ||
	    (now_ns - window->guessed_ns > context_watch_old_ns &&
	     !operand_context_is_costly(context, fault_ns, now_ns)))
		window->guessed_ns = 0;
	return window->guessed_ns != 0;
}

static int64_t operand_context_find_wait(const struct window *window, int64_t now_ns)
{
	const int64_t wait_ns = (now_ns - window->guessed_ns) / CONTEXT_WATCH_SHARE;
	return wait_ns > context_watch_ns ? wait_ns : context_watch_ns;
}

/* Of many windows some at a time: then the next ones soon. */
int64_t operand_context_watch(struct operand_context *context)
{
	static int place;
	const int64_t now_ns = clock_monotonic_ns();
	struct window *window = NULL;
	int64_t least_ns = INT64_MAX;
	int looked = 0, any = 0;
	while (looked++ < CONTEXT_AUDITS && (window = windows_find_guess(&place)) != NULL) {
		const bool stays = operand_context_watch_one(context, window, now_ns);
		const int64_t wait_ns =
			stays ? operand_context_find_wait(window, now_ns) : context_watch_ns;
		least_ns = wait_ns < least_ns ? wait_ns : least_ns;
	}
	if (windows_find_guess(&any) == NULL)
		return 0;
	return window != NULL || looked == 1 ? context_watch_ns : least_ns;
}
