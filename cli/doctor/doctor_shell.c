/* doctor_shell.c - quotes words for a shell, and makes command lines of them */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/doctor/doctor_shell.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/common/say.h"

/* Letters that no shell gives a meaning to in the middle of a word. */
static const char doctor_shell_plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
					 "0123456789_./:,@%+-";

char *doctor_shell_quote(const char *word)
{
	if (word[0] != '\0' && word[strspn(word, doctor_shell_plain)] == '\0')
		return say_need(strdup(word));
	char *quoted = say_need(malloc(4 * strlen(word) + 3)), *at = quoted;
	*at++ = '\'';
	for (; *word != '\0'; word++) {
		if (*word == '\'')
			at = stpcpy(at, "'\\'");
		*at++ = *word;
	}
	*at++ = '\'';
	*at = '\0';
	return quoted;
}

char *doctor_shell_join(char *const *words)
{
	char *line = say_need(strdup(""));
	for (; *words != NULL; words++) {
		char *word = doctor_shell_quote(*words);
		char *longer = say_text("%s%s%s", line, line[0] != '\0' ? " " : "", word);
		free(line);
		free(word);
		line = longer;
	}
	return line;
}

char *doctor_shell_call(const char *command, char *const *words)
{
	char *tool = doctor_shell_quote(program_invocation_name);
	char *program = words != NULL ? doctor_shell_join(words) : say_need(strdup("PROGRAM"));
	char *line = say_text("%s %s -- %s", tool, command, program);
	free(program);
	free(tool);
	return line;
}
