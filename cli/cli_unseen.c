/* cli_unseen.c - the rows of cli_unseen.def */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/cli_unseen.h"

#include <stdio.h>
#include <string.h>

#include "policy/words.h"
#include "shim/table/routine.h"

static const struct {
	const char *pattern, *sentence;
} unseen_table[] = {
#define UNSEEN(pattern, sentence) {pattern, sentence},
#include "cli/cli_unseen.def"
};
enum { UNSEEN_ROWS = sizeof unseen_table / sizeof unseen_table[0], UNSEEN_NAME_BYTES = 64 };

static const char *cli_unseen_skip_prefix(const char *symbol)
{
	static const char *const prefixes[] = {"scipy_", "cblas_", "LAPACKE_"};
	for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++)
		if (strncmp(symbol, prefixes[i], strlen(prefixes[i])) == 0)
			symbol += strlen(prefixes[i]);
	return symbol;
}

/* Without the marks of 64-bit integers and of Fortran at the end. */
static void cli_unseen_cut_suffix(char *name)
{
	static const char *const suffixes[] = {"_", "64", "_", "_work"};
	for (size_t i = 0; i < sizeof suffixes / sizeof suffixes[0]; i++) {
		const size_t length = strlen(name), cut = strlen(suffixes[i]);
		if (length > cut && strcmp(name + length - cut, suffixes[i]) == 0)
			name[length - cut] = '\0';
	}
}

int cli_unseen_find(const char *symbol)
{
	char name[UNSEEN_NAME_BYTES];
	if (symbol_find(symbol) >= 0)
		return -1;
	snprintf(name, sizeof name, "%s", cli_unseen_skip_prefix(symbol));
	cli_unseen_cut_suffix(name);
	for (int i = 0; i < UNSEEN_ROWS; i++)
		if (words_match(words_of(unseen_table[i].pattern), name) && strlen(name) >= strlen("dgesv"))
			return i;
	return -1;
}

int cli_unseen_count(void)
{
	return UNSEEN_ROWS;
}

const char *cli_unseen_sentence(int row)
{
	return unseen_table[row].sentence;
}
