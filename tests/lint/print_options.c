/* print_options.c - option.def as sample config, as a table of docs, or as lists of manuals */
/* SPDX-License-Identifier: Apache-2.0 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "tests/lint/print_mdoc.h"

enum { PRINT_COLUMNS = 100 };

static const struct print_row {
	const char *kind, *key, *initial, *range, *help;
} print_rows[] = {
#define OPTION(kind, key, initial, range, help) {#kind, #key, initial, range, help},
#include "policy/options/option.def"
};
enum { PRINT_ROWS = sizeof print_rows / sizeof print_rows[0] };

static const struct print_former {
	const char *key, *former;
} print_formers[] = {
#define OPTION(kind, key, initial, range, help)
#define OPTION_FORMER(key, former) {#key, #former},
#include "policy/options/option.def"
};
enum { PRINT_FORMERS = sizeof print_formers / sizeof print_formers[0] };

/* The help as comment lines of at most PRINT_COLUMNS, broken at blanks. */
static void print_wrapped(const char *text)
{
	while (*text != '\0') {
		size_t length = strlen(text), room = PRINT_COLUMNS - strlen("# ");
		if (length > room)
			for (length = room; length > 0 && text[length] != ' ';)
				length--;
		printf("# %.*s\n", (int)length, text);
		text += length;
		text += *text == ' ';
	}
}

/* The kinds with a range, with what the documents say of their unit. */
static const struct print_unit {
	const char *kind, *unit;
} print_units[] = {
	{"COUNT", ""},      {"BYTES", " bytes"}, {"MEGABYTES", " MB"},
	{"FLOPS", " flop"}, {"SECONDS", " s"},   {"SHARE", ", or 0 % to 100 %"},
};

static const char *print_find_unit(const char *kind)
{
	for (size_t i = 0; i < sizeof print_units / sizeof print_units[0]; i++)
		if (strcmp(print_units[i].kind, kind) == 0)
			return print_units[i].unit;
	return NULL;
}

/* The words or numbers that the option takes. */
static void print_allowed(const struct print_row *row, const char *separator, const char *quote)
{
	if (strcmp(row->kind, "SWITCH") == 0) {
		printf("%strue%s%s%sfalse%s", quote, quote, separator, quote, quote);
	} else if (strcmp(row->kind, "CHOICE") == 0) {
		fputs(quote, stdout);
		for (const char *at = row->range; *at != '\0'; at++) {
			if (*at == '|')
				printf("%s%s%s", quote, separator, quote);
			else
				putchar(*at);
		}
		fputs(quote, stdout);
	} else if (print_find_unit(row->kind) != NULL) {
		const char *dots = strstr(row->range, "..");
		printf("%.*s to %s%s", (int)(dots - row->range), row->range, dots + 2,
		       print_find_unit(row->kind));
	} else {
		fputs(row->range[0] != '\0' ? row->range : "text", stdout);
	}
}

static void print_conf(void)
{
	printf("# gpushim.conf - every option with its default; "
	       "take away the # of those you change\n"
	       "#\n"
	       "# Read from /etc/gpushim.conf, then $XDG_CONFIG_HOME/gpushim/gpushim.conf (else ~/.config/gpushim/\n"
	       "# gpushim.conf), then the file that EPOCHLY_GPU_CONFIG names; later ones win, and a variable of the\n"
	       "# environment, EPOCHLY_GPU_ and the key in capitals, wins over all files. Comments stand on lines of\n"
	       "# their own; a value may stand in double quotes. "
	       "Made from policy/options/option.def.\n");
	for (int i = 0; i < PRINT_ROWS; i++) {
		const struct print_row *row = &print_rows[i];
		putchar('\n');
		print_wrapped(row->help);
		printf("# Values: ");
		print_allowed(row, ", ", "");
		printf("\n#%s = %s\n", row->key, row->initial[0] != '\0' ? row->initial : "\"\"");
	}
}

/* A | would end the cell. */
static void print_cell(const char *text)
{
	for (; *text != '\0'; text++)
		printf(*text == '|' ? "\\%c" : "%c", *text);
}

/* The key in capitals, as the environment has it. */
static void print_variable(const char *key)
{
	printf("EPOCHLY_GPU_");
	for (; *key != '\0'; key++)
		putchar(toupper((unsigned char)*key));
}

static void print_former_names(const char *key)
{
	for (int i = 0; i < PRINT_FORMERS; i++)
		if (strcmp(print_formers[i].key, key) == 0)
			printf(" Formerly `%s`, which is still accepted.", print_formers[i].former);
}

/* Every variable that the shim accepts, but those of single routines. */
static void print_variables(void)
{
	for (int i = 0; i < PRINT_ROWS + PRINT_FORMERS; i++) {
		print_variable(i < PRINT_ROWS ? print_rows[i].key
		                              : print_formers[i - PRINT_ROWS].former);
		putchar('\n');
	}
}

static void print_markdown(void)
{
	printf("| option | variable | values | default | meaning |\n|---|---|---|---|---|\n");
	for (int i = 0; i < PRINT_ROWS; i++) {
		const struct print_row *row = &print_rows[i];
		printf("| `%s` | `", row->key);
		print_variable(row->key);
		printf("` | ");
		print_allowed(row, ", ", "`");
		if (row->initial[0] != '\0')
			printf(" | `%s` | ", row->initial);
		else
			printf(" | empty | ");
		print_cell(row->help);
		print_former_names(row->key);
		printf(" |\n");
	}
}

/* The list of gpushim.conf(5). */
static void print_manual(void)
{
	for (int i = 0; i < PRINT_ROWS; i++) {
		const struct print_row *row = &print_rows[i];
		printf(".It Cm %s No = Ar value\n", row->key);
		print_mdoc_text(row->help);
		printf(".Pp\nValues: ");
		print_allowed(row, ", ", "");
		printf(".\nDefault: %s.\n", row->initial[0] != '\0' ? row->initial : "empty");
		for (int j = 0; j < PRINT_FORMERS; j++)
			if (strcmp(print_formers[j].key, row->key) == 0)
				printf("Formerly\n.Cm %s ,\nwhich is still accepted.\n",
				       print_formers[j].former);
	}
}

/* The list of libgpushim(7): the first sentence of each. */
static void print_manual_variables(void)
{
	char text[512];
	for (int i = 0; i < PRINT_ROWS; i++) {
		printf(".It Ev ");
		print_variable(print_rows[i].key);
		putchar('\n');
		const char *end = strstr(print_rows[i].help, ". ");
		snprintf(text, sizeof text, "%.*s",
		         end != NULL ? (int)(end + 1 - print_rows[i].help) : 511,
		         print_rows[i].help);
		print_mdoc_text(text);
	}
}

int main(int argc, char **argv)
{
	if (argc == 2 && strcmp(argv[1], "conf") == 0) {
		print_conf();
	} else if (argc == 2 && strcmp(argv[1], "markdown") == 0) {
		print_markdown();
	} else if (argc == 2 && strcmp(argv[1], "variables") == 0) {
		print_variables();
	} else if (argc == 2 && strcmp(argv[1], "manual") == 0) {
		print_manual();
	} else if (argc == 2 && strcmp(argv[1], "manual_variables") == 0) {
		print_manual_variables();
	} else {
		fprintf(stderr, "usage: print_options "
		                "conf|markdown|variables|manual|manual_variables\n");
		return 2;
	}
	return 0;
}
