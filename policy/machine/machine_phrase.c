/* machine_phrase.c - names a machine by its GPU, and says where its figures come from */
/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/machine/machine_phrase.h"

#include <string.h>

#include "policy/text/sentence.h"

enum { PHRASE_DATE_LETTERS = 10 }; /* of 2026-11-21T02:10:25Z */

/* Without its maker's name. */
static struct words machine_phrase_find_gpu(const struct machine *machine)
{
	static const char maker[] = "NVIDIA ";
	const bool is_made = strncmp(machine->gpu, maker, sizeof maker - 1) == 0;
	return words_of(machine->gpu + (is_made ? sizeof maker - 1 : 0));
}

/*
 * Whether "an" stands before the name: of a name in capitals and digits the first letter is
 * spelt out (an H200, an RTX 4090, a V100).
 */
static bool machine_phrase_takes_an(struct words name)
{
	const bool spelt = name.length > 1 && (name.text[1] < 'a' || name.text[1] > 'z');
	return name.length > 0 &&
	       strchr(spelt ? "AEFHILMNORSX8" : "AEIOUaeiou8", name.text[0]) != NULL;
}

static bool machine_phrase_is_measured(const struct machine *machine)
{
	return machine_is_measured(machine) && machine->link_up_bytes > 0;
}

const char *machine_phrase_source(const struct machine *machine)
{
	return machine_phrase_is_measured(machine) ? "measured" : "assumed";
}

static void machine_phrase_add_source(struct sentence *sentence, const struct machine *machine,
                                      bool is_it)
{
	const size_t letters = strlen(machine->measured);
	if (!machine_phrase_is_measured(machine)) {
		sentence_add(sentence, " (assumed, not measured)");
		return;
	}
	sentence_add(sentence, " (measured ");
	sentence_add(sentence, is_it ? "here" : "on ");
	sentence_add(sentence, is_it ? "" : machine->host);
	sentence_add(sentence, " on ");
	sentence_add_words(sentence, words_make(machine->measured, letters < PHRASE_DATE_LETTERS
	                                                                   ? letters
	                                                                   : PHRASE_DATE_LETTERS));
	sentence_add(sentence, ")");
}

/* By the GPU; by the profile's own name where it has none. */
static void machine_phrase_add_name(struct sentence *sentence, const struct machine *machine)
{
	const struct words gpu = machine_phrase_find_gpu(machine);
	if (gpu.length > 0) {
		sentence_add(sentence, machine_phrase_takes_an(gpu) ? "an " : "a ");
		sentence_add_words(sentence, gpu);
	} else if (machine->name[0] != '\0') {
		sentence_add(sentence, "the machine ");
		sentence_quote(sentence, words_of(machine->name));
	} else {
		sentence_add(sentence, "a GPU");
	}
}

void machine_phrase(const struct machine *machine, const struct machine_here *here,
                    char text[MACHINE_PHRASE_BYTES])
{
	struct sentence sentence = sentence_start(text, MACHINE_PHRASE_BYTES);
	if (here->absence != NULL) {
		sentence_add(&sentence, "here: CPU (");
		sentence_add(&sentence, here->absence);
		sentence_add(&sentence, "). On ");
	} else {
		sentence_add(&sentence, here->is_it ? "here, on " : "here: GPU. On ");
	}
	machine_phrase_add_name(&sentence, machine);
	machine_phrase_add_source(&sentence, machine, here->is_it);
}
