/* difference.c - compares line by line, numbers as numbers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/compare/difference.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "page/utf8.h"

/* From here on a double does not hold every whole number. */
static const double difference_exact = 9007199254740992;

/* A longer line is compared in parts of this length, byte by byte. */
enum { DIFFERENCE_LINE_BYTES = 1 << 24 };

/*
 * One of the two texts. at: offset in the file of the next read. begin, end: the bytes of block
 * that have been read but not yet returned as a line. line, length: the present line; length is -1
 * at the end. behind: the byte that the line's terminator replaced.
 */
struct difference_text {
	int fd, error;
	off_t at;
	bool ended;
	size_t begin, end;
	char *block;
	char *line;
	ssize_t length;
	char behind;
};

/* A position in a line. */
struct difference_cursor {
	const char *at, *line;
};

/* Digits behind a letter, _ or . belong to a name (x2, dgemm_64_), not to a number. */
static bool difference_is_number(const struct difference_cursor *cursor)
{
	const char *at = cursor->at;
	if (at > cursor->line && (isalnum((unsigned char)at[-1]) || at[-1] == '_' || at[-1] == '.'))
		return false;
	at += *at == '-' || *at == '+';
	at += *at == '.';
	return isdigit((unsigned char)*at) && !(at[0] == '0' && (at[1] == 'x' || at[1] == 'X'));
}

/* Reads the number at the cursor. A Fortran exponent (1.0D+00) ends it, and is compared as text. */
static double difference_take_number(struct difference_cursor *cursor, bool *whole)
{
	char *end = NULL;
	const char *begin = cursor->at;
	const double value = strtod(begin, &end);
	cursor->at = end;
	*whole = true;
	for (const char *at = begin; at < end; at++)
		if (*at == '.' || *at == 'e' || *at == 'E')
			*whole = false;
	return value;
}

static double difference_find_largest(const char *line)
{
	double largest = 0;
	bool whole;
	for (struct difference_cursor cursor = {line, line}; *cursor.at != '\0';) {
		if (!difference_is_number(&cursor)) {
			cursor.at++;
			continue;
		}
		const double value = fabs(difference_take_number(&cursor, &whole));
		if (value > largest && isfinite(value))
			largest = value;
	}
	return largest;
}

static void difference_skip_blanks(struct difference_cursor *cursor)
{
	while (isspace((unsigned char)*cursor->at))
		cursor->at++;
}

/* Reads the numbers at both cursors and compares them. */
static bool difference_agree_numbers(struct difference_cursor *a, struct difference_cursor *b,
                                     double tolerance, double largest, double *deviation)
{
	bool a_whole = false, b_whole = false;
	const char *a_begin = a->at, *b_begin = b->at;
	const double left = difference_take_number(a, &a_whole),
		     right = difference_take_number(b, &b_whole);
	const bool same_text = a->at - a_begin == b->at - b_begin &&
	                       memcmp(a_begin, b_begin, (size_t)(a->at - a_begin)) == 0;
	if (a_whole && b_whole)
		return left == right && (fabs(left) < difference_exact || same_text);
	if (left == right)
		return true;
	const double relative = fabs(left - right) / largest;
	if (!(relative <= tolerance))
		return false;
	*deviation = relative > *deviation ? relative : *deviation;
	return true;
}

/*
 * Skips blanks. Blanks on one side only are a difference, except in front of a number, where a sign
 * may take the place of a blank, and at the end of the line.
 */
static bool difference_agree_blanks(struct difference_cursor *a, struct difference_cursor *b)
{
	const bool a_blank = isspace((unsigned char)*a->at),
		   b_blank = isspace((unsigned char)*b->at);
	difference_skip_blanks(a);
	difference_skip_blanks(b);
	return a_blank == b_blank || *a->at == '\0' ||
	       (difference_is_number(a) && difference_is_number(b));
}

static bool difference_agree_lines(const char *before, const char *after, double tolerance,
                                   double *deviation)
{
	const double a_largest = difference_find_largest(before),
		     b_largest = difference_find_largest(after);
	struct difference_cursor a = {before, before}, b = {after, after};
	for (;;) {
		if (!difference_agree_blanks(&a, &b))
			return false;
		if (difference_is_number(&a) && difference_is_number(&b)) {
			if (!difference_agree_numbers(&a, &b, tolerance, fmax(a_largest, b_largest),
			                              deviation))
				return false;
			continue;
		}
		if (*a.at != *b.at)
			return false;
		if (*a.at == '\0')
			return true;
		a.at++;
		b.at++;
	}
}

/* Moves the bytes left to the front of the block and reads behind them. */
static void difference_fill(struct difference_text *text)
{
	text->end -= text->begin;
	memmove(text->block, text->block + text->begin, text->end);
	text->begin = 0;
	ssize_t got;
	do
		got = pread(text->fd, text->block + text->end, DIFFERENCE_LINE_BYTES - text->end,
		            text->at);
	while (got < 0 && errno == EINTR);
	if (got < 0)
		text->error = errno;
	text->ended = got <= 0;
	text->at += got > 0 ? got : 0;
	text->end += got > 0 ? (size_t)got : 0;
}

static void difference_next_line(struct difference_text *text)
{
	const char *newline;
	if (text->line != NULL)
		text->block[text->begin] = text->behind;
	while ((newline = memchr(text->block + text->begin, '\n', text->end - text->begin)) ==
	               NULL &&
	       !text->ended && text->end - text->begin < DIFFERENCE_LINE_BYTES)
		difference_fill(text);
	text->line = text->block + text->begin;
	text->length =
		newline != NULL ? newline + 1 - text->line : (ssize_t)(text->end - text->begin);
	text->begin += (size_t)text->length;
	text->behind = text->block[text->begin];
	text->block[text->begin] = '\0';
	if (text->length == 0)
		text->length = -1;
}

/*
 * Where a quote begins, so that the place where the lines begin to differ is in it: at a character,
 * because a part of one would be quoted as '?'.
 */
static size_t difference_find_begin(const struct difference_text *a,
                                    const struct difference_text *b)
{
	size_t at = 0;
	if (a->length < DIFFERENCE_TEXT_BYTES && b->length < DIFFERENCE_TEXT_BYTES)
		return 0;
	while ((ssize_t)at < a->length && (ssize_t)at < b->length && a->line[at] == b->line[at])
		at++;
	at = at > DIFFERENCE_TEXT_BYTES / 2 ? at - DIFFERENCE_TEXT_BYTES / 2 : 0;
	while (at > 0 && ((unsigned char)a->line[at] & 0xc0) == 0x80)
		at--;
	return at;
}

/* Appends the line from begin on as far as there is room; returns whether that was all of it. */
static bool difference_append(const struct difference_text *text, size_t begin,
                              char out[DIFFERENCE_TEXT_BYTES], size_t used)
{
	const size_t room = DIFFERENCE_TEXT_BYTES - sizeof "..." - 4;
	const size_t length =
		(size_t)text->length - (text->length > 0 && text->line[text->length - 1] == '\n');
	uint32_t character = 0;
	for (size_t at = begin; at < length;) {
		int bytes = 1;
		if (used >= room)
			return false;
		if (text->line[at] != '\0')
			bytes = utf8_read_character(text->line + at, &character);
		const bool plain = text->line[at] != '\0' && character >= ' ' &&
		                   (character < 0x7f || character >= 0xa0);
		if (plain)
			memcpy(out + used, text->line + at, (size_t)bytes);
		else
			out[used] = '?';
		used += plain ? (size_t)bytes : 1;
		out[used] = '\0';
		at += (size_t)bytes;
	}
	return true;
}

/* The line for a message: from begin on, cut off, control characters replaced. */
static void difference_quote(const struct difference_text *text, size_t begin,
                             char out[DIFFERENCE_TEXT_BYTES])
{
	strcpy(out, text->length < 0 ? "(the output ends)" : begin > 0 ? "..." : "");
	if (text->length >= 0 && !difference_append(text, begin, out, strlen(out)))
		strcat(out, "...");
}

/* Whether the line is no text. */
static bool difference_is_binary(const struct difference_text *text)
{
	return text->length == DIFFERENCE_LINE_BYTES ||
	       memchr(text->line, '\0', (size_t)text->length) != NULL;
}

/* Whether the present lines agree. */
static bool difference_check_lines(struct difference_text *a, struct difference_text *b,
                                   double tolerance, struct difference *difference)
{
	double deviation = 0;
	if (a->length < 0 || b->length < 0)
		return a->length == b->length;
	if (a->length == b->length && memcmp(a->line, b->line, (size_t)a->length) == 0)
		return true;
	if (difference_is_binary(a) || difference_is_binary(b) ||
	    !difference_agree_lines(a->line, b->line, tolerance, &deviation))
		return false;
	difference->has_numbers = true;
	difference->deviation = fmax(difference->deviation, deviation);
	return true;
}

static const struct difference_quote *difference_find_quote(const struct difference *difference,
                                                            size_t line)
{
	for (size_t i = 0; i < difference->quotes; i++)
		if (difference->quote[i].line == line)
			return &difference->quote[i];
	return NULL;
}

/* Forgets the quotes of lines that are known to be unsteady by now. */
static void difference_drop_quotes(struct difference *difference, const struct line_set *unsteady)
{
	size_t kept = 0;
	for (size_t i = 0; i < difference->quotes; i++)
		if (!line_set_has(unsteady, difference->quote[i].line))
			difference->quote[kept++] = difference->quote[i];
	difference->quotes = kept;
}

static void difference_note_line(struct difference *difference, size_t line,
                                 const struct line_set *unsteady, const struct difference_text *a,
                                 const struct difference_text *b)
{
	line_set_add(&difference->lines, line);
	if (difference->quotes == DIFFERENCE_QUOTES ||
	    (unsteady != NULL && line_set_has(unsteady, line)) ||
	    difference_find_quote(difference, line) != NULL)
		return;
	struct difference_quote *quote = &difference->quote[difference->quotes++];
	const size_t begin = difference_find_begin(a, b);
	quote->line = line;
	difference_quote(a, begin, quote->before);
	difference_quote(b, begin, quote->after);
}

static void difference_walk(struct difference_text *a, struct difference_text *b, double tolerance,
                            const struct line_set *unsteady, struct difference *difference)
{
	size_t line = 0;
	do {
		line++;
		difference_next_line(a);
		difference_next_line(b);
		if (!difference_check_lines(a, b, tolerance, difference))
			difference_note_line(difference, line, unsteady, a, b);
	} while (a->length >= 0 && b->length >= 0);
	if (a->length != b->length && difference->end == 0)
		difference->end = line;
	while (a->length >= 0) {
		line++;
		difference_next_line(a);
	}
	difference->total = line - 1;
}

int difference_add(struct difference *difference, const struct line_set *unsteady, int before,
                   int after, double tolerance)
{
	struct difference_text a = {.fd = before, .block = malloc(DIFFERENCE_LINE_BYTES + 1)};
	struct difference_text b = {.fd = after, .block = malloc(DIFFERENCE_LINE_BYTES + 1)};
	int error = a.block == NULL || b.block == NULL ? ENOMEM : 0;
	if (unsteady != NULL)
		difference_drop_quotes(difference, unsteady);
	if (error == 0) {
		difference_walk(&a, &b, tolerance, unsteady, difference);
		error = a.error != 0 ? a.error : b.error;
	}
	free(a.block);
	free(b.block);
	return error;
}

void difference_free(struct difference *difference)
{
	line_set_free(&difference->lines);
}

struct difference_verdict difference_judge(const struct difference *with,
                                           const struct difference *without)
{
	struct difference_verdict verdict = {.kind = with->has_numbers ? DIFFERENCE_NUMBERS
	                                                               : DIFFERENCE_NONE,
	                                     .unsteady = line_set_count(&without->lines)};
	const size_t line = line_set_find_beyond(&with->lines, &without->lines);
	if (without->end != 0 || (verdict.unsteady > 0 && verdict.unsteady == without->total)) {
		verdict.kind = DIFFERENCE_UNSTEADY;
	} else if (line != 0 || with->end != 0 || (with->rest_differs && !without->rest_differs)) {
		verdict.kind = DIFFERENCE_FOUND;
		verdict.line = line != 0 ? line : with->end;
		verdict.quote = difference_find_quote(with, verdict.line);
	}
	return verdict;
}
