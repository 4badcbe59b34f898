/* machine.c - machine profiles from text, and whether one may be used */
/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/machine/machine.h"

#include "policy/machine/machine_rows.h"
#include "policy/text/number.h"
#include "policy/text/sentence.h"

const struct machine_row machine_rows[MACHINE_ROWS] = {
#define MACHINE_TEXT(field) {#field, offsetof(struct machine, field), true},
#define MACHINE_NUMBER(key, field) {key, offsetof(struct machine, field), false},
#include "policy/machine/machine.def"
};

const char machine_version_key[] = "profile", machine_end_key[] = "end";

static bool machine_set_text(struct machine *machine, const struct machine_row *row,
                             struct words value, struct sentence *sentence)
{
	char *field = machine_rows_text_field(machine, row);
	if (value.length >= MACHINE_NAME_BYTES) {
		sentence_add(sentence, row->key);
		sentence_add(sentence, " is too long: ");
		sentence_quote(sentence, value);
		return false;
	}
	memcpy(field, value.text, value.length);
	field[value.length] = '\0';
	return true;
}

static bool machine_set_number(struct machine *machine, const struct machine_row *row,
                               struct words value, struct sentence *sentence)
{
	if (number_parse_real(value.text, value.length, machine_rows_number_field(machine, row)) ==
	    NUMBER_FINE)
		return true;
	sentence_add(sentence, row->key);
	sentence_add(sentence, " cannot be ");
	sentence_quote(sentence, value);
	sentence_add(sentence, "; allowed: a finite number, 0 or more");
	return false;
}

static bool machine_set_version(struct machine *machine, struct words value,
                                struct sentence *sentence)
{
	uint64_t version = 0;
	if (number_parse_count(value.text, value.length, &version) == NUMBER_FINE &&
	    version == MACHINE_VERSION) {
		machine->version = MACHINE_VERSION;
		return true;
	}
	sentence_add(sentence, "profiles of version ");
	sentence_quote(sentence, value);
	sentence_add(sentence, " cannot be read; this is for version 1");
	return false;
}

static bool machine_set_end(struct machine *machine, struct words value, struct sentence *sentence)
{
	machine->ended = words_equal(value, words_of("true"));
	if (machine->ended)
		return true;
	sentence_add(sentence, "end cannot be ");
	sentence_quote(sentence, value);
	sentence_add(sentence, "; allowed: true");
	return false;
}

static void machine_offer_key(const char *key, struct words name, const char **nearest,
                              unsigned *least)
{
	const unsigned distance = words_distance(name, key);
	if (distance >= *least)
		return;
	*least = distance;
	*nearest = key;
}

static bool machine_refuse_key(struct words key, struct sentence *sentence)
{
	const char *nearest = NULL;
	unsigned least = WORDS_FAR;
	machine_offer_key(machine_version_key, key, &nearest, &least);
	machine_offer_key(machine_end_key, key, &nearest, &least);
	for (int i = 0; i < MACHINE_ROWS; i++)
		machine_offer_key(machine_rows[i].key, key, &nearest, &least);
	sentence_add(sentence, "unknown key ");
	sentence_quote(sentence, key);
	if (nearest != NULL) {
		sentence_add(sentence, "; the nearest is ");
		sentence_quote(sentence, words_of(nearest));
	}
	return false;
}

static bool machine_set(struct machine *machine, struct words key, struct words value,
                        struct sentence *sentence)
{
	struct machine_curve curve;
	if (machine->ended) {
		sentence_add(sentence, "something follows the line that ends the profile");
		return false;
	}
	if (words_equal(key, words_of(machine_version_key)))
		return machine_set_version(machine, value, sentence);
	if (words_equal(key, words_of(machine_end_key)))
		return machine_set_end(machine, value, sentence);
	for (int i = 0; i < MACHINE_ROWS; i++) {
		const struct machine_row *row = &machine_rows[i];
		if (words_equal(key, words_of(row->key)))
			return row->is_text ? machine_set_text(machine, row, value, sentence)
			                    : machine_set_number(machine, row, value, sentence);
	}
	if (machine_rows_find_curve(key, &curve))
		return machine_rows_set_curve(machine, &curve, key, value, sentence);
	return machine_refuse_key(key, sentence);
}

bool machine_parse_line(struct machine *machine, const char *line,
                        char message[MACHINE_MESSAGE_BYTES])
{
	struct words key, value;
	struct sentence sentence = sentence_start(message, MACHINE_MESSAGE_BYTES);
	const enum words_line form = words_split_line(line, &key, &value);
	if (form == WORDS_PAIR)
		return machine_set(machine, key, value, &sentence);
	if (form == WORDS_BLANK)
		return true;
	sentence_add(&sentence, words_describe_line(form));
	return false;
}

bool machine_is_usable(const struct machine *machine, char message[MACHINE_MESSAGE_BYTES])
{
	struct sentence sentence = sentence_start(message, MACHINE_MESSAGE_BYTES);
	if (machine->version != 0 && !machine->ended) {
		sentence_add(&sentence,
		             "its last line, end = true, is missing, so a part of it is lost");
		return false;
	}
	if (machine_is_measured(machine) ||
	    (machine->link_up_bytes > 0 && machine->link_down_bytes > 0))
		return true;
	sentence_add(&sentence, machine->link_up_bytes > 0 ? "link_down_bytes" : "link_up_bytes");
	sentence_add(&sentence, " is missing or 0, and without it nothing can be predicted");
	return false;
}

static bool machine_agrees(const char *what, const char *measured, const char *here,
                           struct sentence *sentence)
{
	if (measured[0] == '\0' || here[0] == '\0' || strcmp(measured, here) == 0)
		return true;
	sentence_add(sentence, "it was measured on the ");
	sentence_add(sentence, what);
	sentence_add(sentence, " ");
	sentence_quote(sentence, words_of(measured));
	sentence_add(sentence, ", and this is ");
	sentence_quote(sentence, words_of(here));
	return false;
}

bool machine_holds_for(const struct machine *machine, const struct machine *here,
                       char message[MACHINE_MESSAGE_BYTES])
{
	struct sentence sentence = sentence_start(message, MACHINE_MESSAGE_BYTES);
	if (machine->host[0] == '\0')
		return true;
	return machine_agrees("host", machine->host, here->host, &sentence) &&
	       machine_agrees("processor", machine->cpu, here->cpu, &sentence) &&
	       machine_agrees("GPU", machine->gpu, here->gpu, &sentence);
}
