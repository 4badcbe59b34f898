/* windows.c - a small table of windows, the least recently used of which go first */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/resident/windows.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "shim/execute/gpu/resident/track.h"

/*
 * Pages between the own pages of two rows that are joined: the ends of both, at most. Where others
 * write beside the view, its shared pages are armed so many times in vain.
 */
enum { WINDOWS_BETWEEN = 2, WINDOWS_LOSSES = 2 };

static struct window *windows_all[WINDOWS_MAX];
static atomic_int windows_held; /* most programs have none: nothing is searched then */
static uint64_t windows_limit_bytes = UINT64_MAX, windows_clock, windows_bytes;
/* Mirrors to be freed: at most one of each window, and of each one that waits for its users. */
static void *windows_retired[WINDOWS_MAX * 2];
static atomic_int windows_retired_count;

void windows_set_limit(uint64_t bytes)
{
	windows_limit_bytes = bytes;
}

static uint64_t windows_size(const struct window *window)
{
	return window->valid.span.end - window->valid.span.start;
}

static bool windows_serves(const struct window *window, const struct host_view *view)
{
	if (window->is_dropped || window->only.form != view->form)
		return false;
	return view->form == 0 ? pages_hold(window->valid.span, pages_around(host_view_hull(view)))
	                       : host_view_equals(&window->only, view);
}

struct window *windows_find(const struct host_view *view)
{
	struct window *found = NULL;
	for (int i = 0; i < WINDOWS_MAX && windows_held > 0; i++) {
		struct window *window = windows_all[i];
		if (window != NULL && windows_serves(window, view) &&
		    (found == NULL || windows_size(window) < windows_size(found)))
			found = window;
	}
	return found;
}

/* The window leaves the table, and its mirror is for the caller to free. */
static void windows_remove(struct window *window)
{
	for (int i = 0; i < WINDOWS_MAX; i++)
		if (windows_all[i] == window)
			windows_all[i] = NULL;
	windows_held--;
	if (window->mirror != NULL)
		windows_retired[windows_retired_count++] = window->mirror;
	windows_bytes -= windows_size(window);
	pages_end(&window->valid);
	pages_end(&window->shared);
	free(window->digest);
	free(window);
}

/* Armed pages, of either kind. */
static struct pages_span windows_find_armed(const struct window *window, struct pages_span span)
{
	const struct pages_span valid = pages_find_run(&window->valid, span, false),
				shared = pages_find_run(&window->shared, span, false);
	if (pages_is_empty(valid) || pages_is_empty(shared))
		return pages_is_empty(valid) ? shared : valid;
	return valid.start < shared.start ? valid : shared;
}

static void windows_lose(struct window *window, struct pages_span span)
{
	pages_remove(&window->valid, span);
	pages_remove(&window->shared, span);
	window->is_whole = false;
	window->proofs = 0;
}

/*
 * The end of valid pages that follow the run, with the pages between two rows, which are armed with
 * them (host_view_join_rows). A page that is valid in another window is disarmed too, and sent
 * again there.
 */
static uintptr_t windows_find_end(const struct window *window, struct pages_span run, uintptr_t end)
{
	for (;;) {
		const struct pages_span next =
			windows_find_armed(window, (struct pages_span){run.end, end});
		if (pages_is_empty(next) || next.start - run.end > WINDOWS_BETWEEN * pages_size())
			return run.end;
		run.end = next.end;
	}
}

/* What is armed for it would cost the program a fault for each page. */
static void windows_disarm(const struct window *window, struct pages_span left)
{
	while (!pages_is_empty(left)) {
		struct pages_span run = windows_find_armed(window, left);
		if (pages_is_empty(run))
			return;
		run.end = windows_find_end(window, run, left.end);
		track_disarm(run);
		left.start = run.end;
	}
}

void windows_drop(struct window *window)
{
	if (track_is_ours())
		windows_disarm(window, window->valid.span);
	windows_lose(window, window->valid.span);
	window->generation++;
	window->is_dropped = true;
	if (window->users == 0)
		windows_remove(window);
}

void windows_drop_all(void)
{
	for (int i = 0; i < WINDOWS_MAX; i++)
		if (windows_all[i] != NULL && !windows_all[i]->is_dropped)
			windows_drop(windows_all[i]);
}

void windows_take(struct window *window)
{
	window->users++;
	window->used = ++windows_clock;
}

void windows_leave(struct window *window)
{
	window->users--;
	if (window->users == 0 && window->is_dropped)
		windows_remove(window);
}

static struct window *windows_find_oldest(void)
{
	struct window *oldest = NULL;
	for (int i = 0; i < WINDOWS_MAX; i++) {
		struct window *window = windows_all[i];
		if (window != NULL && window->users == 0 &&
		    (oldest == NULL || window->used < oldest->used))
			oldest = window;
	}
	return oldest;
}

/* One window less for each mirror that is retired. */
bool windows_drop_oldest(void)
{
	struct window *oldest = windows_find_oldest();
	if (oldest == NULL || windows_retired_count >= WINDOWS_MAX)
		return false;
	windows_drop(oldest);
	return true;
}

uint64_t windows_count_own(const struct window *window, const struct host_view *view)
{
	return host_view_equals(&window->only, view) ? window->own : host_view_count_own(view);
}

uint64_t windows_count_valid(const struct window *window, const struct host_view *view)
{
	uint64_t pages = 0;
	if (window->is_whole && host_view_equals(&window->only, view))
		return window->own;
	for (uint64_t row = 0; row < view->rows; row++) {
		const struct pages_span own = host_view_own_pages(view, row);
		if (!pages_is_empty(own))
			pages += pages_count(&window->valid, own);
	}
	return pages;
}

bool windows_shares(const struct window *window, const struct host_view *view)
{
	return window->shares && host_view_equals(&window->only, view);
}

void windows_share(struct window *window)
{
	for (uint64_t row = 0; row < window->only.rows && window->shares; row++) {
		const struct host_view_ends ends = host_view_find_ends(&window->only, row);
		pages_add(&window->shared, ends.first);
		pages_add(&window->shared, ends.last);
	}
}

static bool windows_has_shared(const struct window *window)
{
	bool all = true;
	for (uint64_t row = 0; row < window->only.rows && window->shares && all; row++) {
		const struct host_view_ends ends = host_view_find_ends(&window->only, row);
		all = pages_count(&window->shared, ends.first) == pages_in(ends.first) &&
		      pages_count(&window->shared, ends.last) == pages_in(ends.last);
	}
	return all;
}

bool windows_is_whole(struct window *window, const struct host_view *view)
{
	const bool is_only = host_view_equals(&window->only, view);
	if (is_only && window->is_whole)
		return true;
	const bool whole = windows_count_valid(window, view) == windows_count_own(window, view) &&
	                   (!is_only || windows_has_shared(window));
	window->is_whole = is_only && whole;
	return whole;
}

uint64_t windows_keep(struct window *window, const struct pages_set *clean)
{
	const uint64_t lost = pages_keep(&window->valid, clean, clean->span),
		       shared = pages_keep(&window->shared, clean, clean->span);
	window->is_whole = window->is_whole && lost + shared == 0;
	if (lost + shared > 0)
		window->unchanged = 0;
	if (!window->is_whole)
		window->proofs = 0;
	if (lost == 0 && shared > 0 && ++window->losses == WINDOWS_LOSSES) {
		pages_remove(&window->shared, window->shared.span);
		window->shares = false;
	}
	return lost + shared;
}

/* The mirrors that are not freed yet have to have a place too. */
static int windows_find_place(void)
{
	if (windows_retired_count >= WINDOWS_MAX)
		return -1;
	for (int i = 0; i < WINDOWS_MAX; i++)
		if (windows_all[i] == NULL)
			return i;
	return -1;
}

/* A free place of the table, with so many bytes below the limit; -1 if there is none. */
static int windows_make_room(uint64_t bytes)
{
	if (bytes > windows_limit_bytes)
		return -1;
	for (;;) {
		const int place = windows_find_place();
		if (place >= 0 && windows_bytes <= windows_limit_bytes - bytes)
			return place;
		if (!windows_drop_oldest())
			return -1;
	}
}

static void windows_drop_inside(struct pages_span span)
{
	for (int i = 0; i < WINDOWS_MAX; i++)
		if (windows_all[i] != NULL && !windows_all[i]->is_dropped &&
		    windows_all[i]->only.form == 0 && pages_hold(span, windows_all[i]->valid.span))
			windows_drop(windows_all[i]);
}

struct window *windows_make(const struct host_view *view)
{
	const struct pages_span pages = pages_around(host_view_hull(view));
	if (view->form == 0)
		windows_drop_inside(pages);
	const int place = windows_make_room(pages.end - pages.start);
	struct window *window = place >= 0 ? calloc(1, sizeof *window) : NULL;
	if (window == NULL)
		return NULL;
	if (!pages_begin(&window->valid, pages) || !pages_begin(&window->shared, pages)) {
		pages_end(&window->valid);
		free(window);
		return NULL;
	}
	window->only = *view;
	window->own = host_view_count_own(view);
	window->shares = true;
	windows_bytes += windows_size(window);
	windows_all[place] = window;
	windows_held++;
	return window;
}

void windows_forget(struct pages_span span)
{
	const struct pages_span pages = pages_around(span);
	for (int i = 0; i < WINDOWS_MAX && windows_held > 0; i++) {
		struct window *window = windows_all[i];
		if (window != NULL && pages_meet(window->valid.span, pages)) {
			windows_lose(window, pages);
			window->generation++;
		}
	}
}

/* Leaves the armed pages to the caller where they are one run, and it has none yet. */
static bool windows_leave_armed(const struct window *window, struct pages_span span,
                                struct pages_span *left)
{
	struct pages_span run = windows_find_armed(window, span);
	if (pages_is_empty(run) || !pages_is_empty(*left))
		return false;
	run.end = windows_find_end(window, run, span.end);
	if (!pages_is_empty(windows_find_armed(window, (struct pages_span){run.end, span.end})))
		return false;
	*left = run;
	return true;
}

void windows_forget_view(const struct host_view *view, struct pages_span *left)
{
	const struct pages_span hull = pages_around(host_view_hull(view));
	const struct host_view joined = host_view_join_rows(view);
	if (left != NULL)
		*left = (struct pages_span){0, 0};
	for (int i = 0; i < WINDOWS_MAX && windows_held > 0; i++) {
		struct window *window = windows_all[i];
		if (window == NULL || !pages_meet(window->valid.span, hull))
			continue;
		for (uint64_t row = 0; row < joined.rows; row++) {
			const struct pages_span pages = pages_around(host_view_row(&joined, row));
			if (left == NULL || !windows_leave_armed(window, pages, left))
				windows_disarm(window, pages);
			windows_lose(window, pages);
		}
		window->generation++;
	}
}

bool windows_meet(const struct host_view *view)
{
	const struct pages_span hull = pages_around(host_view_hull(view));
	for (int i = 0; i < WINDOWS_MAX && windows_held > 0; i++)
		if (windows_all[i] != NULL && pages_meet(windows_all[i]->valid.span, hull))
			return true;
	return false;
}

struct window *windows_find_other(const struct host_view *view, bool meets, int *place)
{
	const struct pages_span hull = pages_around(host_view_hull(view));
	while (*place < WINDOWS_MAX && windows_held > 0) {
		struct window *window = windows_all[(*place)++];
		if (window != NULL && window->users == 0 && !windows_serves(window, view) &&
		    (!meets || pages_meet(window->valid.span, hull)) &&
		    !pages_is_empty(pages_find_run(&window->valid, window->valid.span, false)))
			return window;
	}
	*place = 0;
	return NULL;
}

struct window *windows_find_guess(int *place)
{
	while (*place < WINDOWS_MAX && windows_held > 0) {
		struct window *window = windows_all[(*place)++];
		if (window != NULL && !window->is_dropped && window->guessed_ns != 0)
			return window;
	}
	*place = 0;
	return NULL;
}

void *windows_take_retired(void)
{
	return windows_retired_count > 0 ? windows_retired[--windows_retired_count] : NULL;
}

bool windows_exist(void)
{
	return windows_held > 0 || windows_retired_count > 0;
}

uint64_t windows_count_bytes(void)
{
	return windows_bytes;
}

int windows_count(void)
{
	int count = 0;
	for (int i = 0; i < WINDOWS_MAX && windows_held > 0; i++)
		count += windows_all[i] != NULL && !windows_all[i]->is_dropped;
	return count;
}
