/* machine_text.c - machine profiles from text and to text, and whether one may be used */
/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/machine/machine_rows.h"
#include "policy/options/routine_threshold.h"
#include "policy/text/number.h"
#include "policy/text/sentence.h"

enum { MACHINE_VERSION = 1, MACHINE_THREADS_MAX = 65536 };

static const char curve_cpu[] = "cpu_", curve_gpu[] = "gpu_", curve_threads[] = "_t",
		  curve_estimate[] = "_estimate";

/* Sizes that differ by less would be equal once they are written to nine digits. */
static const double curve_least_step = 1.000001;

/* Takes "_t<number>" from the end of words. */
static bool machine_text_curve_cut_threads(struct words *words, int *threads)
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

/* Takes "_estimate" from the end of words; false if it is not there. */
static bool machine_text_curve_cut_estimate(struct words *words)
{
	const size_t mark = strlen(curve_estimate);
	if (words->length < mark ||
	    !words_equal(words_make(words->text + words->length - mark, mark),
	                 words_of(curve_estimate)))
		return false;
	words->length -= mark;
	return true;
}

static bool machine_text_find_curve(struct words key, struct machine_curve *curve)
{
	*curve = (struct machine_curve){.side = MACHINE_GPU};
	if (words_skip(&key, curve_cpu)) {
		curve->side = MACHINE_CPU;
		if (!machine_text_curve_cut_threads(&key, &curve->threads))
			return false;
		if (machine_text_curve_cut_estimate(&key))
			curve->rigour = FFT_ESTIMATED;
	} else if (!words_skip(&key, curve_gpu)) {
		return false;
	}
	return routine_threshold_find_name(key, &curve->family, &curve->element) &&
	       (curve->rigour == FFT_MEASURED || family_is_fft(curve->family));
}

/* The next part between blanks; false after the last. */
static bool machine_text_curve_next_piece(struct words *rest, struct words *piece)
{
	const struct words all = words_trim(*rest);
	size_t length = 0;
	while (length < all.length && all.text[length] != ' ' && all.text[length] != '\t')
		length++;
	*piece = words_make(all.text, length);
	*rest = words_make(all.text + length, all.length - length);
	return length > 0;
}

/* Adds the point "size:rate". Returns the error as a part of a sentence, or NULL. */
static const char *machine_text_curve_add_point(struct machine_curve *curve, struct words piece)
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

static bool machine_text_curve_is_same(const struct machine_curve *a, const struct machine_curve *b)
{
	return a->side == b->side && a->family == b->family && a->element == b->element &&
	       a->threads == b->threads && a->rigour == b->rigour;
}

/* Returns why one more curve cannot be added, as a part of a sentence, or NULL. */
static const char *machine_text_curve_find_obstacle(const struct machine *machine,
                                                    const struct machine_curve *curve)
{
	if (curve->count == 0)
		return " has no points";
	for (int i = 0; i < machine->curve_count; i++)
		if (machine_text_curve_is_same(&machine->curve[i], curve))
			return " is there twice";
	return machine->curve_count == MACHINE_CURVES ? " is one curve too many, more than 240"
	                                              : NULL;
}
_Static_assert((int)MACHINE_CURVES == 240, "the sentence above says so");

static bool machine_text_set_curve(struct machine *machine, struct machine_curve *curve,
                                   struct words key, struct words value, struct sentence *sentence)
{
	struct words piece;
	const char *wrong = NULL;
	while (wrong == NULL && machine_text_curve_next_piece(&value, &piece))
		wrong = machine_text_curve_add_point(curve, piece);
	if (wrong != NULL) {
		sentence_add_words(sentence, key);
		sentence_add(sentence, " cannot have ");
		sentence_quote(sentence, piece);
		sentence_add(sentence, wrong);
		return false;
	}
	wrong = machine_text_curve_find_obstacle(machine, curve);
	if (wrong != NULL) {
		sentence_add_words(sentence, key);
		sentence_add(sentence, wrong);
		return false;
	}
	return machine_add_curve(machine, curve);
}

static void machine_text_add_curve_key(struct sentence *sentence, const struct machine_curve *curve)
{
	char digits[NUMBER_DIGITS_BYTES];
	sentence_add(sentence, curve->side == MACHINE_CPU ? curve_cpu : curve_gpu);
	routine_threshold_add_name(sentence, curve->family, curve->element);
	if (curve->side == MACHINE_GPU)
		return;
	sentence_add(sentence, curve->rigour == FFT_ESTIMATED ? curve_estimate : "");
	number_format_count((uint64_t)curve->threads, digits);
	sentence_add(sentence, curve_threads);
	sentence_add(sentence, digits);
}

static void machine_text_add_curve_points(struct sentence *sentence,
                                          const struct machine_curve *curve)
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

const struct machine_row machine_rows[MACHINE_ROWS] = {
#define MACHINE_TEXT(field) {#field, offsetof(struct machine, field), true},
#define MACHINE_NUMBER(key, field) {key, offsetof(struct machine, field), false},
#include "policy/machine/machine.def"
};

static const char machine_text_version_key[] = "profile", machine_text_end_key[] = "end";

static bool machine_text_set_text(struct machine *machine, const struct machine_row *row,
                                  struct words value, struct sentence *sentence)
{
	char *field = machine_rows_text_field(machine, row);
	if (value.length >= MACHINE_NAME_BYTES) {
		sentence_add(sentence, row->key);
		sentence_add(sentence, " is too long: ");
		sentence_quote(sentence, value);
		return false;
	}
	memcpy(field, value.text, value.length);
	field[value.length] = '\0';
	/* The tool prints it, and a terminal would obey control characters. */
	for (char *letter = field; *letter != '\0'; letter++)
		if ((unsigned char)*letter < ' ' || *letter == 0x7f)
			*letter = '?';
	return true;
}

static bool machine_text_set_number(struct machine *machine, const struct machine_row *row,
                                    struct words value, struct sentence *sentence)
{
	if (number_parse_real(value.text, value.length, machine_rows_number_field(machine, row)) ==
	    NUMBER_FINE)
		return true;
	sentence_add(sentence, row->key);
	sentence_add(sentence, " cannot be ");
	sentence_quote(sentence, value);
	sentence_add(sentence, "; allowed: a finite number, 0 or more");
	return false;
}

static bool machine_text_set_version(struct machine *machine, struct words value,
                                     struct sentence *sentence)
{
	uint64_t version = 0;
	if (number_parse_count(value.text, value.length, &version) == NUMBER_FINE &&
	    version == MACHINE_VERSION) {
		machine->version = MACHINE_VERSION;
		return true;
	}
	sentence_add(sentence, "profiles of version ");
	sentence_quote(sentence, value);
	sentence_add(sentence, " cannot be read; this is for version 1");
	return false;
}

static bool machine_text_set_end(struct machine *machine, struct words value,
                                 struct sentence *sentence)
{
	machine->ended = words_equal(value, words_of("true"));
	if (machine->ended)
		return true;
	sentence_add(sentence, "end cannot be ");
	sentence_quote(sentence, value);
	sentence_add(sentence, "; allowed: true");
	return false;
}

static void machine_text_offer_key(const char *key, struct words name, const char **nearest,
                                   unsigned *least)
{
	const unsigned distance = words_distance(name, key);
	if (distance >= *least)
		return;
	*least = distance;
	*nearest = key;
}

static bool machine_text_refuse_key(struct words key, struct sentence *sentence)
{
	const char *nearest = NULL;
	unsigned least = WORDS_FAR;
	machine_text_offer_key(machine_text_version_key, key, &nearest, &least);
	machine_text_offer_key(machine_text_end_key, key, &nearest, &least);
	for (int i = 0; i < MACHINE_ROWS; i++)
		machine_text_offer_key(machine_rows[i].key, key, &nearest, &least);
	sentence_add(sentence, "unknown key ");
	sentence_quote(sentence, key);
	if (nearest != NULL) {
		sentence_add(sentence, "; the nearest is ");
		sentence_quote(sentence, words_of(nearest));
	}
	return false;
}

static bool machine_text_set(struct machine *machine, struct words key, struct words value,
                             struct sentence *sentence)
{
	struct machine_curve curve;
	if (machine->ended) {
		sentence_add(sentence, "something follows the line that ends the profile");
		return false;
	}
	if (words_equal(key, words_of(machine_text_version_key)))
		return machine_text_set_version(machine, value, sentence);
	if (words_equal(key, words_of(machine_text_end_key)))
		return machine_text_set_end(machine, value, sentence);
	for (int i = 0; i < MACHINE_ROWS; i++) {
		const struct machine_row *row = &machine_rows[i];
		if (words_equal(key, words_of(row->key)))
			return row->is_text
			               ? machine_text_set_text(machine, row, value, sentence)
			               : machine_text_set_number(machine, row, value, sentence);
	}
	if (machine_text_find_curve(key, &curve))
		return machine_text_set_curve(machine, &curve, key, value, sentence);
	return machine_text_refuse_key(key, sentence);
}

bool machine_parse_line(struct machine *machine, const char *line,
                        char message[MACHINE_MESSAGE_BYTES])
{
	struct words key, value;
	struct sentence sentence = sentence_start(message, MACHINE_MESSAGE_BYTES);
	const enum words_line form = words_split_line(line, &key, &value);
	if (form == WORDS_PAIR)
		return machine_text_set(machine, key, value, &sentence);
	if (form == WORDS_BLANK)
		return true;
	sentence_add(&sentence, words_describe_line(form));
	return false;
}

bool machine_is_usable(const struct machine *machine, char message[MACHINE_MESSAGE_BYTES])
{
	struct sentence sentence = sentence_start(message, MACHINE_MESSAGE_BYTES);
	if (machine->version != 0 && !machine->ended) {
		sentence_add(&sentence,
		             "its last line, end = true, is missing, so a part of it is lost");
		return false;
	}
	if (machine_is_measured(machine) ||
	    (machine->link_up_bytes > 0 && machine->link_down_bytes > 0))
		return true;
	sentence_add(&sentence, machine->link_up_bytes > 0 ? "link_down_bytes" : "link_up_bytes");
	sentence_add(&sentence, " is missing or 0, and without it nothing can be predicted");
	return false;
}

static bool machine_text_agrees(const char *what, const char *measured, const char *here,
                                struct sentence *sentence)
{
	if (measured[0] == '\0' || here[0] == '\0' || strcmp(measured, here) == 0)
		return true;
	sentence_add(sentence, "it was measured on the ");
	sentence_add(sentence, what);
	sentence_add(sentence, " ");
	sentence_quote(sentence, words_of(measured));
	sentence_add(sentence, ", and this is ");
	sentence_quote(sentence, words_of(here));
	return false;
}

bool machine_holds_for(const struct machine *machine, const struct machine *here,
                       char message[MACHINE_MESSAGE_BYTES])
{
	struct sentence sentence = sentence_start(message, MACHINE_MESSAGE_BYTES);
	if (machine->host[0] == '\0')
		return true;
	return machine_text_agrees("host", machine->host, here->host, &sentence) &&
	       machine_text_agrees("processor", machine->cpu, here->cpu, &sentence) &&
	       machine_text_agrees("GPU", machine->gpu, here->gpu, &sentence);
}

/* Adds a text in quotes, which keep its blanks; newlines become blanks. */
static void machine_text_add_quoted(struct sentence *sentence, const char *text)
{
	sentence_add(sentence, "\"");
	for (; *text != '\0'; text++) {
		const char letter[2] = {*text == '\n' || *text == '\r' ? ' ' : *text, '\0'};
		sentence_add(sentence, letter);
	}
	sentence_add(sentence, "\"");
}

static bool machine_text_add_row(struct sentence *sentence, const struct machine *machine,
                                 const struct machine_row *row)
{
	const char *field = (const char *)machine + row->offset;
	const double number = row->is_text ? 0 : *(const double *)(const void *)field;
	char digits[NUMBER_REAL_BYTES];
	if (row->is_text ? field[0] == '\0' : !(number > 0))
		return false;
	sentence_add(sentence, row->key);
	sentence_add(sentence, " = ");
	if (row->is_text) {
		machine_text_add_quoted(sentence, field);
		return true;
	}
	number_format_real(number, digits);
	sentence_add(sentence, digits);
	return true;
}

static bool machine_text_add_curve(struct sentence *sentence, const struct machine_curve *curve)
{
	if (curve->count < 1)
		return false;
	machine_text_add_curve_key(sentence, curve);
	sentence_add(sentence, " = ");
	machine_text_add_curve_points(sentence, curve);
	return true;
}

/*
 * Places are the version, the rows of machine.def, the curves, the end. false where a place has
 * nothing to write.
 */
static bool machine_text_add_line(struct sentence *sentence, const struct machine *machine,
                                  int place)
{
	const int curve = place - 1 - MACHINE_ROWS;
	if (place == 0 || curve == machine->curve_count) {
		sentence_add(sentence,
		             place == 0 ? machine_text_version_key : machine_text_end_key);
		sentence_add(sentence, place == 0 ? " = 1" : " = true");
		return true;
	}
	return curve < 0 ? machine_text_add_row(sentence, machine, &machine_rows[place - 1])
	                 : machine_text_add_curve(sentence, &machine->curve[curve]);
}
_Static_assert((int)MACHINE_VERSION == 1, "the line above says so");

bool machine_write_line(const struct machine *machine, int *position, char *line, size_t size)
{
	const int places = 2 + MACHINE_ROWS + machine->curve_count;
	while (*position < places) {
		struct sentence sentence = sentence_start(line, size);
		if (machine_text_add_line(&sentence, machine, (*position)++))
			return true;
	}
	return false;
}
