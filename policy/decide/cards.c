/* cards.c - deals GPUs by the numbers of a node's processes, or by how many use each */
/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/decide/cards.h"

#include <stdint.h>

bool cards_are_dealt(const struct cards *cards)
{
	return cards->launch.processes > 1 && cards->launch.rank >= 0;
}

bool cards_are_private(const struct cards *cards)
{
	const struct launch *launch = &cards->launch;
	const int known = cards->same_view + cards->other_views + 1;
	if (!cards_are_dealt(cards))
		return false;
	if (cards->same_view == 0 && launch->gpus == (int64_t)launch->processes * cards->count)
		return true;
	return cards->other_views > 0 && known >= launch->processes;
}

static void cards_deal(const struct cards *cards, int order[CARDS_MAX])
{
	for (int i = 0; i < cards->count; i++)
		order[i] = (int)(((unsigned)cards->launch.rank + (unsigned)i) %
		                 (unsigned)cards->count);
}

static bool cards_is_fuller(const struct cards *cards, int card, int than)
{
	if (cards->live[card] != cards->live[than])
		return cards->live[card] > cards->live[than];
	return cards->users[card] > cards->users[than];
}

/* Insertion keeps the order of equals. */
static void cards_sort(const struct cards *cards, int order[CARDS_MAX])
{
	for (int card = 0; card < cards->count; card++) {
		int place = card;
		for (; place > 0 && cards_is_fuller(cards, order[place - 1], card); place--)
			order[place] = order[place - 1];
		order[place] = card;
	}
}

void cards_order(const struct cards *cards, int order[CARDS_MAX])
{
	if (cards_are_dealt(cards))
		cards_deal(cards, order);
	else
		cards_sort(cards, order);
}

/* Processes of the launcher that it leads to the card. */
static int cards_count_dealt(const struct cards *cards, int card)
{
	const int processes = cards->launch.processes;
	return processes / cards->count + (card < processes % cards->count);
}

bool cards_is_free(const struct cards *cards, int home, int card)
{
	const bool anothers = cards_are_dealt(cards) && !cards_are_private(cards) &&
	                      card % cards->launch.processes != cards->launch.rank;
	return card == home || (cards->live[card] == 0 && !anothers);
}

int cards_count_sharers(const struct cards *cards, int card)
{
	const bool shared = cards_are_dealt(cards) && !cards_are_private(cards);
	const int dealt = shared ? cards_count_dealt(cards, card) : 1;
	const int known = cards->live[card] + 1;
	return known > dealt ? known : dealt;
}
