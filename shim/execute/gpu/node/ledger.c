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
 * ledger_fresh_ns: how long a count serves. ledger_strange_ns: how long a row counts whose process
 * cannot be looked at.
 */
static const int64_t ledger_join_ns = INT64_C(200000000), ledger_leave_ns = INT64_C(5000000),
		     ledger_fresh_ns = INT64_C(900000000), ledger_strange_ns = INT64_C(60000000000);

static const char *ledger_root = "";

/* The process that joined, its GPUs, and where its rows are. */
static struct process_life ledger_own;
static uint64_t ledger_key[LEDGER_CARDS];
static int ledger_keys, ledger_rows;
static off_t ledger_offset[LEDGER_CARDS];
static atomic_bool ledger_joined;

static atomic_int ledger_others[LEDGER_CARDS];
static _Atomic int64_t ledger_read_ns;

void ledger_set_folder(const char *folder, const char *root)
{
	ledger_file_set_folder(folder);
	ledger_root = root;
}

/* What is read of the rows. */
struct ledger_census {
	int live[LEDGER_CARDS], guests[LEDGER_CARDS];
	int total;                                     /* rows of other processes, on any GPU */
	off_t free[LEDGER_CARDS], stale[LEDGER_CARDS]; /* stale: of an earlier program */
	int free_count, stale_count;
};

static bool ledger_is_own(const struct ledger_row *row)
{
	return row->pid == ledger_own.pid && row->space == ledger_own.space;
}

static bool ledger_lives(const struct ledger_row *row)
{
	const struct process_life life = {row->pid, row->start, row->space};
	if (!process_life_is_foreign(&life, ledger_own.space))
		return process_life_goes_on(ledger_root, &life);
	const int64_t age_ns = clock_realtime_ns() - row->stamp_ns;
	return age_ns >= -ledger_strange_ns && age_ns <= ledger_strange_ns;
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
		census->live[i] += row->card == ledger_key[i] && row->guest == 0;
		census->guests[i] += row->card == ledger_key[i] && row->guest != 0;
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

static int ledger_put(int file, off_t offset, uint64_t key, bool guest)
{
	return ledger_file_write(file, offset,
	                         (struct ledger_row){.pid = ledger_own.pid,
	                                             .start = ledger_own.start,
	                                             .space = ledger_own.space,
	                                             .card = key,
	                                             .guest = guest,
	                                             .stamp_ns = clock_realtime_ns()});
}

static void ledger_clear(int file)
{
	while (ledger_rows > 0)
		ledger_file_clear(file, ledger_offset[--ledger_rows]);
}

static int ledger_enter(int file, const struct ledger_census *census, uint32_t chosen)
{
	int error = 0;
	for (int i = 0; i < census->stale_count; i++)
		ledger_file_clear(file, census->stale[i]);
	for (int i = 0; i < ledger_keys && error == 0; i++) {
		if ((chosen >> i & 1) == 0)
			continue;
		error = ledger_put(file, census->free[ledger_rows], ledger_key[i], false);
		if (error == 0) {
			ledger_offset[ledger_rows] = census->free[ledger_rows];
			ledger_rows++;
		}
	}
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

int ledger_join(const uint64_t key[], int count, ledger_choose *choose, void *self)
{
	struct ledger_census census = {.total = 0};
	ledger_own = process_life_own(ledger_root);
	ledger_rows = 0;
	atomic_store(&ledger_joined, false);
	for (ledger_keys = 0; ledger_keys < count && ledger_keys < LEDGER_CARDS; ledger_keys++)
		ledger_key[ledger_keys] = key[ledger_keys];
	const int file = ledger_begin(&census);
	const uint32_t chosen = choose(census.live, self);
	for (int i = 0; i < ledger_keys; i++)
		atomic_store(&ledger_others[i], census.live[i]);
	if (file < 0)
		return -file;
	const int error = ledger_enter(file, &census, chosen);
	close(file);
	atomic_store(&ledger_read_ns, clock_monotonic_ns());
	atomic_store(&ledger_joined, error == 0);
	return error;
}

/* The census of the file as it is now. false: this process has not joined, or the file is gone. */
static bool ledger_look(struct ledger_census *census)
{
	if (!atomic_load(&ledger_joined) || ledger_own.pid != getpid())
		return false;
	const int file = ledger_file_open();
	if (file < 0)
		return false;
	ledger_read(file, census);
	close(file);
	return true;
}

void ledger_move(uint64_t key)
{
	const int file = atomic_load(&ledger_joined) ? ledger_file_open() : -1;
	if (file < 0)
		return;
	if (ledger_rows == 1)
		ledger_put(file, ledger_offset[0], key, false);
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
	const int i = ledger_find(key);
	const int file =
		atomic_load(&ledger_joined) && ledger_own.pid == getpid() ? ledger_file_open() : -1;
	if (file < 0)
		return false;
	bool lent = i >= 0 && ledger_rows < LEDGER_CARDS && ledger_file_lock(file, ledger_join_ns);
	if (lent) {
		ledger_read(file, &census);
		lent = census.live[i] == 0 && census.guests[i] == 0 &&
		       ledger_put(file, census.free[0], key, true) == 0;
	}
	if (lent)
		ledger_offset[ledger_rows++] = census.free[0];
	close(file);
	return lent;
}

/* One thread reads, others take what is there. */
static void ledger_refresh(void)
{
	const int64_t now_ns = clock_monotonic_ns();
	int64_t read_ns = atomic_load_explicit(&ledger_read_ns, memory_order_relaxed);
	struct ledger_census census;
	if (now_ns - read_ns < ledger_fresh_ns ||
	    !atomic_compare_exchange_strong(&ledger_read_ns, &read_ns, now_ns))
		return;
	const int saved_errno = errno;
	struct shield shield;
	shield_begin(&shield);
	if (ledger_look(&census))
		for (int i = 0; i < ledger_keys; i++)
			atomic_store(&ledger_others[i], census.live[i]);
	shield_end(&shield);
	errno = saved_errno;
}

int ledger_count_others(uint64_t key)
{
	if (!atomic_load_explicit(&ledger_joined, memory_order_acquire))
		return 0;
	ledger_refresh();
	const int i = ledger_find(key);
	return i < 0 ? 0 : atomic_load_explicit(&ledger_others[i], memory_order_relaxed);
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
