/* summary_traffic.c - bytes sent to GPUs, bytes that were there, page faults of tracking */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/record/summary/summary_traffic.h"

#include "policy/text/human.h"

/*
 * processes: those that sent operands. untracked: of the first of these that has a reason;
 * untracked_processes: how many have this reason, of which kept_before kept operands all the same,
 * before it came or after it had gone. unmoved: of the first process that has a reason.
 */
struct summary_bytes {
	uint64_t sent, kept, faults, fault_ns, untracked, moved, unmoved;
	size_t processes, untracked_processes, kept_before;
};

static uint64_t summary_traffic_load(const _Atomic uint64_t *count)
{
	return atomic_load_explicit(count, memory_order_relaxed);
}

/* Of a process that sent operands. The file may be that of another version. */
static void summary_traffic_count_reason(struct summary_bytes *sum,
                                         const struct counters_traffic *traffic)
{
	const uint64_t untracked = summary_traffic_load(&traffic->untracked);
	sum->processes++;
	if (untracked == TRACK_REASON_NONE || untracked >= TRACK_REASON_COUNT)
		return;
	if (sum->untracked == TRACK_REASON_NONE)
		sum->untracked = untracked;
	if (sum->untracked != untracked)
		return;
	sum->untracked_processes++;
	sum->kept_before += summary_traffic_load(&traffic->kept_bytes) > 0;
}

static struct summary_bytes summary_traffic_sum(const struct counters_file *const files[],
                                                size_t count)
{
	struct summary_bytes sum = {0};
	for (size_t i = 0; i < count; i++) {
		const struct counters_traffic *traffic = &files[i]->traffic;
		const uint64_t sent = summary_traffic_load(&traffic->sent_bytes);
		sum.sent += sent;
		sum.kept += summary_traffic_load(&traffic->kept_bytes);
		sum.faults += summary_traffic_load(&traffic->faults);
		sum.fault_ns += summary_traffic_load(&traffic->fault_ns);
		sum.moved += summary_traffic_load(&traffic->moved_bytes);
		if (sum.unmoved == MIGRATION_REASON_NONE)
			sum.unmoved = summary_traffic_load(&traffic->unmoved);
		if (sent > 0)
			summary_traffic_count_reason(&sum, traffic);
	}
	return sum;
}

static void summary_traffic_add_faults(const struct summary_bytes *sum,
                                       struct text_columns *columns)
{
	struct text_columns_line line = {.used = 0};
	char faults[HUMAN_BYTES], time[HUMAN_BYTES];
	if (sum->faults == 0)
		return;
	human_format_count(sum->faults, faults);
	human_format_time(sum->fault_ns, time);
	text_columns_put(&line, "  tracking took the program ", faults,
	                 sum->faults == 1 ? " page fault, about " : " page faults, about ", time);
	text_columns_end_line(columns, &line);
}

static void summary_traffic_add_bytes(const struct summary_bytes *sum, struct text_columns *columns)
{
	struct text_columns_line line = {.used = 0};
	char sent[HUMAN_BYTES], kept[HUMAN_BYTES];
	if (sum->sent == 0 && sum->kept == 0 && sum->faults == 0)
		return;
	human_format_size(sum->sent, sent);
	human_format_size(sum->kept, kept);
	text_columns_put(&line, "sent to the GPU: ", sent, "; not sent, as it was there: ", kept);
	text_columns_end_line(columns, &line);
}

/* The reason is that at the end: it may have come after operands were kept. */
static void summary_traffic_add_reason(const struct summary_bytes *sum,
                                       struct text_columns *columns)
{
	struct text_columns_line line = {.used = 0};
	char some[HUMAN_BYTES], all[HUMAN_BYTES];
	if (sum->untracked == TRACK_REASON_NONE)
		return;
	human_format_count(sum->untracked_processes, some);
	human_format_count(sum->processes, all);
	if (sum->untracked_processes < sum->processes)
		text_columns_put(&line, "in ", some, " of ", all, " processes ");
	text_columns_put(&line,
	                 sum->kept_before > 0 ? "not all operands could stay: "
	                                      : "operands are sent each time: ",
	                 track_reason_sentence((enum track_reason)sum->untracked));
	text_columns_end_line(columns, &line);
}

/* Of the option residency = migrate. */
static void summary_traffic_add_moves(const struct summary_bytes *sum, struct text_columns *columns)
{
	struct text_columns_line moves = {.used = 0}, reason = {.used = 0};
	char moved[HUMAN_BYTES];
	human_format_size(sum->moved, moved);
	text_columns_put(&moves, "moved to the GPU's memory: ", moved);
	if (sum->moved > 0)
		text_columns_end_line(columns, &moves);
	if (sum->unmoved == MIGRATION_REASON_NONE || sum->unmoved >= MIGRATION_REASONS)
		return;
	text_columns_put(&reason,
	                 sum->moved > 0 ? "no more operands are moved there: "
	                                : "no operands are moved to the GPU's memory: ",
	                 migration_reason_sentence((enum migration_reason)sum->unmoved));
	text_columns_end_line(columns, &reason);
}

void summary_traffic_add(const struct counters_file *const files[], size_t count,
                         struct text_columns *columns)
{
	const struct summary_bytes sum = summary_traffic_sum(files, count);
	summary_traffic_add_bytes(&sum, columns);
	summary_traffic_add_faults(&sum, columns);
	summary_traffic_add_reason(&sum, columns);
	summary_traffic_add_moves(&sum, columns);
}
