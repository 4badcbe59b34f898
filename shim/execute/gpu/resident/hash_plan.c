/* hash_plan.c - admits an operand, hashes its pages, and compares them with those of the mirror */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/resident/hash_plan.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "shim/execute/gpu/resident/operand_runs.h"
#include "shim/execute/gpu/resident/sightings.h"

/* A thread hashes so many bytes at a time. */
static const uint64_t hash_plan_part_bytes = 2 << 20;

/* -- admission -- */

/* By the rate of hashing of late. */
static void hash_plan_judge_cost(const struct operand_context *context, struct admission *admission)
{
	admission->pays_input = hashing_cost_pays_input(&context->hashing);
	admission->pays_result = hashing_cost_pays_result(&context->hashing);
}

static bool hash_plan_sample(const struct host_view *view, struct admission *admission)
{
	return admission_judge_sample(admission, sightings_sample(view)) &&
	       admission_judge_cost(admission, true);
}

/* Whether the operand of a window stays there: it rests where sending takes less time by now. */
static bool hash_plan_stays(struct resident_operand *operand, struct admission *admission)
{
	operand->is_judged = admission->pays_input;
	if (admission->pays_input)
		return true;
	admission_judge_cost(admission, true);
	windows_drop(operand->window);
	operand->window = NULL;
	return false;
}

/*
 * A part of an operand that was sent before is hashed at once. Pages that turn out to have changed
 * are not valid then, so that a page is hashed in vain once for each time it was sent.
 */
static bool hash_plan_expects(const struct operand_context *context,
                              const struct resident_operand *operand)
{
	return operand->window != NULL && hashing_cost_pays_input(&context->hashing) &&
	       admission_is_hit(windows_count_valid(operand->window, &operand->view),
	                        host_view_count_own(&operand->view));
}

/* Whether the operand is to be hashed; is_kept: and stays in a window from now on. */
static bool hash_plan_wants_input(const struct operand_context *context,
                                  struct resident_operand *operand)
{
	struct admission *admission = sightings_find(&operand->view);
	operand->is_kept = true;
	hash_plan_judge_cost(context, admission);
	switch (admission_next(admission)) {
	case ADMISSION_SKIP: return false;
	case ADMISSION_LOOK:
		if (operand->window != NULL)
			return hash_plan_stays(operand, admission);
		admission_note_disarmed(admission);
		break;
	default: break;
	}
	return hash_plan_sample(&operand->view, admission) || hash_plan_expects(context, operand);
}

/* What is written too is not worth a window, unless the result is. */
static bool hash_plan_wants_update(const struct operand_context *context,
                                   struct resident_operand *operand)
{
	struct admission *admission = sightings_find(&operand->view);
	hash_plan_judge_cost(context, admission);
	operand->is_judged = !context->tracks_at_once && admission_keeps_result(admission);
	/* Whether a call reads the result again is noted. */
	operand_plan_takes_update(operand, admission);
	operand->is_kept = context->tracks_at_once || admission_keeps_result(admission);
	return operand->is_kept || hash_plan_expects(context, operand);
}

static bool hash_plan_wants(const struct operand_context *context, struct resident_operand *operand)
{
	if (operand->access != RESIDENT_READ)
		return hash_plan_wants_update(context, operand);
	operand->is_kept = true;
	return context->tracks_at_once || hash_plan_wants_input(context, operand);
}

/* -- an operand that is read -- */

static bool hash_plan_get_memory(struct resident_operand *operand)
{
	const struct pages_span hull = pages_around(host_view_hull(&operand->view));
	struct window *window = operand->window;
	const struct pages_span all = window->valid.span;
	if (window->digest == NULL)
		window->digest =
			calloc((all.end - all.start) / pages_size(), sizeof *window->digest);
	if (operand->digest == NULL)
		operand->digest =
			calloc((hull.end - hull.start) / pages_size(), sizeof *operand->digest);
	return window->digest != NULL && operand->digest != NULL;
}

bool hash_plan_begin(const struct operand_context *context, struct resident_operand *operand)
{
	if (!operand_plan_is_worth_it(&operand->view))
		return false;
	operand_plan_find_window(operand, false);
	if (!hash_plan_wants(context, operand) || !operand_plan_find_window(operand, true) ||
	    !hash_plan_get_memory(operand)) {
		operand->window = NULL;
		return false;
	}
	/* Pages that the operand has a part of have no hash. */
	operand->window->shares = false;
	operand_plan_settle(operand, operand->is_kept);
	return true;
}

/* Rows that are longer than a part are cut into pieces; of others many are a part. */
struct hash_plan_parts {
	struct resident_operand *operand;
	uintptr_t start; /* of the first digest's page */
	uint64_t pieces, rows;
	resident_may_read *may_read;
	atomic_bool is_refused;
};

static void hash_plan_take_row(struct hash_plan_parts *parts, uint64_t row, uint64_t piece)
{
	struct pages_span own = host_view_own_pages(&parts->operand->view, row);
	const uintptr_t end = own.end;
	own.start += piece * hash_plan_part_bytes;
	own.end = own.start + hash_plan_part_bytes;
	if (own.end > end || piece == parts->pieces - 1)
		own.end = end;
	if (pages_is_empty(own))
		return;
	if (parts->may_read != NULL &&
	    !parts->may_read((const void *)own.start, own.end - own.start))
		atomic_store(&parts->is_refused, true);
	else
		digest_take(own,
		            parts->operand->digest + (own.start - parts->start) / pages_size());
}

static void hash_plan_take_part(void *self, uint64_t part)
{
	struct hash_plan_parts *parts = self;
	const uint64_t first = part / parts->pieces * parts->rows;
	const uint64_t left = parts->operand->view.rows - first;
	const uint64_t rows = left < parts->rows ? left : parts->rows;
	for (uint64_t row = first; row < first + rows; row++)
		hash_plan_take_row(parts, row, part % parts->pieces);
}

bool hash_plan_take(struct resident_operand *operand, resident_run_parts *run,
                    resident_may_read *may_read)
{
	const struct host_view *view = &operand->view;
	const uint64_t width = view->width_bytes;
	struct hash_plan_parts parts = {
		.operand = operand,
		.start = pages_around(host_view_hull(view)).start,
		.pieces = (width + hash_plan_part_bytes - 1) / hash_plan_part_bytes,
		.rows = width < hash_plan_part_bytes ? hash_plan_part_bytes / width : 1,
		.may_read = may_read};
	const uint64_t groups = (view->rows + parts.rows - 1) / parts.rows;
	if (run != NULL && groups * parts.pieces > 1)
		run(hash_plan_take_part, &parts, groups * parts.pieces);
	else
		for (uint64_t part = 0; part < groups * parts.pieces; part++)
			hash_plan_take_part(&parts, part);
	return !atomic_load(&parts.is_refused);
}

static struct digest *hash_plan_digest_at(struct resident_operand *operand, uintptr_t page)
{
	const struct pages_span hull = pages_around(host_view_hull(&operand->view));
	return operand->digest + (page - hull.start) / pages_size();
}

static struct digest *hash_plan_window_digest_at(struct window *window, uintptr_t page)
{
	return window->digest + (page - window->valid.span.start) / pages_size();
}

/* Of the valid pages those stay whose bytes are the mirror's. */
static void hash_plan_compare(struct resident_operand *operand, struct pages_span own)
{
	struct window *window = operand->window;
	const uintptr_t bytes = pages_size();
	const struct digest *now = hash_plan_digest_at(operand, own.start),
			    *then = hash_plan_window_digest_at(window, own.start);
	for (uintptr_t page = own.start; page < own.end; page += bytes, now++, then++)
		if (!digest_equals(*now, *then))
			pages_remove(&window->valid, (struct pages_span){page, page + bytes});
}

/* A page with other bytes than the operand's is not hashed, and will be changed in the mirror. */
static void hash_plan_compare_row(struct resident_operand *operand, uint64_t row)
{
	const struct pages_span around = pages_around(host_view_row(&operand->view, row));
	const struct pages_span own = host_view_own_pages(&operand->view, row);
	struct pages_set *valid = &operand->window->valid;
	if (pages_is_empty(own)) {
		pages_remove(valid, around);
		return;
	}
	if (around.start < own.start)
		pages_remove(valid, (struct pages_span){around.start, own.start});
	if (own.end < around.end)
		pages_remove(valid, (struct pages_span){own.end, around.end});
	hash_plan_compare(operand, own);
}

void hash_plan_settle(struct operand_context *context, struct resident_operand *operand,
                      bool is_hashed)
{
	const uint64_t own = host_view_count_own(&operand->view) * pages_size();
	if (!is_hashed) {
		windows_forget_view(&operand->view, NULL);
		operand_plan_end(operand);
		return;
	}
	for (uint64_t row = 0; row < operand->view.rows; row++)
		hash_plan_compare_row(operand, row);
	context->stats.hashed_bytes += own;
	if (operand->is_judged && operand->access == RESIDENT_READ)
		admission_judge_look(
			sightings_find(&operand->view),
			windows_count_valid(operand->window, &operand->view) * pages_size(), own);
	else if (operand->is_judged)
		operand_plan_note_update(operand, sightings_find(&operand->view));
	if (!operand_runs_list(operand))
		operand_plan_end(operand);
}

void hash_plan_note_write(const struct operand_context *context, const struct host_view *view)
{
	hash_plan_judge_cost(context, sightings_find(view));
}

/* -- what becomes valid -- */

static void hash_plan_keep(struct resident_operand *operand, struct pages_span own)
{
	const struct digest *now = hash_plan_digest_at(operand, own.start);
	struct digest *kept = hash_plan_window_digest_at(operand->window, own.start);
	for (uint64_t i = 0; i < (own.end - own.start) / pages_size(); i++)
		kept[i] = now[i];
	pages_add(&operand->window->valid, own);
}

void hash_plan_note_sent(struct resident_operand *operand, struct pages_span run)
{
	const struct pages_span whole = pages_inside(run);
	if (operand->access == RESIDENT_READ && operand_plan_is_current(operand) &&
	    !pages_is_empty(whole))
		hash_plan_keep(operand, whole);
}

bool hash_plan_begin_result(struct resident_operand *operand)
{
	return operand_plan_is_current(operand) && (operand->access & RESIDENT_WRITE) != 0 &&
	       operand->committed_bytes == host_view_bytes(&operand->view) &&
	       hash_plan_get_memory(operand);
}

void hash_plan_note_result(struct operand_context *context, struct resident_operand *operand,
                           bool is_hashed)
{
	if (operand->committed_bytes != host_view_bytes(&operand->view))
		return;
	if (is_hashed)
		context->stats.hashed_bytes += host_view_count_own(&operand->view) * pages_size();
	if (is_hashed && operand_plan_is_current(operand))
		for (uint64_t row = 0; row < operand->view.rows; row++) {
			const struct pages_span own = host_view_own_pages(&operand->view, row);
			if (!pages_is_empty(own))
				hash_plan_keep(operand, own);
		}
	struct admission *admission = sightings_find(&operand->view);
	if (!context->tracks_at_once && admission_takes_result(admission))
		admission_note_result(admission, sightings_sample(&operand->view));
}
