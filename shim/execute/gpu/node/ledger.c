/* ledger.c - joins, reads and leaves the ledger */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/node/ledger.h"

#include <errno.h>
#include <stdatomic.h>
#include <unistd.h>

#include "shim/base/clock.h"
#include "shim/execute/gpu/node/ledger_file.h"
#include "shim/execute/gpu/node/process_life.h"
#include "shim/shield/shield.h"

/* How often a file is opened that others have removed meanwhile. */
enum { LEDGER_ATTEMPTS = 8 };

/*
 * ledger_use_ns: how long a use of the GPU counts. ledger_fresh_ns: how long a count serves.
 * ledger_strange_ns: how long a row counts whose process cannot be looked at.
 */
static const int64_t ledger_join_ns = INT64_C(200000000), ledger_leave_ns = INT64_C(5000000),
		     ledger_fresh_ns = INT64_C(900000000), ledger_use_ns = INT64_C(10000000000),
		     ledger_strange_ns = INT64_C(60000000000);

static const char *ledger_root = "";

/* The process that joined, its GPUs, and where its rows are. */
static struct process_life ledger_own;
static uint64_t ledger_key[LEDGER_CARDS];
static int ledger_keys;
static atomic_int ledger_rows;
static struct ledger_place {
	off_t offset;
	uint64_t key;
	bool guest;
} ledger_place[LEDGER_CARDS];
static atomic_bool ledger_joined;

static atomic_int ledger_others[LEDGER_CARDS], ledger_users[LEDGER_CARDS];
static _Atomic int64_t ledger_noted_ns;

void ledger_set_folder(const char *folder, const char *root)
{
	ledger_file_set_folder(folder);
	ledger_root = root;
}

/* What is read of the rows. */
struct ledger_census {
	int live[LEDGER_CARDS], guests[LEDGER_CARDS], users[LEDGER_CARDS];
	int total;                                     /* rows of other processes, on any GPU */
	off_t free[LEDGER_CARDS], stale[LEDGER_CARDS]; /* stale: of an earlier program */
	int free_count, stale_count;
};

static bool ledger_is_own(const struct ledger_row *row)
{
	return row->pid == ledger_own.pid && row->space == ledger_own.space;
}

static bool ledger_is_recent(const struct ledger_row *row, int64_t age_ns)
{
	const int64_t found_ns = clock_realtime_ns() - row->stamp_ns;
	return found_ns >= -age_ns && found_ns <= age_ns;
}

static bool ledger_lives(const struct ledger_row *row)
{
	const struct process_life life = {row->pid, row->start, row->space};
	if (!process_life_is_foreign(&life, ledger_own.space))
		return process_life_goes_on(ledger_root, &life);
	return ledger_is_recent(row, ledger_strange_ns);
}

/* Before this process has joined, a row of its number is one of an earlier program of it (exec). */
static void ledger_count(const struct ledger_row *row, off_t offset, void *self)
{
	struct ledger_census *census = self;
	const bool own = row != NULL && ledger_is_own(row),
		   stale = own && !atomic_load(&ledger_joined),
		   counts = row != NULL && !own && ledger_lives(row);
	if (stale && census->stale_count < LEDGER_CARDS)
		census->stale[census->stale_count++] = offset;
	if (!counts && (!own || stale) && census->free_count < LEDGER_CARDS)
		census->free[census->free_count++] = offset;
	census->total += counts;
	for (int i = 0; i < ledger_keys && counts; i++) {
		const bool there = row->card == ledger_key[i], guest = row->guest != 0;
		census->live[i] += there && !guest;
		census->guests[i] += there && guest;
		census->users[i] += there && !guest && ledger_is_recent(row, ledger_use_ns);
	}
}

static void ledger_read(int file, struct ledger_census *census)
{
	off_t end;
	*census = (struct ledger_census){.total = 0};
	ledger_file_visit(file, ledger_count, census, &end);
	while (census->free_count < LEDGER_CARDS) {
		census->free[census->free_count++] = end;
		end += (off_t)sizeof(struct ledger_row);
	}
}

static int ledger_put(int file, const struct ledger_place *place)
{
	return ledger_file_write(file, place->offset,
	                         (struct ledger_row){.pid = ledger_own.pid,
	                                             .start = ledger_own.start,
	                                             .space = ledger_own.space,
	                                             .card = place->key,
	                                             .guest = place->guest,
	                                             .stamp_ns = clock_realtime_ns()});
}

/* Readers of the places see those that are complete. */
static int ledger_add(int file, struct ledger_place place)
{
	const int rows = atomic_load(&ledger_rows), error = ledger_put(file, &place);
	if (error != 0)
		return error;
	ledger_place[rows] = place;
	atomic_store(&ledger_rows, rows + 1);
	return 0;
}

static void ledger_clear(int file)
{
	for (int rows = atomic_exchange(&ledger_rows, 0); rows > 0; rows--)
		ledger_file_clear(file, ledger_place[rows - 1].offset);
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

/* Opened and locked; or the error negated. A file that was not locked is closed, but read. */
static int ledger_begin(struct ledger_census *census)
{
	for (int attempt = 0; attempt < LEDGER_ATTEMPTS; attempt++) {
		const int file = ledger_file_make();
		if (file < 0)
			return file;
		const bool locked = ledger_file_lock(file, ledger_join_ns);
		const bool removed = ledger_file_is_removed(file);
		if (!removed)
			ledger_read(file, census);
		if (!removed && locked)
			return file;
		close(file);
		if (!locked)
			return -EAGAIN;
	}
	return -EAGAIN;
}

static void ledger_keep(const struct ledger_census *census)
{
	for (int i = 0; i < ledger_keys; i++) {
		atomic_store(&ledger_others[i], census->live[i]);
		atomic_store(&ledger_users[i], census->users[i]);
	}
}

int ledger_join(const uint64_t key[], int count, ledger_choose *choose, void *self)
{
	struct ledger_census census = {.total = 0};
	ledger_own = process_life_own(ledger_root);
	atomic_store(&ledger_rows, 0);
	atomic_store(&ledger_joined, false);
	for (ledger_keys = 0; ledger_keys < count && ledger_keys < LEDGER_CARDS; ledger_keys++)
		ledger_key[ledger_keys] = key[ledger_keys];
	const int file = ledger_begin(&census);
	const uint32_t chosen = choose(census.live, self);
	ledger_keep(&census);
	if (file < 0)
		return -file;
	const int error = ledger_enter(file, &census, chosen);
	close(file);
	atomic_store(&ledger_noted_ns, clock_monotonic_ns());
	atomic_store(&ledger_joined, error == 0);
	return error;
}

/* The file, for a process that has joined; else below 0. */
static int ledger_reopen(void)
{
	return atomic_load(&ledger_joined) && ledger_own.pid == getpid() ? ledger_file_open() : -1;
}

void ledger_move(uint64_t key)
{
	const int file = ledger_reopen();
	if (file < 0)
		return;
	if (atomic_load(&ledger_rows) == 1) {
		ledger_place[0].key = key;
		ledger_put(file, &ledger_place[0]);
	}
	close(file);
}

static int ledger_find(uint64_t key)
{
	for (int i = 0; i < ledger_keys; i++)
		if (ledger_key[i] == key)
			return i;
	return -1;
}

bool ledger_borrow(uint64_t key)
{
	struct ledger_census census;
	const int i = ledger_find(key), file = ledger_reopen();
	if (file < 0)
		return false;
	bool lent = i >= 0 && atomic_load(&ledger_rows) < LEDGER_CARDS &&
	            ledger_file_lock(file, ledger_join_ns);
	if (lent) {
		ledger_read(file, &census);
		lent = census.live[i] == 0 && census.guests[i] == 0 &&
		       ledger_add(file, (struct ledger_place){census.free[0], key, true}) == 0;
	}
	close(file);
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

static void ledger_look(void)
{
	struct ledger_census census;
	const int file = ledger_reopen();
	if (file < 0)
		return;
	ledger_read(file, &census);
	ledger_keep(&census);
	for (int i = 0; i < atomic_load(&ledger_rows); i++)
		ledger_put(file, &ledger_place[i]);
	close(file);
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
	ledger_look();
	shield_end(&shield);
	errno = saved_errno;
}

void ledger_leave(void)
{
	struct ledger_census census;
	if (!atomic_exchange(&ledger_joined, false) || ledger_own.pid != getpid())
		return;
	const int file = ledger_file_open();
	if (file < 0)
		return;
	ledger_clear(file);
	if (ledger_file_lock(file, ledger_leave_ns)) {
		ledger_read(file, &census);
		if (census.total == 0 && !ledger_file_is_removed(file))
			ledger_file_remove();
	}
	close(file);
}
