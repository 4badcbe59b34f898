/* operand_plan.c - classify, arm, list: under the mutex, so that no other arms in between */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/resident/operand_plan.h"

#include <stdlib.h>

#include "shim/base/clock.h"
#include "shim/execute/gpu/resident/operand_arm.h"
#include "shim/execute/gpu/resident/operand_runs.h"
#include "shim/execute/gpu/resident/sightings.h"
#include "shim/execute/gpu/resident/track.h"

/* A page that was valid and is not clean any more was written: one page fault of the program. */
void operand_plan_classify(struct operand_context *context, struct window *window,
                           const struct pages_set *clean)
{
	operand_context_count_faults(context, windows_keep(window, clean));
}

static struct tracking_extent operand_plan_measure(const struct host_view *view)
{
	const struct pages_span hull = pages_around(host_view_hull(view));
	const uint64_t armed = host_view_join_rows(view).rows;
	return (struct tracking_extent){pages_in(hull), track_count_large(hull),
	                                host_view_bytes(view), armed > 1 ? armed : 0,
	                                armed > 1 ? armed : 0};
}

static void operand_plan_measure_cost(const struct operand_context *context,
                                      const struct host_view *view, struct admission *admission)
{
	if (admission->knows_cost)
		return;
	const struct tracking_extent extent = operand_plan_measure(view);
	admission->pays_input = tracking_cost_pays_input(&context->rates, &extent);
	admission->pays_result = tracking_cost_pays_result(&context->rates, &extent);
	admission->paid_hits =
		tracking_cost_count_paid(&context->rates, &extent, context->fault_ns);
	admission->knows_cost = true;
}

/* What page faults cost, about, until a guess that is watched is given up. */
static const uint64_t operand_plan_watched_ns = 5000000;

/* Whether the program may rewrite all of it, once. */
static bool operand_plan_may_risk(const struct operand_context *context,
                                  const struct host_view *view, bool is_watched)
{
	const uint64_t all_ns = host_view_count_own(view) * context->fault_ns,
		       faults_ns = is_watched && all_ns > operand_plan_watched_ns
	                                   ? operand_plan_watched_ns
	                                   : all_ns;
	return !operand_context_is_costly(context, faults_ns, clock_monotonic_ns());
}

/* What would take longer to track than to send is left alone for a while. */
static bool operand_plan_sample(struct operand_context *context, const struct host_view *view,
                                struct admission *admission)
{
	if (!admission_judge_sample(admission, sightings_sample(view)))
		return false;
	operand_context_audit_some(context, view);
	operand_plan_measure_cost(context, view, admission);
	return admission_judge_cost(admission, operand_plan_may_risk(context, view, false));
}

/* An operand whose window went for others is a new one. */
static bool operand_plan_look(struct operand_context *context, struct resident_operand *operand,
                              struct admission *admission)
{
	if (operand->window == NULL) {
		admission_note_disarmed(admission);
		return operand_plan_sample(context, &operand->view, admission);
	}
	const uint64_t own = windows_count_own(operand->window, &operand->view);
	const uint64_t valid = windows_count_valid(operand->window, &operand->view);
	if (admission_judge_look(admission, valid * pages_size(), own * pages_size())) {
		admission_note_read(admission, &context->announced);
		return true;
	}
	operand_context_note_paid(context, admission, own - valid);
	windows_drop(operand->window);
	operand->window = NULL;
	return false;
}

void operand_plan_note_hit(const struct resident_operand *operand)
{
	struct admission *admission = sightings_find(&operand->view);
	if (admission_next(admission) == ADMISSION_LOOK)
		admission_judge_look(admission, 1, 1);
}

/* By its size alone, before a sample is taken. */
static bool operand_plan_pays_sample(const struct operand_context *context,
                                     const struct resident_operand *operand)
{
	return operand->window != NULL ||
	       tracking_cost_pays_sample(&context->rates, host_view_bytes(&operand->view));
}

/* Whether the operand is to be armed now. */
static bool operand_plan_admits(struct operand_context *context, struct resident_operand *operand)
{
	if (context->tracks_at_once)
		return true;
	if (!operand_plan_pays_sample(context, operand))
		return false;
	struct admission *admission = sightings_find(&operand->view);
	switch (admission_next(admission)) {
	case ADMISSION_SAMPLE: return operand_plan_sample(context, &operand->view, admission);
	case ADMISSION_LOOK: return operand_plan_look(context, operand, admission);
	default: return false;
	}
}

bool operand_plan_is_worth_it(const struct host_view *view)
{
	return host_view_count_own(view) * pages_size() >= host_view_bytes(view) / 2;
}

bool operand_plan_find_window(struct resident_operand *operand, bool may_make)
{
	if (operand->window == NULL)
		operand->window = windows_find(&operand->view);
	if (operand->window == NULL && may_make && operand_plan_is_worth_it(&operand->view))
		operand->window = windows_make(&operand->view);
	return operand->window != NULL;
}

void operand_plan_settle(struct resident_operand *operand, bool is_kept)
{
	windows_take(operand->window);
	operand->is_tracked = true;
	operand->is_kept = is_kept;
	operand->generation = operand->window->generation;
	operand->mirror = operand->window->mirror;
	operand->window_span = operand->window->valid.span;
}

static bool operand_plan_look_at_window(struct operand_context *context,
                                        const struct resident_operand *operand)
{
	struct window *window = operand->window;
	const struct pages_span hull = pages_around(host_view_hull(&operand->view));
	struct pages_set clean;
	if (!pages_begin(&clean, hull))
		return false;
	if (track_scan_is_own(hull))
		track_scan(hull, &clean);
	if (track_scan_is_there(hull))
		operand_plan_classify(context, window, &clean);
	else
		windows_keep(window, &clean); /* other memory by now: nobody has written it */
	pages_end(&clean);
	window->proofs += window->is_whole;
	window->unchanged += window->is_whole;
	return true;
}

bool operand_plan_takes_update(const struct resident_operand *operand, struct admission *admission)
{
	return admission_takes_update(admission) &&
	       admission_judge_update(admission, sightings_sample(&operand->view));
}

void operand_plan_note_update(const struct resident_operand *operand, struct admission *admission)
{
	if (operand->access != RESIDENT_UPDATE || operand->window == NULL ||
	    !admission_keeps_result(admission))
		return;
	const uint64_t own = host_view_count_own(&operand->view) * pages_size();
	const uint64_t valid = windows_count_valid(operand->window, &operand->view) * pages_size();
	admission_note_update(admission, valid, own, operand->digest == NULL);
}

/* What a call reads and overwrites is kept as a result is. */
static bool operand_plan_keeps_update(struct operand_context *context,
                                      const struct resident_operand *operand)
{
	if (!operand_plan_pays_sample(context, operand))
		return false;
	struct admission *admission = sightings_find(&operand->view);
	if (!operand_plan_takes_update(operand, admission))
		operand_plan_note_update(operand, admission);
	else
		operand_plan_measure_cost(context, &operand->view, admission);
	return admission_keeps_result(admission);
}

/* Whether a window is worth making for the operand: for an input now, for a result by its past. */
static bool operand_plan_wants(struct operand_context *context, struct resident_operand *operand)
{
	if (operand->window == NULL && !operand_plan_is_worth_it(&operand->view))
		return false;
	if (operand->access == RESIDENT_READ)
		return operand_plan_admits(context, operand);
	return context->tracks_at_once || operand_plan_keeps_update(context, operand);
}

/* The window's valid pages are those that are clean now. */
static bool operand_plan_choose_window(struct operand_context *context,
                                       struct resident_operand *operand, bool *keeps,
                                       enum track_reason *reason)
{
	if (operand_plan_find_window(operand, false)) {
		*reason = operand_arm_guard(context);
		if (*reason != TRACK_REASON_NONE || !operand_plan_look_at_window(context, operand))
			return false;
	}
	const struct window *known = operand->window;
	*keeps = operand_plan_wants(context, operand);
	if (*keeps && operand->window == NULL)
		operand_context_audit_meeting(context, &operand->view);
	return operand_plan_find_window(operand, *keeps) &&
	       (operand->window == known || operand_plan_look_at_window(context, operand));
}

/* Memory that cannot be tracked is not asked about at each call. */
static void operand_plan_refuse(const struct operand_context *context,
                                struct resident_operand *operand)
{
	if (!context->tracks_at_once)
		admission_note_refused(sightings_find(&operand->view));
	if (pages_count(&operand->window->valid, operand->window->valid.span) > 0)
		return;
	windows_drop(operand->window);
	operand->window = NULL;
}

enum track_reason operand_plan_read(struct operand_context *context,
                                    struct resident_operand *operand)
{
	enum track_reason reason = TRACK_REASON_NONE;
	bool keeps = false;
	if (!operand_plan_choose_window(context, operand, &keeps, &reason)) {
		operand->window = NULL;
		return reason;
	}
	if (keeps && operand->access == RESIDENT_READ) {
		/* All of its pages are armed, and were clean just now. */
		keeps = windows_is_whole(operand->window, &operand->view) ||
		        operand_arm_all(context, operand, false, &reason);
		if (!keeps && reason == TRACK_REASON_NONE)
			operand_plan_refuse(context, operand);
	}
	if (reason == TRACK_REASON_NONE && operand->window != NULL && operand_runs_list(operand)) {
		operand_plan_settle(operand, keeps);
		operand->shares = windows_shares(operand->window, &operand->view);
	} else {
		operand->window = NULL;
	}
	return reason;
}

void operand_plan_follow(struct resident_operand *operands, int count,
                         const struct resident_operand *operand, const uint64_t generation[])
{
	for (int i = 0; i < count; i++) {
		struct resident_operand *other = &operands[i];
		if (other != operand && other->is_tracked && !other->window->is_dropped &&
		    other->generation == generation[i])
			other->generation = other->window->generation;
	}
}

/*
 * What the program has written of a result that was kept, and is overwritten now: no call has read
 * that, but it was page faults. A part of the pages stands for all.
 */
static void operand_plan_look_at_result(struct operand_context *context, struct window *window,
                                        const struct host_view *view, struct admission *admission)
{
	const struct pages_span part = operand_context_choose_part(view);
	const uint64_t valid = windows_count_valid(window, view),
		       kept = pages_count(&window->valid, part);
	if (kept == 0)
		return;
	const uint64_t written = operand_context_look(context, window, part),
		       others = valid > kept ? written * (valid - kept) / kept : 0;
	operand_context_count_faults(context, others);
	if (context->tracks_at_once || admission_is_hit(kept - written, kept))
		return;
	operand_context_note_paid(context, admission, written + others);
	admission_note_rewritten(admission);
}

/* Before a result that no call reads is overwritten: whether the program writes such results. */
static void operand_plan_note_overwritten(struct operand_context *context,
                                          const struct resident_operand *operand,
                                          struct admission *admission)
{
	struct window *window = windows_find(&operand->view);
	if (operand->access != RESIDENT_WRITE)
		return;
	if (window != NULL && windows_count_valid(window, &operand->view) > 0)
		operand_plan_look_at_result(context, window, &operand->view, admission);
	else if (!context->tracks_at_once && admission_takes_overwritten(admission))
		admission_judge_overwritten(admission, sightings_sample(&operand->view));
}

/* Before a result that later calls read as a rule. */
static void operand_plan_announce(struct operand_context *context,
                                  const struct resident_operand *operand,
                                  struct admission *admission)
{
	if (context->tracks_at_once || context->hashes ||
	    !operand_plan_pays_sample(context, operand) ||
	    !operand_plan_is_worth_it(&operand->view))
		return;
	const bool watched = context->begin_watch != NULL;
	operand_context_audit_some(context, &operand->view);
	operand_plan_measure_cost(context, &operand->view, admission);
	admission_announce(admission, &context->announced,
	                   operand_plan_may_risk(context, &operand->view, watched));
}

/* The device will write the mirror, the processor the memory: neither is valid until the end. */
enum track_reason operand_plan_write(struct operand_context *context,
                                     struct resident_operand *operand, bool defers)
{
	struct admission *admission = sightings_find(&operand->view);
	operand_plan_note_overwritten(context, operand, admission);
	if (operand->is_announced)
		operand_plan_announce(context, operand, admission);
	const bool keeps = context->tracks_at_once || admission_keeps_result(admission);
	admission_note_overwritten(admission);
	operand_context_audit_meeting(context, &operand->view);
	windows_forget_view(&operand->view, defers ? &operand->armed : NULL);
	if (operand->is_tracked) {
		operand->generation = operand->window->generation;
		operand->is_kept = keeps;
	} else if (operand->access == RESIDENT_WRITE && operand_plan_find_window(operand, keeps)) {
		operand_plan_settle(operand, keeps);
	}
	return TRACK_REASON_NONE;
}

bool operand_plan_is_current(const struct resident_operand *operand)
{
	return operand->is_tracked && operand->is_kept && !operand->window->is_dropped &&
	       operand->window->generation == operand->generation;
}

void operand_plan_note_sent(struct resident_operand *operand, struct pages_span run)
{
	const struct pages_span whole = pages_inside(run);
	if (operand->access != RESIDENT_READ || !operand_plan_is_current(operand))
		return;
	if (!pages_is_empty(whole))
		pages_add(&operand->window->valid, whole);
	if (++operand->sent_runs == operand->runs && operand->shares)
		windows_share(operand->window);
}

/*
 * If the last calls that read a result of this window have found it unchanged, the next one takes
 * it for unchanged until the kernel is asked.
 */
static void operand_plan_make_valid(const struct operand_context *context,
                                    struct resident_operand *operand)
{
	struct window *window = operand->window;
	operand_arm_clear(operand);
	for (uint64_t row = 0; row < operand->view.rows; row++) {
		const struct pages_span own = host_view_own_pages(&operand->view, row);
		if (!pages_is_empty(own))
			pages_add(&window->valid, own);
	}
	if (windows_shares(window, &operand->view))
		windows_share(window);
	if (!context->tracks_at_once && windows_is_whole(window, &operand->view) &&
	    window->unchanged >= OPERAND_PLAN_PROOFS)
		window->proofs = OPERAND_PLAN_PROOFS;
}

/*
 * A result that was kept for its call's sake is watched, where page faults for all of it cost more
 * than what is always free. Others are not: a thread beside them makes arming take longer.
 */
static void operand_plan_guess(struct operand_context *context,
                               const struct resident_operand *operand,
                               const struct admission *admission)
{
	struct window *window = operand->window;
	const uint64_t faults_ns = windows_count_own(window, &operand->view) * context->fault_ns;
	const bool guesses = context->begin_watch != NULL && admission->is_announced &&
	                     admission_is_costly(faults_ns, 0);
	window->guessed_ns = guesses ? clock_monotonic_ns() : 0;
	context->has_guess = context->has_guess || guesses;
}

enum track_reason operand_plan_note_result(struct operand_context *context,
                                           struct resident_operand *operand)
{
	enum track_reason reason = TRACK_REASON_NONE;
	if (operand->committed_bytes != host_view_bytes(&operand->view))
		return reason;
	const bool armed = operand_plan_is_current(operand) &&
	                   operand_arm_all(context, operand, true, &reason);
	if (armed)
		operand_plan_make_valid(context, operand);
	if (context->tracks_at_once)
		return reason;
	struct admission *admission = sightings_find(&operand->view);
	if (armed)
		operand_plan_guess(context, operand, admission);
	if (armed && admission_keeps_result(admission))
		admission_note_kept(admission);
	else if (operand_plan_pays_sample(context, operand) && admission_takes_result(admission))
		admission_note_result(admission, sightings_sample(&operand->view));
	return reason;
}

void operand_plan_end(struct resident_operand *operand)
{
	operand_arm_end(operand);
	operand_runs_free(operand);
	free(operand->digest);
	operand->digest = NULL;
	if (operand->is_tracked)
		windows_leave(operand->window);
	operand->is_tracked = false;
	operand->window = NULL;
}
