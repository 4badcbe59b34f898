/* routine_threshold.c - thresholds of single routines */
/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/options/routine_threshold.h"

static const char routine_threshold_key[] = "workload_threshold_";
enum { ROUTINE_NAME_BYTES = 64 };

void routine_threshold_clear(struct routine_thresholds *thresholds)
{
	for (int family = 0; family < FAMILY_COUNT; family++) {
		thresholds->family[family] = ROUTINE_THRESHOLD_NONE;
		for (int element = 0; element < ELEMENT_COUNT; element++)
			thresholds->routine[family][element] = ROUTINE_THRESHOLD_NONE;
	}
}

static bool routine_threshold_is_name(struct words name, enum family family, enum element element)
{
	const char *prefix = family_prefix(family, element);
	return prefix != NULL && words_skip(&name, prefix) &&
	       words_equal(name, words_of(family_name(family)));
}

bool routine_threshold_find_name(struct words name, enum family *family, enum element *element)
{
	for (int i = 0; i < FAMILY_COUNT * ELEMENT_COUNT; i++) {
		const enum family tried = (enum family)(i / ELEMENT_COUNT);
		const enum element of = (enum element)(i % ELEMENT_COUNT);
		if (routine_threshold_is_name(name, tried, of)) {
			*family = tried;
			*element = of;
			return true;
		}
	}
	return false;
}

void routine_threshold_add_name(struct sentence *sentence, enum family family, enum element element)
{
	const char *prefix = element == ELEMENT_COUNT ? "" : family_prefix(family, element);
	if (prefix == NULL)
		return;
	sentence_add(sentence, prefix);
	sentence_add(sentence, family_name(family));
}

bool routine_threshold_find_key(struct words key, const char *prefix, enum family *family,
                                enum element *element)
{
	if (!words_skip(&key, prefix))
		return false;
	for (int i = 0; i < FAMILY_COUNT; i++) {
		if (words_equal(key, words_of(family_name((enum family)i)))) {
			*family = (enum family)i;
			*element = ELEMENT_COUNT;
			return true;
		}
	}
	return routine_threshold_find_name(key, family, element);
}

bool routine_threshold_find_nearest(struct words key, const char *prefix, char *nearest,
                                    size_t size)
{
	char name[ROUTINE_NAME_BYTES];
	unsigned least = WORDS_FAR;
	if (!words_skip(&key, prefix))
		return false;
	for (int i = 0; i < FAMILY_COUNT * (1 + ELEMENT_COUNT); i++) {
		struct sentence tried = sentence_start(name, sizeof name);
		routine_threshold_add_name(&tried, (enum family)(i / (1 + ELEMENT_COUNT)),
		                           (enum element)(i % (1 + ELEMENT_COUNT)));
		const unsigned distance = words_distance(key, name);
		if (name[0] == '\0' || distance >= least)
			continue;
		least = distance;
		struct sentence sentence = sentence_start(nearest, size);
		sentence_add(&sentence, prefix);
		sentence_add(&sentence, name);
	}
	return least < WORDS_FAR;
}

uint64_t *routine_threshold_find(struct routine_thresholds *thresholds, struct words key)
{
	enum family family;
	enum element element;
	if (!routine_threshold_find_key(key, routine_threshold_key, &family, &element))
		return NULL;
	return element == ELEMENT_COUNT ? &thresholds->family[family]
	                                : &thresholds->routine[family][element];
}

uint64_t routine_threshold_get(const struct routine_thresholds *thresholds, enum family family,
                               enum element element, uint64_t general)
{
	if (thresholds->routine[family][element] != ROUTINE_THRESHOLD_NONE)
		return thresholds->routine[family][element];
	return thresholds->family[family] != ROUTINE_THRESHOLD_NONE ? thresholds->family[family]
	                                                            : general;
}

bool routine_threshold_next(const struct routine_thresholds *thresholds, int *position, char *key,
                            size_t size, uint64_t *bytes)
{
	/* Each family first, then its routines. */
	for (; *position < FAMILY_COUNT * (1 + ELEMENT_COUNT); (*position)++) {
		const enum family family = (enum family)(*position / (1 + ELEMENT_COUNT));
		const int element = *position % (1 + ELEMENT_COUNT) - 1;
		*bytes = element < 0 ? thresholds->family[family]
		                     : thresholds->routine[family][element];
		if (*bytes == ROUTINE_THRESHOLD_NONE)
			continue;
		struct sentence sentence = sentence_start(key, size);
		sentence_add(&sentence, routine_threshold_key);
		routine_threshold_add_name(&sentence, family,
		                           element < 0 ? ELEMENT_COUNT : (enum element)element);
		(*position)++;
		return true;
	}
	return false;
}
