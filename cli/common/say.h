/* say.h - messages to the user, and memory whose absence ends the tool */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_COMMON_SAY_H
#define GPUSHIM_CLI_COMMON_SAY_H

#include <stdbool.h>
#include <stddef.h>

/* One line on stderr, "gpushim: ...". */
void say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The same for a mistake on the command line. Returns TOOL_USAGE. */
int say_refusal(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* A line of a report on stdout, indented by two blanks, and the heading of such lines. */
void say_fact(const char *format, ...) __attribute__((format(printf, 1, 2)));
void say_section(const char *title);

/*
 * New text, to be freed; and memory as it was passed in. Where there is no memory both end the
 * tool.
 */
char *say_text(const char *format, ...) __attribute__((format(printf, 1, 2)));
void *say_need(void *memory);

/* The system's words for an error number. */
const char *say_error(int error);

/* Whether the file descriptor is a terminal that obeys escape sequences (TERM is not "dumb"). */
bool say_is_terminal(int fd);

#endif
