/* page_ranks.c - tables of ranks and GPUs */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/report/page_part.h"
#include "cli/report/report_ranks.h"

static void page_ranks_begin(struct html *page, const char *const *head, int count)
{
	html_enter(page, "div", "table named");
	html_enter(page, "table", NULL);
	html_row(page, head, count, 1, true);
}

static void page_ranks_end(struct html *page)
{
	html_leave(page);
	html_leave(page);
}

static void page_ranks_put_name(struct html *page, const char *name)
{
	html_enter(page, "td", NULL);
	html_line(page, "code", NULL, "%s", name);
	html_leave(page);
}

static void page_ranks_put_count(struct html *page, uint64_t count)
{
	char text[HUMAN_BYTES];
	human_format_count(count, text);
	html_line(page, "td", "number", "%s", text);
}

/* A dash where the time is not known. */
static void page_ranks_put_time(struct html *page, double time_ns, uint64_t known)
{
	char text[HUMAN_BYTES] = "\u2013";
	if (known > 0)
		units_time(time_ns, text);
	html_line(page, "td", "number", "%s", text);
}

static void page_ranks_put_size(struct html *page, double size_bytes)
{
	char text[HUMAN_BYTES];
	units_amount(size_bytes, "B", text);
	html_line(page, "td", "number", "%s", text);
}

static void page_ranks_put_row(struct html *page, const char *name, const struct log_sides *sides)
{
	const struct log_tally *cpu = &sides->side[TARGET_CPU], *gpu = &sides->side[TARGET_GPU];
	const struct log_tally both = report_group_both(sides);
	html_enter(page, "tr", NULL);
	page_ranks_put_name(page, name);
	page_ranks_put_count(page, both.calls);
	page_ranks_put_time(page, both.elapsed_ns, both.timed);
	page_ranks_put_time(page, gpu->elapsed_ns, gpu->timed);
	page_ranks_put_time(page, cpu->elapsed_ns, cpu->timed);
	page_ranks_put_size(page, both.size_bytes);
	page_ranks_put_time(page, gpu->wait_ns, gpu->predicted);
	html_leave(page);
}

static void page_ranks_put_rows(struct html *page, const struct log_sum *sum)
{
	const struct log_rank *rows[REPORT_RANK_ROWS];
	struct log_sides rest;
	char name[REPORT_RANK_BYTES];
	const size_t count = report_ranks_choose(sum, rows, &rest);
	for (size_t i = 0; i < count; i++) {
		report_ranks_name(sum, rows[i], name);
		page_ranks_put_row(page, name, &rows[i]->sides);
	}
	if (sum->ranks.rank_count > count) {
		snprintf(name, sizeof name, "%zu others", sum->ranks.rank_count - count);
		page_ranks_put_row(page, name, &rest);
	}
}

/* One sentence on the balance, and the findings. */
static void page_ranks_put_sentences(struct html *page, const struct log_sum *sum)
{
	struct report_finding rows[REPORT_FINDINGS];
	const struct report_balance balance = report_ranks_balance(sum);
	const size_t count = report_finding_list(sum, rows);
	char text[HUMAN_BYTES];
	if (balance.longest != NULL) {
		units_ratio(balance.longest_ns / balance.mean_ns, text);
		html_line(page, "p", "note",
		          "The longest is %s times the mean; %zu of %zu ranks have records.", text,
		          balance.ranks, balance.size);
	}
	for (size_t i = 0; i < count; i++)
		html_line(page, "p", NULL, "%s.", rows[i].sentence);
}

static void page_ranks_put_cards(struct html *page, const struct log_sum *sum)
{
	static const char *const head[] = {"GPU", "processes", "calls", "time", "bytes", "wait"};
	char name[REPORT_RANK_BYTES];
	html_enter_section(page, "GPUs", "Each by its host and its PCI bus id.");
	page_ranks_begin(page, head, 6);
	for (size_t i = 0; i < sum->ranks.card_count && i < REPORT_RANK_ROWS; i++) {
		const struct log_card *card = &sum->ranks.cards[i];
		report_ranks_name_card(sum, card, name);
		html_enter(page, "tr", NULL);
		page_ranks_put_name(page, name);
		page_ranks_put_count(page, card->processes);
		page_ranks_put_count(page, card->tally.calls);
		page_ranks_put_time(page, card->tally.elapsed_ns, card->tally.timed);
		page_ranks_put_size(page, card->tally.size_bytes);
		page_ranks_put_time(page, card->tally.wait_ns, card->tally.predicted);
		html_leave(page);
	}
	page_ranks_end(page);
	if (sum->ranks.card_count > REPORT_RANK_ROWS)
		html_line(page, "p", "note", "The JSON of the report lists %zu more.",
		          sum->ranks.card_count - REPORT_RANK_ROWS);
	html_leave(page);
}

void page_part_put_ranks(struct html *page, const struct log_sum *sum)
{
	static const char *const head[] = {"rank",     "calls", "time", "GPU time",
	                                   "CPU time", "bytes", "wait"};
	if (report_ranks_are_shown(sum)) {
		html_enter_section(page, "Ranks",
		                   "Wait: by how much calls on the GPU took longer than expected.");
		page_ranks_begin(page, head, 7);
		page_ranks_put_rows(page, sum);
		page_ranks_end(page);
		page_ranks_put_sentences(page, sum);
		html_leave(page);
	}
	if (report_ranks_show_cards(sum))
		page_ranks_put_cards(page, sum);
}
