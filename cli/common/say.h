/* say.h - messages to the user, and memory whose absence ends the tool */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_COMMON_SAY_H
#define GPUSHIM_CLI_COMMON_SAY_H

#include <stddef.h>

/* To be called first: the warnings of the shim's own parts have lines of stderr's width too. */
void say_begin(void);

/*
 * A message on stderr, "gpushim: ...", written at once. A message, and a fact below, that is longer
 * than the line of its descriptor (terminal.h) continues on indented lines.
 */
void say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The same for a mistake on the command line. Returns TOOL_USAGE. */
int say_refusal(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* A fact of a report on stdout, indented by two blanks, and the heading of such facts. */
void say_fact(const char *format, ...) __attribute__((format(printf, 1, 2)));
void say_section(const char *title);

/*
 * New text, to be freed; and memory as it was passed in. Where there is no memory both end the
 * tool.
 */
char *say_text(const char *format, ...) __attribute__((format(printf, 1, 2)));
void *say_need(void *memory);

/* Memory for `count` elements, with what `memory` holds; NULL is allowed. As above. */
void *say_resize(void *memory, size_t count, size_t element_bytes);

/* The system's words for an error number. */
const char *say_error(int error);

/* A signal's name without SIG, "?" for a number without a name. */
const char *say_signal(int signal);

#endif
