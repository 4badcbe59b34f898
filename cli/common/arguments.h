/* arguments.h - takes options off a command's words */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_COMMON_ARGUMENTS_H
#define GPUSHIM_CLI_COMMON_ARGUMENTS_H

#include <stdbool.h>

#include "cli/process/environment.h"

/* rest: the words not taken yet. option: the one in hand, without dashes. */
struct arguments {
	char **rest;
	char option[64];
	char *value; /* what stood behind its = */
	char *word;  /* all of it */
};

/*
 * Takes the next option in hand; false where the program (or the end) follows. A "--" is skipped.
 */
bool arguments_take(struct arguments *arguments);

/* Whether the option in hand has this name. */
bool arguments_is(const struct arguments *arguments, const char *name);

/*
 * The value of the option in hand: behind its = or the next word. NULL after a sentence where there
 * is none.
 */
const char *arguments_take_value(struct arguments *arguments);

/* Whether the option in hand stands alone, as one without value must. false after a sentence. */
bool arguments_check_flag(const struct arguments *arguments);

/*
 * The option in hand as one of option.def, its value checked, into the environment. false after a
 * sentence. own: names of options that the command has besides, for the sentence, may be empty.
 */
bool arguments_set_option(struct arguments *arguments, struct environment *environment,
                          const char *own);

#endif
