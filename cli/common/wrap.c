/* wrap.c - measures UTF-8 in columns, and breaks text between words */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/common/wrap.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cli/common/terminal.h"

/* Code points that take no column or two. */
static const struct wrap_range {
	uint32_t first, last;
	int columns;
} wrap_ranges[] = {
	{0x0000, 0x001f, 0},   {0x007f, 0x009f, 0}, {0x0300, 0x036f, 0},   {0x1100, 0x115f, 2},
	{0x200b, 0x200f, 0},   {0x20d0, 0x20ff, 0}, {0x2e80, 0x303e, 2},   {0x3041, 0xa4cf, 2},
	{0xac00, 0xd7a3, 2},   {0xf900, 0xfaff, 2}, {0xfe00, 0xfe0f, 0},   {0xfe30, 0xfe6f, 2},
	{0xff00, 0xff60, 2},   {0xffe0, 0xffe6, 2}, {0x1f300, 0x1f64f, 2}, {0x1f900, 0x1f9ff, 2},
	{0x20000, 0x3fffd, 2},
};

static int wrap_find_columns(uint32_t letter)
{
	for (size_t i = 0; i < sizeof wrap_ranges / sizeof wrap_ranges[0]; i++)
		if (letter >= wrap_ranges[i].first && letter <= wrap_ranges[i].last)
			return wrap_ranges[i].columns;
	return 1;
}

/* The bytes of the letter at text, of which length are left; 1 for a byte that is not UTF-8. */
static size_t wrap_decode(const char *text, size_t length, uint32_t *letter)
{
	const unsigned char *byte = (const unsigned char *)text;
	const size_t more = byte[0] >= 0xf0 ? 3 : byte[0] >= 0xe0 ? 2 : byte[0] >= 0xc2 ? 1 : 0;
	*letter = byte[0] < 0x80 ? byte[0] : '?';
	if (byte[0] < 0xc2 || byte[0] > 0xf4 || more >= length)
		return 1;
	uint32_t value = byte[0] & (0x3fU >> more);
	for (size_t i = 1; i <= more; i++) {
		if ((byte[i] & 0xc0) != 0x80)
			return 1;
		value = value << 6 | (byte[i] & 0x3f);
	}
	*letter = value;
	return 1 + more;
}

/* The bytes of the escape sequence "ESC [ ... m" at text, 0 where there is none. */
static size_t wrap_skip_escape(const char *text, size_t length)
{
	size_t i = 2;
	if (length < 3 || text[0] != '\033' || text[1] != '[')
		return 0;
	while (i < length && ((text[i] >= '0' && text[i] <= '9') || text[i] == ';'))
		i++;
	return i < length && text[i] == 'm' ? i + 1 : 0;
}

/* The bytes of the letter or escape sequence at text, and its columns. */
static size_t wrap_step(const char *text, size_t length, int *columns)
{
	uint32_t letter = 0;
	const size_t escape = wrap_skip_escape(text, length);
	const size_t step = escape > 0 ? escape : wrap_decode(text, length, &letter);
	*columns = escape > 0 ? 0 : wrap_find_columns(letter);
	return step;
}

int wrap_measure(const char *text, size_t length)
{
	int columns = 0;
	for (size_t i = 0; i < length;) {
		int more = 0;
		i += wrap_step(text + i, length - i, &more);
		columns += more;
	}
	return columns;
}

size_t wrap_fit(const char *text, size_t length, int columns)
{
	for (size_t i = 0; i < length;) {
		int more = 0;
		const size_t step = wrap_step(text + i, length - i, &more);
		columns -= more;
		if (columns < 0)
			return i;
		i += step;
	}
	return length;
}

static bool wrap_is_digit(char letter)
{
	return letter >= '0' && letter <= '9';
}

/* Whether the blanks between two words may become a line's end: not those of "4.50 MB", "<1 %". */
static bool wrap_may_break(const char *word, const char *end, const char *next)
{
	const bool unit =
		*next == '%' || (*next >= 'A' && *next <= 'Z') || (*next >= 'a' && *next <= 'z');
	const char *digit = word + strspn(word, "(<>+-");
	return !(digit < end && wrap_is_digit(*digit) && wrap_is_digit(end[-1]) && unit);
}

/* The end of what starts at text and cannot be broken. */
static const char *wrap_find_end(const char *text)
{
	const char *word = text;
	for (;;) {
		const char *end = word + strcspn(word, " \n");
		const char *next = end + strspn(end, " ");
		if (*next == '\0' || *next == '\n' || wrap_may_break(word, end, next))
			return end;
		word = next;
	}
}

/* gap: blanks to write before the next word; those at a line's end are never written. */
static void wrap_write(FILE *out, const char *text, int columns, int first, int indent)
{
	int column = first, gap = 0;
	bool begins = true;
	while (*text != '\0') {
		const int blanks = (int)strspn(text, " ");
		const char *end = wrap_find_end(text += blanks);
		const int width = wrap_measure(text, (size_t)(end - text));
		gap += blanks;
		if (width > 0 && !begins && columns > 0 && column + gap + width > columns) {
			putc('\n', out);
			column = 0;
			gap = indent;
		}
		if (end > text) {
			fprintf(out, "%*s%.*s", gap, "", (int)(end - text), text);
			column += gap + width;
			gap = 0;
			begins = false;
		}
		text = end;
		if (text[0] == '\n' && *++text != '\0') {
			putc('\n', out);
			column = 0;
			gap = indent;
			begins = true;
		}
	}
}

char *wrap_text(const char *text, int columns, int first, int indent)
{
	char *lines = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&lines, &size);
	if (out == NULL)
		return NULL;
	wrap_write(out, text, columns, first, indent);
	if (fclose(out) == 0)
		return lines;
	free(lines);
	return NULL;
}

void wrap_print(FILE *file, int indent, const char *format, ...)
{
	char *text = NULL, *lines = NULL;
	va_list arguments;
	va_start(arguments, format);
	if (vasprintf(&text, format, arguments) < 0)
		text = NULL;
	va_end(arguments);
	if (text != NULL)
		lines = wrap_text(text, terminal_columns(fileno(file)), 0, indent);
	fprintf(file, "%s\n", lines != NULL ? lines : "out of memory");
	free(lines);
	free(text);
}
