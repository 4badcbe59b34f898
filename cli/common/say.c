/* say.c - prints messages, each with one write where it goes to stderr */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/common/say.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/common/terminal.h"
#include "cli/common/tool.h"
#include "cli/common/wrap.h"
#include "shim/base/diag.h"

/* The indentation of lines after the first: of a message, and of a fact. */
enum { SAY_BYTES = 4096, SAY_INDENT = 9, SAY_FACT_INDENT = 4 };

/*
 * Names in messages come from files and programs: a control character, which a terminal would obey,
 * becomes a question mark.
 */
static void say_clean(char *line)
{
	for (; *line != '\0'; line++)
		if ((unsigned char)*line < ' ' || *line == 0x7f)
			*line = '?';
}

__attribute__((format(printf, 1, 0))) static void say_line(const char *format, va_list arguments)
{
	char line[SAY_BYTES] = "gpushim: ";
	const size_t used = strlen(line);
	vsnprintf(line + used, sizeof line - used, format, arguments);
	say_clean(line);
	char *lines = say_need(wrap_text(line, terminal_columns(STDERR_FILENO), 0, SAY_INDENT));
	char *text = say_text("%s\n", lines);
	fflush(stdout);
	if (write(STDERR_FILENO, text, strlen(text)) < 0)
		errno = 0; /* stderr is closed */
	free(lines);
	free(text);
}

void say_begin(void)
{
	diag_break_lines(terminal_columns(STDERR_FILENO));
}

void say(const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	say_line(format, arguments);
	va_end(arguments);
}

int say_refusal(const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	say_line(format, arguments);
	va_end(arguments);
	return TOOL_USAGE;
}

void say_fact(const char *format, ...)
{
	char line[SAY_BYTES];
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(line, sizeof line, format, arguments);
	va_end(arguments);
	say_clean(line);
	wrap_print(stdout, SAY_FACT_INDENT, "  %s", line);
}

void say_section(const char *title)
{
	printf("%s\n", title);
}

char *say_text(const char *format, ...)
{
	char *text = NULL;
	va_list arguments;
	va_start(arguments, format);
	if (vasprintf(&text, format, arguments) < 0)
		text = NULL;
	va_end(arguments);
	return say_need(text);
}

void *say_need(void *memory)
{
	static const char message[] = "gpushim: out of memory\n";
	if (memory == NULL) {
		if (write(STDERR_FILENO, message, strlen(message)) < 0)
			errno = 0; /* stderr is closed */
		exit(TOOL_NOT_RUN);
	}
	return memory;
}

void *say_resize(void *memory, size_t count, size_t element_bytes)
{
	size_t bytes;
	if (__builtin_mul_overflow(count, element_bytes, &bytes))
		return say_need(NULL);
	return say_need(realloc(memory, bytes));
}

const char *say_error(int error)
{
	const char *words = strerrordesc_np(error);
	return words != NULL ? words : "unknown error";
}

/* sigabbrev_np needs glibc 2.32. The processors that the tool runs on have the same numbers. */
const char *say_signal(int signal)
{
	static const char names[][8] = {
		[SIGHUP] = "HUP",       [SIGINT] = "INT",       [SIGQUIT] = "QUIT",
		[SIGILL] = "ILL",       [SIGTRAP] = "TRAP",     [SIGABRT] = "ABRT",
		[SIGBUS] = "BUS",       [SIGFPE] = "FPE",       [SIGKILL] = "KILL",
		[SIGUSR1] = "USR1",     [SIGSEGV] = "SEGV",     [SIGUSR2] = "USR2",
		[SIGPIPE] = "PIPE",     [SIGALRM] = "ALRM",     [SIGTERM] = "TERM",
		[SIGSTKFLT] = "STKFLT", [SIGCHLD] = "CHLD",     [SIGCONT] = "CONT",
		[SIGSTOP] = "STOP",     [SIGTSTP] = "TSTP",     [SIGTTIN] = "TTIN",
		[SIGTTOU] = "TTOU",     [SIGURG] = "URG",       [SIGXCPU] = "XCPU",
		[SIGXFSZ] = "XFSZ",     [SIGVTALRM] = "VTALRM", [SIGPROF] = "PROF",
		[SIGWINCH] = "WINCH",   [SIGIO] = "POLL",       [SIGPWR] = "PWR",
		[SIGSYS] = "SYS",
	};
	const size_t count = sizeof names / sizeof names[0];
	return signal > 0 && (size_t)signal < count && names[signal][0] != '\0' ? names[signal]
	                                                                        : "?";
}
