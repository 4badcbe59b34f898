/* top_view.h - an interval as it is shown: sorted rows, totals, reasons */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_TOP_TOP_VIEW_H
#define GPUSHIM_CLI_TOP_TOP_VIEW_H

#include "cli/common/emit.h"
#include "cli/top/top_watch.h"

/*
 * Of one process or of all, in one interval. size_bytes: the workload of the calls past the gate;
 * calls that the gate forwards have none. gpu_bytes, gpu_ns: workload and time of the calls that
 * ran on the GPU. top: the reason with the largest workload, else with the most calls; REASON_NONE
 * where there were no calls.
 */
struct top_load {
	uint64_t calls, gpu_calls, size_bytes, gpu_bytes, gpu_ns;
	enum reason top;
};

struct top_row {
	const struct top_process *process;
	struct top_load load;
};

/*
 * rows: sorted, the one with most time on the GPU first. reasons: those that occurred, the one with
 * the largest workload first. device_bytes, device_bytes_peak: of all running processes.
 */
struct top_view {
	struct top_row *rows;
	size_t row_count, state_count[TOP_REPLACED + 1];
	struct top_load total;
	uint64_t device_bytes, device_bytes_peak;
	struct top_traffic traffic;
	struct top_count interval[REASON_COUNT];
	enum reason reasons[REASON_COUNT];
	int reason_count;
	double seconds;
};

/* To be freed by top_view_free. The rows point into watch. */
void top_view_make(struct top_view *view, const struct top_watch *watch);
void top_view_free(struct top_view *view);

/* The GPU's part of the workload, 0 to 1; negative where there is none. */
double top_view_share(const struct top_load *load);

/* "running", "ended", ... */
const char *top_view_state(enum top_state state);

/*
 * A message, to be freed: about files left out for the fault kind, or for kind TOP_FAULTS about
 * those of dead processes. NULL where there are none.
 */
char *top_view_note(const struct top_watch *watch, int kind);

/*
 * lines and columns: of the terminal, which the text does not exceed; lines is 0 for a file, where
 * nothing is cut. note: the last line of the text, or NULL.
 */
struct top_page {
	int columns, lines;
	bool coloured;
	const char *note;
};

/* Writes one interval between emit_begin and emit_end. */
void top_print(struct emit *emit, const struct top_view *view, const struct top_watch *watch,
               const struct top_page *page);

#endif
