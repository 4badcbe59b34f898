/* doctor_cards.c - the order in which the shim would try the GPUs */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "cli/doctor/doctor.h"
#include "policy/decide/cards.h"
#include "shim/execute/gpu/cuda/cuda_key.h"
#include "shim/execute/gpu/node/ledger.h"

static const char *doctor_cards_find_variable(const char *name)
{
	return getenv(name);
}

/* The doctor looks at the processes on each GPU, and is none of them. */
static uint32_t doctor_cards_note(const struct ledger_found *found, void *self)
{
	struct cards *cards = self;
	memcpy(cards->live, found->live, sizeof cards->live);
	memcpy(cards->users, found->users, sizeof cards->users);
	return 0;
}

void doctor_cards_order(const struct doctor *doctor, int order[CUDA_DEVICES])
{
	const struct cuda_set *set = &doctor->set;
	uint64_t key[CUDA_DEVICES];
	struct cards cards = {.count = set->count,
	                      .launch = launch_describe(doctor_cards_find_variable)};
	for (int i = 0; i < set->count; i++) {
		key[i] = cuda_key_find(&set->devices[i]);
		order[i] = i;
	}
	if (!cuda_devices_are_chosen(doctor->options.devices))
		return;
	if (!doctor->options.deterministic) {
		ledger_join(key, set->count, doctor_cards_note, &cards);
		ledger_leave();
	}
	cards_order(&cards, order);
}
