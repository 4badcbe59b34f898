/* routine_policy.h - policies of single routines: the keys policy_<routine>; pure */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_OPTIONS_ROUTINE_POLICY_H
#define GPUSHIM_POLICY_OPTIONS_ROUTINE_POLICY_H

#include "policy/call/call.h"
#include "policy/text/words.h"

/* Indices as in enum policy of options.h; ROUTINE_POLICY_NONE where none is set. */
struct routine_policies {
	int family[FAMILY_COUNT];
	int routine[FAMILY_COUNT][ELEMENT_COUNT];
};

enum { ROUTINE_POLICY_NONE = -1 };

void routine_policy_clear(struct routine_policies *policies);

/*
 * The field that a key names, "policy_" and a routine or family as routine_threshold_find means it.
 * NULL if none.
 */
int *routine_policy_find(struct routine_policies *policies, struct words key);

/*
 * What holds for a routine, where general holds for all others. That of a routine goes before that
 * of its family.
 */
int routine_policy_get(const struct routine_policies *policies, enum family family,
                       enum element element, int general);

/*
 * The policies that are set, one after the other: writes the next one's key (of size bytes, always
 * terminated) and index. *position starts at 0. False after the last.
 */
bool routine_policy_next(const struct routine_policies *policies, int *position, char *key,
                         size_t size, int *policy);

#endif
