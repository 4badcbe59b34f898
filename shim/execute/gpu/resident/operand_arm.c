/* operand_arm.c - arms the pages of inputs, and of results, whose first ones may come early */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/resident/operand_arm.h"

#include "shim/base/clock.h"
#include "shim/execute/gpu/resident/registered.h"
#include "shim/execute/gpu/resident/track.h"
#include "shim/execute/gpu/resident/track_guard.h"

/* No large page is armed in two parts. Tests with small operands need other edges. */
#ifndef OPERAND_ARM_EDGE_BYTES
#define OPERAND_ARM_EDGE_BYTES (2 << 20)
#endif

/* The pages that are armed for a row: its own ones, and those that are shared. */
static struct pages_span operand_arm_find_pages(const struct resident_operand *operand,
                                                const struct host_view *view, uint64_t row)
{
	return windows_shares(operand->window, &operand->view)
	               ? pages_around(host_view_row(view, row))
	               : host_view_own_pages(view, row);
}

/*
 * Arms those of the row's pages that are not clean. They are valid in no window before: a page that
 * is armed twice would hide what was written in between. Clean ones are not armed again.
 */
static int operand_arm_row(struct operand_context *context, struct pages_span own,
                           const struct pages_set *clean)
{
	while (!pages_is_empty(own)) {
		const struct pages_span run = pages_find_run(clean, own, true);
		if (pages_is_empty(run))
			return 0;
		windows_forget(run);
		const int error = track_arm(run);
		if (error != 0)
			return error;
		context->stats.armed_pages += (run.end - run.start) / pages_size();
		own.start = run.end;
	}
	return 0;
}

static bool operand_arm_rows(struct operand_context *context,
                             const struct resident_operand *operand, const struct host_view *view,
                             const struct pages_set *clean)
{
	for (uint64_t row = 0; row < view->rows; row++)
		if (operand_arm_row(context, operand_arm_find_pages(operand, view, row), clean) !=
		    0)
			return false;
	return true;
}

static void operand_arm_note(struct resident_operand *operand, struct pages_span armed, bool anew)
{
	operand->armed = armed;
	operand->is_armed_anew = anew;
}

void operand_arm_clear(struct resident_operand *operand)
{
	operand_arm_note(operand, (struct pages_span){0, 0}, false);
}

/*
 * Pages of a result have just been written: they are armed without a look at them, but for those
 * that are armed already, from the first one on.
 */
static bool operand_arm_written(struct operand_context *context,
                                const struct resident_operand *operand,
                                const struct host_view *view)
{
	for (uint64_t row = 0; row < view->rows; row++) {
		struct pages_span own = operand_arm_find_pages(operand, view, row);
		if (operand->is_armed_anew && operand->armed.end > own.start)
			own.start = operand->armed.end;
		if (pages_is_empty(own))
			continue;
		windows_forget(own);
		if (track_arm(own) != 0)
			return false;
		context->stats.armed_pages += (own.end - own.start) / pages_size();
	}
	return true;
}

/*
 * Registers what is not registered yet, and arms all pages of the operand's own; with them those
 * that two rows share.
 */
static bool operand_arm_try(struct operand_context *context, const struct resident_operand *operand,
                            bool is_result, enum track_reason *reason)
{
	struct pages_set clean;
	const struct host_view *view = &operand->view;
	const struct host_view joined = host_view_join_rows(view);
	if (!registered_holds(view) && !registered_take(view, reason))
		return false;
	if (is_result)
		return operand_arm_written(context, operand, &joined);
	if (!pages_begin(&clean, pages_around(host_view_hull(view))))
		return false;
	track_scan(clean.span, &clean);
	const bool armed = operand_arm_rows(context, operand, &joined, &clean);
	pages_end(&clean);
	return armed;
}

/*
 * Once in a call, before it arms a page or takes one for unchanged: what forbids that now. Calls of
 * operands without window do not ask, since a pin that has come and gone has left a written page.
 */
enum track_reason operand_arm_guard(struct operand_context *context)
{
	if (context->is_guarded && track_is_ours())
		return TRACK_REASON_NONE;
	context->is_guarded = true;
	return context->ask_guards();
}

/*
 * Twice: a mapping may have taken the place of a registered one. Memory that was pinned before it
 * is armed can be written unseen, so pins are looked for afterwards.
 */
bool operand_arm_all(struct operand_context *context, struct resident_operand *operand,
                     bool is_result, enum track_reason *reason)
{
	*reason = operand_arm_guard(context);
	if (*reason != TRACK_REASON_NONE)
		return false;
	bool armed = operand_arm_try(context, operand, is_result, reason);
	if (!armed && *reason == TRACK_REASON_NONE) {
		registered_forget(&operand->view);
		operand_arm_clear(operand);
		armed = operand_arm_try(context, operand, is_result, reason);
	}
	context->armed_ns = clock_monotonic_ns();
	context->is_unsearched = true;
	if (armed && !is_result)
		*reason = track_guard_pins();
	return armed && *reason == TRACK_REASON_NONE;
}

/* A large page is armed at once, after its last byte is stored. */
static uintptr_t operand_arm_find_edge(uintptr_t stored_end)
{
	const uintptr_t page = stored_end & ~(uintptr_t)(pages_size() - 1);
	const uintptr_t edge = stored_end & ~(uintptr_t)(OPERAND_ARM_EDGE_BYTES - 1);
	const bool cuts = track_count_large((struct pages_span){page, page + pages_size()}) > 0;
	return cuts ? edge : page;
}

/* What is left of the pages of the result's own, up to an edge below the end. */
static struct pages_span operand_arm_find_stored(const struct resident_operand *operand,
                                                 const struct host_view *row, uintptr_t stored_end)
{
	struct pages_span part = operand_arm_find_pages(operand, row, 0);
	const uintptr_t edge = operand_arm_find_edge(stored_end);
	if (operand->is_armed_anew)
		part.start = operand->armed.end;
	if (edge < part.end)
		part.end = edge;
	return part;
}

static enum track_reason operand_arm_part(struct operand_context *context,
                                          struct resident_operand *operand, struct pages_span part)
{
	enum track_reason reason = operand_arm_guard(context);
	if (reason != TRACK_REASON_NONE ||
	    (!registered_holds(&operand->view) && !registered_take(&operand->view, &reason)))
		return reason;
	windows_forget(part);
	operand->generation = operand->window->generation;
	if (track_arm(part) != 0)
		return TRACK_REASON_NONE;
	context->is_unsearched = true;
	context->stats.armed_pages += pages_in(part);
	if (operand->is_armed_anew)
		part.start = operand->armed.start;
	operand_arm_note(operand, part, true);
	return TRACK_REASON_NONE;
}

enum track_reason operand_arm_stored(struct operand_context *context,
                                     struct resident_operand *operand, uintptr_t stored_end)
{
	const struct host_view joined = host_view_join_rows(&operand->view);
	const bool waits = !operand->is_armed_anew && !pages_is_empty(operand->armed);
	if (joined.rows != 1 || waits)
		return TRACK_REASON_NONE;
	const struct pages_span part = operand_arm_find_stored(operand, &joined, stored_end);
	return pages_is_empty(part) ? TRACK_REASON_NONE : operand_arm_part(context, operand, part);
}

enum track_reason operand_arm_search(struct operand_context *context)
{
	if (!context->is_unsearched)
		return TRACK_REASON_NONE;
	context->is_unsearched = false;
	return track_guard_descriptors();
}

void operand_arm_end(struct resident_operand *operand)
{
	if (!pages_is_empty(operand->armed) && track_is_ours())
		track_disarm(operand->armed);
	operand_arm_clear(operand);
}
