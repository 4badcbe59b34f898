/* complete.c - candidates for the shells: commands, options, values, operands, from their rows */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/complete/complete.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "cli/common/command.h"
#include "cli/common/tool.h"
#include "cli/complete/complete_value.h"
#include "policy/options/options.h"

/*
 * last: the word that is being typed, the last one of words. program: the index of the word that
 * the program's command line begins with, or -1. operands: how many come before the last word.
 * closed: a "--" stands before it. value: the option whose value the last word is.
 */
struct complete {
	enum command_id id;
	char **words;
	int last, program, operands;
	bool closed;
	struct complete_option value;
};

static bool complete_begins(const char *text, const char *prefix)
{
	return strncmp(text, prefix, strlen(prefix)) == 0;
}

/* The option that the word names, which may hold "=VALUE". known is false where there is none. */
static struct complete_option complete_find_option(enum command_id id, const char *word)
{
	struct complete_option option = {.shim = -1};
	char name[COMMAND_NAME_BYTES];
	const int length = (int)strcspn(word + 2, "=");
	snprintf(name, sizeof name, "%.*s", length, word + 2);
	option.own = command_find_option(id, name);
	if (option.own == NULL && command_table[id].shim != SHIM_NO)
		option.shim = options_find(name);
	option.known = option.own != NULL || option.shim >= 0;
	option.flag = option.own != NULL && option.own->kind == KIND_FLAG;
	return option;
}

static bool complete_has_program(enum command_id id)
{
	return strstr(command_table[id].operands, "PROGRAM") != NULL;
}

/* Reads the words before the last one. */
static void complete_read(struct complete *complete)
{
	for (int i = 1; i < complete->last && complete->program < 0; i++) {
		const char *word = complete->words[i];
		if (!complete->closed && strcmp(word, "--") == 0) {
			complete->closed = true;
		} else if (!complete->closed && complete_begins(word, "--")) {
			const struct complete_option option =
				complete_find_option(complete->id, word);
			const bool follows =
				option.known && !option.flag && strchr(word, '=') == NULL;
			if (follows && i + 1 == complete->last)
				complete->value = option;
			i += follows;
		} else if (complete_has_program(complete->id)) {
			complete->program = i;
		} else {
			complete->operands++;
		}
	}
}

static void complete_print(const char *prefix, const char *text, const char *help)
{
	/* The first sentence; a dot within a word or a number ends none. */
	const char *end = strstr(help, ". ");
	int length = end != NULL ? (int)(end - help) : (int)strlen(help);
	if (end == NULL && length > 0 && help[length - 1] == '.')
		length--;
	printf("%s%s\t%.*s\n", prefix, text, length, help);
}

static void complete_offer(const char *word, const char *prefix, const char *text, const char *help)
{
	if (complete_begins(prefix, word) ||
	    (complete_begins(word, prefix) && complete_begins(text, word + strlen(prefix))))
		complete_print(prefix, text, help);
}

static void complete_offer_commands(const char *word)
{
	for (int id = 0; id < COMMAND_COUNT; id++)
		complete_offer(word, "", command_table[id].name, command_table[id].help);
}

/* The help of an option, which may stand at one of the options behind it. */
static const char *complete_find_help(const struct command_option *option)
{
	while (option->help[0] == '\0')
		option++;
	return option->help;
}

static void complete_offer_options(const struct complete *complete, const char *word)
{
	char name[COMMAND_NAME_BYTES];
	for (size_t i = 0; i < command_option_count; i++) {
		if (command_options[i].command != complete->id)
			continue;
		command_name_option(command_options[i].key, name);
		complete_offer(word, "--", name, complete_find_help(&command_options[i]));
	}
	complete_offer(word, "--", "help", "this command's options");
	for (int i = 0; command_table[complete->id].shim != SHIM_NO && i < OPTION_COUNT; i++) {
		const bool counters = i == OPTION_counters;
		if (command_find_option(complete->id, option_table[i].key) != NULL ||
		    (counters && command_table[complete->id].shim == SHIM_BUT_COUNTERS))
			continue;
		command_name_option(option_table[i].key, name);
		complete_offer(word, "--", name, option_help[i]);
	}
}

static void complete_offer_operand(const struct complete *complete, const char *word)
{
	const struct command *command = &command_table[complete->id];
	if (complete_has_program(complete->id))
		printf(":program %d\n", complete->last);
	else if (strstr(command->operands, "LOG") != NULL)
		printf(":files \n");
	else if (strchr(command->operands, '|') != NULL && complete->operands == 0)
		complete_value_offer_words(word, "", command->operands);
	else if (strstr(command->operands, "ROUTINE") != NULL && complete->operands == 0)
		complete_value_offer_routines(word);
	else if (command->operands[0] == '\0' && !complete->closed)
		complete_offer_options(complete, word);
}

static void complete_serve_last(struct complete *complete)
{
	const char *word = complete->words[complete->last], *equals = strchr(word, '=');
	if (complete->program >= 0) {
		printf(":program %d\n", complete->program);
	} else if (complete->value.known) {
		complete_value_offer(&complete->value, word, 0);
	} else if (complete->closed || word[0] != '-') {
		complete_offer_operand(complete, word);
	} else if (equals != NULL && word[1] == '-') {
		const struct complete_option option = complete_find_option(complete->id, word);
		if (option.known && !option.flag)
			complete_value_offer(&option, word, (int)(equals + 1 - word));
	} else {
		complete_offer_options(complete, word);
	}
}

int complete_serve(char **words)
{
	struct complete complete = {.words = words, .program = -1, .value = {.shim = -1}};
	while (words[0] != NULL && words[complete.last + 1] != NULL)
		complete.last++;
	const char *word = words[complete.last];
	if (word == NULL)
		return TOOL_FINE;
	if (complete.last == 0) {
		complete_offer_commands(word);
		complete_offer(word, "", "help", "list the options of a command");
		if (word[0] == '-') {
			complete_offer(word, "--", "help", "list the commands");
			complete_offer(word, "--", "version", "print the version");
		}
		return TOOL_FINE;
	}
	if (complete.last == 1 && strcmp(words[0], "help") == 0)
		complete_offer_commands(word);
	complete.id = command_find(words[0]);
	if (complete.id == COMMAND_COUNT)
		return TOOL_FINE;
	complete_read(&complete);
	complete_serve_last(&complete);
	return TOOL_FINE;
}
