/* top_print.c - an interval as a page of text, for a terminal or for a file */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli/common/say.h"
#include "cli/top/top_view.h"

/* The columns of a row: what all have, and what three of them have at least and at most. */
enum {
	PRINT_FIXED = 50,
	PRINT_BEFORE_BAR = 18, /* and the program */
	PRINT_PROGRAM = 10,
	PRINT_PROGRAM_MOST = 24,
	PRINT_BAR = 4,
	PRINT_BAR_MOST = 10,
	PRINT_REASON = 16,
	PRINT_REASON_MOST = 21
};

enum { PRINT_NUMBER_BYTES = 8, PRINT_LINE_BYTES = 512, PRINT_REASONS = 5 };

/* As SGR numbers them. */
enum print_colour { PRINT_PLAIN, PRINT_BOLD, PRINT_DIM, PRINT_RED = 31, PRINT_GREEN, PRINT_YELLOW };

/* program, bar, reason: widths. */
struct print {
	FILE *out;
	const struct top_page *page;
	int program, bar, reason;
};

static int top_print_widen(int least, int most, int *extra)
{
	const int more = *extra < most - least ? *extra : most - least;
	*extra -= more;
	return least + more;
}

static void top_print_lay_out(struct print *print)
{
	int extra = print->page->columns - (PRINT_FIXED + PRINT_PROGRAM + PRINT_BAR + PRINT_REASON);
	if (extra < 0)
		extra = 0;
	print->reason = top_print_widen(PRINT_REASON, PRINT_REASON_MOST, &extra);
	print->bar = top_print_widen(PRINT_BAR, PRINT_BAR_MOST, &extra);
	print->program = top_print_widen(PRINT_PROGRAM, PRINT_PROGRAM_MOST, &extra);
}

/* Letters from..to of a line, as far as the page is wide. */
static void top_print_span(const struct print *print, const char *text, size_t from, size_t to,
                           enum print_colour colour)
{
	const size_t length = strlen(text),
		     width = print->page->lines > 0 ? (size_t)print->page->columns : length;
	const size_t end = to < length ? to : length, last = end < width ? end : width;
	const bool coloured = colour != PRINT_PLAIN && print->page->coloured;
	if (from >= last)
		return;
	if (coloured)
		fprintf(print->out, "\033[%dm", (int)colour);
	fprintf(print->out, "%.*s", (int)(last - from), text + from);
	if (coloured)
		fputs("\033[0m", print->out);
}

static void top_print_line(const struct print *print, const char *text, enum print_colour colour)
{
	top_print_span(print, text, 0, SIZE_MAX, colour);
	putc('\n', print->out);
}

/* Three digits and a letter: 0.25, 12.3, 456, 1.23k, 45.6M. */
static void top_print_number(double value, char out[PRINT_NUMBER_BYTES])
{
	static const char units[] = " kMGTPEZ";
	size_t unit = 0;
	for (; value >= 999.5 && unit + 1 < strlen(units); unit++)
		value /= 1000;
	if (!(value > 0) || value >= 999.5) {
		strcpy(out, value > 0 ? "much" : "0");
		return;
	}
	snprintf(out, PRINT_NUMBER_BYTES, "%.*f%c",
	         value < 9.995   ? 2
	         : value < 99.95 ? 1
	                         : 0,
	         value, units[unit]);
	if (unit == 0)
		out[strlen(out) - 1] = '\0';
}

static void top_print_rate(double amount, double seconds, char out[PRINT_NUMBER_BYTES])
{
	top_print_number(seconds > 0 ? amount / seconds : 0, out);
}

/* 100% only where it is all, 0% only where it is nothing. */
static void top_print_share(const struct print *print, const struct top_load *load, char *out,
                            size_t size)
{
	const double share = top_view_share(load);
	const int marks = share > 0 ? (int)(share * print->bar + 0.5) : 0;
	char bar[PRINT_BAR_MOST + 1] = "", percent[PRINT_NUMBER_BYTES] = "-";
	memset(bar, '#', (size_t)marks);
	memset(bar + marks, '.', (size_t)(print->bar - marks));
	if (share > 0 && share < 0.01)
		strcpy(percent, "<1%");
	else if (share >= 0)
		snprintf(percent, sizeof percent, "%d%%", (int)(share * 100));
	snprintf(out, size, "%s%5s", bar, percent);
}

static void top_print_load(const struct print *print, const char *head, const struct top_load *load,
                           const uint64_t memory[2], double seconds, const char *tail,
                           enum print_colour colour)
{
	char calls[PRINT_NUMBER_BYTES], gpu[PRINT_NUMBER_BYTES], bytes[PRINT_NUMBER_BYTES];
	char held[PRINT_NUMBER_BYTES], peak[PRINT_NUMBER_BYTES], share[32],
		both[2 * PRINT_NUMBER_BYTES];
	char line[PRINT_LINE_BYTES];
	const size_t bar = PRINT_BEFORE_BAR + (size_t)print->program,
		     end = bar + (size_t)print->bar;
	top_print_rate((double)load->calls, seconds, calls);
	top_print_rate((double)load->gpu_ns / 1e9, seconds, gpu);
	top_print_rate((double)load->size_bytes, seconds, bytes);
	top_print_number((double)memory[0], held);
	top_print_number((double)memory[1], peak);
	top_print_share(print, load, share, sizeof share);
	snprintf(both, sizeof both, "%s/%s", held, peak);
	snprintf(line, sizeof line, "%-*.*s %7s  %s %5s %7s %11s %.*s", 8 + print->program,
	         8 + print->program, head, calls, share, gpu, bytes, both, print->reason, tail);
	for (size_t length = strlen(line); length > 0 && line[length - 1] == ' '; length--)
		line[length - 1] = '\0';
	top_print_span(print, line, 0, bar, colour);
	top_print_span(print, line, bar, end, colour != PRINT_PLAIN ? colour : PRINT_GREEN);
	top_print_span(print, line, end, SIZE_MAX, colour);
	putc('\n', print->out);
}

static enum print_colour top_print_colour(enum top_state state)
{
	switch (state) {
	case TOP_RUNNING: return PRINT_PLAIN;
	case TOP_KILLED: return PRINT_RED;
	default: return PRINT_DIM;
	}
}

/* Idle processes have no reason; those that are gone have their end in its place. */
static void top_print_row(const struct print *print, const struct top_row *row, double seconds)
{
	const struct top_process *process = row->process;
	const struct top_sample *sample = &process->sample;
	const bool runs = process->state == TOP_RUNNING;
	const uint64_t memory[] = {sample->device_bytes, sample->device_bytes_peak};
	char head[PRINT_LINE_BYTES];
	snprintf(head, sizeof head, "%7lld %s", (long long)sample->pid, sample->program);
	const char *reason = row->load.top != REASON_NONE ? reason_name(row->load.top) : "-";
	top_print_load(print, head, &row->load, memory, seconds,
	               runs ? reason : top_view_state(process->state),
	               top_print_colour(process->state));
}

static void top_print_titles(const struct print *print)
{
	char line[PRINT_LINE_BYTES];
	snprintf(line, sizeof line, "%7s %-*s %7s  %-*s %5s %7s %11s %s", "pid", print->program,
	         "program", "calls/s", print->bar + 5, print->bar < 6 ? "on GPU" : "on the GPU",
	         "GPU s", "bytes/s", "memory/peak", "reason");
	top_print_line(print, line, PRINT_BOLD);
}

static void top_print_header(const struct print *print, const struct top_view *view)
{
	char line[PRINT_LINE_BYTES] = "gpushim top  ";
	const time_t now = time(NULL);
	struct tm parts = {0};
	size_t used = strlen(line);
	used += strftime(line + used, sizeof line - used, "%H:%M:%S  ", localtime_r(&now, &parts));
	for (int state = 0; state <= TOP_REPLACED; state++)
		if (state == TOP_RUNNING || view->state_count[state] > 0)
			used += (size_t)snprintf(line + used, sizeof line - used, "%s%zu %s",
			                         state > 0 ? ", " : "", view->state_count[state],
			                         top_view_state((enum top_state)state));
	if (view->seconds > 0)
		used += (size_t)snprintf(line + used, sizeof line - used, "  last %.2f s",
		                         view->seconds);
	if (print->page->lines > 0)
		snprintf(line + used, sizeof line - used, "  q quits");
	top_print_line(print, line, PRINT_BOLD);
}

static void top_print_reasons(const struct print *print, const struct top_view *view, int most)
{
	char line[PRINT_LINE_BYTES], rate[PRINT_NUMBER_BYTES];
	if (most > 0)
		putc('\n', print->out);
	for (int i = 0; i < view->reason_count && i < most; i++) {
		const enum reason reason = view->reasons[i];
		top_print_rate((double)view->interval[reason].calls, view->seconds, rate);
		snprintf(line, sizeof line, "%5s/s %s: %s", rate, reason_name(reason),
		         reason_sentence(reason));
		top_print_line(print, line, PRINT_PLAIN);
	}
}

/* As many as fit, and how many did not. */
static void top_print_rows(const struct print *print, const struct top_view *view, int room)
{
	size_t shown = view->row_count;
	char line[PRINT_LINE_BYTES];
	if (print->page->lines > 0 && view->row_count > (size_t)room)
		shown = (size_t)(room - 1);
	for (size_t i = 0; i < shown; i++)
		top_print_row(print, &view->rows[i], view->seconds);
	snprintf(line, sizeof line, "        and %zu more", view->row_count - shown);
	if (shown < view->row_count)
		top_print_line(print, line, PRINT_PLAIN);
	if (view->row_count == 0)
		top_print_line(print, "        no process with the shim is running", PRINT_PLAIN);
}

char *top_print_view(const struct top_view *view, const char *note, const struct top_page *page)
{
	char *text = NULL;
	size_t size = 0;
	struct print print = {.out = say_need(open_memstream(&text, &size)), .page = page};
	const uint64_t memory[] = {view->device_bytes, view->device_bytes_peak};
	const int most = page->lines == 0 || page->lines >= 20 ? PRINT_REASONS
	                 : page->lines >= 14                   ? 3
	                                                       : 0;
	const int reasons = view->reason_count < most ? view->reason_count : most;
	const int room = page->lines - 3 - (reasons > 0 ? reasons + 1 : 0) - (note != NULL);
	top_print_lay_out(&print);
	top_print_header(&print, view);
	top_print_titles(&print);
	top_print_rows(&print, view, room > 1 ? room : 1);
	if (view->row_count > 0)
		top_print_load(&print, "        total", &view->total, memory, view->seconds, "",
		               PRINT_BOLD);
	top_print_reasons(&print, view, reasons);
	if (note != NULL)
		top_print_line(&print, note, PRINT_YELLOW);
	if (fclose(print.out) != 0 || text == NULL)
		say_need(NULL);
	return text;
}
