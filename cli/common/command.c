/* command.c - the table of commands, and help from its rows */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/common/command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/common/say.h"
#include "cli/common/terminal.h"
#include "cli/common/wrap.h"
#include "policy/options/options.h"
#include "policy/text/words.h"

enum { HELP_LEFT = 21, HELP_INDENT = 4, HELP_NARROW = 60 };

static const char command_shim_help[] =
	"An option of the shim, for instance --policy always or --workload-threshold=10MB (for "
	"short --threshold=10MB). `gpushim show options` has their values. They are: ";

/* clang-format off */
const struct command command_table[COMMAND_COUNT] = {
#define COMMAND(name, place, shim, operands, missing, help) \
	[COMMAND_##name] = {PLACE_##place, SHIM_##shim, #name, operands, missing, help,
#define END(name, notes) notes},
#include "cli/common/command.def"
};
/* clang-format on */

const struct command_option command_options[] = {
#define OPTION(command, kind, key, value, range, initial, help)                                    \
	{COMMAND_##command,                                                                        \
	 KIND_##kind,                                                                              \
	 #key,                                                                                     \
	 value,                                                                                    \
	 range,                                                                                    \
	 initial,                                                                                  \
	 help,                                                                                     \
	 offsetof(struct command##_arguments, key)},
#include "cli/common/command.def"
};
const size_t command_option_count = sizeof command_options / sizeof command_options[0];

static const struct command_operand {
	enum command_id command;
	const char *name, *help;
} command_operands[] = {
#define OPERAND(command, name, help) {COMMAND_##command, name, help},
#include "cli/common/command.def"
};
enum { COMMAND_OPERANDS = sizeof command_operands / sizeof command_operands[0] };

enum command_id command_find(const char *name)
{
	int id = 0;
	while (id < COMMAND_COUNT && strcmp(command_table[id].name, name) != 0)
		id++;
	return (enum command_id)id;
}

enum command_id command_find_nearest(const char *name)
{
	int nearest = COMMAND_COUNT;
	unsigned least = WORDS_FAR;
	for (int id = 0; id < COMMAND_COUNT; id++) {
		const unsigned distance = words_distance(words_of(name), command_table[id].name);
		if (distance < least) {
			least = distance;
			nearest = id;
		}
	}
	return (enum command_id)nearest;
}

const struct command_option *command_find_option(enum command_id id, const char *name)
{
	for (size_t i = 0; i < command_option_count; i++)
		if (command_options[i].command == id &&
		    words_equal(words_of(command_options[i].key), words_of(name)))
			return &command_options[i];
	return NULL;
}

void command_name_option(const char *key, char name[COMMAND_NAME_BYTES])
{
	snprintf(name, COMMAND_NAME_BYTES, "%s", key);
	for (; *name != '\0'; name++)
		if (*name == '_')
			*name = '-';
}

char *command_describe_range(const char *range)
{
	const char *dots = strstr(range, "..");
	const int least = dots != NULL ? (int)(dots - range) : 0;
	if (dots == NULL)
		return say_text("above %s", range + 1);
	if (dots[2] == '\0')
		return say_text("%.*s or more", least, range);
	return say_text("%.*s to %s", least, range, dots + 2);
}

bool command_is_number(const struct command_option *option)
{
	return option->kind == KIND_COUNT || option->kind == KIND_REAL ||
	       command_find_unit(option) != UNIT_PLAIN;
}

enum unit command_find_unit(const struct command_option *option)
{
	switch (option->kind) {
	case KIND_SECONDS: return UNIT_SECONDS;
	case KIND_PERCENT: return UNIT_PERCENT;
	default: return UNIT_PLAIN;
	}
}

bool command_has_options(enum command_id id)
{
	for (size_t i = 0; i < command_option_count; i++)
		if (command_options[i].command == id)
			return true;
	return command_table[id].shim != SHIM_NO;
}

char *command_describe_usage(enum command_id id)
{
	const struct command *command = &command_table[id];
	return say_text("%s%s%s%s", command->name, command_has_options(id) ? " [OPTION]..." : "",
	                command->operands[0] != '\0' ? " " : "", command->operands);
}

static int command_find_columns(void)
{
	const int columns = terminal_columns(STDOUT_FILENO);
	return columns < TERMINAL_TEXT ? columns : TERMINAL_TEXT;
}

/* Each line but the first is indented; the last one is ended. */
static void command_print_wrapped(const char *text, int indent)
{
	char *lines = say_need(wrap_text(text, command_find_columns(), indent, indent));
	printf("%s\n", lines);
	free(lines);
}

/*
 * Words that are too long for the left column have lines of their own, as have all where the right
 * column would be narrow.
 */
static void command_print_row(const char *left, const char *help)
{
	const int indent = command_find_columns() < HELP_NARROW ? HELP_INDENT : HELP_LEFT;
	char *lines = say_need(wrap_text(left, command_find_columns(), 0, HELP_INDENT));
	printf("%s", lines);
	const int used = (int)strlen(lines);
	printf(used >= indent ? "\n%*s" : "%*s", used >= indent ? indent : indent - used, "");
	command_print_wrapped(help, indent);
	free(lines);
}

/* The help with the values that are allowed, to be freed. */
static char *command_describe_option(const struct command_option *option)
{
	if (!command_is_number(option))
		return say_text("%s", option->help);
	char *range = command_describe_range(option->range);
	const bool initial = option->initial[0] != '\0';
	char *help = say_text("%s Values: %s%s%s%s.", option->help, range, initial ? ", " : "",
	                      option->initial, initial ? " by default" : "");
	free(range);
	return help;
}

/* Options without help share the row of the one that follows, which is returned. */
static size_t command_print_option(size_t first)
{
	const struct command_option *option = &command_options[first];
	char *left = say_need(strdup("")), *help = NULL, name[COMMAND_NAME_BYTES];
	for (bool last = false; !last; option++) {
		last = option->help[0] != '\0';
		command_name_option(option->key, name);
		char *longer = say_text("%s--%s%s%s", left, name,
		                        last && option->value[0] == '\0' ? ""
		                        : last                           ? " "
		                                                         : ", ",
		                        last ? option->value : "");
		free(left);
		left = longer;
	}
	option--;
	help = command_describe_option(option);
	command_print_row(left, help);
	free(left);
	free(help);
	return (size_t)(option - command_options);
}

/* The options of the shim are those of option.def. */
static void command_print_shim(enum command_id id)
{
	char *help = say_need(strdup(command_shim_help)), name[COMMAND_NAME_BYTES];
	const char *separator = "";
	for (int i = 0; i < OPTION_COUNT; i++) {
		if (i == OPTION_counters && command_table[id].shim == SHIM_BUT_COUNTERS)
			continue;
		command_name_option(option_table[i].key, name);
		char *longer = say_text("%s%s--%s", help, separator, name);
		free(help);
		help = longer;
		separator = ", ";
	}
	command_print_row("--OPTION VALUE", help);
	free(help);
}

void command_print_help(enum command_id id)
{
	const struct command *command = &command_table[id];
	char *usage = command_describe_usage(id);
	wrap_print(stdout, HELP_INDENT, "usage: gpushim %s", usage);
	putchar('\n');
	wrap_print(stdout, 0, "%c%s.", command->help[0] - 'a' + 'A', command->help + 1);
	putchar('\n');
	free(usage);
	for (size_t i = 0; i < COMMAND_OPERANDS; i++)
		if (command_operands[i].command == id)
			command_print_row(command_operands[i].name, command_operands[i].help);
	for (size_t i = 0; i < command_option_count; i++)
		if (command_options[i].command == id)
			i = command_print_option(i);
	if (command->shim != SHIM_NO)
		command_print_shim(id);
	if (command_has_options(id))
		putchar('\n');
	command_print_wrapped(command->notes, 0);
}

void command_print_list(void)
{
	wrap_print(stdout, 0,
	           "gpushim %s: BLAS, LAPACK and FFTW calls of unmodified programs on an NVIDIA "
	           "GPU",
	           GPUSHIM_VERSION);
	putchar('\n');
	for (int id = 0; id < COMMAND_COUNT; id++) {
		char *usage = command_describe_usage((enum command_id)id);
		wrap_print(stdout, 2 * HELP_INDENT, "  gpushim %s", usage);
		wrap_print(stdout, HELP_INDENT + 2, "      %s", command_table[id].help);
		free(usage);
	}
	wrap_print(stdout, HELP_INDENT + 2,
	           "  gpushim help COMMAND\n"
	           "list the options of a command, and tell more about it");
	wrap_print(stdout, 0,
	           "  gpushim --version\n\n"
	           "Without the tool: LD_PRELOAD=FOLDER/libgpushim.so PROGRAM, options in the "
	           "environment as EPOCHLY_GPU_<OPTION>; `gpushim doctor` names the folder.");
}
