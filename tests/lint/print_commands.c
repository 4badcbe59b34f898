/* print_commands.c - prints command.def as synopsis or sections for docs/gpushim.1 */
/* SPDX-License-Identifier: Apache-2.0 */
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "tests/lint/print_mdoc.h"

/* The rows in their order. kind: of an option; of a command whether it takes the shim's options. */
static const struct print_row {
	enum { PRINT_COMMAND, PRINT_OPERAND, PRINT_OPTION, PRINT_END } row;
	const char *name, *kind, *value, *range, *initial, *help;
} print_rows[] = {
#define COMMAND(name, place, shim, operands, missing, help)                                        \
	{PRINT_COMMAND, #name, #shim, operands, "", "", help},
#define OPERAND(command, name, help) {PRINT_OPERAND, name, "", "", "", "", help},
#define OPTION(command, kind, key, value, range, initial, help)                                    \
	{PRINT_OPTION, #key, #kind, value, range, initial, help},
#define END(name, notes) {PRINT_END, #name, "", "", "", "", notes},
#include "cli/common/command.def"
};
enum { PRINT_ROWS = sizeof print_rows / sizeof print_rows[0] };

static void print_name(const char *key)
{
	printf("Fl Fl ");
	for (; *key != '\0'; key++)
		putchar(*key == '_' ? '-' : *key);
}

/*
 * "[--] PROGRAM [ARGUMENT]..." as ".Op Fl Fl", ".Ar PROGRAM", ".Op Ar ARGUMENT ..."; an option in
 * an option as ".Op Ar PROGRAM Op Ar ARGUMENT ...".
 */
static void print_operands(const char *text)
{
	for (int depth = 0; *text != '\0'; text += *text == ' ') {
		const bool optional = *text == '[';
		text += optional;
		const int length = (int)strcspn(text, "[] ");
		printf(depth == 0 ? optional ? ".Op " : ".Ar " : optional ? " Op " : " ");
		if (*text == '-')
			printf("Fl Fl");
		else
			printf("%s%.*s", optional ? "Ar " : "", length, text);
		depth += optional;
		for (text += length; *text == ']'; text++)
			depth--;
		if (strncmp(text, "...", 3) == 0) {
			printf(" ...");
			text += 3;
		}
		for (; *text == ']'; text++)
			depth--;
		if (depth == 0)
			putchar('\n');
	}
}

static void print_synopsis(void)
{
	const struct print_row *command = print_rows;
	for (const struct print_row *row = print_rows; row < print_rows + PRINT_ROWS; row++) {
		if (row->row == PRINT_COMMAND) {
			command = row;
			printf(".Nm\n.Cm %s\n", row->name);
		} else if (row->row == PRINT_OPTION) {
			printf(".Op ");
			print_name(row->name);
			printf("%s%s%s\n", row->value[0] != '\0' ? " Ar " : "", row->value,
			       strcmp(row->kind, "LIST") == 0 ? " ..." : "");
		} else if (row->row == PRINT_END) {
			if (strcmp(command->kind, "NO") != 0)
				printf(".Op Fl Fl Ar OPTION Ns = Ns Ar VALUE ...\n");
			print_operands(command->value);
		}
	}
}

/* "1..10" is "1 to 10", "0.." is "0 or more", ">0" is "above 0". */
static void print_range(const struct print_row *row)
{
	const char *dots = strstr(row->range, "..");
	printf("Values: ");
	if (dots == NULL)
		printf("above %s", row->range + 1);
	else if (dots[2] == '\0')
		printf("%.*s or more", (int)(dots - row->range), row->range);
	else
		printf("%.*s to %s", (int)(dots - row->range), row->range, dots + 2);
	if (row->initial[0] != '\0')
		printf(", %s by default", row->initial);
	printf(".\n");
}

/* Options without a help share an item with the one that follows. */
static void print_option(const struct print_row *row, bool shares)
{
	printf(shares ? " , " : ".It ");
	print_name(row->name);
	if (row->help[0] == '\0')
		return;
	printf("%s%s\n", row->value[0] != '\0' ? " Ar " : "", row->value);
	print_mdoc_text(row->help);
	if (strcmp(row->kind, "COUNT") == 0 || strcmp(row->kind, "REAL") == 0 ||
	    strcmp(row->kind, "SECONDS") == 0 || strcmp(row->kind, "PERCENT") == 0)
		print_range(row);
}

static void print_sections(void)
{
	bool list = false;
	for (const struct print_row *row = print_rows; row < print_rows + PRINT_ROWS; row++) {
		if (row->row == PRINT_COMMAND) {
			char help[512];
			snprintf(help, sizeof help, "%c%s.", toupper((unsigned char)row->help[0]),
			         row->help + 1);
			printf(".Ss %s\n", row->name);
			print_mdoc_text(help);
			if (row[1].row == PRINT_END)
				printf(".Pp\n");
		} else if (row->row != PRINT_END && !list) {
			printf(".Bl -tag -width \"--try CONFIGURATION\"\n");
			list = true;
		} else if (row->row == PRINT_END) {
			if (list)
				printf(".El\n.Pp\n");
			list = false;
			print_mdoc_text(row->help);
		}
		if (row->row == PRINT_OPERAND) {
			printf(".It Ar %s\n", row->name);
			print_mdoc_text(row->help);
		} else if (row->row == PRINT_OPTION) {
			const bool first = row[-1].row != PRINT_OPTION;
			print_option(row, !first && row[-1].help[0] == '\0');
		}
	}
}

int main(int argc, char **argv)
{
	if (argc == 2 && strcmp(argv[1], "synopsis") == 0) {
		print_synopsis();
	} else if (argc == 2 && strcmp(argv[1], "sections") == 0) {
		print_sections();
	} else {
		fprintf(stderr, "usage: print_commands synopsis|sections\n");
		return 2;
	}
	return 0;
}
