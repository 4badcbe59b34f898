/* routine_policy.h - policies of single routines: the keys policy_<routine>; pure */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_OPTIONS_ROUTINE_POLICY_H
#define GPUSHIM_POLICY_OPTIONS_ROUTINE_POLICY_H

#include "policy/call/call.h"
#include "policy/text/words.h"

/*
 * An enum policy of options.h for each family and routine; ROUTINE_POLICY_NONE where none is set.
 */
struct routine_policies {
	int family[FAMILY_COUNT];
	int routine[FAMILY_COUNT][ELEMENT_COUNT];
};

enum { ROUTINE_POLICY_NONE = -1 };

void routine_policy_clear(struct routine_policies *policies);

/*
 * The field that a key "policy_<routine or family>" sets; routines as in routine_threshold_find.
 * NULL if the key is none.
 */
int *routine_policy_find(struct routine_policies *policies, struct words key);

/* The policy of a routine: its own, else that of its family, else general. */
int routine_policy_get(const struct routine_policies *policies, enum family family,
                       enum element element, int general);

/* Whether any routine has this policy. */
bool routine_policy_is_any(const struct routine_policies *policies, int general, int policy);

/*
 * Goes through the policies that are set: writes key (size bytes, always terminated) and policy of
 * the next one. *position starts at 0. false after the last one.
 */
bool routine_policy_next(const struct routine_policies *policies, int *position, char *key,
                         size_t size, int *policy);

#endif
