/* registered.c - a list of registered spans, and the look into the list of mappings before */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/resident/registered.h"

#include "shim/execute/gpu/resident/mappings.h"
#include "shim/execute/gpu/resident/track.h"
#include "shim/execute/gpu/resident/track_guard.h"
#include "shim/execute/gpu/resident/windows.h"

static struct pages_span registered_all[REGISTERED_MAX];
static int registered_end;

int registered_count(void)
{
	return registered_end;
}

/* The span in the list that has the address, or NULL. */
static const struct pages_span *registered_find(uintptr_t address)
{
	for (int i = 0; i < registered_end; i++)
		if (registered_all[i].start <= address && address < registered_all[i].end)
			return &registered_all[i];
	return NULL;
}

/* Rows ascend, so that most lie in the span of the row before. */
bool registered_holds(const struct host_view *view)
{
	const struct pages_span *span = NULL;
	for (uint64_t row = 0; row < view->rows; row++) {
		struct pages_span left = host_view_row(view, row);
		while (!pages_is_empty(left)) {
			if (span == NULL || left.start < span->start || left.start >= span->end)
				span = registered_find(left.start);
			if (span == NULL)
				return false;
			left.start = span->end;
		}
		if (span != NULL && pages_hold(*span, host_view_hull(view)))
			return true;
	}
	return true;
}

struct registered_search {
	const struct host_view *view;
	enum track_reason reason;
	bool is_trackable;
};

static bool registered_is_listed(struct pages_span span)
{
	for (int i = 0; i < registered_end; i++)
		if (pages_hold(registered_all[i], span))
			return true;
	return false;
}

static bool registered_add(struct pages_span span)
{
	if (registered_is_listed(span))
		return true;
	if (registered_end == REGISTERED_MAX)
		registered_clear();
	if (track_register(span) != 0)
		return false;
	registered_all[registered_end++] = span;
	windows_forget(span);
	return true;
}

static bool registered_visit(const struct mapping *mapping, void *self)
{
	struct registered_search *search = self;
	search->reason = track_guard_judge_library(mapping->name);
	if (search->reason != TRACK_REASON_NONE)
		return false;
	if (!host_view_touches(search->view, mapping->span))
		return true;
	search->is_trackable = mapping->is_trackable && registered_add(mapping->span);
	return search->is_trackable;
}

bool registered_take(const struct host_view *view, enum track_reason *reason)
{
	struct registered_search search = {view, TRACK_REASON_NONE, true};
	const bool read = mappings_visit(registered_visit, &search);
	*reason = read ? search.reason : TRACK_REASON_NO_STATUS;
	return read && search.reason == TRACK_REASON_NONE && search.is_trackable &&
	       registered_holds(view);
}

void registered_forget(const struct host_view *view)
{
	int kept = 0;
	for (int i = 0; i < registered_end; i++)
		if (!host_view_touches(view, registered_all[i]))
			registered_all[kept++] = registered_all[i];
	registered_end = kept;
}

/* A page that was armed for a registration that ends must not stay valid. */
void registered_clear(void)
{
	const bool ours = track_is_ours();
	for (int i = 0; i < registered_end; i++) {
		windows_forget(registered_all[i]);
		if (ours)
			track_unregister(registered_all[i]);
	}
	registered_end = 0;
}
