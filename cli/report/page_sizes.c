/* page_sizes.c - bars: calls and their time by the bytes of their operands */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/report/page_part.h"

/* By bucket, and by side; the third part of a bar is not used. */
struct page_sizes {
	double calls[LOG_BUCKETS][PLOT_PARTS], time_ns[LOG_BUCKETS][PLOT_PARTS];
	char name[LOG_BUCKETS][HUMAN_BYTES];
	const char *label[LOG_BUCKETS];
	int first, count; /* from the first to the last bucket with calls */
};

static void page_sizes_find(const struct log_sum *sum, struct page_sizes *sizes)
{
	struct log_sides rows[LOG_BUCKETS];
	report_group_sizes(sum, rows);
	*sizes = (struct page_sizes){0};
	for (int i = 0; i < LOG_BUCKETS; i++) {
		report_group_name_size(i, sizes->name[i]);
		sizes->label[i] = sizes->name[i];
		for (int side = 0; side < 2; side++) {
			sizes->calls[i][side] = (double)rows[i].side[side].calls;
			sizes->time_ns[i][side] = rows[i].side[side].elapsed_ns;
		}
		if (rows[i].side[TARGET_CPU].calls + rows[i].side[TARGET_GPU].calls == 0)
			continue;
		if (sizes->count == 0)
			sizes->first = i;
		sizes->count = i + 1 - sizes->first;
	}
}

static void page_sizes_draw(struct html *page, const struct page_sizes *sizes,
                            const struct plot_head *head, const double (*value)[PLOT_PARTS],
                            enum plot_unit unit)
{
	const struct plot_bars bars = {
		.head = *head,
		.parts = 2,
		.count = sizes->count,
		.part_name = {"CPU", "GPU"},
		.colour = {PLOT_CPU, PLOT_GPU},
		.value = value + sizes->first,
		.label = sizes->label + sizes->first,
		.unit = unit,
	};
	plot_bars_draw(page, &bars);
}

void page_part_put_sizes(struct html *page, const struct log_sum *sum)
{
	static struct page_sizes sizes;
	static const struct plot_head calls = {.title = "Calls",
	                                       .note = "how many were of each size",
	                                       .empty = "There is no call in the log.",
	                                       .x_label = "bytes of the operands, from"};
	static const struct plot_head times = {.title = "Time",
	                                       .note = "what the calls of each size took together",
	                                       .empty = "No call of the log was timed.",
	                                       .x_label = "bytes of the operands, from"};
	page_sizes_find(sum, &sizes);
	html_enter_section(
		page, "Sizes",
		"Bytes of all operands of a call, each once, as workload_threshold counts them.");
	html_enter(page, "div", "figures");
	page_sizes_draw(page, &sizes, &calls, (const double(*)[PLOT_PARTS])sizes.calls, PLOT_PLAIN);
	page_sizes_draw(page, &sizes, &times, (const double(*)[PLOT_PARTS])sizes.time_ns,
	                PLOT_TIME_NS);
	html_leave(page);
	html_leave(page);
}
