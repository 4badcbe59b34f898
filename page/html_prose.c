/* html_prose.c - sentences in which names and commands are set as code, which no line breaks */
/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "page/html.h"

/* A name of code may be broken behind its =, where its value begins. */
static void html_prose_put_code(struct html *page, const char *text, size_t length)
{
	const char *equals = memchr(text, '=', length);
	const size_t name = equals != NULL ? (size_t)(equals + 1 - text) : length;
	html_put(page, "<code>");
	html_text(page, "%.*s", (int)name, text);
	if (name < length) {
		html_put(page, "</code><wbr><code>");
		html_text(page, "%.*s", (int)(length - name), text + name);
	}
	html_put(page, "</code>");
}

/* The letters of the word that belong to a name: without the points and commas of the sentence. */
static size_t html_prose_count_name(const char *word, size_t length)
{
	while (length > 0 && strchr(".,:;)", word[length - 1]) != NULL)
		length--;
	return memchr(word, '_', length) != NULL ? length : 0;
}

/*
 * Writes a word and the blanks behind it: a number and its unit, which is at most three letters,
 * stay on one line. Returns the bytes that were written.
 */
static size_t html_prose_put_word(struct html *page, const char *text, size_t length)
{
	const size_t blanks = strspn(text + length, " "), next = length + blanks;
	const size_t unit = strcspn(text + next, " .,:;)");
	const bool joined = length > 0 && text[length - 1] >= '0' && text[length - 1] <= '9' &&
	                    blanks == 1 && unit > 0 && unit <= 3;
	html_text(page, "%.*s%s", (int)(joined ? length : next), text, joined ? "\u00a0" : "");
	return next;
}

void html_prose(struct html *page, const char *text)
{
	while (*text != '\0') {
		const char *end = *text == '`' ? strchr(text + 1, '`') : NULL;
		const size_t length = strcspn(text, " "),
			     name = html_prose_count_name(text, length);
		if (end != NULL) {
			html_prose_put_code(page, text + 1, (size_t)(end - text - 1));
			text = end + 1;
		} else if (name > 0) {
			html_prose_put_code(page, text, name);
			text += name;
		} else {
			text += html_prose_put_word(page, text, length);
		}
	}
}
