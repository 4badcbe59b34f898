/* command.h - the commands by command.def: table, a struct of arguments for each, help */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_COMMON_COMMAND_H
#define GPUSHIM_CLI_COMMON_COMMAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cli/common/environment.h"
#include "policy/text/unit.h"

enum { COMMAND_LIST_MAX = 8 };

/* The values of an option that may be given several times. */
struct command_list {
	size_t count;
	const char *text[COMMAND_LIST_MAX];
};

/*
 * operands: the words that are no options, ended by NULL; they lie in argv. closed: a "--" was
 * given. environment: the tool's own with the options of the shim that were given; owned.
 */
struct command_words {
	char **operands;
	size_t count;
	bool closed;
	struct environment environment;
};

#define COMMAND_TYPE_FLAG(key) bool key;
#define COMMAND_TYPE_COUNT(key) uint64_t key;
#define COMMAND_TYPE_REAL(key) double key;
#define COMMAND_TYPE_SECONDS(key) double key;
#define COMMAND_TYPE_PERCENT(key) double key;
#define COMMAND_TYPE_TEXT(key) const char *key;
#define COMMAND_TYPE_FILE(key) const char *key;
#define COMMAND_TYPE_LETTER(key) int key;
#define COMMAND_TYPE_LIST(key) struct command_list key;

/* For each command a struct, for instance compare_arguments, with a field for each option. */
/* clang-format off */
#define COMMAND(name, place, shim, operands, missing, help) \
	struct name##_arguments { \
		struct command_words words;
#define OPTION(command, kind, key, value, range, initial, help) COMMAND_TYPE_##kind(key)
#define END(name, notes) };
#include "cli/common/command.def"
/* clang-format on */

enum command_id {
#define COMMAND(name, place, shim, operands, missing, help) COMMAND_##name,
#include "cli/common/command.def"
	COMMAND_COUNT
};

enum command_place { PLACE_NONE, PLACE_ONE, PLACE_PROGRAM, PLACE_ANYWHERE };
enum command_shim { SHIM_NO, SHIM_YES, SHIM_BUT_COUNTERS };
enum command_kind {
	KIND_FLAG,
	KIND_COUNT,
	KIND_REAL,
	KIND_SECONDS,
	KIND_PERCENT,
	KIND_TEXT,
	KIND_FILE,
	KIND_LETTER,
	KIND_LIST
};

/* The columns of command.def. offset: of the field in the command's struct. */
struct command_option {
	enum command_id command;
	enum command_kind kind;
	const char *key, *value, *range, *initial, *help;
	size_t offset;
};
struct command {
	enum command_place place;
	enum command_shim shim;
	const char *name, *operands, *missing, *help, *notes;
};
extern const struct command command_table[COMMAND_COUNT];
extern const struct command_option command_options[];
extern const size_t command_option_count;

/* The command of this name, or COMMAND_COUNT; and the one of the nearest name. */
enum command_id command_find(const char *name);
enum command_id command_find_nearest(const char *name);

/* The command's option of this name (case does not matter; - equals _), or NULL. */
const struct command_option *command_find_option(enum command_id id, const char *name);

bool command_has_options(enum command_id id);

/* Whether the option's value is a number, and the unit that it is counted in. */
bool command_is_number(const struct command_option *option);
enum unit command_find_unit(const struct command_option *option);

/* The option's name as it is typed, with dashes. */
enum { COMMAND_NAME_BYTES = 64 };
void command_name_option(const char *key, char name[COMMAND_NAME_BYTES]);

/*
 * A range of command.def in words, to be freed: ">0" is "above 0", "1..10" "1 to 10", "0.." "0 or
 * more".
 */
char *command_describe_range(const char *range);

/* Writes what follows "gpushim " in the usage line, to be freed. */
char *command_describe_usage(enum command_id id);

/* Prints what `gpushim help NAME` and `gpushim --help` say. */
void command_print_help(enum command_id id);
void command_print_list(void);

/* Each serves one command, for instance report_serve; returns an exit status of tool.h. */
#define COMMAND(name, place, shim, operands, missing, help)                                        \
	int name##_serve(struct name##_arguments *arguments);
#include "cli/common/command.def"

#endif
