/* complete_value.c - values of options by their rows: words, files, machines, configurations */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/complete/complete_value.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/common/install_paths.h"
#include "cli/common/say.h"
#include "policy/options/options.h"
#include "policy/text/words.h"
#include "shim/table/symbol.h"

/* What a shell offers for each TEXT of option.def. */
static const char *const complete_takes[OPTION_COUNT] = {
#define OPTION(kind, key, initial, range, help)
#define OPTION_TAKES(key, words) [OPTION_##key] = words,
#include "policy/options/option.def"
};

/* The same for the values of the commands' own options, by the value's name in help. */
static const struct complete_name {
	const char *value, *takes;
} complete_names[] = {
	{"FILE", "FILE"}, {"FOLDER", "FOLDER"}, {"M", "MACHINE|FILE"}, {"CONFIGURATION", "KEY"}};

static void complete_value_print(const char *word, const char *prefix, struct words text,
                                 const char *help)
{
	const char *typed = word + strlen(prefix);
	if (strncmp(text.text, typed, strlen(typed)) == 0 && strlen(typed) <= text.length)
		printf("%s%.*s\t%s\n", prefix, (int)text.length, text.text, help);
}

static void complete_value_offer_machines(const char *word, const char *prefix)
{
	char **names = install_paths_list_machines();
	for (; *names != NULL; names++)
		complete_value_print(word, prefix, words_of(*names), "machine");
}

void complete_value_offer_words(const char *word, const char *prefix, const char *list)
{
	struct words rest = words_of(list);
	while (rest.length > 0) {
		const struct words item = words_next(&rest, '|');
		if (words_equal(item, words_of("FILE")))
			printf(":files %s\n", prefix);
		else if (words_equal(item, words_of("FOLDER")))
			printf(":folders %s\n", prefix);
		else if (words_equal(item, words_of("MACHINE")))
			complete_value_offer_machines(word, prefix);
		else
			complete_value_print(word, prefix, item, "");
	}
}

static const char *complete_value_list_shim(int option)
{
	switch (option_table[option].kind) {
	case OPTION_SWITCH: return "true|false";
	case OPTION_CHOICE: return option_table[option].range;
	default: return complete_takes[option] != NULL ? complete_takes[option] : "";
	}
}

/* KEY=VALUE,KEY=VALUE: keys of the shim's options, then the value of the last one. */
static void complete_value_offer_configuration(const char *word, int at)
{
	const char *comma = strrchr(word + at, ','), *item = comma != NULL ? comma + 1 : word + at;
	const char *equals = strchr(item, '=');
	char *prefix = say_text("%.*s", (int)((equals != NULL ? equals + 1 : item) - word), word);
	char *key = say_text("%.*s", equals != NULL ? (int)(equals - item) : 0, item);
	const int option = options_find(key);
	if (equals != NULL && option >= 0)
		complete_value_offer_words(word, prefix, complete_value_list_shim(option));
	for (int i = 0; equals == NULL && i < OPTION_COUNT; i++) {
		char *name = say_text("%s=", option_table[i].key);
		complete_value_print(word, prefix, words_of(name), "");
		free(name);
	}
	printf(":open\n");
	free(key);
	free(prefix);
}

static void complete_value_offer_letters(const char *word, const char *prefix, const char *letters)
{
	for (; *letters != '\0'; letters++)
		complete_value_print(word, prefix, words_make(letters, 1), "");
}

static const char *complete_value_list_own(const struct command_option *option)
{
	for (size_t i = 0; i < sizeof complete_names / sizeof complete_names[0]; i++)
		if (strcmp(complete_names[i].value, option->value) == 0)
			return complete_names[i].takes;
	return option->kind == KIND_TEXT ? option->range : "";
}

void complete_value_offer(const struct complete_option *option, const char *word, int at)
{
	char *prefix = say_text("%.*s", at, word);
	const char *list = option->own != NULL ? complete_value_list_own(option->own)
	                                       : complete_value_list_shim(option->shim);
	if (option->own != NULL && option->own->kind == KIND_LETTER)
		complete_value_offer_letters(word, prefix, option->own->range);
	else if (strcmp(list, "KEY") == 0)
		complete_value_offer_configuration(word, at);
	else
		complete_value_offer_words(word, prefix, list);
	free(prefix);
}

/* Whether an earlier symbol is of the same routine. */
static bool complete_value_is_repeated(int symbol)
{
	const struct symbol_row *row = &symbol_table[symbol];
	for (int i = 0; i < symbol; i++)
		if (symbol_table[i].role == ROLE_COMPUTE && symbol_table[i].family == row->family &&
		    symbol_table[i].element == row->element)
			return true;
	return false;
}

void complete_value_offer_routines(const char *word)
{
	char routine[64];
	complete_value_print(word, "", words_of("fft"), "");
	for (int i = 0; i < SYMBOL_COUNT; i++) {
		const struct symbol_row *row = &symbol_table[i];
		if (row->role != ROLE_COMPUTE || complete_value_is_repeated(i))
			continue;
		symbol_name_routine(row->family, row->element, routine, sizeof routine);
		complete_value_print(word, "", words_of(routine), "");
	}
}
