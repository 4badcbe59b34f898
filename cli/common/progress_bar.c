/* progress_bar.c - redraws one line with a bar and a few words */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/common/progress_bar.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/common/terminal.h"
#include "cli/common/wrap.h"

enum { BAR_LETTERS = 24, BAR_FRAME = 4, BAR_WORDS_BYTES = 256 };

static bool progress_bar_hidden;

void progress_bar_hide(void)
{
	progress_bar_hidden = true;
}

bool progress_bar_is_hidden(void)
{
	return progress_bar_hidden;
}

bool progress_bar_is_seen(void)
{
	return !progress_bar_hidden && terminal_obeys(STDERR_FILENO);
}

void progress_bar_draw(double share, const char *format, ...)
{
	char bar[BAR_LETTERS + 1], words[BAR_WORDS_BYTES];
	va_list arguments;
	if (!progress_bar_is_seen())
		return;
	memset(bar, '.', BAR_LETTERS);
	memset(bar, '#', (size_t)(fmin(fmax(share, 0), 1) * BAR_LETTERS));
	bar[BAR_LETTERS] = '\0';
	va_start(arguments, format);
	vsnprintf(words, sizeof words, format, arguments);
	va_end(arguments);
	/* A line that reaches the terminal's end cannot be drawn over. */
	const int room = terminal_columns(STDERR_FILENO) - (BAR_LETTERS + BAR_FRAME);
	while (words[0] != '\0' && wrap_measure(words, strlen(words)) > room)
		words[strlen(words) - 1] = '\0';
	fprintf(stderr, "\r[%s] %s\033[K", bar, words);
}

void progress_bar_clear(void)
{
	if (progress_bar_is_seen())
		fputs("\r\033[K", stderr);
}
