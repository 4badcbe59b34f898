/* doctor_hints.c - finds the row of doctor_hints.def that a symbol belongs to */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/common/doctor_hints.h"

#include <stdio.h>
#include <string.h>

#include "policy/text/words.h"
#include "shim/table/symbol.h"

static const struct {
	const char *pattern, *sentence;
} unseen_table[] = {
#define UNSEEN(pattern, sentence) {pattern, sentence},
#include "cli/common/doctor_hints.def"
};
enum { UNSEEN_ROWS = sizeof unseen_table / sizeof unseen_table[0], UNSEEN_NAME_BYTES = 64 };

static const char *doctor_hints_skip_prefix(const char *symbol)
{
	static const char *const prefixes[] = {"scipy_", "cblas_", "LAPACKE_"};
	for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++)
		if (strncmp(symbol, prefixes[i], strlen(prefixes[i])) == 0)
			symbol += strlen(prefixes[i]);
	return symbol;
}

/* Cuts what 64-bit integers and Fortran append to names. */
static void doctor_hints_cut_suffix(char *name)
{
	static const char *const suffixes[] = {"_", "64", "_", "_work"};
	for (size_t i = 0; i < sizeof suffixes / sizeof suffixes[0]; i++) {
		const size_t length = strlen(name), cut = strlen(suffixes[i]);
		if (length > cut && strcmp(name + length - cut, suffixes[i]) == 0)
			name[length - cut] = '\0';
	}
}

int doctor_hints_find(const char *symbol)
{
	char name[UNSEEN_NAME_BYTES];
	if (symbol_find(symbol) >= 0)
		return -1;
	snprintf(name, sizeof name, "%s", doctor_hints_skip_prefix(symbol));
	doctor_hints_cut_suffix(name);
	for (int i = 0; i < UNSEEN_ROWS; i++)
		if (words_match(words_of(unseen_table[i].pattern), name) &&
		    strlen(name) >= strlen("dgesv"))
			return i;
	return -1;
}

int doctor_hints_count(void)
{
	return UNSEEN_ROWS;
}

const char *doctor_hints_sentence(int row)
{
	return unseen_table[row].sentence;
}
