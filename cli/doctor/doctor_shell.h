/* doctor_shell.h - commands that can be pasted into a shell */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_DOCTOR_DOCTOR_SHELL_H
#define GPUSHIM_CLI_DOCTOR_DOCTOR_SHELL_H

/* The word as a shell reads it, in quotes where it needs them; to be freed. */
char *doctor_shell_quote(const char *word);

/*
 * The tool, called as it was called now, with a command, and behind "--" the program's words (ended
 * by NULL; NULL: the word PROGRAM); to be freed.
 */
char *doctor_shell_call(const char *command, char *const *words);

/* The program's words alone, to be freed. */
char *doctor_shell_join(char *const *words);

#endif
