/* print_mdoc.h - help texts of the tables as text of manual pages */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_LINT_PRINT_MDOC_H
#define GPUSHIM_TESTS_LINT_PRINT_MDOC_H

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* mandoc -Tlint asks for lines of less than 80 columns, and for a new line after a sentence. */
enum { PRINT_MDOC_COLUMNS = 78 };

/*
 * A word as mdoc text: the dashes of options are minus signs, a backslash is escaped, and `code` is
 * in bold.
 */
static int print_mdoc_word(const char *word, int length, bool *code)
{
	int columns = 0;
	const bool option = length > 1 && (word[0] == '-' || strncmp(word, "(--", 3) == 0);
	for (int i = 0; i < length; i++) {
		if (word[i] == '`')
			columns += printf((*code = !*code) ? "\\fB" : "\\fR");
		else if (word[i] == '\\')
			columns += printf("\\e");
		else if (word[i] == '-' && option)
			columns += printf("\\-");
		else
			columns += printf("%c", word[i]);
	}
	return columns;
}

static bool print_mdoc_ends_sentence(const char *word, int length)
{
	while (length > 1 && strchr(")`\"", word[length - 1]) != NULL)
		length--;
	return length > 1 && strchr(".?!", word[length - 1]) != NULL && word[length - 2] != '.';
}

/* A new line of the text is a paragraph. */
static void print_mdoc_text(const char *text)
{
	bool code = false, sentence = false;
	int column = 0;
	while (*text != '\0') {
		const int length = (int)strcspn(text, " \n");
		if (column > 0 && (sentence || column + 1 + length > PRINT_MDOC_COLUMNS - 6)) {
			putchar('\n');
			column = 0;
		} else if (column > 0) {
			column += printf(" ");
		}
		/* A dot or quote at the beginning of a line would be a request. */
		if (column == 0 && (text[0] == '.' || text[0] == '\''))
			printf("\\&");
		column += print_mdoc_word(text, length, &code);
		sentence = print_mdoc_ends_sentence(text, length);
		text += length;
		if (text[0] == '\n' && text[1] != '\0') {
			printf("\n.Pp\n");
			column = 0;
		}
		text += *text != '\0';
	}
	putchar('\n');
}

#endif
