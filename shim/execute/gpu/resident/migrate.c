/* migrate.c - operands by address and shape, and the moves of their pages */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/resident/migrate.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "shim/base/clock.h"
#include "shim/base/observe.h"
#include "shim/base/one_off.h"
#include "shim/execute/gpu/node/page_move.h"
#include "shim/execute/gpu/resident/mappings.h"

enum { MIGRATE_OPERANDS = 512, MIGRATE_SAMPLES = 8 };

/* The mutex guards all but what is atomic. */
static pthread_mutex_t migrate_mutex = PTHREAD_MUTEX_INITIALIZER;
static struct {
	struct host_view view;
	struct migration migration;
} migrate_all[MIGRATE_OPERANDS];
static struct migration_total migrate_total;
static struct migrate_stats migrate_stats;
static const char *migrate_root = "";
static _Atomic enum migration_reason migrate_off = MIGRATION_REASON_NOT_ASKED;
static _Atomic uint64_t migrate_moved_bytes;
static pid_t migrate_process;

void migrate_open(const char *root)
{
	pthread_mutex_lock(&migrate_mutex);
	memset(migrate_all, 0, sizeof migrate_all);
	migrate_total = (struct migration_total){.moved_bytes = 0};
	migrate_stats = (struct migrate_stats){.calls = 0};
	migrate_root = root;
	migrate_process = getpid();
	pthread_mutex_unlock(&migrate_mutex);
	atomic_store(&migrate_off, MIGRATION_REASON_NONE);
}

void migrate_close(enum migration_reason reason)
{
	enum migration_reason before = MIGRATION_REASON_NONE;
	if (!atomic_compare_exchange_strong(&migrate_off, &before, reason) &&
	    before == MIGRATION_REASON_NOT_ASKED)
		atomic_store(&migrate_off, reason);
}

enum migration_reason migrate_reason(void)
{
	return atomic_load(&migrate_off);
}

bool migrate_is_on(void)
{
	return atomic_load_explicit(&migrate_off, memory_order_relaxed) == MIGRATION_REASON_NONE;
}

struct migrate_stats migrate_stats_get(void)
{
	pthread_mutex_lock(&migrate_mutex);
	const struct migrate_stats stats = migrate_stats;
	pthread_mutex_unlock(&migrate_mutex);
	return stats;
}

uint64_t migrate_count_moved(void)
{
	return atomic_load_explicit(&migrate_moved_bytes, memory_order_relaxed);
}

/* -- operands; the mutex is held --------------------------------------------------------------- */

static bool migrate_begin(void)
{
	if (!migrate_is_on() || pthread_mutex_trylock(&migrate_mutex) != 0)
		return false;
	if (migrate_process == getpid())
		return true;
	migrate_close(MIGRATION_REASON_FORKED);
	pthread_mutex_unlock(&migrate_mutex);
	return false;
}

static struct migration *migrate_find(const struct host_view *view)
{
	const uint64_t part[] = {view->base, view->width_bytes, view->pitch_bytes, view->rows};
	uint64_t hash = 1;
	for (size_t i = 0; i < sizeof part / sizeof part[0]; i++) {
		hash = (hash ^ part[i]) * UINT64_C(0x9e3779b97f4a7c15);
		hash ^= hash >> 29;
	}
	const uint64_t place = hash % MIGRATE_OPERANDS;
	if (memcmp(&migrate_all[place].view, view, sizeof *view) != 0) {
		migrate_all[place].view = *view;
		migrate_all[place].migration = (struct migration){.reads = 0};
	}
	return &migrate_all[place].migration;
}

/* The page at so many bytes of the pages that the operand has for itself. */
static uintptr_t migrate_find_page(const struct host_view *view, uint64_t bytes,
                                   uint64_t *left_bytes)
{
	for (uint64_t row = 0; row < view->rows; row++) {
		const struct pages_span own = host_view_own_pages(view, row);
		const uint64_t own_bytes = pages_is_empty(own) ? 0 : own.end - own.start;
		if (bytes < own_bytes) {
			*left_bytes = own_bytes - bytes;
			return own.start + bytes;
		}
		bytes -= own_bytes;
	}
	*left_bytes = 0;
	return 0;
}

/* Freed memory that was given out again, say, is elsewhere: at the same address. */
static bool migrate_is_there(const struct host_view *view, const struct migration *migration,
                             int node)
{
	const uint64_t page_bytes = pages_size(), pages = migration->moved_bytes / page_bytes;
	int there = 0;
	for (uint64_t i = 0; i < MIGRATE_SAMPLES; i++) {
		uint64_t left_bytes;
		const uint64_t number = pages * i / MIGRATE_SAMPLES;
		const uintptr_t page = migrate_find_page(view, number * page_bytes, &left_bytes);
		there += left_bytes > 0 && page_move_is_there(page, node);
	}
	return there >= MIGRATE_SAMPLES / 2;
}

/* -- moves; the mutex is held ------------------------------------------------------------------ */

struct migrate_cover {
	struct pages_span hull;
	uintptr_t frame, end; /* all of the hull's memory up to the end may be moved */
};

static bool migrate_visit(const struct mapping *mapping, void *self)
{
	struct migrate_cover *cover = self;
	if (mapping->span.end <= cover->end)
		return true;
	const bool holds_frame =
		mapping->span.start <= cover->frame && cover->frame < mapping->span.end;
	if (mapping->span.start > cover->end || !mapping->is_trackable || holds_frame)
		return false;
	cover->end = mapping->span.end;
	return cover->end < cover->hull.end;
}

/* Whether all memory from the operand's first byte to its last may be moved. */
static bool migrate_is_movable(const struct host_view *view)
{
	struct migrate_cover cover = {.hull = host_view_hull(view)};
	cover.frame = (uintptr_t)&cover;
	cover.end = cover.hull.start;
	return mappings_visit(migrate_visit, &cover) && cover.end >= cover.hull.end;
}

/* Why nothing can be moved at all; NONE where the next operand may be. */
static enum migration_reason migrate_judge(int error)
{
	switch (error) {
	case ENOSYS: return MIGRATION_REASON_NO_CALL;
	case EPERM: return MIGRATION_REASON_FORBIDDEN;
	case EACCES:
	case EINVAL:
	case ENODEV: return MIGRATION_REASON_NODE_REFUSED;
	default: return MIGRATION_REASON_NONE;
	}
}

/* What became of the pages so far. */
struct migrate_move {
	uint64_t moved_bytes, refused_bytes;
};

/* Moves bytes behind those that were moved; ends at an error and where most pages are refused. */
static void migrate_pages(const struct host_view *view, uint64_t begin_bytes, uint64_t bytes,
                          int node, struct migrate_move *move)
{
	const uint64_t page_bytes = pages_size(), end_bytes = begin_bytes + bytes;
	struct page_move_outcome outcome = {.moved = 0};
	while (begin_bytes < end_bytes && outcome.error == 0 && outcome.refused <= outcome.moved) {
		uint64_t left_bytes;
		const uintptr_t start = migrate_find_page(view, begin_bytes, &left_bytes);
		if (left_bytes > end_bytes - begin_bytes)
			left_bytes = end_bytes - begin_bytes;
		if (left_bytes > PAGE_MOVE_MOST * page_bytes)
			left_bytes = PAGE_MOVE_MOST * page_bytes;
		page_move(start, left_bytes / page_bytes, page_bytes, node, &outcome);
		move->moved_bytes += outcome.moved * page_bytes;
		move->refused_bytes += outcome.refused * page_bytes;
		migrate_stats.moved_pages += outcome.moved;
		atomic_fetch_add_explicit(&migrate_moved_bytes, outcome.moved * page_bytes,
		                          memory_order_relaxed);
		migrate_stats.refused_pages += outcome.refused;
		if (outcome.page_error != 0)
			migrate_stats.page_error = outcome.page_error;
		begin_bytes += left_bytes;
	}
	if (migrate_judge(outcome.error) != MIGRATION_REASON_NONE)
		migrate_close(migrate_judge(outcome.error));
}

static void migrate_move(const struct host_view *view, struct migration *migration, uint64_t bytes,
                         int node)
{
	struct migrate_move move = {.moved_bytes = 0};
	const int64_t begin_ns = clock_monotonic_ns(), seen_ns = observe_begin("move operand");
	one_off_begin();
	if (migrate_is_movable(view))
		migrate_pages(view, migration->moved_bytes, bytes, node, &move);
	else
		move.refused_bytes = bytes;
	one_off_end();
	observe_end("move operand", seen_ns);
	const int64_t elapsed_ns = clock_monotonic_ns() - begin_ns;
	migration_note_move(migration, &migrate_total, move.moved_bytes, move.refused_bytes,
	                    elapsed_ns);
	migrate_stats.moves++;
	migrate_stats.move_ns = migrate_total.move_ns;
	if (migration_is_costly(&migrate_total))
		migrate_close(MIGRATION_REASON_COSTLY);
}

/* -- calls ------------------------------------------------------------------------------------- */

void migrate_note_read(const struct host_view *view, const struct migrate_target *target)
{
	if (!migrate_begin())
		return;
	struct migration *migration = migrate_find(view);
	if (migration->moved_bytes > 0 && !migrate_is_there(view, migration, target->node))
		migration_note_lost(migration, &migrate_total);
	const struct migration_room room = {
		.link_bytes_s = target->link_bytes_s,
		.free_bytes = page_move_free_bytes(migrate_root, target->node),
		.limit_bytes = target->limit_bytes};
	migrate_stats.calls++;
	const uint64_t bytes = migration_note_read(migration, &migrate_total,
	                                           host_view_count_own(view) * pages_size(), &room);
	if (bytes > 0)
		migrate_move(view, migration, bytes, target->node);
	pthread_mutex_unlock(&migrate_mutex);
}

void migrate_note_written(const struct host_view *view)
{
	if (!migrate_begin())
		return;
	migrate_stats.calls++;
	migration_note_written(migrate_find(view));
	pthread_mutex_unlock(&migrate_mutex);
}
