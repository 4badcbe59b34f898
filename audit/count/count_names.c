/* count_names.c - cuts prefixes and suffixes off a symbol, and looks up the rest */
/* SPDX-License-Identifier: Apache-2.0 */
#include "audit/count/count_names.h"

#include <stddef.h>
#include <string.h>

#include "shim/table/shapes.h"

/* One byte for each argument, in the order of shapes.h: an offset is the argument's position. */
#define SHAPE(shape)                                                                               \
	struct names_##shape {                                                                     \
		char DESCRIBE_ARGS_f77(shape, S);                                                  \
	};
#include "shim/table/shape.def"

/* The words of the tables. */
#define NO COUNT_NO
#define AT(shape, argument) offsetof(struct names_##shape, argument)
#define INSIDE_OPENBLAS true
#define INSIDE_NEVER false

const struct count_routine count_routine_table[] = {
#define BLAS(letters, stem, level, form, m, n, k, count)                                           \
	{#stem, letters, false, {m, n, k, count}, level, COUNT_BLAS, COUNT_FORM_##form},
#include "audit/count/count_blas.def"
#define LAPACK(stem, form, m, n, k, inside)                                                        \
	{#stem, "sdcz", INSIDE_##inside, {m, n, k, NO}, 0, COUNT_LAPACK, COUNT_FORM_##form},
#include "audit/count/count_lapack.def"
#define FFTW(stem, form) {#stem, "", false, {NO, NO, NO, NO}, 0, COUNT_FFTW, COUNT_FORM_##form},
#include "audit/count/count_fftw.def"
#define OUTSIDE(symbol, kind)                                                                      \
	{symbol, "", false, {NO, NO, NO, NO}, 0, COUNT_OUTSIDE, COUNT_KIND_##kind},
#include "audit/count/count_outside.def"
};
enum {
	NAMES_ROUTINES = sizeof count_routine_table / sizeof count_routine_table[0],
	NAMES_SLOTS = 2048
};
const int count_routine_count = NAMES_ROUTINES;

_Static_assert(NAMES_ROUTINES * 2 <= NAMES_SLOTS, "half of the slots must be empty");

static const struct names_query {
	char stem[COUNT_STEM_BYTES];
	short real, complex;
} names_queries[] = {
#define QUERY(stem, real, complex) {#stem, real, complex},
#include "audit/count/count_query.def"
};
enum { NAMES_QUERIES = sizeof names_queries / sizeof names_queries[0] };

/* Hash table of stems: number of the row + 1; 0: empty. */
static unsigned short names_slot[NAMES_SLOTS];

/* A part of a symbol, while prefixes and suffixes are cut off. */
struct names_part {
	const char *text;
	size_t length;
};

static unsigned count_names_hash(const char *text, size_t length)
{
	unsigned hash = 2166136261u;
	for (size_t i = 0; i < length; i++)
		hash = (hash ^ (unsigned char)text[i]) * 16777619u;
	return hash;
}

void count_names_prepare(void)
{
	static bool is_prepared;
	for (int row = 0; row < NAMES_ROUTINES && !is_prepared; row++) {
		const char *stem = count_routine_table[row].stem;
		unsigned slot = count_names_hash(stem, strlen(stem)) % NAMES_SLOTS;
		while (names_slot[slot] != 0)
			slot = (slot + 1) % NAMES_SLOTS;
		names_slot[slot] = (unsigned short)(row + 1);
	}
	is_prepared = true;
}

/*
 * letter: in front of the stem; 0 where the stem is the whole name. library: COUNT_BLAS stands for
 * LAPACK too.
 */
static const struct count_routine *count_names_find(struct names_part stem, char letter,
                                                    enum count_library library)
{
	unsigned slot = count_names_hash(stem.text, stem.length) % NAMES_SLOTS;
	for (; names_slot[slot] != 0; slot = (slot + 1) % NAMES_SLOTS) {
		const struct count_routine *row = &count_routine_table[names_slot[slot] - 1];
		if (strlen(row->stem) != stem.length ||
		    memcmp(row->stem, stem.text, stem.length) != 0)
			continue;
		if (row->library != library &&
		    (library != COUNT_BLAS || row->library != COUNT_LAPACK))
			continue;
		if (letter == '\0' ? row->letters[0] == '\0' : strchr(row->letters, letter) != NULL)
			return row;
	}
	return NULL;
}

static bool count_names_cut_front(struct names_part *part, const char *prefix)
{
	const size_t length = strlen(prefix);
	if (part->length <= length || memcmp(part->text, prefix, length) != 0)
		return false;
	part->text += length;
	part->length -= length;
	return true;
}

static bool count_names_cut_end(struct names_part *part, const char *suffix)
{
	const size_t length = strlen(suffix);
	if (part->length <= length ||
	    memcmp(part->text + part->length - length, suffix, length) != 0)
		return false;
	part->length -= length;
	return true;
}

static bool count_names_parse_fftw(struct names_part part, struct count_name *name)
{
	static const struct {
		const char *text;
		char element;
		bool is_fortran;
	} prefixes[] = {{"fftw_", 'd', false},  {"fftwf_", 's', false}, {"fftwl_", 'l', false},
	                {"fftwq_", 'q', false}, {"dfftw_", 'd', true},  {"sfftw_", 's', true},
	                {"lfftw_", 'l', true}};
	enum { PREFIXES = sizeof prefixes / sizeof prefixes[0] };
	int i = 0;
	while (i < PREFIXES && !count_names_cut_front(&part, prefixes[i].text))
		i++;
	if (i == PREFIXES || (prefixes[i].is_fortran && !count_names_cut_end(&part, "_")))
		return false;
	if (prefixes[i].is_fortran)
		count_names_cut_end(&part, "_");
	*name = (struct count_name){.element = prefixes[i].element};
	name->convention = prefixes[i].is_fortran ? COUNT_FFTW_FORTRAN : COUNT_FFTW_C;
	name->routine = count_names_find(part, '\0', COUNT_FFTW);
	return name->routine != NULL;
}

static bool count_names_parse_outside(struct names_part part, struct count_name *name)
{
	*name = (struct count_name){.convention = COUNT_NAMED};
	name->routine = count_names_find(part, '\0', COUNT_OUTSIDE);
	return name->routine != NULL;
}

/* Cuts off prefixes and suffixes, and fills in what they say of the routine. */
static void count_names_cut(struct names_part *part, struct count_name *name)
{
	count_names_cut_front(part, "scipy_");
	name->is_lapacke = count_names_cut_front(part, "LAPACKE_");
	const bool is_cblas = !name->is_lapacke && count_names_cut_front(part, "cblas_");
	name->is_wide = count_names_cut_end(part, "_64_") || count_names_cut_end(part, "64_") ||
	                count_names_cut_end(part, "_64");
	if (name->is_lapacke || is_cblas)
		name->convention = COUNT_VALUE;
	else if (name->is_wide || count_names_cut_end(part, "_"))
		name->convention = COUNT_FORTRAN;
	else
		name->convention = COUNT_BARE;
}

static bool count_names_lower(struct names_part *part, char lower[COUNT_STEM_BYTES])
{
	if (part->length < 3 || part->length >= COUNT_STEM_BYTES)
		return false;
	for (size_t i = 0; i < part->length; i++) {
		const char letter = part->text[i];
		lower[i] = (char)(letter >= 'A' && letter <= 'Z' ? letter + ('a' - 'A') : letter);
	}
	part->text = lower;
	return true;
}

bool count_names_parse(const char *symbol, struct count_name *name)
{
	char lower[COUNT_STEM_BYTES];
	struct names_part part = {symbol, strlen(symbol)};
	if (count_names_parse_fftw(part, name) || count_names_parse_outside(part, name))
		return true;
	*name = (struct count_name){0};
	count_names_cut(&part, name);
	if (!count_names_lower(&part, lower))
		return false;
	name->element = 's';
	name->routine = count_names_find(part, '\0', COUNT_BLAS);
	if (name->routine == NULL) {
		const struct names_part stem = {part.text + 1, part.length - 1};
		name->element = lower[0];
		name->routine = count_names_find(stem, lower[0], COUNT_BLAS);
	}
	if (name->routine == NULL)
		return false;
	/* LAPACK has no cblas_ names, and BLAS no LAPACKE_ names. */
	return name->convention != COUNT_VALUE ||
	       name->is_lapacke == (name->routine->library == COUNT_LAPACK);
}

int count_names_find_query(const struct count_name *name)
{
	const bool is_complex = name->element == 'c' || name->element == 'z';
	if (name->routine->library != COUNT_LAPACK || name->convention == COUNT_VALUE)
		return COUNT_NO;
	for (int i = 0; i < NAMES_QUERIES; i++)
		if (strcmp(names_queries[i].stem, name->routine->stem) == 0)
			return is_complex ? names_queries[i].complex : names_queries[i].real;
	return COUNT_NO;
}
