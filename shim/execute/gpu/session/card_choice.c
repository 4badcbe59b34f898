/* card_choice.c - the order of the devices, by the launcher and the ledger */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/session/card_choice.h"

#include <stdatomic.h>
#include <string.h>

#include "policy/decide/cards.h"
#include "shim/base/diag.h"
#include "shim/base/variables.h"
#include "shim/execute/gpu/cuda/cuda_key.h"
#include "shim/execute/gpu/device/lanes.h"
#include "shim/execute/gpu/node/ledger.h"
#include "shim/execute/gpu/node/sharers.h"

_Static_assert((int)CUDA_DEVICES == (int)CARDS_MAX && (int)CUDA_DEVICES == (int)LEDGER_CARDS,
               "one bound for all");

/*
 * Written by the thread that starts CUDA, before any device takes calls. Cards are numbered as the
 * set first was; index: of a device by CUDA's number.
 */
static struct cards choice_cards;
static int choice_index[CUDA_DEVICES], choice_home;
static uint64_t choice_key[CUDA_DEVICES];
static bool choice_free, choice_blind;
static atomic_bool choice_counted; /* the ledger has this process */

/* blind: the choice must not depend on other processes. */
static uint32_t card_choice_pick(const struct ledger_found *found, void *self)
{
	int *order = self;
	for (int i = 0; i < choice_cards.count && !choice_blind; i++) {
		choice_cards.live[i] = found->live[i];
		choice_cards.users[i] = found->users[i];
	}
	cards_order(&choice_cards, order);
	if (!choice_free)
		return UINT32_MAX;
	return UINT32_C(1) << order[0];
}

static void card_choice_say(const struct cuda_set *set, int error)
{
	if (choice_free && !choice_blind && set->count > 1 && !cards_are_dealt(&choice_cards))
		diag_warn("the processes on each GPU cannot be counted (the file in /dev/shm: %s); "
		          "GPU %d is used, whatever others do; the option devices names another",
		          strerrordesc_np(error), set->devices[0].number);
}

static void card_choice_sort(struct cuda_set *set, const int order[CARDS_MAX])
{
	struct cuda_device sorted[CUDA_DEVICES];
	for (int i = 0; i < set->count; i++)
		sorted[i] = set->devices[order[i]];
	memcpy(set->devices, sorted, (size_t)set->count * sizeof sorted[0]);
}

void card_choice_make(struct cuda_set *set, const struct options *options)
{
	int order[CARDS_MAX];
	choice_free = cuda_devices_are_chosen(options->devices);
	choice_blind = options->deterministic;
	choice_cards =
		(struct cards){.count = set->count, .launch = launch_describe(variables_find)};
	for (int i = 0; i < set->count; i++) {
		choice_key[i] = cuda_key_find(&set->devices[i]);
		choice_index[set->devices[i].number] = i;
	}
	const int error = ledger_join(choice_key, set->count, card_choice_pick, order);
	if (choice_free)
		card_choice_sort(set, order);
	choice_home = order[0];
	if (error != 0)
		card_choice_say(set, error);
	atomic_store(&choice_counted, error == 0);
}

bool card_choice_is_free(void)
{
	return choice_free;
}

void card_choice_settle(const struct cuda_device *card)
{
	choice_home = choice_index[card->number];
	if (choice_free)
		ledger_move(choice_key[choice_home]);
}

bool card_choice_borrow(const struct cuda_device *card)
{
	struct cards cards = choice_cards;
	const int index = choice_index[card->number];
	if (!choice_free || choice_blind || !atomic_load(&choice_counted))
		return false;
	cards.live[index] = ledger_count_others(choice_key[index]);
	cards.same_view = ledger_count_same_view();
	cards.other_views = ledger_count_other_views();
	return cards_is_free(&cards, choice_home, index) && ledger_borrow(choice_key[index]);
}

void card_choice_watch(void)
{
	const int count = choice_free ? lanes_count() : 0;
	for (int place = 1; place < count; place++) {
		const int device = lanes_device_at(place);
		lanes_bar(device, ledger_count_others(choice_key[choice_index[device]]) > 0);
	}
}

/* Where each process sees GPUs of its own, sharers_count says so: the launcher deals none then. */
static int card_choice_count_there(int index)
{
	const int known = choice_cards.live[index] + 1, dealt = sharers_count(choice_cards.count);
	const int count = choice_free ? cards_count_sharers(&choice_cards, index) : dealt;
	const int least = count < dealt ? count : dealt;
	return known > least ? known : least;
}

int card_choice_count_sharers(const struct cuda_device *card)
{
	return card_choice_count_there(choice_index[card->number]);
}

/* The launcher's processes start together: the first ones do not find the others in the ledger. */
int card_choice_count_peers(int device, int used)
{
	const int index = choice_index[device];
	if (atomic_load_explicit(&choice_counted, memory_order_acquire)) {
		const int users = ledger_count_users(choice_key[index]) + 1;
		const int there = ledger_is_settled() ? 1 : card_choice_count_there(index);
		return users > there ? users : there;
	}
	return sharers_count(choice_free ? choice_cards.count : used);
}
