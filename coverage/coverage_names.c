/* coverage_names.c - takes prefixes and suffixes off a symbol and looks the rest up */
/* SPDX-License-Identifier: Apache-2.0 */
#include "coverage/coverage_names.h"

#include <stddef.h>
#include <string.h>

/* The words of the tables. */
#define NO COVERAGE_NO
#define INSIDE_OPENBLAS true
#define INSIDE_NEVER false

const struct coverage_routine coverage_routine_table[] = {
#define BLAS(letters, stem, level, form, m, n, k)                                                                      \
	{#stem, letters, false, {m, n, k}, level, COVERAGE_BLAS, COVERAGE_FORM_##form},
#include "coverage/coverage_blas.def"
#define LAPACK(stem, form, m, n, k, inside)                                                                            \
	{#stem, "sdcz", INSIDE_##inside, {m, n, k}, 0, COVERAGE_LAPACK, COVERAGE_FORM_##form},
#include "coverage/coverage_lapack.def"
#define FFTW(stem, form) {#stem, "", false, {NO, NO, NO}, 0, COVERAGE_FFTW, COVERAGE_FORM_##form},
#include "coverage/coverage_fftw.def"
};
enum { NAMES_ROUTINES = sizeof coverage_routine_table / sizeof coverage_routine_table[0], NAMES_SLOTS = 2048 };
const int coverage_routine_count = NAMES_ROUTINES;

_Static_assert(NAMES_ROUTINES * 2 <= NAMES_SLOTS, "half of the slots must be empty");

/* Row + 1 by the hash of the stem; 0 where there is none. */
static unsigned short names_slot[NAMES_SLOTS];

/* A stretch of a symbol while its ends are taken off. */
struct names_part {
	const char *text;
	size_t length;
};

static unsigned coverage_names_hash(const char *text, size_t length)
{
	unsigned hash = 2166136261u;
	for (size_t i = 0; i < length; i++)
		hash = (hash ^ (unsigned char)text[i]) * 16777619u;
	return hash;
}

void coverage_names_prepare(void)
{
	static bool is_prepared;
	for (int row = 0; row < NAMES_ROUTINES && !is_prepared; row++) {
		const char *stem = coverage_routine_table[row].stem;
		unsigned slot = coverage_names_hash(stem, strlen(stem)) % NAMES_SLOTS;
		while (names_slot[slot] != 0)
			slot = (slot + 1) % NAMES_SLOTS;
		names_slot[slot] = (unsigned short)(row + 1);
	}
	is_prepared = true;
}

/* letter: what stands in front of the stem, 0 for a whole name. */
static const struct coverage_routine *coverage_names_find(struct names_part stem, char letter, bool is_fftw)
{
	unsigned slot = coverage_names_hash(stem.text, stem.length) % NAMES_SLOTS;
	for (; names_slot[slot] != 0; slot = (slot + 1) % NAMES_SLOTS) {
		const struct coverage_routine *row = &coverage_routine_table[names_slot[slot] - 1];
		if (strlen(row->stem) != stem.length || memcmp(row->stem, stem.text, stem.length) != 0)
			continue;
		if ((row->library == COVERAGE_FFTW) != is_fftw)
			continue;
		if (letter == '\0' ? row->letters[0] == '\0' : strchr(row->letters, letter) != NULL)
			return row;
	}
	return NULL;
}

static bool coverage_names_cut_front(struct names_part *part, const char *prefix)
{
	const size_t length = strlen(prefix);
	if (part->length <= length || memcmp(part->text, prefix, length) != 0)
		return false;
	part->text += length;
	part->length -= length;
	return true;
}

static bool coverage_names_cut_end(struct names_part *part, const char *suffix)
{
	const size_t length = strlen(suffix);
	if (part->length <= length || memcmp(part->text + part->length - length, suffix, length) != 0)
		return false;
	part->length -= length;
	return true;
}

static bool coverage_names_parse_fftw(struct names_part part, struct coverage_name *name)
{
	static const struct {
		const char *text;
		char element;
		bool is_fortran;
	} prefixes[] = {{"fftw_", 'd', false}, {"fftwf_", 's', false}, {"fftwl_", 'l', false}, {"fftwq_", 'q', false},
	                {"dfftw_", 'd', true}, {"sfftw_", 's', true},  {"lfftw_", 'l', true}};
	enum { PREFIXES = sizeof prefixes / sizeof prefixes[0] };
	int i = 0;
	while (i < PREFIXES && !coverage_names_cut_front(&part, prefixes[i].text))
		i++;
	if (i == PREFIXES || (prefixes[i].is_fortran && !coverage_names_cut_end(&part, "_")))
		return false;
	if (prefixes[i].is_fortran)
		coverage_names_cut_end(&part, "_");
	*name = (struct coverage_name){.element = prefixes[i].element};
	name->convention = prefixes[i].is_fortran ? COVERAGE_FFTW_FORTRAN : COVERAGE_FFTW_C;
	name->routine = coverage_names_find(part, '\0', true);
	return name->routine != NULL;
}

/* The name without what stands before and behind it; the rest of name is what those mean. */
static void coverage_names_cut(struct names_part *part, struct coverage_name *name)
{
	coverage_names_cut_front(part, "scipy_");
	name->is_lapacke = coverage_names_cut_front(part, "LAPACKE_");
	const bool is_cblas = !name->is_lapacke && coverage_names_cut_front(part, "cblas_");
	name->is_wide = coverage_names_cut_end(part, "_64_") || coverage_names_cut_end(part, "64_") ||
	                coverage_names_cut_end(part, "_64");
	if (name->is_lapacke || is_cblas)
		name->convention = COVERAGE_VALUE;
	else if (name->is_wide || coverage_names_cut_end(part, "_"))
		name->convention = COVERAGE_FORTRAN;
	else
		name->convention = COVERAGE_BARE;
}

static bool coverage_names_lower(struct names_part *part, char lower[COVERAGE_STEM_BYTES])
{
	if (part->length < 3 || part->length >= COVERAGE_STEM_BYTES)
		return false;
	for (size_t i = 0; i < part->length; i++) {
		const char letter = part->text[i];
		lower[i] = (char)(letter >= 'A' && letter <= 'Z' ? letter + ('a' - 'A') : letter);
	}
	part->text = lower;
	return true;
}

bool coverage_names_parse(const char *symbol, struct coverage_name *name)
{
	char lower[COVERAGE_STEM_BYTES];
	struct names_part part = {symbol, strlen(symbol)};
	if (coverage_names_parse_fftw(part, name))
		return true;
	*name = (struct coverage_name){0};
	coverage_names_cut(&part, name);
	if (!coverage_names_lower(&part, lower))
		return false;
	name->element = 's';
	name->routine = coverage_names_find(part, '\0', false);
	if (name->routine == NULL) {
		const struct names_part stem = {part.text + 1, part.length - 1};
		name->element = lower[0];
		name->routine = coverage_names_find(stem, lower[0], false);
	}
	if (name->routine == NULL)
		return false;
	/* Of LAPACK there is no CBLAS form, and of BLAS no LAPACKE form. */
	return name->convention != COVERAGE_VALUE || name->is_lapacke == (name->routine->library == COVERAGE_LAPACK);
}
