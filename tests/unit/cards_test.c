/* cards_test.c - the order of GPUs, the free ones, and the processes on each */
/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>

#include "policy/decide/cards.h"

static void expect_order(const struct cards *cards, const int wanted[], const char *what)
{
	int order[CARDS_MAX];
	cards_order(cards, order);
	for (int i = 0; i < cards->count; i++)
		cr_expect_eq(order[i], wanted[i], "%s: place %d is %d", what, i, order[i]);
}

Test(cards, one_is_never_indexed)
{
	for (int rank = -1; rank < 9; rank++) {
		const struct cards cards = {
			.count = 1, .launch = {.processes = 9, .rank = rank}, .live = {rank + 1}};
		expect_order(&cards, (const int[]){0}, "one");
	}
}

Test(cards, ranks_take_turns)
{
	struct cards cards = {
		.count = 4, .launch = {.processes = 6, .rank = 0}, .live = {9, 9, 0, 0}};
	expect_order(&cards, (const int[]){0, 1, 2, 3}, "rank 0");
	cards.launch.rank = 3;
	expect_order(&cards, (const int[]){3, 0, 1, 2}, "rank 3");
	cards.launch.rank = 5;
	expect_order(&cards, (const int[]){1, 2, 3, 0}, "rank 5");
}

Test(cards, without_a_rank_the_fewest_processes_count)
{
	struct cards cards = {
		.count = 4, .launch = {.processes = 1, .rank = -1}, .live = {2, 1, 0, 1}};
	expect_order(&cards, (const int[]){2, 1, 3, 0}, "no launcher");
	cards.launch = (struct launch){1, 0, 0};
	expect_order(&cards, (const int[]){2, 1, 3, 0}, "a job of one process");
	cards.launch = (struct launch){4, -1, 0};
	expect_order(&cards, (const int[]){2, 1, 3, 0}, "an unknown rank");
	cards.live[2] = 1;
	expect_order(&cards, (const int[]){1, 2, 3, 0}, "of equals the first");
}

Test(cards, bounds)
{
	struct cards cards = {.count = CARDS_MAX,
	                      .launch = {.processes = LAUNCH_PROCESSES_MAX, .rank = -1}};
	int order[CARDS_MAX];
	for (int i = 0; i < CARDS_MAX; i++)
		cards.live[i] = CARDS_MAX - i;
	cards_order(&cards, order);
	for (int i = 0; i < CARDS_MAX; i++)
		cr_expect_eq(order[i], CARDS_MAX - 1 - i);
	cards.launch.rank = LAUNCH_PROCESSES_MAX - 1;
	cards_order(&cards, order);
	cr_expect_eq(order[0], (LAUNCH_PROCESSES_MAX - 1) % CARDS_MAX);
}

/* Each of four ranks has one of four GPUs to itself. */
Test(cards, sharers_of_four_ranks_on_four_cards)
{
	for (int rank = 0; rank < 4; rank++) {
		const struct cards cards = {.count = 4, .launch = {.processes = 4, .rank = rank}};
		int order[CARDS_MAX];
		cards_order(&cards, order);
		cr_expect_eq(order[0], rank);
		cr_expect_eq(cards_count_sharers(&cards, order[0]), 1);
	}
}

Test(cards, sharers_of_other_numbers)
{
	struct cards cards = {
		.count = 4, .launch = {.processes = 6, .rank = 1}, .live = {0, 2, 0, 0}};
	cr_expect_eq(cards_count_sharers(&cards, 0), 2, "two ranks are led there");
	cr_expect_eq(cards_count_sharers(&cards, 1), 3, "more are there");
	cr_expect_eq(cards_count_sharers(&cards, 3), 1);
	cards.launch = (struct launch){1, -1, 0};
	cr_expect_eq(cards_count_sharers(&cards, 1), 3);
	cr_expect_eq(cards_count_sharers(&cards, 0), 1);
	cards = (struct cards){.count = 1, .launch = {.processes = 4, .rank = 2}};
	cr_expect_eq(cards_count_sharers(&cards, 0), 4);
}

Test(cards, free_ones)
{
	struct cards cards = {
		.count = 4, .launch = {.processes = 1, .rank = -1}, .live = {1, 0, 0, 1}};
	cr_expect(cards_is_free(&cards, 0, 0), "the own one, whoever shares it");
	cr_expect(cards_is_free(&cards, 0, 1) && cards_is_free(&cards, 0, 2));
	cr_expect_not(cards_is_free(&cards, 0, 3), "a process works there");
	cards = (struct cards){.count = 4, .launch = {.processes = 2, .rank = 1}};
	cr_expect(cards_is_free(&cards, 1, 3));
	cr_expect_not(cards_is_free(&cards, 1, 0), "rank 0 will come");
	cr_expect_not(cards_is_free(&cards, 1, 2), "that is rank 0's");
	cards.launch = (struct launch){4, 1, 0};
	for (int card = 0; card < 4; card++)
		cr_expect_eq(cards_is_free(&cards, 1, card), card == 1);
	cards.launch = (struct launch){9, 5, 0};
	for (int card = 0; card < 4; card++)
		cr_expect_eq(cards_is_free(&cards, 1, card), card == 1);
}

/* Of equal numbers of processes those that idle weigh less. */
Test(cards, idle_processes_break_ties)
{
	struct cards cards = {.count = 4,
	                      .launch = {.processes = 1, .rank = -1},
	                      .live = {1, 1, 1, 2},
	                      .users = {1, 0, 1, 0}};
	expect_order(&cards, (const int[]){1, 0, 2, 3}, "one idles");
	cards.live[3] = 0;
	expect_order(&cards, (const int[]){3, 1, 0, 2}, "an empty one");
}

/* Two ranks that see two GPUs each: as Slurm's --gpus-per-task=2, or a script around each rank. */
Test(cards, private_ones_are_free)
{
	struct cards cards = {.count = 2, .launch = {2, 0, 4}};
	cr_expect(cards_are_private(&cards), "four for two ranks that see two");
	cr_expect(cards_is_free(&cards, 0, 1));
	cr_expect_eq(cards_count_sharers(&cards, 1), 1);
	cards.live[1] = 1;
	cr_expect_not(cards_is_free(&cards, 0, 1), "another job's process");
	cards = (struct cards){.count = 2, .launch = {2, 0, 4}, .same_view = 1};
	cr_expect_not(cards_is_free(&cards, 0, 1), "four of the job, two of the step for both");
	cards = (struct cards){.count = 2, .launch = {2, 0, 2}};
	cr_expect_not(cards_is_free(&cards, 0, 1), "two for both");
	cards.launch.gpus = 0;
	cr_expect_not(cards_is_free(&cards, 0, 1), "it is not known");
	cards.same_view = 1;
	cr_expect_not(cards_is_free(&cards, 0, 1), "the other one sees the same");
	cards = (struct cards){.count = 2, .launch = {.processes = 2, .rank = 1}, .other_views = 1};
	cr_expect(cards_is_free(&cards, 1, 0), "the other one sees others");
	cards.launch.processes = 4;
	cr_expect_not(cards_is_free(&cards, 1, 0), "two are to come");
	cr_expect_eq(cards_count_sharers(&cards, 0), 2);
	cards.same_view = 1;
	cards.other_views = 2;
	cr_expect(cards_is_free(&cards, 1, 0), "all are there, and none is on it");
	cards.launch = (struct launch){1, -1, 0};
	cr_expect_not(cards_are_private(&cards), "no launcher");
}
