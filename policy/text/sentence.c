/* sentence.c - adds text to a buffer, and cuts what does not fit */
/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/text/sentence.h"

#include <string.h>

enum { SENTENCE_QUOTE_MAX = 48 }; /* bytes of a quotation */

struct sentence sentence_start(char *text, size_t size)
{
	text[0] = '\0';
	return (struct sentence){text, size};
}

static void sentence_add_letter(struct sentence *sentence, char letter)
{
	if (sentence->size < 2)
		return;
	*sentence->text++ = letter;
	*sentence->text = '\0';
	sentence->size--;
}

void sentence_add_words(struct sentence *sentence, struct words words)
{
	for (size_t i = 0; i < words.length; i++)
		sentence_add_letter(sentence, words.text[i]);
}

void sentence_add(struct sentence *sentence, const char *piece)
{
	sentence_add_words(sentence, words_of(piece));
}

void sentence_quote(struct sentence *sentence, struct words words)
{
	sentence_add_letter(sentence, '\'');
	size_t i = 0;
	for (; i < words.length; i++) {
		const unsigned char letter = (unsigned char)words.text[i];
		const bool inside_utf8 = (letter & 0xc0) == 0x80;
		if (i >= SENTENCE_QUOTE_MAX && !inside_utf8)
			break;
		sentence_add_letter(sentence, letter < ' ' || letter == 0x7f ? '?' : (char)letter);
	}
	sentence_add(sentence, i < words.length ? "...'" : "'");
}
