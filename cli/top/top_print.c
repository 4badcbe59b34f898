/* top_print.c - one interval as a page of text or as one line of JSON */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "cli/top/top_view.h"
#include "shim/base/clock.h"

/* Columns of a row: of all fixed ones together, and the least and most of the three others. */
enum {
	PRINT_FIXED = 50,
	PRINT_PROGRAM = 10,
	PRINT_PROGRAM_MOST = 24,
	PRINT_BAR = 4,
	PRINT_BAR_MOST = 10,
	PRINT_REASON = 16,
	PRINT_REASON_MOST = 21,
	PRINT_REASONS = 5
};

/* program, bar, reason: widths. seconds: the length of the interval, 0 at the first look. */
struct top_layout {
	struct emit *emit;
	int program, bar, reason;
	double seconds;
};

static int top_print_widen(int least, int most, int *extra)
{
	const int more = *extra < most - least ? *extra : most - least;
	*extra -= more;
	return least + more;
}

static void top_print_lay_out(struct top_layout *print, int columns)
{
	int extra = columns - (PRINT_FIXED + PRINT_PROGRAM + PRINT_BAR + PRINT_REASON);
	if (extra < 0)
		extra = 0;
	print->reason = top_print_widen(PRINT_REASON, PRINT_REASON_MOST, &extra);
	print->bar = top_print_widen(PRINT_BAR, PRINT_BAR_MOST, &extra);
	print->program = top_print_widen(PRINT_PROGRAM, PRINT_PROGRAM_MOST, &extra);
}

static void top_print_rate(const struct top_layout *print, const char *form, double amount)
{
	char text[HUMAN_BYTES];
	units_compact(print->seconds > 0 ? amount / print->seconds : 0, text);
	emit_text(print->emit, EMIT_NO_KEY, form, text);
}

/* 100% only where the GPU has the whole workload, 0% only where it has none. */
static void top_print_share(const struct top_layout *print, double share, enum emit_colour colour)
{
	const enum emit_colour bar = colour != EMIT_PLAIN ? colour : EMIT_GREEN;
	const struct emit_part parts[] = {{share, '#', bar}, {1, '.', bar}};
	char percent[HUMAN_BYTES] = "-";
	if (share > 0 && share < 0.01)
		strcpy(percent, "<1%");
	else if (share >= 0)
		snprintf(percent, sizeof percent, "%d%%", (int)(share * 100));
	emit_bar(print->emit, print->bar, parts, 2);
	emit_colour(print->emit, colour);
	emit_text(print->emit, EMIT_NO_KEY, "%5s", percent);
}

static void top_print_memory(const struct top_layout *print, uint64_t now_bytes,
                             uint64_t peak_bytes)
{
	char now[HUMAN_BYTES], peak[HUMAN_BYTES], text[2 * HUMAN_BYTES];
	emit_count(print->emit, "device_bytes", NULL, now_bytes);
	emit_count(print->emit, "device_bytes_peak", NULL, peak_bytes);
	units_compact((double)now_bytes, now);
	units_compact((double)peak_bytes, peak);
	snprintf(text, sizeof text, "%s/%s", now, peak);
	emit_text(print->emit, EMIT_NO_KEY, " %11s", text);
}

/* The JSON has totals of the interval, the text rates per second. */
static void top_print_load(const struct top_layout *print, const struct top_load *load,
                           enum emit_colour colour)
{
	emit_count(print->emit, "calls", NULL, load->calls);
	emit_count(print->emit, "gpu_calls", NULL, load->gpu_calls);
	emit_count(print->emit, "bytes", NULL, load->size_bytes);
	emit_count(print->emit, "gpu_bytes", NULL, load->gpu_bytes);
	emit_count(print->emit, "gpu_ns", NULL, load->gpu_ns);
	top_print_rate(print, " %7s  ", (double)load->calls);
	top_print_share(print, top_view_share(load), colour);
	top_print_rate(print, " %5s", (double)load->gpu_ns / 1e9);
	top_print_rate(print, " %7s", (double)load->size_bytes);
}

static void top_print_reason_counts(struct emit *emit, const struct top_count *interval)
{
	emit_open(emit, "reasons");
	for (int reason = 0; reason < REASON_COUNT; reason++)
		if (interval[reason].calls > 0)
			emit_count(emit, reason_name((enum reason)reason), NULL,
			           interval[reason].calls);
	emit_close(emit);
}

static enum emit_colour top_print_colour(enum top_state state)
{
	switch (state) {
	case TOP_RUNNING: return EMIT_PLAIN;
	case TOP_KILLED: return EMIT_RED;
	default: return EMIT_DIM;
	}
}

/* The last column has the reason of the calls, or how the process ended. */
static void top_print_row(const struct top_layout *print, const struct top_row *row)
{
	const struct top_process *process = row->process;
	const struct top_sample *sample = &process->sample;
	const enum emit_colour colour = top_print_colour(process->state);
	const char *state = top_view_state(process->state);
	const char *reason = row->load.top != REASON_NONE ? reason_name(row->load.top) : "-";
	struct emit *emit = print->emit;
	emit_open(emit, NULL);
	emit_colour(emit, colour);
	emit_integer(emit, "pid", "%7s ", sample->pid);
	emit_text(emit, "program", NULL, sample->program);
	emit_text(emit, "state", NULL, state);
	emit_print(emit, "%-*.*s", print->program, print->program, sample->program);
	top_print_load(print, &row->load, colour);
	top_print_memory(print, sample->device_bytes, sample->device_bytes_peak);
	emit_print(emit, " %.*s", print->reason, process->state == TOP_RUNNING ? reason : state);
	emit_colour(emit, EMIT_PLAIN);
	emit_print(emit, "\n");
	top_print_reason_counts(emit, process->interval);
	emit_close(emit);
}

static void top_print_total(const struct top_layout *print, const struct top_view *view)
{
	emit_open(print->emit, "total");
	if (print->emit->is_json || view->row_count > 0) {
		emit_colour(print->emit, EMIT_BOLD);
		emit_print(print->emit, "%*s%-*s", 8, "", print->program, "total");
		top_print_load(print, &view->total, EMIT_BOLD);
		top_print_memory(print, view->device_bytes, view->device_bytes_peak);
		emit_colour(print->emit, EMIT_PLAIN);
		emit_print(print->emit, "\n");
	}
	top_print_reason_counts(print->emit, view->interval);
	emit_close(print->emit);
}

static void top_print_titles(const struct top_layout *print)
{
	emit_colour(print->emit, EMIT_BOLD);
	emit_print(print->emit, "%7s %-*s %7s  %-*s %5s %7s %11s %s", "pid", print->program,
	           "program", "calls/s", print->bar + 5, print->bar < 6 ? "on GPU" : "on the GPU",
	           "GPU s", "bytes/s", "memory/peak", "reason");
	emit_colour(print->emit, EMIT_PLAIN);
	emit_print(print->emit, "\n");
}

/* The time in the JSON is UTC with microseconds, as in the log. */
static void top_print_time(struct emit *emit)
{
	const int64_t now_ns = clock_realtime_ns();
	const time_t seconds = (time_t)(now_ns / 1000000000);
	struct tm parts = {0};
	char text[64];
	size_t used = strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", gmtime_r(&seconds, &parts));
	snprintf(text + used, sizeof text - used, ".%06dZ", (int)(now_ns % 1000000000 / 1000));
	emit_text(emit, "time", NULL, text);
	used = strftime(text, sizeof text, "%H:%M:%S", localtime_r(&seconds, &parts));
	emit_print(emit, "gpushim top  %.*s  ", (int)used, text);
}

static void top_print_header(struct emit *emit, const struct top_view *view, bool live)
{
	emit_colour(emit, EMIT_BOLD);
	top_print_time(emit);
	for (int state = 0; state <= TOP_REPLACED; state++)
		if (state == TOP_RUNNING || view->state_count[state] > 0)
			emit_print(emit, "%s%zu %s", state > 0 ? ", " : "",
			           view->state_count[state], top_view_state((enum top_state)state));
	emit_number(emit, "seconds", NULL, view->seconds);
	if (view->seconds > 0)
		emit_print(emit, "  last %.2f s", view->seconds);
	emit_print(emit, "%s", live ? "  q quits" : "");
	emit_colour(emit, EMIT_PLAIN);
	emit_print(emit, "\n");
}

static void top_print_reasons(const struct top_layout *print, const struct top_view *view, int most)
{
	if (most > 0)
		emit_print(print->emit, "\n");
	for (int i = 0; i < view->reason_count && i < most; i++) {
		const enum reason reason = view->reasons[i];
		top_print_rate(print, "%5s/s ", (double)view->interval[reason].calls);
		emit_print(print->emit, "%s: %s\n", reason_name(reason), reason_sentence(reason));
	}
}

/* room: lines for rows, 0 for no limit. Where rows do not fit, the last line counts them. */
static void top_print_rows(const struct top_layout *print, const struct top_view *view, int room)
{
	const size_t shown =
		room > 0 && view->row_count > (size_t)room ? (size_t)room - 1 : view->row_count;
	emit_open_list(print->emit, "processes");
	for (size_t i = 0; i < shown; i++)
		top_print_row(print, &view->rows[i]);
	emit_close_list(print->emit);
	if (shown < view->row_count)
		emit_print(print->emit, "        and %zu more\n", view->row_count - shown);
	if (view->row_count == 0)
		emit_print(print->emit, "        no process with the shim is running\n");
}

static void top_print_files(struct emit *emit, const struct top_watch *watch)
{
	size_t left_out = 0;
	for (int fault = 0; fault < TOP_FAULTS; fault++)
		left_out += watch->left_out[fault].count;
	emit_count(emit, "dead_files", NULL, watch->dead_files);
	emit_count(emit, "left_out", NULL, left_out);
}

void top_print(struct emit *emit, const struct top_view *view, const struct top_watch *watch,
               const struct top_page *page)
{
	struct top_layout print = {.emit = emit, .seconds = view->seconds};
	const bool live = page->lines > 0;
	const int most = !live || page->lines >= 20 ? PRINT_REASONS : page->lines >= 14 ? 3 : 0;
	const int reasons = view->reason_count < most ? view->reason_count : most;
	const int room = page->lines - 3 - (reasons > 0 ? reasons + 1 : 0) - (page->note != NULL);
	emit->coloured = page->coloured;
	emit->columns = live ? page->columns : 0;
	top_print_lay_out(&print, page->columns);
	top_print_header(emit, view, live);
	top_print_titles(&print);
	top_print_rows(&print, view, !live ? 0 : room > 1 ? room : 1);
	top_print_total(&print, view);
	top_print_reasons(&print, view, reasons);
	top_print_files(emit, watch);
	if (page->note != NULL) {
		emit_colour(emit, EMIT_YELLOW);
		emit_print(emit, "%s", page->note);
		emit_colour(emit, EMIT_PLAIN);
		emit_print(emit, "\n");
	}
}
