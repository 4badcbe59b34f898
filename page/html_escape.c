/* html_escape.c - others' words as text of HTML */
/* SPDX-License-Identifier: Apache-2.0 */
#include "page/html_escape.h"

#include <stdbool.h>
#include <stdint.h>

#include "page/utf8.h"

static bool html_escape_is_unseen(uint32_t character)
{
	return (character < ' ' && character != '\t' && character != '\n') ||
	       (character >= 0x7f && character < 0xa0) ||
	       (character >= 0x200b && character <= 0x200f) ||
	       (character >= 0x2028 && character <= 0x202e) ||
	       (character >= 0x2060 && character <= 0x206f) || character == 0xfeff ||
	       (character & 0xfffe) == 0xfffe;
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
	while (*text != '\0') {
		uint32_t character;
		const int length = utf8_read_character(text, &character);
		const char *escaped = html_escape_find(character);
		if (escaped != NULL)
			fputs(escaped, file);
		else
			fwrite(text, 1, (size_t)length, file);
		text += length;
	}
}
