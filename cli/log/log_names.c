/* log_names.c - a hash table of the names in the tables */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/log/log_names.h"

#include <stdint.h>

#include "shim/table/symbol.h"

/* NAMES_SLOTS: a power of two, at least twice the number of names. */
enum {
	NAMES_SLOTS = 8192,
	NAMES_ROUTINES = FAMILY_COUNT * ELEMENT_COUNT,
	NAMES_ROUTINE_BYTES = 32
};
_Static_assert(NAMES_SLOTS >= 2 * (SYMBOL_COUNT + REASON_COUNT + NAMES_ROUTINES),
               "names_slots is too small");

/*
 * One table holds the three kinds of names. A slot has the kind and the number of a name; kind 0:
 * free.
 */
enum names_kind { NAMES_SYMBOL = 1, NAMES_REASON, NAMES_ROUTINE };

struct names_slot {
	uint16_t kind, number;
};

static struct {
	bool made;
	struct names_slot slots[NAMES_SLOTS];
	char routine[NAMES_ROUTINES][NAMES_ROUTINE_BYTES];
} names;

static const char *log_names_text(struct names_slot slot)
{
	switch (slot.kind) {
	case NAMES_SYMBOL: return symbol_table[slot.number].name;
	case NAMES_REASON: return reason_name((enum reason)slot.number);
	default: return names.routine[slot.number];
	}
}

/* The slot of the name, or the free slot where it belongs. */
static struct names_slot *log_names_find(enum names_kind kind, struct words name)
{
	uint64_t hash = kind;
	for (size_t i = 0; i < name.length; i++)
		hash = (hash ^ (unsigned char)name.text[i]) * 0x100000001b3;
	for (size_t at = (hash ^ hash >> 29) % NAMES_SLOTS;; at = (at + 1) % NAMES_SLOTS) {
		struct names_slot *slot = &names.slots[at];
		if (slot->kind == 0)
			return slot;
		const char *text = log_names_text(*slot);
		if (slot->kind == kind && strncmp(text, name.text, name.length) == 0 &&
		    text[name.length] == '\0')
			return slot;
	}
}

static void log_names_add(enum names_kind kind, int number, const char *name)
{
	*log_names_find(kind, words_of(name)) =
		(struct names_slot){(uint16_t)kind, (uint16_t)number};
}

static void log_names_make(void)
{
	for (int symbol = 0; symbol < SYMBOL_COUNT; symbol++)
		log_names_add(NAMES_SYMBOL, symbol, symbol_table[symbol].name);
	for (int reason = 0; reason < REASON_COUNT; reason++)
		log_names_add(NAMES_REASON, reason, reason_name((enum reason)reason));
	for (int i = 0; i < NAMES_ROUTINES; i++) {
		const enum family family = (enum family)(i / ELEMENT_COUNT);
		const enum element element = (enum element)(i % ELEMENT_COUNT);
		/*
		 * An element that the library does not have yields the name of the family, which is
		 * not a routine.
		 */
		if (family_prefix(family, element) == NULL)
			continue;
		symbol_name_routine(family, element, names.routine[i], NAMES_ROUTINE_BYTES);
		log_names_add(NAMES_ROUTINE, i, names.routine[i]);
	}
	names.made = true;
}

static int log_names_number(enum names_kind kind, struct words name)
{
	if (name.length == 0)
		return -1;
	if (!names.made)
		log_names_make();
	const struct names_slot *slot = log_names_find(kind, name);
	return slot->kind == kind ? slot->number : -1;
}

int log_names_symbol(struct words name)
{
	return log_names_number(NAMES_SYMBOL, name);
}

int log_names_reason(struct words name)
{
	return log_names_number(NAMES_REASON, name);
}

void log_names_routine(struct words name, int *family, int *element)
{
	const int number = log_names_number(NAMES_ROUTINE, name);
	*family = number < 0 ? -1 : number / ELEMENT_COUNT;
	*element = number < 0 ? -1 : number % ELEMENT_COUNT;
}

void log_names_routine_of(int symbol, int *family, int *element)
{
	const bool known = symbol >= 0 && !symbol_is_of(symbol, LIBRARY_FFTW);
	*family = known ? (int)symbol_table[symbol].family : -1;
	*element = known ? (int)symbol_table[symbol].element : -1;
}
