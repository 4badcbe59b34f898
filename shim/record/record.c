/* record.c - the log: decisions at once, ticks by way of the ring */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/record/record.h"

#include <errno.h>
#include <stdatomic.h>
#include <unistd.h>

#include "policy/decide/gate_reason.h"
#include "shim/base/loader.h"
#include "shim/record/counters.h"
#include "shim/record/format.h"
#include "shim/record/logfile.h"
#include "shim/record/ring.h"
#include "shim/record/signal_shield.h"
#include "shim/record/totals.h"

static atomic_int level; /* LOG_SUMMARY, which writes no line of a call, until record_open */
static struct signal_shield before_fork; /* of the thread that holds the locks */

void record_set_head(const struct record_head *head)
{
	const int saved_errno = errno;
	char text[HEAD_BYTES];
	head_write(head, text);
	logfile_set_head(text);
	errno = saved_errno;
}

void record_open(const struct options *options, bool program_excluded)
{
	const int saved_errno = errno;
	if (options->log[0] == '\0')
		return;
	logfile_open(options->log);
	if (options->log_level == LOG_CALL) {
		struct gate_reasons reasons;
		gate_reason_find_all(options, program_excluded, &reasons);
		ring_open(&reasons);
	}
	atomic_store_explicit(&level, options->log_level, memory_order_release);
	errno = saved_errno;
}

void record_write(const struct record *record)
{
	char line[FORMAT_LINE_BYTES];
	if (atomic_load_explicit(&level, memory_order_acquire) < LOG_DECISION)
		return;
	const int saved_errno = errno;
	const struct format_author author = {
		.pid = getpid(),
		.tid = gettid(),
		.object = record->caller != NULL ? loader_path_of(record->caller) : NULL};
	logfile_write(line, format_write_record(record, &author, line));
	errno = saved_errno;
}

void record_tick(const struct record_tick *tick)
{
	if (__builtin_expect(atomic_load_explicit(&level, memory_order_acquire) == LOG_CALL, 1))
		ring_push(tick);
}

void record_close(void)
{
	static atomic_flag totalled = ATOMIC_FLAG_INIT;
	const int saved_errno = errno, now = atomic_load_explicit(&level, memory_order_acquire);
	const struct counters_file *file = counters_view();
	if (now == LOG_CALL)
		ring_close();
	else if (now == LOG_SUMMARY && logfile_works() && file->pid == getpid() &&
	         !atomic_flag_test_and_set(&totalled))
		totals_write(file);
	errno = saved_errno;
}

void record_before_fork(void)
{
	const int saved_errno = errno;
	struct signal_shield shield;
	signal_shield_all(&shield);
	ring_before_fork();
	logfile_before_fork();
	before_fork = shield;
	errno = saved_errno;
}

static void record_end_fork(void (*logfile_end)(void), void (*ring_end)(void))
{
	const int saved_errno = errno;
	const struct signal_shield shield = before_fork;
	logfile_end();
	ring_end();
	signal_shield_restore(&shield);
	errno = saved_errno;
}

void record_after_fork_parent(void)
{
	record_end_fork(logfile_after_fork_parent, ring_after_fork_parent);
}

void record_after_fork_child(void)
{
	record_end_fork(logfile_after_fork_child, ring_after_fork_child);
}

void record_renew(void)
{
	logfile_renew();
	ring_renew();
}
