/* cli_wrap_test.c - lines broken between words, columns of UTF-8, width and colours of terminals */
/* SPDX-License-Identifier: Apache-2.0 */
#include <pty.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/common/emit.h"
#include "cli/common/terminal.h"
#include "cli/common/wrap.h"

static int failures;

static void expect_text(const char *got, const char *want)
{
	if (strcmp(got, want) == 0)
		return;
	printf("got\n%s\nbut expected\n%s\n", got, want);
	failures++;
}

static void expect_number(const char *what, int got, int want)
{
	if (got == want)
		return;
	printf("%s: got %d, expected %d\n", what, got, want);
	failures++;
}

static void check_wrap(const char *text, int columns, int first, int indent, const char *want)
{
	char *lines = wrap_text(text, columns, first, indent);
	expect_text(lines, want);
	free(lines);
}

static void check_lines(void)
{
	check_wrap("", 10, 0, 2, "");
	check_wrap("one two three", 13, 0, 2, "one two three");
	check_wrap("one two three", 12, 0, 2, "one two\n  three");
	check_wrap("one two three", 12, 5, 5, "one two\n     three");
	check_wrap("  one  two   ", 0, 0, 0, "  one  two");
	check_wrap("a\nb\n\nc\n", 10, 0, 2, "a\n  b\n\n  c");
	check_wrap("in /a/path/that/is/long for it", 10, 0, 1,
	           "in\n /a/path/that/is/long\n for it");
	check_wrap("it took 4.50 MB, 12 % and (<1 %) of 10", 11, 0, 0,
	           "it took\n4.50 MB,\n12 % and\n(<1 %) of\n10");
	check_wrap("7 x", 1, 0, 0, "7 x");
	check_wrap("\xe2\x9c\x93 ok ab", 7, 0, 2, "\xe2\x9c\x93 ok ab");
	check_wrap("\033[31mred\033[0m dog", 7, 0, 0, "\033[31mred\033[0m dog");
}

static void check_measure(void)
{
	static const struct {
		const char *text;
		int columns;
	} rows[] = {{"", 0},
	            {"abc", 3},
	            {"\xc2\xb5s", 2},           /* micro sign */
	            {"e\xcc\x81", 1},           /* e and a combining accent */
	            {"\xe6\xbc\xa2", 2},        /* a letter of Chinese */
	            {"\xf0\x9f\x98\x80", 2},    /* an emoji */
	            {"\xff\xc2", 2},            /* no UTF-8 */
	            {"\xe2\x9c", 2},            /* a cut letter */
	            {"\033[1;31mab\033[0m", 2}, /* colours */
	            {"\033[", 1}};              /* no whole sequence */
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
		expect_number(rows[i].text, wrap_measure(rows[i].text, strlen(rows[i].text)),
		              rows[i].columns);
}

/* A new terminal of this width. */
static int open_terminal(unsigned short columns)
{
	struct winsize size = {.ws_col = columns, .ws_row = 24};
	int ours = -1, terminal = -1;
	if (openpty(&ours, &terminal, NULL, NULL, &size) != 0)
		exit(77);
	return terminal;
}

static void check_columns(const char *variable, unsigned short columns, int want)
{
	const int terminal = open_terminal(columns);
	if (variable != NULL)
		setenv("COLUMNS", variable, 1);
	else
		unsetenv("COLUMNS");
	expect_number(variable != NULL ? variable : "no COLUMNS", terminal_columns(terminal), want);
	close(terminal);
}

static void check_terminal(void)
{
	static const char *const odd[] = {"", "0", "-5", "eighty", "19", "80x24", "0x50"};
	const int terminal = open_terminal(80);
	check_columns(NULL, 80, 80);
	check_columns(NULL, 40, 40);
	check_columns(NULL, 3, TERMINAL_LEAST);
	check_columns(NULL, 0, TERMINAL_USUAL);
	check_columns(NULL, 300, TERMINAL_TEXT);
	check_columns("120", 40, 120);
	check_columns("1e9", 40, TERMINAL_MOST);
	check_columns("99999999999999999999999", 40, 40);
	for (size_t i = 0; i < sizeof odd / sizeof odd[0]; i++)
		check_columns(odd[i], 44, 44);
	unsetenv("COLUMNS");
	expect_number("no terminal", terminal_columns(-1), TERMINAL_USUAL);
	setenv("TERM", "xterm", 1);
	unsetenv("NO_COLOR");
	expect_number("a terminal", terminal_is_coloured(terminal), true);
	expect_number("no terminal", terminal_is_coloured(-1), false);
	setenv("NO_COLOR", "", 1);
	expect_number("NO_COLOR is empty", terminal_is_coloured(terminal), true);
	setenv("NO_COLOR", "0", 1);
	expect_number("NO_COLOR is 0", terminal_is_coloured(terminal), false);
	expect_number("NO_COLOR is 0", terminal_obeys(terminal), true);
	unsetenv("NO_COLOR");
	setenv("TERM", "dumb", 1);
	expect_number("a dumb terminal", terminal_is_coloured(terminal), false);
	close(terminal);
}

/* Reports on stdout are broken at its width; stdout is a terminal of 30 columns here. */
static void check_emit(void)
{
	struct emit emit;
	char *text = NULL;
	size_t size = 0;
	FILE *before = stdout;
	const int terminal = open_terminal(30), kept = dup(STDOUT_FILENO);
	setenv("TERM", "xterm", 1);
	fflush(stdout);
	dup2(terminal, STDOUT_FILENO);
	emit_begin(&emit, before, false);
	emit.json.file = open_memstream(&text, &size);
	emit_label(&emit, "decision");
	emit_colour(&emit, EMIT_GREEN);
	emit_print(&emit, "GPU");
	emit_colour(&emit, EMIT_PLAIN);
	emit_print(&emit, ": the link is fast enough\n  a row that is indented by two\nno newline");
	emit_end(&emit);
	fclose(emit.json.file);
	dup2(kept, STDOUT_FILENO);
	expect_text(text, "decision   \033[32mGPU\033[0m: the link is\n"
	                  "           fast enough\n"
	                  "  a row that is indented by\n"
	                  "    two\n"
	                  "no newline");
	free(text);
	close(kept);
	close(terminal);
}

int main(void)
{
	check_lines();
	check_measure();
	check_terminal();
	check_emit();
	return failures != 0;
}
