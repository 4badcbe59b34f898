/* report_page.c - the HTML page of a report */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/report/report.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cli/common/say.h"
#include "cli/report/page_part.h"
#include "cli/report/report_head.h"

/* Each value of a key on a line of its own, which scrolls inside itself if it is long. */
static void report_page_put_fact(struct html *page, const struct log_sum *sum, enum log_head key,
                                 const char *label)
{
	struct report_head rows[REPORT_HEADS];
	size_t others;
	const size_t count = report_head_list(sum, key, rows, &others);
	html_line(page, "dt", NULL, "%s", label);
	html_enter(page, "dd", NULL);
	if (count == 0)
		html_text(page, "not recorded, as in logs of older versions");
	for (size_t i = 0; i < count; i++) {
		html_enter(page, "div", NULL);
		html_line(page, "bdi", NULL, "%s", rows[i].value);
		if (rows[i].note[0] != '\0')
			html_line(page, "small", NULL, "%s", rows[i].note);
		if (count > 1 || others > 0)
			html_line(page, "small", NULL, "%zu process%s", rows[i].processes,
			          rows[i].processes == 1 ? "" : "es");
		html_leave(page);
	}
	if (others > 0)
		html_line(page, "small", NULL, "and others: %zu process%s", others,
		          others == 1 ? "" : "es");
	html_leave(page);
}

static void report_page_put_facts(struct html *page, const struct log_sum *sum)
{
	char date[REPORT_HEAD_BYTES];
	report_head_describe_date(sum, date);
	html_enter(page, "dl", "facts");
	report_page_put_fact(page, sum, LOG_HEAD_program, "Program");
	if (sum->program_count > 0) {
		report_page_put_fact(page, sum, LOG_HEAD_host, "Host");
		report_page_put_fact(page, sum, LOG_HEAD_machine, "Machine");
	}
	html_line(page, "dt", NULL, "Date");
	html_line(page, "dd", NULL, "%s", date);
	html_leave(page);
}

/* The program's name distinguishes the pages of several reports. */
static bool report_page_start(struct html *page, const struct log_sum *sum)
{
	struct report_head rows[REPORT_HEADS];
	char title[REPORT_HEAD_BYTES + 32] = "gpushim: where the calls went";
	size_t others;
	if (report_head_list(sum, LOG_HEAD_program, rows, &others) == 1 && others == 0)
		snprintf(title, sizeof title, "%s: where the calls went", rows[0].value);
	return html_start(page, title);
}

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

static void report_page_put_advice(struct html *page, const char *advice)
{
	html_enter(page, "div", "advice");
	html_line(page, "b", NULL, "The first thing to change");
	html_enter(page, "p", NULL);
	html_prose(page, advice);
	html_text(page, ".");
	html_leave(page);
	html_leave(page);
}

/* The same lines as in the terminal. */
static void report_page_put_prediction(struct html *page, const struct prediction *prediction)
{
	struct prediction_words words;
	if (prediction == NULL)
		return;
	prediction_describe(prediction, &words);
	html_enter(page, "div", "advice");
	html_line(page, "b", NULL, "What the policy auto would do");
	html_line(page, "p", NULL, "%s:", words.machine);
	html_line(page, "p", NULL, "%s", words.text.calls);
	if (words.text.setups[0] != '\0')
		html_line(page, "p", NULL, "%s", words.text.setups);
	html_leave(page);
}

bool report_page_write(const struct log_sum *sum, const struct prediction *prediction,
                       const char *advice, const struct machine *machine, const char *path)
{
	struct html page;
	int error = ENOMEM;
	if (report_page_start(&page, sum)) {
		report_page_put_lead(&page, sum);
		report_page_put_facts(&page, sum);
		report_page_put_tiles(&page, sum);
		report_page_put_prediction(&page, prediction);
		report_page_put_advice(&page, advice);
		page_part_put_timeline(&page, sum);
		page_part_put_curves(&page, sum, machine);
		page_part_put_ranks(&page, sum);
		page_part_put_sizes(&page, sum);
		page_part_put_routines(&page, sum);
		page_part_put_traffic(&page, sum);
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
