/* routine_lookup.c - routines by symbols, by names as logs have them, and "fft" */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/routines/routine_lookup.h"

#include <string.h>

#include "cli/common/say.h"
#include "policy/options/routine_threshold.h"
#include "shim/table/symbol.h"

/* Names of transforms that are not symbols. */
static const char *const routine_words[] = {"fft", "c2c", "r2c", "c2r", "r2r"};
enum { ROUTINE_WORDS = sizeof routine_words / sizeof routine_words[0] };

static void routine_lookup_offer(struct words name, const char *key, const char **nearest,
                                 unsigned *least)
{
	const unsigned distance = words_distance(name, key);
	if (distance >= *least)
		return;
	*least = distance;
	*nearest = key;
}

static bool routine_lookup_refuse(const char *name)
{
	const char *nearest = NULL;
	unsigned least = WORDS_FAR;
	for (int i = 0; i < ROUTINE_WORDS; i++)
		routine_lookup_offer(words_of(name), routine_words[i], &nearest, &least);
	for (int i = 0; i < SYMBOL_COUNT; i++)
		if (symbol_table[i].role == ROLE_COMPUTE || symbol_table[i].role == ROLE_PLAN)
			routine_lookup_offer(words_of(name), symbol_table[i].name, &nearest,
			                     &least);
	if (nearest != NULL)
		say("the shim knows no routine '%s'; the nearest is '%s'", name, nearest);
	else
		say("the shim knows no routine '%s'; `gpushim show routines` lists them", name);
	return false;
}

/* Such a name means double precision; "fft" is a complex transform. */
static bool routine_lookup_find_word(const char *name, struct call_problem *problem)
{
	static const enum family family[ROUTINE_WORDS] = {
		FAMILY_FFT_C2C, FAMILY_FFT_C2C, FAMILY_FFT_R2C, FAMILY_FFT_C2R, FAMILY_FFT_R2R};
	for (int i = 0; i < ROUTINE_WORDS; i++) {
		if (!words_equal(words_of(name), words_of(routine_words[i])))
			continue;
		problem->family = family[i];
		problem->element = ELEMENT_Z;
		return true;
	}
	return false;
}

static bool routine_lookup_set_precision(const char *precision, struct call_problem *problem)
{
	if (words_equal(words_of(precision), words_of("single")))
		problem->element = ELEMENT_C;
	else if (words_equal(words_of(precision), words_of("double")))
		problem->element = ELEMENT_Z;
	else
		say("--precision cannot be '%s'; allowed: single, double", precision);
	return words_equal(words_of(precision), words_of("single")) ||
	       words_equal(words_of(precision), words_of("double"));
}

static bool routine_lookup_turn(const struct routine_transform *fft, struct call_problem *problem,
                                enum reason *defect)
{
	if (fft->real && problem->family == FAMILY_FFT_C2C)
		problem->family = fft->inverse ? FAMILY_FFT_C2R : FAMILY_FFT_R2C;
	if (fft->precision != NULL && !routine_lookup_set_precision(fft->precision, problem))
		return false;
	if (problem->element >= ELEMENT_BLAS_COUNT)
		*defect = REASON_UNSUPPORTED_PRECISION;
	else if (problem->family == FAMILY_FFT_R2R)
		*defect = REASON_REAL_TO_REAL;
	return true;
}

static bool routine_lookup_find_symbol(int symbol, struct call_problem *problem,
                                       enum reason *defect)
{
	const struct symbol_row *row = &symbol_table[symbol];
	const bool computes = row->role == ROLE_COMPUTE || row->role == ROLE_PLAN;
	problem->family = row->family;
	problem->element = row->element;
	*defect = symbol_find_defect(symbol);
	if (!computes)
		say("%s computes nothing that could be weighed", row->name);
	return computes;
}

bool routine_lookup_is_solved(const char *name)
{
	const int symbol = symbol_find(name);
	enum family family;
	enum element element;
	if (symbol >= 0)
		return symbol_is_of(symbol, LIBRARY_LAPACK) &&
		       symbol_find_defect(symbol) == REASON_NONE;
	return routine_threshold_find_name(words_of(name), &family, &element) &&
	       family_is_lapack(family);
}

bool routine_lookup_find(const char *name, const struct routine_transform *fft,
                         struct call_problem *problem, enum reason *defect)
{
	const int symbol = symbol_find(name);
	*defect = REASON_NONE;
	const bool solved = routine_lookup_is_solved(name);
	if (symbol >= 0 && (solved || !symbol_is_of(symbol, LIBRARY_LAPACK))) {
		if (!routine_lookup_find_symbol(symbol, problem, defect))
			return false;
	} else if (!routine_lookup_find_word(name, problem) &&
	           (!routine_threshold_find_name(words_of(name), &problem->family,
	                                         &problem->element) ||
	            problem->element == ELEMENT_COUNT ||
	            (family_is_lapack(problem->family) && !solved))) {
		return routine_lookup_refuse(name);
	}
	return *defect != REASON_NONE || !family_is_fft(problem->family) ||
	       routine_lookup_turn(fft, problem, defect);
}
