/* summary_totals.c - sentences below the table: savings, trial calls, dry run, verification */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/record/summary_totals.h"

#include "policy/text/human.h"

/* Sums of struct counters_totals over the files. */
struct summary_totals {
	uint64_t looks, offloads, verified;
	int64_t gain_ns, look_loss_ns, dry_cpu_ns, dry_gpu_ns;
};

static struct summary_totals summary_totals_sum_up(const struct counters_file *const files[],
                                                   size_t file_count)
{
	struct summary_totals sum = {0};
	for (size_t i = 0; i < file_count; i++) {
		const struct counters_totals *totals = &files[i]->totals;
		sum.looks += atomic_load_explicit(&totals->looks, memory_order_relaxed);
		sum.offloads += atomic_load_explicit(&totals->offloads, memory_order_relaxed);
		sum.verified += atomic_load_explicit(&totals->verified, memory_order_relaxed);
		sum.gain_ns += atomic_load_explicit(&totals->gain_ns, memory_order_relaxed);
		sum.look_loss_ns +=
			atomic_load_explicit(&totals->look_loss_ns, memory_order_relaxed);
		sum.dry_cpu_ns += atomic_load_explicit(&totals->dry_cpu_ns, memory_order_relaxed);
		sum.dry_gpu_ns += atomic_load_explicit(&totals->dry_gpu_ns, memory_order_relaxed);
	}
	return sum;
}

static void summary_totals_put_time(struct text_columns_line *line, int64_t time_ns)
{
	char text[HUMAN_BYTES];
	human_format_time((uint64_t)(time_ns < 0 ? -time_ns : time_ns), text);
	text_columns_put(line, text);
}

static void summary_totals_put_calls(struct text_columns_line *line, uint64_t calls)
{
	char text[HUMAN_BYTES];
	human_format_count(calls, text);
	text_columns_put(line, text);
	text_columns_put(line, calls == 1 ? " call" : " calls");
}

/* gain_ns is the expected time on the CPU minus the measured time of calls on the GPU. */
static void summary_totals_add_gain(struct text_columns *columns, const struct summary_totals *sum)
{
	struct text_columns_line line = {.used = 0};
	text_columns_put(&line, sum->gain_ns < 0 ? "lost on the GPU: " : "saved by the GPU: ");
	summary_totals_put_time(&line, sum->gain_ns);
	text_columns_put(&line, ", by the expected CPU times of its calls");
	text_columns_end_line(columns, &line);
}

static void summary_totals_add_looks(struct text_columns *columns, const struct summary_totals *sum)
{
	struct text_columns_line line = {.used = 0};
	summary_totals_put_calls(&line, sum->looks);
	text_columns_put(&line, " tried on the other processor, at a cost of ");
	summary_totals_put_time(&line, sum->look_loss_ns);
	text_columns_end_line(columns, &line);
}

static void summary_totals_add_dry(struct text_columns *columns, const struct summary_totals *sum)
{
	struct text_columns_line line = {.used = 0};
	text_columns_put(&line, "dry run: calls expected to be faster on the GPU: ");
	summary_totals_put_time(&line, sum->dry_cpu_ns);
	text_columns_put(&line, " here, about ");
	summary_totals_put_time(&line, sum->dry_gpu_ns);
	text_columns_put(&line, " on the GPU");
	text_columns_end_line(columns, &line);
}

void summary_totals_add(struct text_columns *columns, const struct counters_file *const files[],
                        size_t file_count)
{
	const struct summary_totals sum = summary_totals_sum_up(files, file_count);
	if (sum.offloads > 0)
		summary_totals_add_gain(columns, &sum);
	if (sum.looks > 0)
		summary_totals_add_looks(columns, &sum);
	if (sum.dry_cpu_ns > 0)
		summary_totals_add_dry(columns, &sum);
	if (sum.verified > 0) {
		struct text_columns_line line = {.used = 0};
		summary_totals_put_calls(&line, sum.verified);
		text_columns_put(&line, " on the GPU verified on the CPU");
		text_columns_end_line(columns, &line);
	}
}
