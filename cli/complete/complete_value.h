/* complete_value.h - candidates for the value of an option, and for words and names of routines */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_COMPLETE_COMPLETE_VALUE_H
#define GPUSHIM_CLI_COMPLETE_COMPLETE_VALUE_H

#include <stdbool.h>

#include "cli/common/command.h"

/* own: an option of the command, or NULL; shim: one of the shim, or -1. flag: it has no value. */
struct complete_option {
	bool known, flag;
	const struct command_option *own;
	int shim;
};

/*
 * Prints what complete.h describes. word: what is being typed; its value begins at position at,
 * behind the "=" of "--log=".
 */
void complete_value_offer(const struct complete_option *option, const char *word, int at);

/* The words of a list separated by | that go on as word does behind prefix. */
void complete_value_offer_words(const char *word, const char *prefix, const char *list);

/* The routines that the shim takes, as logs name them. */
void complete_value_offer_routines(const char *word);

#endif
