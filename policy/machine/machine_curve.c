/* machine_curve.c - curves of a machine profile from text and to text */
/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/machine/machine_rows.h"
#include "policy/options/routine_threshold.h"
#include "policy/text/number.h"
#include "policy/text/sentence.h"

static const char curve_cpu[] = "cpu_", curve_gpu[] = "gpu_", curve_threads[] = "_t";

/* Sizes that differ by less would be one when they are written to nine digits. */
static const double curve_least_step = 1.000001;

static bool machine_curve_skip(struct words *words, const char *prefix)
{
	const size_t length = strlen(prefix);
	if (words->length < length ||
	    !words_equal(words_make(words->text, length), words_of(prefix)))
		return false;
	*words = words_make(words->text + length, words->length - length);
	return true;
}

/* Takes "_t" and a number from the end of words. */
static bool machine_curve_cut_threads(struct words *words, int *threads)
{
	const size_t mark = strlen(curve_threads);
	size_t digits = 0;
	uint64_t count = 0;
	while (digits < words->length &&
	       strchr("0123456789", words->text[words->length - digits - 1]) != NULL)
		digits++;
	if (digits == 0 || words->length < digits + mark)
		return false;
	const size_t rest = words->length - digits - mark;
	if (!words_equal(words_make(words->text + rest, mark), words_of(curve_threads)) ||
	    number_parse_count(words->text + rest + mark, digits, &count) != NUMBER_FINE ||
	    count < 1 || count > MACHINE_THREADS_MAX)
		return false;
	*threads = (int)count;
	*words = words_make(words->text, rest);
	return true;
}

bool machine_rows_find_curve(struct words key, struct machine_curve *curve)
{
	*curve = (struct machine_curve){.side = MACHINE_GPU};
	if (machine_curve_skip(&key, curve_cpu)) {
		curve->side = MACHINE_CPU;
		if (!machine_curve_cut_threads(&key, &curve->threads))
			return false;
	} else if (!machine_curve_skip(&key, curve_gpu)) {
		return false;
	}
	return routine_threshold_find_name(key, &curve->family, &curve->element);
}

/* The next piece that stands between blanks; false after the last. */
static bool machine_curve_next_piece(struct words *rest, struct words *piece)
{
	const struct words all = words_trim(*rest);
	size_t length = 0;
	while (length < all.length && all.text[length] != ' ' && all.text[length] != '\t')
		length++;
	*piece = words_make(all.text, length);
	*rest = words_make(all.text + length, all.length - length);
	return length > 0;
}

/* Returns what is wrong with "size:rate", or NULL. */
static const char *machine_curve_add_point(struct machine_curve *curve, struct words piece)
{
	double size = 0, rate = 0;
	struct words rest = piece;
	const struct words first = words_next(&rest, ':');
	if (rest.text == NULL ||
	    number_parse_real(first.text, first.length, &size) != NUMBER_FINE ||
	    number_parse_real(rest.text, rest.length, &rate) != NUMBER_FINE || size < 1 ||
	    size > MACHINE_SIZE_MOST || rate < 1)
		return "; allowed: size:rate with sizes from 1 to 1e19 and finite rates from 1 on";
	if (curve->count > 0 && !(size > curve->point[curve->count - 1].size * curve_least_step))
		return "; sizes have to ascend";
	if (curve->count == MACHINE_POINTS)
		return "; a curve has at most 12 points";
	curve->point[curve->count].size = size;
	curve->point[curve->count++].rate = rate;
	return NULL;
}
_Static_assert((int)MACHINE_POINTS == 12, "the sentence above says so");

static bool machine_curve_is_same(const struct machine_curve *a, const struct machine_curve *b)
{
	return a->side == b->side && a->family == b->family && a->element == b->element &&
	       a->threads == b->threads;
}

/* Returns what stands against one more curve, or NULL. */
static const char *machine_curve_find_obstacle(const struct machine *machine,
                                               const struct machine_curve *curve)
{
	if (curve->count == 0)
		return " has no points";
	for (int i = 0; i < machine->curve_count; i++)
		if (machine_curve_is_same(&machine->curve[i], curve))
			return " is there twice";
	return machine->curve_count == MACHINE_CURVES ? " is one curve too many, more than 96"
	                                              : NULL;
}
_Static_assert((int)MACHINE_CURVES == 96, "the sentence above says so");

bool machine_rows_set_curve(struct machine *machine, struct machine_curve *curve, struct words key,
                            struct words value, struct sentence *sentence)
{
	struct words piece;
	const char *wrong = NULL;
	while (wrong == NULL && machine_curve_next_piece(&value, &piece))
		wrong = machine_curve_add_point(curve, piece);
	if (wrong != NULL) {
		sentence_add_words(sentence, key);
		sentence_add(sentence, " cannot have ");
		sentence_quote(sentence, piece);
		sentence_add(sentence, wrong);
		return false;
	}
	wrong = machine_curve_find_obstacle(machine, curve);
	if (wrong != NULL) {
		sentence_add_words(sentence, key);
		sentence_add(sentence, wrong);
		return false;
	}
	return machine_add_curve(machine, curve);
}

void machine_rows_add_curve_key(struct sentence *sentence, const struct machine_curve *curve)
{
	char digits[NUMBER_DIGITS_BYTES];
	sentence_add(sentence, curve->side == MACHINE_CPU ? curve_cpu : curve_gpu);
	routine_threshold_add_name(sentence, curve->family, curve->element);
	if (curve->side == MACHINE_GPU)
		return;
	number_format_count((uint64_t)curve->threads, digits);
	sentence_add(sentence, curve_threads);
	sentence_add(sentence, digits);
}

void machine_rows_add_curve_points(struct sentence *sentence, const struct machine_curve *curve)
{
	char number[NUMBER_REAL_BYTES];
	for (int i = 0; i < curve->count; i++) {
		number_format_real(curve->point[i].size, number);
		sentence_add(sentence, i > 0 ? " " : "");
		sentence_add(sentence, number);
		number_format_real(curve->point[i].rate, number);
		sentence_add(sentence, ":");
		sentence_add(sentence, number);
	}
}
