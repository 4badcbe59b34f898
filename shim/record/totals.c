/* totals.c - writes a line of the log for each routine and reason */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/record/totals.h"

#include <unistd.h>

#include "shim/base/clock.h"
#include "shim/record/format.h"
#include "shim/record/logfile.h"

enum { TOTALS_BYTES = 16384 };

static struct {
	size_t used;
	char text[TOTALS_BYTES];
} totals;

static void totals_flush(void)
{
	if (totals.used > 0)
		logfile_write(totals.text, totals.used);
	totals.used = 0;
}

static void totals_add(const struct format_total *total, const struct format_author *author)
{
	if (total->calls == 0)
		return;
	if (totals.used > TOTALS_BYTES - FORMAT_LINE_BYTES)
		totals_flush();
	totals.used += format_write_total(total, author, totals.text + totals.used);
}

static void totals_take_cell(struct format_total *total, const struct counters_cell *cell)
{
	total->calls = atomic_load_explicit(&cell->calls, memory_order_relaxed);
	total->elapsed_ns = atomic_load_explicit(&cell->elapsed_ns, memory_order_relaxed);
	total->size_bytes = atomic_load_explicit(&cell->size_bytes, memory_order_relaxed);
}

void totals_write(const struct counters_file *file)
{
	const struct format_author author = {.pid = file->pid, .tid = gettid()};
	struct format_total total = {.time_ns = clock_realtime_ns()};
	for (int symbol = 0; symbol < SYMBOL_COUNT; symbol++)
		for (int reason = 0; reason < REASON_COUNT; reason++) {
			if (symbol_table[symbol].role != ROLE_COMPUTE)
				continue;
			total.symbol = symbol;
			total.reason = (enum reason)reason;
			totals_take_cell(&total, counters_find_cell(file, symbol, total.reason));
			totals_add(&total, &author);
			/* The gate neither times nor sizes calls: a line of their own. */
			if (counters_find_gate_reason(file, symbol) != total.reason)
				continue;
			total.calls = counters_count_forwarded(file, symbol);
			total.elapsed_ns = total.size_bytes = 0;
			totals_add(&total, &author);
		}
	total.symbol = -1;
	total.reason = REASON_NONE;
	totals_take_cell(&total, &file->undecided);
	totals_add(&total, &author);
	totals_flush();
}
