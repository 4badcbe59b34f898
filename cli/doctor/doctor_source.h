/* doctor_source.h - where each option's value comes from, and how to change it there */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_DOCTOR_DOCTOR_SOURCE_H
#define GPUSHIM_CLI_DOCTOR_DOCTOR_SOURCE_H

#include "policy/options/options.h"

/*
 * This line of a config file set the option, or, where number is 0, the variable of this name. A
 * later call replaces an earlier one.
 */
void doctor_source_note(enum option option, const char *place, unsigned number);

/* "environment", "PATH, line N", or "default"; to be freed. */
char *doctor_source_describe(enum option option);

/*
 * The option and its value as they stand there: EPOCHLY_GPU_<KEY>=VALUE of a variable, "PATH, line
 * N: KEY = VALUE" of a file. To be freed.
 */
char *doctor_source_quote(const struct options *options, enum option option);

/*
 * A command that gives the option this value, or with NULL its default again, where it was set: for
 * the shell or, of a file, an editor. To be freed.
 */
char *doctor_source_fix(enum option option, const char *value);

/*
 * A command that sets the option of this key to the value of the variable, which is none of the
 * shim's, in its place; to be freed.
 */
char *doctor_source_rename(const char *variable, const char *key);

/* A command that opens the file at this line, or with 0 shows who owns it; to be freed. */
char *doctor_source_edit(const char *path, unsigned number);

void doctor_source_free(void);

#endif
