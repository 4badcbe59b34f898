/* arguments.c - options and operands of a command, by the rows of command.def */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/common/arguments.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/common/say.h"
#include "cli/common/tool.h"
#include "policy/call/argument.h"
#include "policy/text/number.h"
#include "policy/text/words.h"
#include "shim/settings/settings.h"

/*
 * into: the command's struct, which begins with words. rest: the words not read yet. The option in
 * hand: its word, its name without dashes, and the value behind its "=" or NULL.
 */
struct arguments {
	enum command_id id;
	void *into;
	struct command_words *words;
	char **rest;
	const char *word, *value;
	char name[COMMAND_NAME_BYTES];
};

static bool arguments_set_flag(const struct arguments *arguments, bool *field)
{
	*field = true;
	if (arguments->value != NULL)
		say("the option --%s takes no value", arguments->name);
	return arguments->value == NULL;
}

static bool arguments_refuse_number(const struct arguments *arguments,
                                    const struct command_option *option, const char *text)
{
	char *range = command_describe_range(option->range);
	say("--%s cannot be '%s'; allowed: a %snumber, %s%s", arguments->name, text,
	    option->kind == KIND_COUNT ? "whole " : "", range,
	    unit_describe(command_find_unit(option)));
	free(range);
	return false;
}

static bool arguments_is_within(const char *range, double number)
{
	const char *dots = strstr(range, "..");
	double least = 0, most = number;
	if (dots == NULL)
		return number > 0; /* ">0" */
	number_parse_real(range, (size_t)(dots - range), &least);
	number_parse_real(dots + 2, strlen(dots + 2), &most);
	return number >= least && number <= most;
}

static bool arguments_set_number(const struct arguments *arguments,
                                 const struct command_option *option, const char *text, void *field)
{
	uint64_t count = 0;
	double real = 0;
	const bool whole = option->kind == KIND_COUNT;
	const enum number_status status =
		whole ? number_parse_count(text, strlen(text), &count)
		      : unit_parse_real(command_find_unit(option), text, strlen(text), &real);
	if (status != NUMBER_FINE ||
	    !arguments_is_within(option->range, whole ? (double)count : real))
		return arguments_refuse_number(arguments, option, text);
	if (whole)
		*(uint64_t *)field = count;
	else
		*(double *)field = real;
	return true;
}

static bool arguments_set_letter(const struct arguments *arguments, const char *letters,
                                 const char *text, int *field)
{
	const int index = text[0] != '\0' ? argument_read_letter(text, letters) : ARGUMENT_ILLEGAL;
	if (index == ARGUMENT_ILLEGAL || text[1] != '\0') {
		say("--%s cannot be '%s'; allowed: one letter of %s", arguments->name, text,
		    letters);
		return false;
	}
	*field = index;
	return true;
}

static bool arguments_add_text(const struct arguments *arguments, const char *text,
                               struct command_list *list)
{
	if (list->count == COMMAND_LIST_MAX) {
		say("--%s is given more than %d times", arguments->name, COMMAND_LIST_MAX);
		return false;
	}
	list->text[list->count++] = text;
	return true;
}

static bool arguments_set_text(const struct arguments *arguments, enum command_kind kind,
                               const char *text, const char **field)
{
	*field = text;
	if (kind == KIND_FILE && text[0] == '\0')
		say("--%s names no file", arguments->name);
	return kind != KIND_FILE || text[0] != '\0';
}

/* Sets the option's field; false after a message. */
static bool arguments_set(const struct arguments *arguments, const struct command_option *option,
                          const char *text)
{
	void *field = (char *)arguments->into + option->offset;
	switch (option->kind) {
	case KIND_COUNT:
	case KIND_REAL:
	case KIND_SECONDS:
	case KIND_PERCENT: return arguments_set_number(arguments, option, text, field);
	case KIND_LETTER: return arguments_set_letter(arguments, option->range, text, field);
	case KIND_LIST: return arguments_add_text(arguments, text, field);
	default: return arguments_set_text(arguments, option->kind, text, field);
	}
}

static void arguments_set_initial(const struct arguments *arguments)
{
	for (size_t i = 0; i < command_option_count; i++) {
		const struct command_option *option = &command_options[i];
		void *field = (char *)arguments->into + option->offset;
		if (option->command != arguments->id)
			continue;
		if (option->initial[0] != '\0')
			arguments_set(arguments, option, option->initial);
		else if (option->kind != KIND_COUNT && command_is_number(option))
			*(double *)field = -1;
		else if (option->kind == KIND_LETTER)
			*(int *)field = -1;
	}
}

/* The value of the option in hand: behind its "=" or the next word. NULL after a message. */
static const char *arguments_take_value(struct arguments *arguments)
{
	if (arguments->value == NULL && arguments->rest[0] != NULL &&
	    strcmp(arguments->rest[0], "--") != 0)
		arguments->value = *arguments->rest++;
	if (arguments->value == NULL)
		say("the option --%s needs a value", arguments->name);
	return arguments->value;
}

/* The nearest name among the command's own options and, if it takes them, those of the shim. */
static bool arguments_find_nearest(const struct arguments *arguments,
                                   char nearest[OPTION_KEY_BYTES])
{
	char key[OPTION_KEY_BYTES];
	unsigned least = WORDS_FAR;
	for (size_t i = 0; i < command_option_count; i++) {
		const unsigned distance =
			words_distance(words_of(arguments->name), command_options[i].key);
		if (command_options[i].command != arguments->id || distance >= least)
			continue;
		least = distance;
		command_name_option(command_options[i].key, nearest);
	}
	if (command_table[arguments->id].shim != SHIM_NO &&
	    options_find_nearest(arguments->name, key) &&
	    words_distance(words_of(arguments->name), key) < least) {
		least = 0;
		command_name_option(key, nearest);
	}
	return least < WORDS_FAR;
}

static bool arguments_refuse_option(const struct arguments *arguments)
{
	char nearest[OPTION_KEY_BYTES];
	if (arguments_find_nearest(arguments, nearest))
		say("unknown option '%s'; the nearest is --%s", arguments->word, nearest);
	else if (!command_has_options(arguments->id))
		say("unknown option '%s'; %s takes no options", arguments->word,
		    command_table[arguments->id].name);
	else
		say("unknown option '%s'; `gpushim help %s` lists the options", arguments->word,
		    command_table[arguments->id].name);
	return false;
}

void arguments_expand_key(const char *name, char key[OPTION_KEY_BYTES])
{
	struct words rest = words_of(name);
	const bool is_short = words_skip(&rest, "threshold") &&
	                      (rest.length == 0 || strchr("-_", rest.text[0]) != NULL);
	snprintf(key, OPTION_KEY_BYTES, "%s%s", is_short ? "workload_" : "", name);
}

bool arguments_set_shim(struct environment *environment, const char *context, const char *key,
                        const char *value)
{
	static struct options scratch;
	char message[OPTION_MESSAGE_BYTES];
	const bool fine = options_set(&scratch, key, value, message);
	if (fine)
		environment_set_option(environment, key, value);
	else
		say("%s%s", context, message);
	return fine;
}

/* An option of the command whose name begins with the key of the shim; NULL if there is none. */
static const struct command_option *arguments_find_longer(const struct arguments *arguments,
                                                          const char *key)
{
	const size_t length = strlen(key);
	for (size_t i = 0; i < command_option_count; i++) {
		const struct command_option *option = &command_options[i];
		if (option->command == arguments->id && strncmp(option->key, key, length) == 0 &&
		    option->key[length] == '_')
			return option;
	}
	return NULL;
}

/* "--warmup 3" may have been meant for --warmup-runs. */
static bool arguments_refuse_shim(const struct arguments *arguments, const char *key,
                                  const char *value)
{
	static struct options scratch;
	char message[OPTION_MESSAGE_BYTES], longer[OPTION_KEY_BYTES];
	const struct command_option *option = arguments_find_longer(arguments, key);
	if (option == NULL || options_set(&scratch, key, value, message))
		return false;
	command_name_option(option->key, longer);
	say("%s; or is --%s meant?", message, longer);
	return true;
}

static bool arguments_take_shim(struct arguments *arguments)
{
	const struct command *command = &command_table[arguments->id];
	char key[OPTION_KEY_BYTES];
	arguments_expand_key(arguments->name, key);
	if (command->shim == SHIM_NO || arguments->word[1] != '-' || !options_has_key(key))
		return arguments_refuse_option(arguments);
	if (command->shim == SHIM_BUT_COUNTERS &&
	    words_equal(words_of(arguments->name), words_of("counters"))) {
		say("%s keeps the counters itself; --counters is an option of `gpushim run`",
		    command->name);
		return false;
	}
	const char *value = arguments_take_value(arguments);
	return value != NULL && !arguments_refuse_shim(arguments, key, value) &&
	       arguments_set_shim(&arguments->words->environment, "", key, value);
}

/* Takes the next word, an option, in hand. */
static bool arguments_take_option(struct arguments *arguments)
{
	const char *word = arguments->word = *arguments->rest++;
	const char *name = word + (word[1] == '-' ? 2 : 1);
	const size_t length = strcspn(name, "=");
	arguments->value = name[length] == '=' ? name + length + 1 : NULL;
	snprintf(arguments->name, sizeof arguments->name, "%.*s", (int)length, name);
	const struct command_option *option = command_find_option(arguments->id, arguments->name);
	if (option == NULL)
		return arguments_take_shim(arguments);
	if (option->kind == KIND_FLAG)
		return arguments_set_flag(arguments,
		                          (bool *)((char *)arguments->into + option->offset));
	const char *value = arguments_take_value(arguments);
	return value != NULL && arguments_set(arguments, option, value);
}

/*
 * A lone "-" is an operand: stdin. "-5" is one too, a wrong size, if operands may stand between
 * options.
 */
static bool arguments_is_option(const struct arguments *arguments)
{
	const char *word = arguments->rest[0];
	const bool number = word[1] >= '0' && word[1] <= '9';
	return word[0] == '-' && word[1] != '\0' &&
	       !(number && command_table[arguments->id].place == PLACE_ANYWHERE);
}

/* Operands that stand between options move to the front of words, over options read before. */
static bool arguments_read_words(struct arguments *arguments)
{
	struct command_words *words = arguments->words;
	const enum command_place place = command_table[arguments->id].place;
	while (arguments->rest[0] != NULL) {
		const bool option = !words->closed && arguments_is_option(arguments);
		if (!option && (place == PLACE_PROGRAM || place == PLACE_ONE))
			break;
		if (!option) {
			words->operands[words->count++] = *arguments->rest++;
		} else if (strcmp(arguments->rest[0], "--") == 0) {
			words->closed = true;
			arguments->rest++;
		} else if (!arguments_take_option(arguments)) {
			return false;
		}
	}
	if (arguments->rest[0] != NULL)
		words->operands = arguments->rest;
	while (*arguments->rest != NULL) {
		words->count++;
		arguments->rest++;
	}
	words->operands[words->count] = NULL;
	return true;
}

static int arguments_check_operands(const struct arguments *arguments)
{
	const struct command *command = &command_table[arguments->id];
	const struct command_words *words = arguments->words;
	if (words->count == 0 && command->missing[0] != '\0') {
		char *usage = command_describe_usage(arguments->id);
		say("%s; usage: gpushim %s", command->missing, usage);
		free(usage);
		return TOOL_USAGE;
	}
	if (command->place == PLACE_NONE && words->count > 0)
		return say_refusal("%s takes options only, and '%s' is none", command->name,
		                   words->operands[0]);
	if (command->place == PLACE_ONE && words->count > 1 && !words->closed)
		return say_refusal("%s takes one word, and '%s' is one too many", command->name,
		                   words->operands[1]);
	return TOOL_FINE;
}

int arguments_read(enum command_id id, char **words, void *into)
{
	struct arguments arguments = {.id = id, .into = into, .words = into, .rest = words};
	arguments.words->operands = words;
	environment_copy(&arguments.words->environment, environ);
	arguments_set_initial(&arguments);
	return arguments_read_words(&arguments) ? arguments_check_operands(&arguments) : TOOL_USAGE;
}

void arguments_load_options(const struct command_words *words, struct options *options)
{
	environ = words->environment.entries;
	settings_load(options);
	options_settle(options);
}
