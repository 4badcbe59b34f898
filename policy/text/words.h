/* words.h - text helpers that the parsers share: trim, compare, nearest, match; pure */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_TEXT_WORDS_H
#define GPUSHIM_POLICY_TEXT_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* A stretch of a longer text; not terminated. */
struct words {
	const char *text;
	size_t length;
};

/* The stretch without blanks (space, tab, CR, LF) on either side. */
struct words words_trim(struct words words);

/* Whether both are the same, where the case of ASCII letters does not matter and - equals _. */
bool words_equal(struct words words, struct words other);

/* Takes prefix, compared as words_equal does, from the front of *words; false where it is not there. */
bool words_skip(struct words *words, const char *prefix);

/*
 * What stands before the first separator; *rest begins after it, and rest->text is NULL after the
 * last part.
 */
struct words words_next(struct words *rest, char separator);

/*
 * How far name is from key: letters to insert, drop, replace or swap; 1 if name is a part of key of
 * at least four letters. WORDS_FAR where they do not resemble each other.
 */
enum { WORDS_FAR = 1000 };
unsigned words_distance(struct words name, const char *key);

/* Whether all of text fits the pattern: * stands for any letters, ? for one, case matters. */
bool words_match(struct words pattern, const char *text);

/*
 * Splits a line of a file, "key = value". WORDS_BLANK for a comment or blank line. A value in
 * double quotes comes without them, else without the blanks around it.
 */
enum words_line { WORDS_BLANK, WORDS_PAIR, WORDS_NO_EQUALS, WORDS_NO_KEY, WORDS_OPEN_QUOTE };
enum words_line words_split_line(const char *line, struct words *key, struct words *value);

/* What is wrong with the line, for a sentence. NULL for WORDS_BLANK and WORDS_PAIR. */
const char *words_describe_line(enum words_line line);

static inline struct words words_make(const char *text, size_t length)
{
	return (struct words){text, length};
}

static inline struct words words_of(const char *text)
{
	return words_make(text, strlen(text));
}

#endif
