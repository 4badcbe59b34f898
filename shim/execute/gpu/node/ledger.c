/* ledger.c - joins, reads and leaves the ledger */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/node/ledger.h"

#include <errno.h>
#include <stdatomic.h>
#include <unistd.h>

#include "policy/decide/launch.h"
#include "shim/base/clock.h"
#include "shim/base/variables.h"
#include "shim/execute/gpu/node/ledger_file.h"
#include "shim/execute/gpu/node/process_life.h"
#include "shim/shield/shield.h"

/* How often a file is opened that others have removed meanwhile. */
enum { LEDGER_ATTEMPTS = 8 };

/*
 * ledger_join_ns, ledger_soon_ns: how long a lock is waited for at the start, and later.
 * ledger_use_ns: how long a use of the GPU counts. ledger_fresh_ns: how long a count serves.
 * ledger_strange_ns, ledger_forget_ns: how long a row counts whose process cannot be looked at, and
 * how long its place is left to it.
 */
static const int64_t ledger_join_ns = INT64_C(200000000), ledger_soon_ns = INT64_C(5000000),
		     ledger_fresh_ns = INT64_C(900000000), ledger_use_ns = INT64_C(10000000000),
		     ledger_strange_ns = INT64_C(60000000000),
		     ledger_forget_ns = INT64_C(3600000000000);

static const char *ledger_root = "";

/* The process that joined, its GPUs, and where its rows are. */
static struct process_life ledger_own;
static uint64_t ledger_key[LEDGER_CARDS], ledger_view;
static uint32_t ledger_launch;
static int ledger_keys;
static int ledger_rows;
static struct ledger_place {
	off_t offset;
	uint64_t key;
	bool guest;
} ledger_place[LEDGER_CARDS];
static atomic_bool ledger_joined, ledger_settled;
static atomic_flag ledger_busy = ATOMIC_FLAG_INIT; /* a thread of this process is at it */

static atomic_int ledger_others[LEDGER_CARDS], ledger_users[LEDGER_CARDS];
static atomic_int ledger_same_view, ledger_other_views;
static _Atomic int64_t ledger_noted_ns;

void ledger_set_folder(const char *folder, const char *root)
{
	ledger_file_set_folder(folder);
	ledger_root = root;
}

/*
 * What is read of the rows. stale: rows of an earlier program of this process. taken: own places
 * where a row of another process stands, as bits.
 */
struct ledger_census {
	struct ledger_found found;
	int guests[LEDGER_CARDS];
	int total; /* rows of other processes, on any GPU */
	off_t free[LEDGER_CARDS], stale[LEDGER_CARDS];
	int free_count, stale_count;
	uint32_t taken;
};

/* Whether this is the process that joined. */
static bool ledger_is_member(void)
{
	return atomic_load(&ledger_joined) && ledger_own.pid == getpid();
}

/* Its threads take turns: its places and the name of the file change. */
static bool ledger_hold(int64_t patience_ns)
{
	const int64_t end_ns = clock_monotonic_ns() + patience_ns;
	if (!ledger_is_member())
		return false;
	while (atomic_flag_test_and_set(&ledger_busy)) {
		if (clock_monotonic_ns() >= end_ns)
			return false;
		ledger_file_pause();
	}
	if (ledger_is_member())
		return true;
	atomic_flag_clear(&ledger_busy);
	return false;
}

static void ledger_release(void)
{
	atomic_flag_clear(&ledger_busy);
}

static bool ledger_is_own(const struct ledger_row *row)
{
	return row->pid == ledger_own.pid && row->space == ledger_own.space;
}

static bool ledger_is_recent(const struct ledger_row *row, int64_t age_ns)
{
	const int64_t found_ns = clock_realtime_ns() - row->stamp_ns;
	return found_ns >= -age_ns && found_ns <= age_ns;
}

static bool ledger_is_foreign(const struct ledger_row *row)
{
	const struct process_life life = {row->pid, row->start, row->space};
	return process_life_is_foreign(&life, ledger_own.space);
}

static bool ledger_lives(const struct ledger_row *row)
{
	const struct process_life life = {row->pid, row->start, row->space};
	return ledger_is_foreign(row) ? ledger_is_recent(row, ledger_strange_ns)
	                              : process_life_goes_on(ledger_root, &life);
}

/* It may live, though it does not count. */
static bool ledger_is_spared(const struct ledger_row *row)
{
	return ledger_is_foreign(row) && ledger_is_recent(row, ledger_forget_ns);
}

static void ledger_count_other(const struct ledger_row *row, struct ledger_census *census)
{
	struct ledger_found *found = &census->found;
	census->total++;
	if (row->view != 0 && row->launch == ledger_launch) {
		found->same_view += row->view == ledger_view;
		found->other_views += row->view != ledger_view;
	}
	for (int i = 0; i < ledger_keys; i++) {
		const bool there = row->card == ledger_key[i], guest = row->guest != 0;
		found->live[i] += there && !guest;
		census->guests[i] += there && guest;
		found->users[i] += there && !guest && ledger_is_recent(row, ledger_use_ns);
	}
}

static uint32_t ledger_find_place(off_t offset)
{
	uint32_t found = 0;
	for (int i = 0; i < ledger_rows; i++)
		found |= ledger_place[i].offset == offset ? UINT32_C(1) << i : 0;
	return found;
}

/* Before this process has joined, a row of its number is one of an earlier program of it (exec). */
static void ledger_count(const struct ledger_row *row, off_t offset, void *self)
{
	struct ledger_census *census = self;
	const uint32_t place = ledger_find_place(offset);
	const bool own = row != NULL && ledger_is_own(row),
		   stale = own && !atomic_load(&ledger_joined),
		   counts = row != NULL && !own && ledger_lives(row),
		   spared = row != NULL && !own && !counts && ledger_is_spared(row);
	if (stale && census->stale_count < LEDGER_CARDS)
		census->stale[census->stale_count++] = offset;
	if (!counts && !spared && place == 0 && (!own || stale) &&
	    census->free_count < LEDGER_CARDS)
		census->free[census->free_count++] = offset;
	if (counts || spared)
		census->taken |= place;
	if (counts)
		ledger_count_other(row, census);
}

static void ledger_read(int file, struct ledger_census *census)
{
	off_t end;
	*census = (struct ledger_census){.total = 0};
	ledger_file_visit(file, ledger_count, census, &end);
	for (; census->free_count < LEDGER_CARDS; end += (off_t)sizeof(struct ledger_row))
		if (ledger_find_place(end) == 0)
			census->free[census->free_count++] = end;
}

/* The first row of a process says which GPUs it sees. */
static int ledger_put(int file, int row)
{
	const struct ledger_place *place = &ledger_place[row];
	return ledger_file_write(file, place->offset,
	                         (struct ledger_row){.pid = ledger_own.pid,
	                                             .start = ledger_own.start,
	                                             .space = ledger_own.space,
	                                             .card = place->key,
	                                             .guest = place->guest,
	                                             .launch = ledger_launch,
	                                             .view = row == 0 ? ledger_view : 0,
	                                             .stamp_ns = clock_realtime_ns()});
}

static int ledger_add(int file, struct ledger_place place)
{
	ledger_place[ledger_rows] = place;
	const int error = ledger_put(file, ledger_rows);
	ledger_rows += error == 0;
	return error;
}

static void ledger_clear(int file)
{
	for (; ledger_rows > 0; ledger_rows--)
		ledger_file_clear(file, ledger_place[ledger_rows - 1].offset);
}

static int ledger_enter(int file, const struct ledger_census *census, uint32_t chosen)
{
	int error = 0, next = 0;
	for (int i = 0; i < census->stale_count; i++)
		ledger_file_clear(file, census->stale[i]);
	for (int i = 0; i < ledger_keys && error == 0; i++)
		if ((chosen >> i & 1) != 0)
			error = ledger_add(file, (struct ledger_place){census->free[next++],
			                                               ledger_key[i], false});
	if (error == 0)
		return 0;
	ledger_clear(file);
	if (census->total == 0)
		ledger_file_remove();
	return error;
}

/*
 * Opened, and locked if a lock was to be had in that time; or the error negated. Whoever holds the
 * lock for longer is stopped. What happens without it is made good by ledger_look: a place that two
 * processes take, a file that is removed behind one that has joined.
 */
static int ledger_begin(struct ledger_census *census, int64_t patience_ns)
{
	for (int attempt = 0; attempt < LEDGER_ATTEMPTS; attempt++) {
		const int file = ledger_file_make();
		if (file < 0)
			return file;
		ledger_file_lock(file, patience_ns);
		if (!ledger_file_is_removed(file)) {
			ledger_read(file, census);
			return file;
		}
		close(file);
	}
	return -EAGAIN;
}

static void ledger_keep(const struct ledger_census *census)
{
	for (int i = 0; i < ledger_keys; i++) {
		atomic_store(&ledger_others[i], census->found.live[i]);
		atomic_store(&ledger_users[i], census->found.users[i]);
	}
	atomic_store(&ledger_same_view, census->found.same_view);
	atomic_store(&ledger_other_views, census->found.other_views);
}

/* Whatever the order of the GPUs. */
static uint64_t ledger_find_view(void)
{
	uint64_t view = 0;
	for (int i = 0; i < ledger_keys; i++)
		view ^= (ledger_key[i] + 1) * UINT64_C(0x9e3779b97f4a7c15);
	return view != 0 ? view : 1;
}

static uint32_t ledger_find_launch(void)
{
	const struct launch_world world = launch_describe_world(variables_find);
	uint32_t hash = 0;
	for (const char *letter = world.job; *letter != '\0'; letter++)
		hash = (hash ^ (unsigned char)*letter) * UINT32_C(16777619);
	hash = (hash ^ '/') * UINT32_C(16777619);
	for (const char *letter = world.step; *letter != '\0'; letter++)
		hash = (hash ^ (unsigned char)*letter) * UINT32_C(16777619);
	return hash;
}

static void ledger_begin_own(const uint64_t key[], int count)
{
	ledger_own = process_life_own(ledger_root);
	ledger_rows = 0;
	atomic_store(&ledger_joined, false);
	atomic_store(&ledger_settled, false);
	ledger_release(); /* a thread of a parent may have held it */
	for (ledger_keys = 0; ledger_keys < count && ledger_keys < LEDGER_CARDS; ledger_keys++)
		ledger_key[ledger_keys] = key[ledger_keys];
	ledger_view = ledger_find_view();
	ledger_launch = ledger_find_launch();
}

int ledger_join(const uint64_t key[], int count, ledger_choose *choose, void *self)
{
	struct ledger_census census = {.total = 0};
	ledger_begin_own(key, count);
	const int file = ledger_begin(&census, ledger_join_ns);
	const uint32_t chosen = choose(&census.found, self);
	ledger_keep(&census);
	if (file < 0)
		return -file;
	const int error = ledger_enter(file, &census, chosen);
	close(file);
	atomic_store(&ledger_noted_ns, clock_monotonic_ns());
	atomic_store(&ledger_joined, error == 0);
	return error;
}

void ledger_move(uint64_t key)
{
	if (!ledger_hold(ledger_join_ns))
		return;
	const int file = ledger_file_open();
	if (ledger_rows == 1) {
		ledger_place[0].key = key;
		if (file >= 0)
			ledger_put(file, 0);
	}
	if (file >= 0)
		close(file);
	ledger_release();
}

static int ledger_find(uint64_t key)
{
	for (int i = 0; i < ledger_keys; i++)
		if (ledger_key[i] == key)
			return i;
	return -1;
}

static bool ledger_enter_guest(int file, int card)
{
	struct ledger_census census;
	if (card < 0 || ledger_rows == LEDGER_CARDS || !ledger_file_lock(file, ledger_join_ns))
		return false;
	ledger_read(file, &census);
	const struct ledger_place place = {census.free[0], ledger_key[card], true};
	return census.found.live[card] == 0 && census.guests[card] == 0 &&
	       ledger_add(file, place) == 0;
}

bool ledger_borrow(uint64_t key)
{
	if (!ledger_hold(ledger_join_ns))
		return false;
	const int file = ledger_file_open();
	const bool lent = file >= 0 && ledger_enter_guest(file, ledger_find(key));
	if (file >= 0)
		close(file);
	ledger_release();
	return lent;
}

static int ledger_ask(uint64_t key, atomic_int counts[LEDGER_CARDS])
{
	if (!atomic_load_explicit(&ledger_joined, memory_order_acquire))
		return 0;
	const int i = ledger_find(key);
	return i < 0 ? 0 : atomic_load_explicit(&counts[i], memory_order_relaxed);
}

int ledger_count_others(uint64_t key)
{
	return ledger_ask(key, ledger_others);
}

int ledger_count_users(uint64_t key)
{
	return ledger_ask(key, ledger_users);
}

int ledger_count_same_view(void)
{
	return atomic_load_explicit(&ledger_same_view, memory_order_relaxed);
}

int ledger_count_other_views(void)
{
	return atomic_load_explicit(&ledger_other_views, memory_order_relaxed);
}

/*
 * A place is taken by a process that could not see that this one lives (of another container, for a
 * minute without a call), or that had no lock.
 */
static void ledger_move_rows(int file, struct ledger_census *census)
{
	if (census->taken == 0 || !ledger_file_lock(file, ledger_soon_ns))
		return;
	ledger_read(file, census);
	for (int i = 0, next = 0; i < ledger_rows; i++)
		if ((census->taken >> i & 1) != 0)
			ledger_place[i].offset = census->free[next++];
	census->taken = 0;
}

/* The file may have lost its name: by a user's clean-up, or systemd's at the end of a session. */
static void ledger_look(void)
{
	struct ledger_census census;
	int file = ledger_file_open();
	if (file >= 0)
		ledger_read(file, &census);
	else
		file = ledger_begin(&census, ledger_soon_ns);
	if (file < 0)
		return;
	ledger_keep(&census);
	atomic_store_explicit(&ledger_settled, true, memory_order_release);
	ledger_move_rows(file, &census);
	for (int i = 0; i < ledger_rows; i++)
		if ((census.taken >> i & 1) == 0)
			ledger_put(file, i);
	close(file);
}

bool ledger_is_settled(void)
{
	return atomic_load_explicit(&ledger_settled, memory_order_acquire);
}

void ledger_note_use(void)
{
	const int64_t now_ns = clock_monotonic_ns();
	int64_t noted_ns = atomic_load_explicit(&ledger_noted_ns, memory_order_relaxed);
	struct shield shield;
	if (now_ns - noted_ns < ledger_fresh_ns ||
	    !atomic_compare_exchange_strong(&ledger_noted_ns, &noted_ns, now_ns))
		return;
	const int saved_errno = errno;
	shield_begin(&shield);
	if (ledger_hold(0)) {
		ledger_look();
		ledger_release();
	}
	shield_end(&shield);
	errno = saved_errno;
}

static void ledger_remove_last(int file)
{
	struct ledger_census census;
	if (!ledger_file_lock(file, ledger_soon_ns))
		return;
	ledger_read(file, &census);
	if (census.total == 0 && !ledger_file_is_removed(file))
		ledger_file_remove();
}

void ledger_leave(void)
{
	if (!ledger_hold(ledger_soon_ns))
		return;
	atomic_store(&ledger_joined, false);
	const int file = ledger_file_open();
	if (file >= 0) {
		ledger_clear(file);
		ledger_remove_last(file);
		close(file);
	}
	ledger_release();
}

void ledger_sweep(void)
{
	ledger_own = process_life_own(ledger_root);
	for (int place = 0; place < LEDGER_FILE_PLACES; place++) {
		const int file = ledger_file_find(place);
		if (file < 0)
			continue;
		ledger_remove_last(file);
		close(file);
	}
}
