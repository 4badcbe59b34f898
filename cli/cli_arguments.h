/* cli_arguments.h - takes options off a command's words */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_CLI_ARGUMENTS_H
#define GPUSHIM_CLI_CLI_ARGUMENTS_H

#include <stdbool.h>

#include "cli/cli_environment.h"

/* rest: the words not taken yet. option: the one in hand, without dashes. */
struct cli_arguments {
	char **rest;
	char option[64];
	char *value; /* what stood behind its = */
	char *word;  /* all of it */
};

/* Takes the next option in hand; false where the program (or the end) follows. A "--" is skipped. */
bool cli_arguments_take(struct cli_arguments *arguments);

/* Whether the option in hand has this name. */
bool cli_arguments_is(const struct cli_arguments *arguments, const char *name);

/* The value of the option in hand: behind its = or the next word. NULL after a sentence where there is none. */
const char *cli_arguments_take_value(struct cli_arguments *arguments);

/* Whether the option in hand stands alone, as one without value must. false after a sentence. */
bool cli_arguments_check_flag(const struct cli_arguments *arguments);

/*
 * The option in hand as one of option.def, its value checked, into the environment. false after a sentence. own: names
 * of options that the command has besides, for the sentence, may be empty.
 */
bool cli_arguments_set_option(struct cli_arguments *arguments, struct cli_environment *environment, const char *own);

#endif
