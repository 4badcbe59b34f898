/* call_trace_line.c - one line of a trace, as words */
/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/regret/call_trace_line.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "policy/call/operand.h"

/* Limits: products of sizes stay below 2^63, counts and gaps are those of programs that end. */
static const int64_t line_size_most = 1000000, line_length_most = 1 << 30,
		     line_count_most = 100000000, line_gap_most = INT64_C(1000000000000);
enum { LINE_SIZES = 3, LINE_DIGITS = 15 };

bool call_trace_refuse(char message[TRACE_MESSAGE_BYTES], const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(message, TRACE_MESSAGE_BYTES, format, arguments);
	va_end(arguments);
	return false;
}

bool call_trace_line_split(const char *text, size_t length, struct call_trace_line *line,
                           char message[TRACE_MESSAGE_BYTES])
{
	*line = (struct call_trace_line){.words = 0};
	if (length >= sizeof line->text)
		return call_trace_refuse(message, "the line has more than %d bytes",
		                         TRACE_LINE_BYTES - 1);
	for (size_t i = 0; i < length; i++)
		if (text[i] < ' ' || text[i] > '~')
			return call_trace_refuse(message, "byte %zu is not a printable character",
			                         i + 1);
	memcpy(line->text, text, length);
	char *rest = line->text;
	for (char *word = strtok_r(rest, " ", &rest); word != NULL;
	     word = strtok_r(NULL, " ", &rest)) {
		if (line->words == TRACE_LINE_WORDS)
			return call_trace_refuse(message, "there are more than %d words",
			                         TRACE_LINE_WORDS);
		line->word[line->words++] = word;
	}
	return true;
}

bool call_trace_line_count(const char *word, const char *what, int64_t least, int64_t most,
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

/* Reads a name as the log writes it: "dgemm", "fftw_c2c", "fftwf_r2c". */
static bool line_find_routine(const char *word, struct call_trace_shape *shape)
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

/* gemm "NT", symm "L", syrk "T", trsm "LN"; transforms "I" in place, or "O". */
static bool line_find_flags(const char *word, struct call_trace_shape *shape)
{
	const char *next = word;
	const enum family family = shape->family;
	const bool sided = family_has_square(family);
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

/* The family's rule for its sizes: m = n of a triangle, and k is the order of a square operand. */
static bool line_check_sizes(const struct call_trace_shape *shape,
                             char message[TRACE_MESSAGE_BYTES])
{
	const enum family family = shape->family;
	const bool update = operand_is_triangle(family);
	const bool squared = family_has_square(family);
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

/* Reads "m x n x k" without the blanks, or "n0 x n1 * howmany"; overwrites the word. */
static bool line_find_sizes(char *word, struct call_trace_shape *shape,
                            char message[TRACE_MESSAGE_BYTES])
{
	const bool fft = family_is_fft(shape->family);
	int64_t size[LINE_SIZES] = {0};
	int count = 0;
	char *star = fft ? strchr(word, '*') : NULL, *next = word;
	if (fft && star == NULL)
		return call_trace_refuse(
			message, "sizes '%.40s' lack '*' and the number of transforms", word);
	if (star != NULL) {
		*star = '\0';
		if (!call_trace_line_count(star + 1, "the number of transforms", 1,
		                           line_length_most, &shape->howmany, message))
			return false;
	}
	while (next != NULL && count < LINE_SIZES) {
		char *end = strchr(next, 'x');
		if (end != NULL)
			*end++ = '\0';
		if (!call_trace_line_count(next, "a size", 1,
		                           fft ? line_length_most : line_size_most, &size[count++],
		                           message))
			return false;
		next = end;
	}
	if (next != NULL || (!fft && count != LINE_SIZES))
		return call_trace_refuse(message, "%s sizes than the routine has",
		                         next != NULL ? "more" : "fewer");
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

/* Keeps bytes and flops, which are computed later, far from overflow. */
static bool line_check_points(const struct call_trace_shape *shape,
                              char message[TRACE_MESSAGE_BYTES])
{
	int64_t points = shape->howmany;
	for (int i = 0; i < shape->rank; i++)
		if (__builtin_mul_overflow(points, shape->length[i], &points) ||
		    points > INT64_C(1) << 40)
			return call_trace_refuse(message,
			                         "the transforms have more than 2^40 points");
	return true;
}

bool call_trace_line_calls(const struct call_trace_line *line, struct call_trace_shape *shape,
                           struct call_trace_step *step, char message[TRACE_MESSAGE_BYTES])
{
	int64_t gap_ns;
	memset(shape, 0, sizeof *shape);
	*step = (struct call_trace_step){.kind = TRACE_CALLS};
	if (!line_find_routine(line->word[0], shape))
		return call_trace_refuse(message,
		                         "'%.40s' is no routine, and no word that may stand here",
		                         line->word[0]);
	if (line->words != TRACE_ROW_WORDS)
		return call_trace_refuse(message, "there are %d words; a row of calls has %d",
		                         line->words, TRACE_ROW_WORDS);
	if (!line_find_flags(line->word[1], shape))
		return call_trace_refuse(message, "the routine has no flags '%.40s'",
		                         line->word[1]);
	if (!line_find_sizes(line->word[2], shape, message) || !line_check_points(shape, message) ||
	    !call_trace_line_count(line->word[3], "the number of calls", 1, line_count_most,
	                           &step->count, message) ||
	    !call_trace_line_count(line->word[4], "the gap", 0, line_gap_most, &gap_ns, message))
		return false;
	step->gap_ns = (double)gap_ns;
	return true;
}
