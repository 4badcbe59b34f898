/* routine_policy.c - policies of single routines */
/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/options/routine_policy.h"

#include "policy/options/routine_threshold.h"
#include "policy/text/sentence.h"

static const char routine_policy_key[] = "policy_";

void routine_policy_clear(struct routine_policies *policies)
{
	for (int family = 0; family < FAMILY_COUNT; family++) {
		policies->family[family] = ROUTINE_POLICY_NONE;
		for (int element = 0; element < ELEMENT_COUNT; element++)
			policies->routine[family][element] = ROUTINE_POLICY_NONE;
	}
}

int *routine_policy_find(struct routine_policies *policies, struct words key)
{
	enum family family;
	enum element element;
	if (!routine_threshold_find_key(key, routine_policy_key, &family, &element))
		return NULL;
	return element == ELEMENT_COUNT ? &policies->family[family]
	                                : &policies->routine[family][element];
}

int routine_policy_get(const struct routine_policies *policies, enum family family,
                       enum element element, int general)
{
	if (policies->routine[family][element] != ROUTINE_POLICY_NONE)
		return policies->routine[family][element];
	return policies->family[family] != ROUTINE_POLICY_NONE ? policies->family[family] : general;
}

bool routine_policy_is_any(const struct routine_policies *policies, int general, int policy)
{
	for (int family = 0; family < FAMILY_COUNT; family++)
		for (int element = 0; element < ELEMENT_COUNT; element++)
			if (routine_policy_get(policies, (enum family)family, (enum element)element,
			                       general) == policy)
				return true;
	return false;
}

bool routine_policy_next(const struct routine_policies *policies, int *position, char *key,
                         size_t size, int *policy)
{
	/* Each family first, then its routines. */
	for (; *position < FAMILY_COUNT * (1 + ELEMENT_COUNT); (*position)++) {
		const enum family family = (enum family)(*position / (1 + ELEMENT_COUNT));
		const int element = *position % (1 + ELEMENT_COUNT) - 1;
		*policy =
			element < 0 ? policies->family[family] : policies->routine[family][element];
		if (*policy == ROUTINE_POLICY_NONE)
			continue;
		struct sentence sentence = sentence_start(key, size);
		sentence_add(&sentence, routine_policy_key);
		routine_threshold_add_name(&sentence, family,
		                           element < 0 ? ELEMENT_COUNT : (enum element)element);
		(*position)++;
		return true;
	}
	return false;
}
