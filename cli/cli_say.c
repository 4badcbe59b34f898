/* cli_say.c - prints sentences, each in one write where it goes to stderr */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/cli_say.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"

enum { CLI_SAY_BYTES = 4096 };

/* What a terminal would act on comes from others' names: it becomes a question mark. */
static void cli_say_clean(char *line)
{
	for (; *line != '\0'; line++)
		if ((unsigned char)*line < ' ' || *line == 0x7f)
			*line = '?';
}

__attribute__((format(printf, 1, 0))) static void cli_say_line(const char *format, va_list arguments)
{
	char line[CLI_SAY_BYTES] = "gpushim: ";
	const size_t used = strlen(line);
	vsnprintf(line + used, sizeof line - used - 1, format, arguments);
	cli_say_clean(line);
	strcat(line, "\n");
	fflush(stdout);
	if (write(STDERR_FILENO, line, strlen(line)) < 0)
		return; /* there is nobody to tell */
}

void cli_say(const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	cli_say_line(format, arguments);
	va_end(arguments);
}

int cli_say_refusal(const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	cli_say_line(format, arguments);
	va_end(arguments);
	return CLI_USAGE;
}

void cli_say_fact(const char *format, ...)
{
	char line[CLI_SAY_BYTES];
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(line, sizeof line, format, arguments);
	va_end(arguments);
	cli_say_clean(line);
	printf("  %s\n", line);
}

void cli_say_section(const char *title)
{
	printf("%s\n", title);
}

char *cli_say_text(const char *format, ...)
{
	char *text = NULL;
	va_list arguments;
	va_start(arguments, format);
	if (vasprintf(&text, format, arguments) < 0)
		text = NULL;
	va_end(arguments);
	return cli_say_need(text);
}

void *cli_say_need(void *memory)
{
	if (memory == NULL) {
		cli_say("out of memory");
		exit(CLI_NOT_RUN);
	}
	return memory;
}

const char *cli_say_error(int error)
{
	const char *words = strerrordesc_np(error);
	return words != NULL ? words : "unknown error";
}
