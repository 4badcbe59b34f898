/* call_trace_line.c - one line of a trace, in words */
/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/regret/call_trace_line.h"

#include <stdio.h>
#include <string.h>

/* Products of sizes stay below 2^63; counts and gaps are those of programs that end. */
static const int64_t line_size_most = 1000000, line_length_most = 1 << 30,
		     line_count_most = 100000000, line_gap_most = INT64_C(1000000000000);
enum { LINE_SIZES = 3, LINE_DIGITS = 15 };

bool trace_line_split(const char *text, size_t length, struct trace_line *line,
                      char message[TRACE_MESSAGE_BYTES])
{
	*line = (struct trace_line){.words = 0};
	if (length >= sizeof line->text) {
		snprintf(message, TRACE_MESSAGE_BYTES, "the line has more than %d bytes",
		         TRACE_LINE_BYTES - 1);
		return false;
	}
	for (size_t i = 0; i < length; i++)
		if (text[i] < ' ' || text[i] > '~') {
			snprintf(message, TRACE_MESSAGE_BYTES,
			         "byte %zu is not a printable character", i + 1);
			return false;
		}
	memcpy(line->text, text, length);
	char *rest = line->text;
	for (char *word = strtok_r(rest, " ", &rest); word != NULL;
	     word = strtok_r(NULL, " ", &rest)) {
		if (line->words == TRACE_LINE_WORDS) {
			snprintf(message, TRACE_MESSAGE_BYTES, "there are more than %d words",
			         TRACE_LINE_WORDS);
			return false;
		}
		line->word[line->words++] = word;
	}
	return true;
}

bool trace_line_count(const char *word, const char *what, int64_t least, int64_t most,
                      int64_t *value, char message[TRACE_MESSAGE_BYTES])
{
	const size_t length = strlen(word);
	bool fine = length > 0 && length <= LINE_DIGITS && strspn(word, "0123456789") == length;
	*value = 0;
	for (size_t i = 0; fine && i < length; i++)
		*value = *value * 10 + (word[i] - '0');
	fine = fine && *value >= least && *value <= most;
	if (!fine)
		snprintf(message, TRACE_MESSAGE_BYTES,
		         "%s cannot be '%.40s'; allowed: a whole number from %lld to %lld", what,
		         word, (long long)least, (long long)most);
	return fine;
}

/* Names as the log has them: "dgemm", "fftw_c2c", "fftwf_r2c". */
static bool line_find_routine(const char *word, struct trace_shape *shape)
{
	static const char letters[] = "sdcz";
	const bool single = strncmp(word, "fftwf_", 6) == 0,
		   fft = single || strncmp(word, "fftw_", 5) == 0;
	const char *letter = word[0] != '\0' ? strchr(letters, word[0]) : NULL;
	if (!fft && letter == NULL)
		return false;
	const char *rest = word + (single ? 6 : fft ? 5 : 1);
	for (int i = 0; i < FAMILY_COUNT; i++) {
		const enum family family = (enum family)i;
		if (strcmp(family_name(family), rest) != 0 || family_is_fft(family) != fft ||
		    family_is_batch(family) || family == FAMILY_FFT_R2R)
			continue;
		shape->family = family;
		shape->element = single ? ELEMENT_C
		                 : fft  ? ELEMENT_Z
		                        : (enum element)(letter - letters);
		return true;
	}
	return false;
}

static bool line_find_transpose(char letter, enum transpose *trans)
{
	static const char letters[] = "NTC";
	const char *found = letter != '\0' ? strchr(letters, letter) : NULL;
	if (found != NULL)
		*trans = (enum transpose)(found - letters);
	return found != NULL;
}

/* gemm "NT", symm "L", syrk "T", trsm "LN", transforms "I" or "O": in place or not. */
static bool line_find_flags(const char *word, struct trace_shape *shape)
{
	const char *next = word;
	const enum family family = shape->family;
	const bool sided =
		family == FAMILY_SYMM || family == FAMILY_HEMM || family_is_in_place(family);
	if (family_is_fft(family)) {
		shape->in_place = strcmp(word, "I") == 0;
		return shape->in_place || strcmp(word, "O") == 0;
	}
	if (sided) {
		if (*next != 'L' && *next != 'R')
			return false;
		shape->side = *next++ == 'R' ? SIDE_RIGHT : SIDE_LEFT;
	}
	if (family != FAMILY_SYMM && family != FAMILY_HEMM &&
	    !line_find_transpose(*next++, &shape->transa))
		return false;
	if ((family == FAMILY_GEMM || family == FAMILY_GEMM3M || family == FAMILY_GEMMT) &&
	    !line_find_transpose(*next++, &shape->transb))
		return false;
	return *next == '\0';
}

/* What the family says of its sizes: a triangle and a square have equal sides. */
static bool line_check_sizes(const struct trace_shape *shape, char message[TRACE_MESSAGE_BYTES])
{
	const enum family family = shape->family;
	const bool update = family == FAMILY_GEMMT || family == FAMILY_SYRK ||
	                    family == FAMILY_HERK || family == FAMILY_SYR2K ||
	                    family == FAMILY_HER2K;
	const bool squared =
		family == FAMILY_SYMM || family == FAMILY_HEMM || family_is_in_place(family);
	if (update && shape->m != shape->n)
		snprintf(message, TRACE_MESSAGE_BYTES,
		         "m and n of this routine are equal, not %lld and %lld",
		         (long long)shape->m, (long long)shape->n);
	else if (squared && shape->k != (shape->side == SIDE_LEFT ? shape->m : shape->n))
		snprintf(message, TRACE_MESSAGE_BYTES, "k of this routine is %s, not %lld",
		         shape->side == SIDE_LEFT ? "m" : "n", (long long)shape->k);
	else
		return true;
	return false;
}

/* "m x n x k" without blanks, or "n0 x n1 * howmany"; the word is taken apart. */
static bool line_find_sizes(char *word, struct trace_shape *shape,
                            char message[TRACE_MESSAGE_BYTES])
{
	const bool fft = family_is_fft(shape->family);
	int64_t size[LINE_SIZES] = {0};
	int count = 0;
	char *star = fft ? strchr(word, '*') : NULL, *next = word;
	if (fft && star == NULL) {
		snprintf(message, TRACE_MESSAGE_BYTES,
		         "sizes '%.40s' lack '*' and the number of transforms", word);
		return false;
	}
	if (star != NULL) {
		*star = '\0';
		if (!trace_line_count(star + 1, "the number of transforms", 1, line_length_most,
		                      &shape->howmany, message))
			return false;
	}
	while (next != NULL && count < LINE_SIZES) {
		char *end = strchr(next, 'x');
		if (end != NULL)
			*end++ = '\0';
		if (!trace_line_count(next, "a size", 1, fft ? line_length_most : line_size_most,
		                      &size[count++], message))
			return false;
		next = end;
	}
	if (next != NULL || (!fft && count != LINE_SIZES)) {
		snprintf(message, TRACE_MESSAGE_BYTES, "%s sizes than the routine has",
		         next != NULL ? "more" : "fewer");
		return false;
	}
	if (fft) {
		shape->rank = count;
		memcpy(shape->length, size, sizeof size);
		return true;
	}
	shape->m = size[0];
	shape->n = size[1];
	shape->k = size[2];
	return line_check_sizes(shape, message);
}

/* What is reckoned with later: bytes and flops that are far from any limit. */
static bool line_check_points(const struct trace_shape *shape, char message[TRACE_MESSAGE_BYTES])
{
	int64_t points = shape->howmany;
	for (int i = 0; i < shape->rank; i++)
		if (__builtin_mul_overflow(points, shape->length[i], &points) ||
		    points > INT64_C(1) << 40) {
			snprintf(message, TRACE_MESSAGE_BYTES,
			         "the transforms have more than 2^40 points");
			return false;
		}
	return true;
}

bool trace_line_calls(const struct trace_line *line, struct trace_shape *shape,
                      struct trace_step *step, char message[TRACE_MESSAGE_BYTES])
{
	int64_t gap_ns;
	memset(shape, 0, sizeof *shape);
	*step = (struct trace_step){.kind = TRACE_CALLS};
	if (!line_find_routine(line->word[0], shape)) {
		snprintf(message, TRACE_MESSAGE_BYTES,
		         "'%.40s' is no routine, and no word that may stand here", line->word[0]);
		return false;
	}
	if (line->words != TRACE_ROW_WORDS) {
		snprintf(message, TRACE_MESSAGE_BYTES, "there are %d words; a row of calls has %d",
		         line->words, TRACE_ROW_WORDS);
		return false;
	}
	if (!line_find_flags(line->word[1], shape)) {
		snprintf(message, TRACE_MESSAGE_BYTES, "the routine has no flags '%.40s'",
		         line->word[1]);
		return false;
	}
	if (!line_find_sizes(line->word[2], shape, message) || !line_check_points(shape, message) ||
	    !trace_line_count(line->word[3], "the number of calls", 1, line_count_most,
	                      &step->count, message) ||
	    !trace_line_count(line->word[4], "the gap", 0, line_gap_most, &gap_ns, message))
		return false;
	step->gap_ns = (double)gap_ns;
	return true;
}
