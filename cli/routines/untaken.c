/* untaken.c - finds the row of untaken.def that a routine belongs to */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/routines/untaken.h"

#include "audit/count/count_names.h"
#include "policy/text/words.h"
#include "shim/table/symbol.h"

static const struct {
	const char *name, *sentence;
} untaken_table[UNTAKEN_COUNT] = {
#define UNTAKEN(id, name, sentence) {name, sentence},
#include "cli/routines/untaken.def"
};

const char *untaken_name(enum untaken row)
{
	return untaken_table[row].name;
}

const char *untaken_sentence(enum untaken row)
{
	return untaken_table[row].sentence;
}

static int untaken_find_lapack(const struct count_routine *routine, enum count_maker maker)
{
	if (maker == COUNT_MAKER_MKL)
		return UNTAKEN_MKL;
	return maker == COUNT_MAKER_OPENBLAS && routine->inside ? UNTAKEN_OPENBLAS : UNTAKEN_LAPACK;
}

int untaken_find(const char *symbol, enum count_maker maker)
{
	struct count_name name;
	const int number = symbol_find(symbol);
	if (number >= 0 && !symbol_is_of(number, LIBRARY_LAPACK))
		return UNTAKEN_NONE;
	if (words_match(words_of("fftw*_mpi_*"), symbol))
		return UNTAKEN_MPI;
	count_names_prepare();
	if (!count_names_parse(symbol, &name))
		return UNTAKEN_NONE;
	if (name.routine->library == COUNT_LAPACK)
		return untaken_find_lapack(name.routine, maker);
	if (name.routine->library == COUNT_BLAS && name.routine->level < 3)
		return name.routine->level == 1 ? UNTAKEN_LEVEL1 : UNTAKEN_LEVEL2;
	return UNTAKEN_NO_ROW;
}

bool untaken_is_lapack(int row)
{
	return row == UNTAKEN_LAPACK || row == UNTAKEN_OPENBLAS || row == UNTAKEN_MKL ||
	       row == UNTAKEN_SILENT;
}
