/* decide_state.h - what tests of the policy auto set before they ask for a decision */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_UNIT_DECIDE_STATE_H
#define GPUSHIM_TESTS_UNIT_DECIDE_STATE_H

#include <criterion/criterion.h>

#include "policy/decide/decide.h"

static struct learn learn;
static struct options options;
static struct situation situation;
static struct experience experience;
static struct decision decision;

/* The option has this value, all others their defaults; nothing has been learnt. */
static inline void decide_state_start(const struct machine *machine, struct situation begin,
                                      const char *key, const char *value)
{
	char message[OPTION_MESSAGE_BYTES];
	options_set_defaults(&options);
	cr_assert(options_set(&options, key, value, message), "%s", message);
	learn = (struct learn){0};
	situation = begin;
	experience = (struct experience){machine, &learn, EXPERIENCE_MEASURED};
}

#endif
