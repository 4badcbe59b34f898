/* words.c - text helpers of the parsers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/text/words.h"

enum {
	WORDS_NAME_MAX = 48, /* a longer name is similar to no key */
	WORDS_PART_MIN = 4   /* a shorter part of a key matches by chance */
};

static bool words_is_blank(char letter)
{
	return letter == ' ' || letter == '\t' || letter == '\r' || letter == '\n';
}

/* Lower case, and _ for -. Not tolower(): in a Turkish locale the lower case of I is not i. */
static char words_fold(char letter)
{
	if (letter >= 'A' && letter <= 'Z')
		return (char)(letter - 'A' + 'a');
	return letter == '-' ? '_' : letter;
}

struct words words_trim(struct words words)
{
	for (; words.length > 0 && words_is_blank(words.text[0]); words.length--)
		words.text++;
	while (words.length > 0 && words_is_blank(words.text[words.length - 1]))
		words.length--;
	return words;
}

static bool words_equal_part(const char *text, const char *other, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if (words_fold(text[i]) != words_fold(other[i]))
			return false;
	return true;
}

bool words_equal(struct words words, struct words other)
{
	return other.length == words.length &&
	       words_equal_part(words.text, other.text, words.length);
}

bool words_skip(struct words *words, const char *prefix)
{
	const size_t length = strlen(prefix);
	if (words->length < length || !words_equal_part(words->text, prefix, length))
		return false;
	*words = words_make(words->text + length, words->length - length);
	return true;
}

struct words words_next(struct words *rest, char separator)
{
	const struct words all = *rest;
	const char *cut = all.length > 0 ? memchr(all.text, separator, all.length) : NULL;
	if (cut == NULL) {
		*rest = words_make(NULL, 0);
		return all;
	}
	const size_t length = (size_t)(cut - all.text);
	*rest = words_make(cut + 1, all.length - length - 1);
	return words_make(all.text, length);
}

static bool words_is_part(struct words name, const char *key)
{
	const size_t key_length = strlen(key);
	if (name.length < WORDS_PART_MIN)
		return false;
	for (size_t at = 0; at + name.length <= key_length; at++)
		if (words_equal_part(name.text, key + at, name.length))
			return true;
	return false;
}

static unsigned words_least(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

/*
 * Edit distance with swaps of neighbours (optimal string alignment); three rows of its table are
 * kept.
 */
static unsigned words_edit_distance(struct words name, const char *key)
{
	unsigned table[3][WORDS_NAME_MAX + 1];
	const size_t key_length = strlen(key);
	for (size_t i = 0; i <= name.length; i++)
		table[0][i] = (unsigned)i;
	for (size_t k = 1; k <= key_length; k++) {
		unsigned *row = table[k % 3];
		const unsigned *above = table[(k + 2) % 3], *above_that = table[(k + 1) % 3];
		row[0] = (unsigned)k;
		for (size_t i = 1; i <= name.length; i++) {
			const char n = words_fold(name.text[i - 1]);
			row[i] = words_least(above[i], row[i - 1]) + 1;
			row[i] = words_least(row[i], above[i - 1] + (n != key[k - 1]));
			if (i > 1 && k > 1 && n == key[k - 2] &&
			    words_fold(name.text[i - 2]) == key[k - 1])
				row[i] = words_least(row[i], above_that[i - 2] + 1);
		}
	}
	return table[key_length % 3][name.length];
}

unsigned words_distance(struct words name, const char *key)
{
	if (name.length == 0 || name.length > WORDS_NAME_MAX)
		return WORDS_FAR;
	if (words_is_part(name, key))
		return 1;
	const unsigned distance = words_edit_distance(name, key);
	return distance <= 1 + strlen(key) / 4 ? distance : WORDS_FAR;
}

/* No recursion: on a mismatch the last * takes one letter more. */
bool words_match(struct words pattern, const char *text)
{
	size_t at = 0, star = 0;
	const char *resume = NULL;
	while (*text != '\0') {
		if (at < pattern.length && pattern.text[at] == '*') {
			star = at++;
			resume = text;
		} else if (at < pattern.length &&
		           (pattern.text[at] == '?' || pattern.text[at] == *text)) {
			at++;
			text++;
		} else if (resume != NULL) {
			at = star + 1;
			text = ++resume;
		} else {
			return false;
		}
	}
	while (at < pattern.length && pattern.text[at] == '*')
		at++;
	return at == pattern.length;
}

enum words_line words_split_line(const char *line, struct words *key, struct words *value)
{
	const struct words all = words_trim(words_of(line));
	if (all.length == 0 || all.text[0] == '#')
		return WORDS_BLANK;
	struct words rest = all;
	*key = words_trim(words_next(&rest, '='));
	if (rest.text == NULL)
		return WORDS_NO_EQUALS;
	if (key->length == 0)
		return WORDS_NO_KEY;
	*value = words_trim(rest);
	if (value->length == 0 || value->text[0] != '"')
		return WORDS_PAIR;
	if (value->length < 2 || value->text[value->length - 1] != '"')
		return WORDS_OPEN_QUOTE;
	*value = words_make(value->text + 1, value->length - 2);
	return WORDS_PAIR;
}

const char *words_describe_line(enum words_line line)
{
	switch (line) {
	case WORDS_NO_EQUALS: return "no equals sign between key and value";
	case WORDS_NO_KEY: return "no key before the equals sign";
	case WORDS_OPEN_QUOTE:
		return "a value that begins with a double quote does not end with one";
	case WORDS_BLANK:
	case WORDS_PAIR: break;
	}
	return NULL;
}
