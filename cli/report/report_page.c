/* report_page.c - the HTML page of a report */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/report/report.h"

#include <errno.h>
#include <string.h>

#include "cli/common/say.h"
#include "cli/report/page_part.h"

/* The title of the page, the same for every report. */
static const char page_title[] = "gpushim: where the calls went";

static void report_page_put_tiles(struct html *page, const struct log_sum *sum)
{
	const struct log_tally *gpu = &sum->total.side[TARGET_GPU],
			       both = report_group_both(&sum->total);
	char text[HUMAN_BYTES];
	html_enter(page, "div", "tiles");
	human_format_count(both.calls, text);
	html_tile(page, text, "calls in the log");
	units_time(both.elapsed_ns, text);
	html_tile(page, text, "spent in them, over all threads");
	page_part_write_share((double)gpu->calls, (double)both.calls, text);
	html_tile(page, text, "of the calls ran on the GPU");
	page_part_write_share(gpu->elapsed_ns, both.elapsed_ns, text);
	html_tile(page, text, "of the time was there");
	if (both.predicted > 0) {
		units_time(both.regret_ns, text);
		html_tile(page, text, "longer than the other side was expected to take");
	}
	html_leave(page);
}

static void report_page_put_lead(struct html *page, const struct log_sum *sum)
{
	char span[HUMAN_BYTES];
	html_line(page, "h1", NULL, "Where the calls went");
	html_enter(page, "p", "lead");
	if (sum->process_count == 1)
		html_text(page, "One process");
	else
		html_text(page, "%zu processes", sum->process_count);
	html_text(page, sum->files == 1 ? ", one log" : ", %zu logs", sum->files);
	if (sum->first_ns >= 0 && sum->last_ns > sum->first_ns) {
		units_time((double)(sum->last_ns - sum->first_ns), span);
		html_text(page, ", %s from the first call to the last", span);
	}
	html_text(page, ". A log of level decision leaves out calls below the threshold.");
	html_leave(page);
}

static void report_page_put_advice(struct html *page, const struct log_sum *sum)
{
	char advice[REPORT_ADVICE_BYTES];
	report_advice_find(sum, advice);
	html_enter(page, "div", "advice");
	html_line(page, "b", NULL, "The first thing to change");
	html_enter(page, "p", NULL);
	html_prose(page, advice);
	html_text(page, ".");
	html_leave(page);
	html_leave(page);
}

bool report_page_write(const struct log_sum *sum, const struct machine *machine, const char *path)
{
	struct html page;
	int error = ENOMEM;
	if (html_start(&page, page_title)) {
		report_page_put_lead(&page, sum);
		report_page_put_tiles(&page, sum);
		report_page_put_advice(&page, sum);
		page_part_put_timeline(&page, sum);
		page_part_put_curves(&page, sum, machine);
		page_part_put_sizes(&page, sum);
		page_part_put_routines(&page, sum);
		page_part_put_reasons(&page, sum);
		page_part_put_objects(&page, sum);
		html_line(&page, "footer", NULL, "Made by gpushim report, gpushim %s.",
		          GPUSHIM_VERSION);
		error = html_store(&page, path);
	}
	if (error != 0)
		say("cannot write %s: %s; there is no page", path, say_error(error));
	return error == 0;
}
