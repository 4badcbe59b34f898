/* machine_text.c - a machine profile as text, as machine.c reads it */
/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/machine/machine_rows.h"
#include "policy/text/number.h"
#include "policy/text/sentence.h"

/* A text in quotes, so that its blanks stay; what would end the line is left out of it. */
static void machine_text_add_quoted(struct sentence *sentence, const char *text)
{
	sentence_add(sentence, "\"");
	for (; *text != '\0'; text++) {
		const char letter[2] = {*text == '\n' || *text == '\r' ? ' ' : *text, '\0'};
		sentence_add(sentence, letter);
	}
	sentence_add(sentence, "\"");
}

static bool machine_text_add_row(struct sentence *sentence, const struct machine *machine,
                                 const struct machine_row *row)
{
	const char *field = (const char *)machine + row->offset;
	const double number = row->is_text ? 0 : *(const double *)(const void *)field;
	char digits[NUMBER_REAL_BYTES];
	if (row->is_text ? field[0] == '\0' : !(number > 0))
		return false;
	sentence_add(sentence, row->key);
	sentence_add(sentence, " = ");
	if (row->is_text) {
		machine_text_add_quoted(sentence, field);
		return true;
	}
	number_format_real(number, digits);
	sentence_add(sentence, digits);
	return true;
}

static bool machine_text_add_curve(struct sentence *sentence, const struct machine_curve *curve)
{
	if (curve->count < 1)
		return false;
	machine_rows_add_curve_key(sentence, curve);
	sentence_add(sentence, " = ");
	machine_rows_add_curve_points(sentence, curve);
	return true;
}

/*
 * The version, the rows of machine.def, the curves, the end. False where the place has nothing to
 * say.
 */
static bool machine_text_add_line(struct sentence *sentence, const struct machine *machine,
                                  int place)
{
	const int curve = place - 1 - MACHINE_ROWS;
	if (place == 0 || curve == machine->curve_count) {
		sentence_add(sentence, place == 0 ? machine_version_key : machine_end_key);
		sentence_add(sentence, place == 0 ? " = 1" : " = true");
		return true;
	}
	return curve < 0 ? machine_text_add_row(sentence, machine, &machine_rows[place - 1])
	                 : machine_text_add_curve(sentence, &machine->curve[curve]);
}
_Static_assert((int)MACHINE_VERSION == 1, "the line above says so");

bool machine_write_line(const struct machine *machine, int *position, char *line, size_t size)
{
	const int places = 2 + MACHINE_ROWS + machine->curve_count;
	while (*position < places) {
		struct sentence sentence = sentence_start(line, size);
		if (machine_text_add_line(&sentence, machine, (*position)++))
			return true;
	}
	return false;
}
