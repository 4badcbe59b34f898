/* summary_traffic.c - bytes sent to GPUs, bytes that were there, page faults of tracking */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/record/summary/summary_traffic.h"

#include "policy/text/human.h"

/* untracked: of the first process that has a reason. */
struct summary_bytes {
	uint64_t sent, kept, faults, fault_ns, untracked;
};

static struct summary_bytes summary_traffic_sum(const struct counters_file *const files[],
                                                size_t count)
{
	struct summary_bytes sum = {0};
	for (size_t i = 0; i < count; i++) {
		const struct counters_traffic *traffic = &files[i]->traffic;
		sum.sent += atomic_load_explicit(&traffic->sent_bytes, memory_order_relaxed);
		sum.kept += atomic_load_explicit(&traffic->kept_bytes, memory_order_relaxed);
		sum.faults += atomic_load_explicit(&traffic->faults, memory_order_relaxed);
		sum.fault_ns += atomic_load_explicit(&traffic->fault_ns, memory_order_relaxed);
		if (sum.untracked == TRACK_REASON_NONE)
			sum.untracked =
				atomic_load_explicit(&traffic->untracked, memory_order_relaxed);
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
	if (sum->kept == 0 && sum->faults == 0)
		return;
	human_format_size(sum->sent, sent);
	human_format_size(sum->kept, kept);
	text_columns_put(&line, "sent to the GPU: ", sent, "; not sent, as it was there: ", kept);
	text_columns_end_line(columns, &line);
}

/* Only where calls went to the GPU. The file may be that of another version. */
static void summary_traffic_add_reason(const struct summary_bytes *sum,
                                       struct text_columns *columns)
{
	struct text_columns_line line = {.used = 0};
	if (sum->sent == 0 || sum->untracked == TRACK_REASON_NONE ||
	    sum->untracked >= TRACK_REASON_COUNT)
		return;
	text_columns_put(&line, "operands are sent each time: ",
	                 track_reason_sentence((enum track_reason)sum->untracked));
	text_columns_end_line(columns, &line);
}

void summary_traffic_add(const struct counters_file *const files[], size_t count,
                         struct text_columns *columns)
{
	const struct summary_bytes sum = summary_traffic_sum(files, count);
	summary_traffic_add_bytes(&sum, columns);
	summary_traffic_add_faults(&sum, columns);
	summary_traffic_add_reason(&sum, columns);
}
