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
	*whole = begin + strcspn(begin, ".eE") >= end;
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
	const double left = difference_take_number(a, &a_whole),
		     right = difference_take_number(b, &b_whole);
	if (left == right)
		return true;
	if (a_whole && b_whole)
		return false;
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

/* The line for a message: cut off, control characters replaced. */
static void difference_quote(const struct difference_text *text, char out[DIFFERENCE_TEXT_BYTES])
{
	if (text->length < 0) {
		strcpy(out, "(the output ends)");
		return;
	}
	const size_t length = text->length < DIFFERENCE_TEXT_BYTES ? (size_t)text->length
	                                                           : DIFFERENCE_TEXT_BYTES - 1;
	memcpy(out, text->line, length);
	out[length] = '\0';
	if (length > 0 && out[length - 1] == '\n')
		out[length - 1] = '\0';
	for (size_t i = 0; i < length; i++)
		if (text->line[i] != '\n' && iscntrl((unsigned char)out[i]))
			out[i] = '?';
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
	if (a->length < 0 || b->length < 0)
		return a->length == b->length;
	if (a->length == b->length && memcmp(a->line, b->line, (size_t)a->length) == 0)
		return true;
	if (difference_is_binary(a) || difference_is_binary(b))
		return false;
	difference->kind = DIFFERENCE_NUMBERS;
	return difference_agree_lines(a->line, b->line, tolerance, &difference->deviation);
}

static void difference_walk(struct difference_text *a, struct difference_text *b, double tolerance,
                            struct difference *difference)
{
	do {
		difference->line++;
		difference_next_line(a);
		difference_next_line(b);
		if (!difference_check_lines(a, b, tolerance, difference)) {
			difference->kind = DIFFERENCE_FOUND;
			difference_quote(a, difference->before);
			difference_quote(b, difference->after);
			return;
		}
	} while (a->length >= 0);
}

int difference_find(int before, int after, double tolerance, struct difference *difference)
{
	struct difference_text a = {.fd = before, .block = malloc(DIFFERENCE_LINE_BYTES + 1)};
	struct difference_text b = {.fd = after, .block = malloc(DIFFERENCE_LINE_BYTES + 1)};
	*difference = (struct difference){.kind = DIFFERENCE_NONE};
	int error = a.block == NULL || b.block == NULL ? ENOMEM : 0;
	if (error == 0) {
		difference_walk(&a, &b, tolerance, difference);
		error = a.error != 0 ? a.error : b.error;
	}
	free(a.block);
	free(b.block);
	return error;
}

void difference_describe_rest(struct difference *difference, uint64_t before_bytes,
                              uint64_t after_bytes)
{
	difference->kind = DIFFERENCE_FOUND;
	difference->line = 0;
	snprintf(difference->before, sizeof difference->before, "%llu bytes in all",
	         (unsigned long long)before_bytes);
	snprintf(difference->after, sizeof difference->after, "%llu bytes in all",
	         (unsigned long long)after_bytes);
}
