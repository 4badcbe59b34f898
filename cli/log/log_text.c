/* log_text.c - words of a record as the text that they stand for */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdint.h>
#include <string.h>

#include "cli/log/log.h"
#include "page/utf8.h"

/* Room for any character in UTF-8. */
enum { TEXT_CHARACTER = 4 };

/* Controls, and what is invisible or turns the direction of other text. */
static bool log_text_is_seen(uint32_t character)
{
	return character >= ' ' && (character < 0x7f || character >= 0xa0) &&
	       !(character >= 0x200b && character <= 0x200f) &&
	       !(character >= 0x2028 && character <= 0x202e) &&
	       !(character >= 0x2060 && character <= 0x206f) && character != 0xfeff;
}

/* The number of four hexadecimal digits; 0, which no text has, if they are none. */
static uint32_t log_text_read_number(const char *at, const char *end)
{
	uint32_t number = 0;
	if (end - at < 4)
		return 0;
	for (int i = 0; i < 4; i++) {
		static const char digits[] = "0123456789abcdef";
		const char *digit = memchr(digits, at[i] | 0x20, sizeof digits - 1);
		if (digit == NULL)
			return 0;
		number = number * 16 + (uint32_t)(digit - digits);
	}
	return number;
}

/* Up to U+FFFF; surrogates, which no program of one name has, and controls are "?". */
static size_t log_text_encode(uint32_t character, char out[TEXT_CHARACTER])
{
	if (!log_text_is_seen(character) || (character >= 0xd800 && character < 0xe000))
		character = '?';
	if (character < 0x80) {
		out[0] = (char)character;
		return 1;
	}
	if (character < 0x800) {
		out[0] = (char)(0xc0 | character >> 6);
		out[1] = (char)(0x80 | (character & 0x3f));
		return 2;
	}
	out[0] = (char)(0xe0 | character >> 12);
	out[1] = (char)(0x80 | (character >> 6 & 0x3f));
	out[2] = (char)(0x80 | (character & 0x3f));
	return 3;
}

/* Behind a backslash. Returns the bytes that were read. */
static size_t log_text_read_escape(const char *at, const char *end, char out[TEXT_CHARACTER],
                                   size_t *length)
{
	const bool numbered = *at == 'u', control = strchr("bfnrt", *at) != NULL;
	const uint32_t number = numbered ? log_text_read_number(at + 1, end) : 0;
	*length = log_text_encode(numbered ? number : control ? '?' : (unsigned char)*at, out);
	return numbered && end - at > 4 ? 5 : 1;
}

/* One character, in UTF-8. Returns the bytes that were read. */
static size_t log_text_read(const char *at, const char *end, char out[TEXT_CHARACTER],
                            size_t *length)
{
	char copy[TEXT_CHARACTER + 1] = "";
	uint32_t character;
	if (*at == '\\' && at + 1 < end)
		return 1 + log_text_read_escape(at + 1, end, out, length);
	memcpy(copy, at, (size_t)(end - at) < TEXT_CHARACTER ? (size_t)(end - at) : TEXT_CHARACTER);
	const int read = utf8_read_character(copy, &character);
	const bool seen = log_text_is_seen(character);
	*length = seen ? (size_t)read : 1;
	memcpy(out, seen ? copy : "?", *length);
	return (size_t)read;
}

void log_text_decode(struct words words, char *out, size_t size)
{
	const char *at = words.text, *end = words.text + words.length;
	size_t used = 0, length = 0;
	char character[TEXT_CHARACTER];
	while (words.text != NULL && at < end) {
		at += log_text_read(at, end, character, &length);
		if (used + length >= size)
			break;
		memcpy(out + used, character, length);
		used += length;
	}
	out[used] = '\0';
}
