/* report_ranks.c - tables of the ranks of MPI and of the GPUs that they used */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/report/report_ranks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/common/say.h"
#include "cli/report/report_group.h"

/* Columns of a name. */
enum { RANKS_NAME = 28 };

bool report_ranks_are_shown(const struct log_sum *sum)
{
	return sum->ranks.rank_count > 1;
}

bool report_ranks_show_cards(const struct log_sum *sum)
{
	const size_t cards = sum->ranks.card_count;
	return cards > 1 || (cards > 0 && report_ranks_are_shown(sum));
}

static double report_ranks_find_time(const struct log_sides *sides)
{
	return sides->side[TARGET_CPU].elapsed_ns + sides->side[TARGET_GPU].elapsed_ns;
}

struct ranks_order {
	const struct log_rank *rank;
	double time_ns;
};

static int report_ranks_compare(const void *left, const void *right)
{
	const struct ranks_order *a = left, *b = right;
	return a->time_ns != b->time_ns ? (a->time_ns < b->time_ns) - (a->time_ns > b->time_ns)
	                                : (a->rank > b->rank) - (a->rank < b->rank);
}

size_t report_ranks_choose(const struct log_sum *sum, const struct log_rank *rows[REPORT_RANK_ROWS],
                           struct log_sides *rest)
{
	const size_t count = sum->ranks.rank_count;
	struct ranks_order *all = say_need(calloc(count + 1, sizeof *all));
	size_t shown = 0;
	memset(rest, 0, sizeof *rest);
	for (size_t i = 0; i < count; i++)
		all[i] = (struct ranks_order){&sum->ranks.ranks[i],
		                              report_ranks_find_time(&sum->ranks.ranks[i].sides)};
	if (count > REPORT_RANK_ROWS)
		qsort(all, count, sizeof *all, report_ranks_compare);
	for (size_t i = 0; i < count; i++)
		if (shown < REPORT_RANK_ROWS)
			rows[shown++] = all[i].rank;
		else
			log_sum_add_sides(rest, &all[i].rank->sides);
	free(all);
	return shown;
}

static bool report_ranks_same_launch(const struct log_sum *sum, const struct log_rank *a,
                                     const struct log_rank *b)
{
	const struct log_place *one = &sum->ranks.places[a->place],
			       *other = &sum->ranks.places[b->place];
	return strcmp(one->job, other->job) == 0 && strcmp(one->step, other->step) == 0;
}

void report_ranks_name(const struct log_sum *sum, const struct log_rank *rank,
                       char out[REPORT_RANK_BYTES])
{
	const struct log_ranks *ranks = &sum->ranks;
	const struct log_place *place = &ranks->places[rank->place];
	const bool several =
		!report_ranks_same_launch(sum, ranks->ranks, &ranks->ranks[ranks->rank_count - 1]);
	const char *launch = place->job[0] != '\0' ? place->job : place->step;
	snprintf(out, REPORT_RANK_BYTES, "%s%s%d %s", several ? launch : "", several ? ": " : "",
	         rank->rank, place->host);
}

void report_ranks_name_card(const struct log_sum *sum, const struct log_card *card,
                            char out[REPORT_RANK_BYTES])
{
	snprintf(out, REPORT_RANK_BYTES, "%s %s", sum->ranks.places[card->place].host, card->card);
}

/* -- balance --------------------------------------------------------------------------------- */

/* The launch whose ranks are those from begin to end, which is not one of them. */
static struct report_balance report_ranks_weigh(const struct log_rank *begin,
                                                const struct log_rank *end)
{
	struct report_balance balance = {.longest = NULL};
	double sum_ns = 0;
	for (const struct log_rank *rank = begin; rank < end; rank++) {
		const double time_ns = report_ranks_find_time(&rank->sides);
		sum_ns += time_ns;
		balance.ranks++;
		if ((size_t)rank->size > balance.size)
			balance.size = (size_t)rank->size;
		if (time_ns <= balance.longest_ns)
			continue;
		balance.longest = rank;
		balance.longest_ns = time_ns;
	}
	balance.mean_ns = sum_ns / (double)balance.ranks;
	return balance;
}

struct report_balance report_ranks_balance(const struct log_sum *sum)
{
	const struct log_rank *begin = sum->ranks.ranks, *end = begin + sum->ranks.rank_count;
	struct report_balance found = {.longest = NULL};
	while (begin < end) {
		const struct log_rank *next = begin + 1;
		while (next < end && report_ranks_same_launch(sum, begin, next))
			next++;
		const struct report_balance one = report_ranks_weigh(begin, next);
		if (one.ranks > 1 && (found.ranks == 0 || one.longest_ns > found.longest_ns))
			found = one;
		begin = next;
	}
	return found;
}

double report_ranks_find_load(const struct log_card *card)
{
	const double span_ns = (double)(card->last_ns - card->first_ns);
	return card->first_ns >= 0 && span_ns > 0 ? card->tally.elapsed_ns / span_ns : 0;
}

/* -- the text -------------------------------------------------------------------------------- */

static void report_ranks_print_title(struct emit *emit, const char *title, const char *columns)
{
	emit_print(emit, "\n");
	emit_colour(emit, EMIT_BOLD);
	emit_print(emit, "%-*s", RANKS_NAME + 2, title);
	emit_colour(emit, EMIT_PLAIN);
	emit_print(emit, "%s\n", columns);
}

static void report_ranks_print_name(struct emit *emit, const char *name)
{
	char shown[RANKS_NAME + 1];
	snprintf(shown, sizeof shown, "%s", name);
	if (strlen(name) > RANKS_NAME)
		strcpy(shown + RANKS_NAME - 2, "..");
	emit_print(emit, "  %-*s", RANKS_NAME, shown);
}

static void report_ranks_print_time(struct emit *emit, double time_ns, bool known)
{
	if (known)
		emit_time(emit, EMIT_NO_KEY, "%10s", time_ns);
	else
		emit_print(emit, "%10s", "-");
}

static void report_ranks_print_row(struct emit *emit, const char *name,
                                   const struct log_sides *sides)
{
	const struct log_tally *cpu = &sides->side[TARGET_CPU], *gpu = &sides->side[TARGET_GPU];
	const struct log_tally both = report_group_both(sides);
	report_ranks_print_name(emit, name);
	report_ranks_print_time(emit, both.elapsed_ns, both.timed > 0);
	report_ranks_print_time(emit, gpu->elapsed_ns, gpu->timed > 0);
	report_ranks_print_time(emit, cpu->elapsed_ns, cpu->timed > 0);
	emit_amount(emit, EMIT_NO_KEY, "%10s", both.size_bytes, "B");
	report_ranks_print_time(emit, gpu->wait_ns, gpu->predicted > 0);
	emit_print(emit, "\n");
}

static void report_ranks_print_balance(struct emit *emit, const struct log_sum *sum)
{
	const struct report_balance balance = report_ranks_balance(sum);
	char name[REPORT_RANK_BYTES];
	if (balance.longest == NULL)
		return;
	report_ranks_name(sum, balance.longest, name);
	emit_number(emit, EMIT_NO_KEY, "  the longest is %s times the mean",
	            balance.longest_ns / balance.mean_ns);
	emit_print(emit, ": rank %s\n", name);
	if (balance.ranks < balance.size)
		emit_print(emit, "  %zu of %zu ranks have records\n", balance.ranks, balance.size);
}

static void report_ranks_print_ranks(struct emit *emit, const struct log_sum *sum)
{
	const struct log_rank *rows[REPORT_RANK_ROWS];
	struct log_sides rest;
	char name[REPORT_RANK_BYTES];
	const size_t count = report_ranks_choose(sum, rows, &rest);
	report_ranks_print_title(emit, "ranks",
	                         "      time    on GPU    on CPU     bytes      wait");
	for (size_t i = 0; i < count; i++) {
		report_ranks_name(sum, rows[i], name);
		report_ranks_print_row(emit, name, &rows[i]->sides);
	}
	if (sum->ranks.rank_count > count) {
		snprintf(name, sizeof name, "%zu others", sum->ranks.rank_count - count);
		report_ranks_print_row(emit, name, &rest);
	}
	report_ranks_print_balance(emit, sum);
}

static void report_ranks_print_cards(struct emit *emit, const struct log_sum *sum)
{
	char name[REPORT_RANK_BYTES];
	const size_t count = sum->ranks.card_count;
	report_ranks_print_title(emit, "GPUs",
	                         " processes     calls    on GPU     bytes      wait");
	for (size_t i = 0; i < count && i < REPORT_RANK_ROWS; i++) {
		const struct log_card *card = &sum->ranks.cards[i];
		report_ranks_name_card(sum, card, name);
		report_ranks_print_name(emit, name);
		emit_count(emit, EMIT_NO_KEY, "%10s", card->processes);
		emit_count(emit, EMIT_NO_KEY, "%10s", card->tally.calls);
		report_ranks_print_time(emit, card->tally.elapsed_ns, card->tally.timed > 0);
		emit_amount(emit, EMIT_NO_KEY, "%10s", card->tally.size_bytes, "B");
		report_ranks_print_time(emit, card->tally.wait_ns, card->tally.predicted > 0);
		emit_print(emit, "\n");
	}
	if (count > REPORT_RANK_ROWS)
		emit_print(emit, "  and %zu more, which --json lists\n", count - REPORT_RANK_ROWS);
}

void report_ranks_print(struct emit *emit, const struct log_sum *sum)
{
	if (report_ranks_are_shown(sum))
		report_ranks_print_ranks(emit, sum);
	if (report_ranks_show_cards(sum))
		report_ranks_print_cards(emit, sum);
}

/* -- JSON ------------------------------------------------------------------------------------ */

static void report_ranks_put_tally(struct json *json, const char *key,
                                   const struct log_tally *tally)
{
	json_open_object(json, key);
	json_put_count(json, "calls", tally->calls);
	json_put_sum(json, "elapsed_ns", tally->elapsed_ns);
	json_put_sum(json, "bytes", tally->size_bytes);
	json_put_sum(json, "flops", tally->work_flops);
	json_put_sum(json, "wait_ns", tally->wait_ns);
	json_close_object(json);
}

static void report_ranks_put_rank(struct json *json, const struct log_sum *sum,
                                  const struct log_rank *rank)
{
	const struct log_place *place = &sum->ranks.places[rank->place];
	json_open_object(json, NULL);
	json_put_integer(json, "rank", rank->rank);
	json_put_integer(json, "size", rank->size);
	json_put_text(json, "host", place->host);
	json_put_text(json, "launcher", place->launcher);
	json_put_text(json, "job", place->job);
	json_put_text(json, "step", place->step);
	json_put_text(json, "pci", rank->card);
	json_put_count(json, "processes", rank->processes);
	report_ranks_put_tally(json, "cpu", &rank->sides.side[TARGET_CPU]);
	report_ranks_put_tally(json, "gpu", &rank->sides.side[TARGET_GPU]);
	json_close_object(json);
}

static void report_ranks_put_findings(struct json *json, const struct log_sum *sum)
{
	struct report_finding rows[REPORT_FINDINGS];
	const size_t count = report_finding_list(sum, rows);
	json_open_list(json, "findings");
	for (size_t i = 0; i < count; i++) {
		json_open_object(json, NULL);
		json_put_text(json, "name", rows[i].name);
		json_put_number(json, "value", rows[i].value);
		json_put_number(json, "least", rows[i].least);
		json_put_text(json, "sentence", rows[i].sentence);
		json_close_object(json);
	}
	json_close_list(json);
}

static void report_ranks_put_cards(struct json *json, const struct log_sum *sum)
{
	json_open_list(json, "cards");
	for (size_t i = 0; i < sum->ranks.card_count; i++) {
		const struct log_card *card = &sum->ranks.cards[i];
		json_open_object(json, NULL);
		json_put_text(json, "host", sum->ranks.places[card->place].host);
		json_put_text(json, "pci", card->card);
		json_put_count(json, "processes", card->processes);
		json_put_number(json, "load", report_ranks_find_load(card));
		report_ranks_put_tally(json, "gpu", &card->tally);
		json_close_object(json);
	}
	json_close_list(json);
}

void report_ranks_put_json(struct json *json, const struct log_sum *sum)
{
	const struct report_balance balance = report_ranks_balance(sum);
	if (report_ranks_are_shown(sum)) {
		json_open_list(json, "ranks");
		for (size_t i = 0; i < sum->ranks.rank_count; i++)
			report_ranks_put_rank(json, sum, &sum->ranks.ranks[i]);
		json_close_list(json);
		if (balance.longest != NULL)
			json_put_number(json, "longest_by_mean",
			                balance.longest_ns / balance.mean_ns);
		report_ranks_put_findings(json, sum);
	}
	if (report_ranks_show_cards(sum))
		report_ranks_put_cards(json, sum);
}
