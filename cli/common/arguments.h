/* arguments.h - reads a command's words by its rows in command.def */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_COMMON_ARGUMENTS_H
#define GPUSHIM_CLI_COMMON_ARGUMENTS_H

#include "cli/common/command.h"
#include "policy/options/options.h"

/*
 * Reads the words after the command's name into the command's struct, which is all zero before.
 * Options are --NAME VALUE or --NAME=VALUE; of an option that is given twice the last value holds;
 * a "--" ends the options. An option that is not given has its row's initial value. Returns
 * TOOL_FINE, or TOOL_USAGE after a message. words is reordered.
 */
int arguments_read(enum command_id id, char **words, void *into);

/*
 * Copies the name of an option of the shim, "threshold" and "threshold_dgemm" as workload_threshold
 * and workload_threshold_dgemm.
 */
void arguments_expand_key(const char *name, char key[OPTION_KEY_BYTES]);

/*
 * Checks an option of the shim and sets its variable in the environment. false after a message that
 * begins with context.
 */
bool arguments_set_shim(struct environment *environment, const char *context, const char *key,
                        const char *value);

/*
 * Loads the options that a program would have if it were started now with the options in words: the
 * environment of words becomes the tool's own.
 */
void arguments_load_options(const struct command_words *words, struct options *options);

#endif
