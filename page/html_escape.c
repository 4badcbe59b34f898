/* html_escape.c - others' words as text of HTML */
/* SPDX-License-Identifier: Apache-2.0 */
#include "page/html_escape.h"

#include <stdbool.h>
#include <stdint.h>

/* The length of the character that text begins with, and the character; 1 and 0 where it is none. */
static int html_escape_read(const unsigned char *text, uint32_t *character)
{
	static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
	const int length = text[0] < 0x80           ? 1
	                   : (text[0] >> 5) == 0x6  ? 2
	                   : (text[0] >> 4) == 0xe  ? 3
	                   : (text[0] >> 3) == 0x1e ? 4
	                                            : 0;
	*character = 0;
	if (length == 0)
		return 1;
	uint32_t value = length == 1 ? text[0] : text[0] & (0x7fU >> length);
	for (int i = 1; i < length; i++) {
		if ((text[i] & 0xc0) != 0x80)
			return 1;
		value = value << 6 | (text[i] & 0x3f);
	}
	if (value < least[length] || value > 0x10ffff || (value >= 0xd800 && value <= 0xdfff))
		return 1;
	*character = value;
	return length;
}

static bool html_escape_is_unseen(uint32_t character)
{
	return (character < ' ' && character != '\t' && character != '\n') || (character >= 0x7f && character < 0xa0) ||
	       (character >= 0x200b && character <= 0x200f) || (character >= 0x2028 && character <= 0x202e) ||
	       (character >= 0x2060 && character <= 0x206f) || character == 0xfeff || (character & 0xfffe) == 0xfffe;
}

static const char *html_escape_find(uint32_t character)
{
	switch (character) {
	case '&': return "&amp;";
	case '<': return "&lt;";
	case '>': return "&gt;";
	case '"': return "&quot;";
	case '\'': return "&#39;";
	default: return html_escape_is_unseen(character) ? "\ufffd" : NULL;
	}
}

void html_escape_write(FILE *file, const char *text)
{
	const unsigned char *at = (const unsigned char *)text;
	while (*at != '\0') {
		uint32_t character;
		const int length = html_escape_read(at, &character);
		const char *escaped = html_escape_find(character);
		if (escaped != NULL)
			fputs(escaped, file);
		else
			fwrite(at, 1, (size_t)length, file);
		at += length;
	}
}
