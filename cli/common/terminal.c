/* terminal.c - asks the environment and the kernel what a terminal can show */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/common/terminal.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "policy/text/number.h"

bool terminal_obeys(int fd)
{
	const char *term = getenv("TERM");
	return isatty(fd) == 1 && (term == NULL || strcmp(term, "dumb") != 0);
}

bool terminal_is_coloured(int fd)
{
	const char *none = getenv("NO_COLOR");
	return (none == NULL || none[0] == '\0') && terminal_obeys(fd);
}

/* The variable COLUMNS; 0 where it is unset or no width. */
static int terminal_read_variable(void)
{
	const char *text = getenv("COLUMNS");
	uint64_t columns = 0;
	if (text == NULL || number_parse_count(text, strlen(text), &columns) != NUMBER_FINE ||
	    columns < TERMINAL_LEAST)
		return 0;
	return columns < TERMINAL_MOST ? (int)columns : TERMINAL_MOST;
}

int terminal_columns(int fd)
{
	struct winsize size = {0};
	const int asked = terminal_read_variable();
	if (asked > 0)
		return asked;
	if (isatty(fd) != 1 || ioctl(fd, TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
		return TERMINAL_USUAL;
	if (size.ws_col < TERMINAL_LEAST)
		return TERMINAL_LEAST;
	return size.ws_col < TERMINAL_TEXT ? size.ws_col : TERMINAL_TEXT;
}
