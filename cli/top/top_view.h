/* top_view.h - what there is to show after a look: rows in their order, totals, reasons */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_TOP_TOP_VIEW_H
#define GPUSHIM_CLI_TOP_TOP_VIEW_H

#include "cli/common/emit.h"
#include "cli/top/top_watch.h"

/*
 * Of one process or of all, in one interval. size_bytes: the workload of calls past the gate, what
 * the gate sends on has none; gpu_bytes: that of calls that ran on the GPU. gpu_ns: what those
 * took.
 */
struct top_load {
	uint64_t calls, gpu_calls, size_bytes, gpu_bytes, gpu_ns;
	enum reason
		top; /* of the largest workload, else of the most calls; REASON_NONE where there were no calls */
};

struct top_row {
	const struct top_process *process;
	struct top_load load;
};

/*
 * rows: the busiest first. reasons: those that occurred, the most important first. device_bytes: of
 * all that run.
 */
struct top_view {
	struct top_row *rows;
	size_t row_count, state_count[TOP_REPLACED + 1];
	struct top_load total;
	uint64_t device_bytes, device_bytes_peak;
	struct top_count interval[REASON_COUNT];
	enum reason reasons[REASON_COUNT];
	int reason_count;
	double seconds;
};

/* To be freed. Its rows point into watch. */
void top_view_make(struct top_view *view, const struct top_watch *watch);
void top_view_free(struct top_view *view);

/* The GPU's part of the workload, 0 to 1; negative where no call had one. */
double top_view_share(const struct top_load *load);

/* "running", "ended", ... */
const char *top_view_state(enum top_state state);

/*
 * A sentence, to be freed: about the files left out for the fault kind, or where kind is TOP_FAULTS
 * about those of dead processes. NULL where there are none.
 */
char *top_view_note(const struct top_watch *watch, int kind);

/*
 * Where an interval is shown. lines: of a terminal, which the text does not exceed, nor the columns;
 * 0 for a file, where nothing is cut. note: a last line of the text, or NULL.
 */
struct top_page {
	int columns, lines;
	bool coloured;
	const char *note;
};

/* One interval, to the end of the report. */
void top_print(struct emit *emit, const struct top_view *view, const struct top_watch *watch,
               const struct top_page *page);

#endif
