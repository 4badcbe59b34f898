/* top_print.c - one interval as a page of text or as one line of JSON */
/* SPDX-License-Identifier: Apache-2.0 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli/common/say.h"
#include "cli/common/wrap.h"
#include "cli/top/top_view.h"
#include "shim/base/clock.h"

/*
 * Columns of a row, each with the blank before it. Program, calls and share are always shown, the
 * others as far as they fit; none is cut but the program.
 */
enum {
	PRINT_PID = 8,
	PRINT_PROGRAM_LEAST = 4,
	PRINT_PROGRAM = 10,
	PRINT_PROGRAM_MOST = 24,
	PRINT_CALLS = 8,
	PRINT_SHARE = 6,
	PRINT_BAR = 4,
	PRINT_BAR_MOST = 10,
	PRINT_SECONDS = 6,
	PRINT_BYTES = 8,
	PRINT_MEMORY = 12,
	PRINT_REASON = 22,
	PRINT_ALWAYS = PRINT_CALLS + PRINT_SHARE,
	PRINT_REASONS = 5,
	PRINT_RATE_INDENT = 9,
	PRINT_LINE_BYTES = 128
};

/*
 * columns: of a line. program, bar: widths; a bar of 0 and the columns that are false are left out.
 * seconds: the length of the interval, 0 at the first look.
 */
struct top_layout {
	struct emit *emit;
	int columns, program, bar;
	bool pid, reason, bytes, gpu_seconds, memory;
	double seconds;
};

/* Takes the width out of room, if it is there. */
static bool top_print_take(int width, int *room)
{
	const bool fits = *room >= width;
	if (fits)
		*room -= width;
	return fits;
}

static int top_print_widen(int least, int most, int *room)
{
	const int more = *room < most - least ? *room : most - least;
	*room -= more;
	return least + more;
}

/* The columns that say most come first. */
static void top_print_lay_out(struct top_layout *print, int columns)
{
	int room = columns - (PRINT_PROGRAM + PRINT_ALWAYS);
	print->columns = columns;
	print->program = room < 0 ? PRINT_PROGRAM + room : PRINT_PROGRAM;
	if (print->program < PRINT_PROGRAM_LEAST)
		print->program = PRINT_PROGRAM_LEAST;
	print->pid = top_print_take(PRINT_PID, &room);
	print->reason = top_print_take(PRINT_REASON, &room);
	print->bytes = top_print_take(PRINT_BYTES, &room);
	print->gpu_seconds = top_print_take(PRINT_SECONDS, &room);
	print->memory = top_print_take(PRINT_MEMORY, &room);
	print->bar = top_print_take(PRINT_BAR + 1, &room) ? PRINT_BAR : 0;
	if (print->bar > 0)
		print->bar = top_print_widen(PRINT_BAR, PRINT_BAR_MOST, &room);
	if (room > 0)
		print->program = top_print_widen(PRINT_PROGRAM, PRINT_PROGRAM_MOST, &room);
}

static void top_print_rate(const struct top_layout *print, const char *form, double amount)
{
	char text[HUMAN_BYTES];
	units_compact(print->seconds > 0 ? amount / print->seconds : 0, text);
	emit_text(print->emit, EMIT_NO_KEY, form, text);
}

static void top_print_share(const struct top_layout *print, double share, enum emit_colour colour)
{
	const enum emit_colour bar = colour != EMIT_PLAIN ? colour : EMIT_GREEN;
	const struct emit_part parts[] = {{share, '#', bar}, {1, '.', bar}};
	char percent[HUMAN_BYTES] = "-";
	if (share >= 0)
		human_format_percent((uint64_t)(share * 1e9 + 0.5), 1000000000, percent);
	if (share > 0 && share * 1e9 < 0.5)
		strcpy(percent, "<1 %");
	if (print->bar > 0) {
		emit_print(print->emit, " ");
		emit_bar(print->emit, print->bar, parts, 2);
		emit_colour(print->emit, colour);
	} else if (share > 0) {
		emit_colour(print->emit, bar);
	}
	emit_text(print->emit, EMIT_NO_KEY, " %5s", percent);
	emit_colour(print->emit, colour);
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
	emit_text(print->emit, EMIT_NO_KEY, print->memory ? " %11s" : NULL, text);
}

/* In the JSON only. */
static void top_print_traffic(struct emit *emit, const struct top_traffic *traffic)
{
	emit_count(emit, "sent_bytes", NULL, traffic->sent_bytes);
	emit_count(emit, "kept_bytes", NULL, traffic->kept_bytes);
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
	top_print_rate(print, " %7s", (double)load->calls);
	top_print_share(print, top_view_share(load), colour);
	top_print_rate(print, print->gpu_seconds ? " %5s" : NULL, (double)load->gpu_ns / 1e9);
	top_print_rate(print, print->bytes ? " %7s" : NULL, (double)load->size_bytes);
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

/* A + stands where a longer name goes on. */
static void top_print_program(const struct top_layout *print, const char *program)
{
	if (wrap_measure(program, strlen(program)) <= print->program)
		emit_print(print->emit, "%s%*s", program,
		           print->program - wrap_measure(program, strlen(program)), "");
	else
		emit_print(print->emit, "%.*s+",
		           (int)wrap_fit(program, strlen(program), print->program - 1), program);
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
	emit_integer(emit, "pid", print->pid ? "%7s " : NULL, sample->pid);
	emit_text(emit, "program", NULL, sample->program);
	emit_text(emit, "state", NULL, state);
	top_print_program(print, sample->program);
	top_print_load(print, &row->load, colour);
	top_print_memory(print, sample->device_bytes, sample->device_bytes_peak);
	top_print_traffic(emit, &process->traffic);
	if (print->reason)
		emit_print(emit, " %s", process->state == TOP_RUNNING ? reason : state);
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
		emit_print(print->emit, "%*s%-*s", print->pid ? PRINT_PID : 0, "", print->program,
		           "total");
		top_print_load(print, &view->total, EMIT_BOLD);
		top_print_memory(print, view->device_bytes, view->device_bytes_peak);
		top_print_traffic(print->emit, &view->traffic);
		emit_colour(print->emit, EMIT_PLAIN);
		emit_print(print->emit, "\n");
	}
	top_print_reason_counts(print->emit, view->interval);
	emit_close(print->emit);
}

static void top_print_titles(const struct top_layout *print)
{
	struct emit *emit = print->emit;
	emit_colour(emit, EMIT_BOLD);
	if (print->pid)
		emit_print(emit, "%7s ", "pid");
	emit_print(emit, "%-*.*s %7s", print->program, print->program, "program", "calls/s");
	if (print->bar > 0)
		emit_print(emit, " %-*s", print->bar + PRINT_SHARE, "on the GPU");
	else
		emit_print(emit, " %*s", PRINT_SHARE - 1, "GPU");
	if (print->gpu_seconds)
		emit_print(emit, " %5s", "GPU s");
	if (print->bytes)
		emit_print(emit, " %7s", "bytes/s");
	if (print->memory)
		emit_print(emit, " %11s", "memory/peak");
	if (print->reason)
		emit_print(emit, " %s", "reason");
	emit_colour(emit, EMIT_PLAIN);
	emit_print(emit, "\n");
}

/* A part of the first line, unless it is too long for it. */
static void top_print_part(const struct top_layout *print, int *column, const char *text)
{
	const int gap = *column > 0 ? 2 : 0, width = gap + (int)strlen(text);
	if (*column + width > print->columns)
		return;
	emit_print(print->emit, "%*s%s", gap, "", text);
	*column += width;
}

/* The time in the JSON is UTC with microseconds, as in the log. */
static void top_print_time(const struct top_layout *print, int *column)
{
	const int64_t now_ns = clock_realtime_ns();
	const time_t seconds = (time_t)(now_ns / 1000000000);
	struct tm parts = {0};
	char text[64];
	size_t used = strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", gmtime_r(&seconds, &parts));
	snprintf(text + used, sizeof text - used, ".%06dZ", (int)(now_ns % 1000000000 / 1000));
	emit_text(print->emit, "time", NULL, text);
	used = strftime(text, sizeof text, "%H:%M:%S", localtime_r(&seconds, &parts));
	text[used] = '\0';
	top_print_part(print, column, text);
}

/* How much of what the calls of the interval need the GPUs had from earlier calls. */
static void top_print_kept(const struct top_layout *print, const struct top_view *view, int *column)
{
	char text[PRINT_LINE_BYTES] = "", share[HUMAN_BYTES];
	const struct top_traffic *traffic = &view->traffic;
	units_share((double)traffic->kept_bytes,
	            (double)traffic->sent_bytes + (double)traffic->kept_bytes, share);
	snprintf(text, sizeof text, "%s of the operands were there", share);
	if (traffic->kept_bytes > 0)
		top_print_part(print, column, text);
}

static void top_print_header(const struct top_layout *print, const struct top_view *view, bool live)
{
	char text[PRINT_LINE_BYTES] = "";
	int column = 0;
	emit_colour(print->emit, EMIT_BOLD);
	top_print_part(print, &column, "gpushim top");
	top_print_time(print, &column);
	for (int state = 0; state <= TOP_REPLACED; state++)
		if (state == TOP_RUNNING || view->state_count[state] > 0)
			snprintf(text + strlen(text), sizeof text - strlen(text), "%s%zu %s",
			         state > 0 ? ", " : "", view->state_count[state],
			         top_view_state((enum top_state)state));
	top_print_part(print, &column, text);
	emit_number(print->emit, "seconds", NULL, view->seconds);
	snprintf(text, sizeof text, "last %.2f s", view->seconds);
	if (view->seconds > 0)
		top_print_part(print, &column, text);
	if (live)
		top_print_part(print, &column, "q quits");
	top_print_kept(print, view, &column);
	emit_colour(print->emit, EMIT_PLAIN);
	emit_print(print->emit, "\n");
}

/* The text in lines of the page, to be freed. */
static char *top_print_wrap(const struct top_layout *print, const char *text, int indent)
{
	return say_need(wrap_text(text, print->columns, 0, indent));
}

static int top_print_count_lines(const char *text)
{
	int lines = 1;
	for (; *text != '\0'; text++)
		lines += *text == '\n';
	return lines;
}

/*
 * The sentences of the first reasons as far as they need no more than most lines; "" where there
 * are none. To be freed.
 */
static char *top_print_reasons(const struct top_layout *print, const struct top_view *view,
                               int most)
{
	char *all = say_text("%s", "");
	for (int i = 0; i < view->reason_count && i < PRINT_REASONS; i++) {
		const enum reason reason = view->reasons[i];
		char rate[HUMAN_BYTES];
		const double calls = (double)view->interval[reason].calls;
		units_compact(print->seconds > 0 ? calls / print->seconds : 0, rate);
		char *line = say_text("%5s/s %s: %s", rate, reason_name(reason),
		                      reason_sentence(reason));
		char *lines = top_print_wrap(print, line, PRINT_RATE_INDENT);
		char *longer = say_text("%s\n%s", all, lines);
		const bool fits = top_print_count_lines(longer) <= most + 1;
		free(line);
		free(lines);
		free(fits ? all : longer);
		all = fits ? longer : all;
		if (!fits)
			break;
	}
	return all;
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
		emit_print(print->emit, "%*sand %zu more\n", print->pid ? PRINT_PID : 0, "",
		           view->row_count - shown);
	if (view->row_count == 0)
		emit_print(print->emit, "%*sno process with the shim is running\n",
		           print->reason ? PRINT_PID : 0, "");
}

static void top_print_files(struct emit *emit, const struct top_watch *watch)
{
	size_t left_out = 0;
	for (int fault = 0; fault < TOP_FAULTS; fault++)
		left_out += watch->left_out[fault].count;
	emit_count(emit, "dead_files", NULL, watch->dead_files);
	emit_count(emit, "left_out", NULL, left_out);
}

/* The lines below the table: reasons and a note, each "" or beginning with a newline. */
static void top_print_foot(const struct top_layout *print, const char *reasons, const char *note)
{
	emit_print(print->emit, "%s%s", reasons, reasons[0] != '\0' ? "\n" : "");
	if (note[0] == '\0')
		return;
	emit_colour(print->emit, EMIT_YELLOW);
	emit_print(print->emit, "%s", note);
	emit_colour(print->emit, EMIT_PLAIN);
	emit_print(print->emit, "\n");
}

void top_print(struct emit *emit, const struct top_view *view, const struct top_watch *watch,
               const struct top_page *page)
{
	struct top_layout print = {.emit = emit, .seconds = view->seconds};
	const bool live = page->lines > 0;
	emit->coloured = page->coloured;
	emit->columns = live ? page->columns : 0;
	top_print_lay_out(&print, page->columns);
	const int most = !live               ? INT_MAX - 1
	                 : page->lines >= 20 ? PRINT_REASONS + 1
	                 : page->lines >= 14 ? PRINT_REASONS - 2
	                                     : 0;
	char *reasons = top_print_reasons(&print, view, most);
	char *note = top_print_wrap(&print, page->note != NULL ? page->note : "", 0);
	const int room = page->lines - 2 - top_print_count_lines(reasons) - (reasons[0] != '\0') -
	                 (note[0] != '\0' ? top_print_count_lines(note) : 0);
	top_print_header(&print, view, live);
	top_print_titles(&print);
	top_print_rows(&print, view, !live ? 0 : room > 1 ? room : 1);
	top_print_total(&print, view);
	top_print_foot(&print, reasons, note);
	top_print_files(emit, watch);
	free(reasons);
	free(note);
}
