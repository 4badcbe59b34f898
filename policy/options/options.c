/* options.c - options from text and to text, by the rows of option.def */
/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/options/options.h"

#include <string.h>

#include "policy/text/number.h"
#include "policy/text/sentence.h"

/* What the kinds of option.def are in the table. */
#define OPTION_KIND_SWITCH OPTION_SWITCH, UNIT_PLAIN
#define OPTION_KIND_COUNT OPTION_COUNT_KIND, UNIT_PLAIN
#define OPTION_KIND_BYTES OPTION_COUNT_KIND, UNIT_BYTES
#define OPTION_KIND_MEGABYTES OPTION_COUNT_KIND, UNIT_MEGABYTES
#define OPTION_KIND_FLOPS OPTION_COUNT_KIND, UNIT_FLOPS
#define OPTION_KIND_SECONDS OPTION_COUNT_KIND, UNIT_SECONDS
#define OPTION_KIND_SHARE OPTION_SHARE, UNIT_SHARE
#define OPTION_KIND_CHOICE OPTION_CHOICE, UNIT_PLAIN
#define OPTION_KIND_TEXT OPTION_TEXT, UNIT_PLAIN

const struct option_row option_table[OPTION_COUNT] = {
#define OPTION(kind, key, initial, range, help)                                                    \
	{OPTION_KIND_##kind, #key, initial, range, offsetof(struct options, key)},
#include "policy/options/option.def"
};

const char option_help[OPTION_COUNT][OPTION_HELP_BYTES] = {
#define OPTION(kind, key, initial, range, help) help,
#include "policy/options/option.def"
};

#define OPTION(kind, key, initial, range, help)                                                    \
	_Static_assert(sizeof #key <= OPTION_NAME_BYTES &&                                         \
	                       sizeof(initial) <= OPTION_INITIAL_BYTES &&                          \
	                       sizeof(help) <= OPTION_HELP_BYTES,                                  \
	               "the texts of " #key " end in their rows");
#include "policy/options/option.def"

static const struct options_former {
	const char *name;
	enum option option;
} options_formers[] = {
#define OPTION(kind, key, initial, range, help)
#define OPTION_FORMER(key, former) {#former, OPTION_##key},
#include "policy/options/option.def"
};
enum { OPTIONS_FORMERS = sizeof options_formers / sizeof options_formers[0] };

/* Words for false have even indices, words for true odd ones. */
static const char *const options_switch_words[] = {"false", "true", "off", "on",
                                                   "no",    "yes",  "0",   "1"};
enum { OPTIONS_SWITCH_WORDS = sizeof options_switch_words / sizeof options_switch_words[0] };

static void *options_field(struct options *options, const struct option_row *row)
{
	return (char *)options + row->offset;
}

static const void *options_read_field(const struct options *options, const struct option_row *row)
{
	return (const char *)options + row->offset;
}

/* The two ends of a COUNT's or SHARE's range, "least..most". */
static void options_split_range(const char *range, struct words *least, struct words *most)
{
	const char *dots = strstr(range, "..");
	*least = words_make(range, (size_t)(dots - range));
	*most = words_of(dots + 2);
}

static bool options_store_switch(struct words text, bool *field)
{
	for (int i = 0; i < OPTIONS_SWITCH_WORDS; i++) {
		if (words_equal(text, words_of(options_switch_words[i]))) {
			*field = i % 2 == 1;
			return true;
		}
	}
	return false;
}

struct words options_read_place(struct words text)
{
	bool is_on;
	if (!options_store_switch(words_trim(text), &is_on))
		return text;
	return words_of(is_on ? "stderr" : "off");
}

static bool options_store_count(const struct option_row *row, struct words text, uint64_t *field)
{
	struct words least, most;
	uint64_t from = 0, to = 0, value = 0;
	options_split_range(row->range, &least, &most);
	number_parse_count(least.text, least.length, &from);
	number_parse_count(most.text, most.length, &to);
	if (unit_parse_count(row->unit, text.text, text.length, &value) != NUMBER_FINE ||
	    value < from || value > to)
		return false;
	*field = value;
	return true;
}

static bool options_store_share(const struct option_row *row, struct words text, double *field)
{
	struct words least, most;
	double from = 0, to = 0, value = 0;
	options_split_range(row->range, &least, &most);
	number_parse_real(least.text, least.length, &from);
	number_parse_real(most.text, most.length, &to);
	if (unit_parse_real(row->unit, text.text, text.length, &value) != NUMBER_FINE ||
	    value < from || value > to)
		return false;
	*field = value;
	return true;
}

static bool options_store_choice(const char *range, struct words text, int *field)
{
	struct words rest = words_of(range);
	for (int i = 0; rest.text != NULL; i++) {
		if (words_equal(text, words_next(&rest, '|'))) {
			*field = i;
			return true;
		}
	}
	return false;
}

/* An empty text is the default of all; a name without a folder is left to the loader. */
static bool options_is_path_allowed(const char *range, struct words text)
{
	if (range[0] == '\0' || text.length == 0 || text.text[0] == '/')
		return true;
	return strcmp(range, OPTION_LIBRARY_NAME) == 0 &&
	       memchr(text.text, '/', text.length) == NULL;
}

/* A whole percentage with or without its sign; false: neither that nor a word. */
static bool options_read_cpu_share(struct words text, double *share)
{
	uint64_t percent = 0;
	text = words_trim(text);
	*share = 0;
	if (words_equal(text, words_of("off")))
		return true;
	*share = OPTIONS_SHARE_AUTO;
	if (words_equal(text, words_of("auto")))
		return true;
	if (text.length > 0 && text.text[text.length - 1] == '%')
		text.length--;
	if (number_parse_count(text.text, text.length, &percent) != NUMBER_FINE || percent < 1 ||
	    percent > 99)
		return false;
	*share = (double)percent / 100;
	return true;
}

static bool options_is_text_allowed(const char *range, struct words text)
{
	double unused;
	if (strcmp(range, OPTION_CPU_SHARE) == 0)
		return options_read_cpu_share(text, &unused);
	if (strcmp(range, OPTION_PLACE) == 0)
		return true;
	return options_is_path_allowed(range, text);
}

double options_find_cpu_share(const struct options *options)
{
	double share;
	options_read_cpu_share(words_of(options->share_cpu), &share);
	return options->deterministic ? 0 : share;
}

static bool options_store_text(const char *range, struct words text, char field[OPTION_TEXT_BYTES])
{
	if (strcmp(range, OPTION_PLACE) == 0)
		text = options_read_place(text);
	if (text.length >= OPTION_TEXT_BYTES || !options_is_text_allowed(range, text))
		return false;
	memmove(field, text.text, text.length);
	field[text.length] = '\0';
	return true;
}

static bool options_store(const struct option_row *row, struct words text, void *field)
{
	switch (row->kind) {
	case OPTION_SWITCH: return options_store_switch(words_trim(text), field);
	case OPTION_COUNT_KIND: return options_store_count(row, words_trim(text), field);
	case OPTION_SHARE: return options_store_share(row, words_trim(text), field);
	case OPTION_CHOICE: return options_store_choice(row->range, words_trim(text), field);
	case OPTION_TEXT: return options_store_text(row->range, text, field);
	}
	return false;
}

static void options_say_allowed(const struct option_row *row, struct sentence *sentence)
{
	struct words rest = words_of(row->range), most;
	char digits[NUMBER_DIGITS_BYTES];
	switch (row->kind) {
	case OPTION_SWITCH: sentence_add(sentence, "true or false"); break;
	case OPTION_COUNT_KIND:
	case OPTION_SHARE:
		options_split_range(row->range, &rest, &most);
		sentence_add(sentence,
		             row->kind == OPTION_SHARE ? "a number from " : "a whole number from ");
		sentence_add_words(sentence, rest);
		sentence_add(sentence, " to ");
		sentence_add(sentence, most.text);
		sentence_add(sentence, unit_describe(row->unit));
		break;
	case OPTION_CHOICE:
		for (const char *comma = ""; rest.text != NULL; comma = ", ") {
			const struct words word = words_next(&rest, '|');
			sentence_add(sentence, comma);
			sentence_add_words(sentence, word);
		}
		break;
	case OPTION_TEXT:
		if (row->range[0] != '\0') {
			sentence_add(sentence, row->range);
			sentence_add(sentence, ", ");
		}
		sentence_add(sentence, "at most ");
		number_format_count(OPTION_TEXT_BYTES - 1, digits);
		sentence_add(sentence, digits);
		sentence_add(sentence, " bytes");
		break;
	}
}

static void options_refuse_value(const struct option_row *row, struct words text, char *message)
{
	struct sentence sentence = sentence_start(message, OPTION_MESSAGE_BYTES);
	sentence_add(&sentence, row->key);
	sentence_add(&sentence, " cannot be ");
	sentence_quote(&sentence, text);
	sentence_add(&sentence, "; allowed: ");
	options_say_allowed(row, &sentence);
}

static const struct options_former *options_find_former(struct words name)
{
	for (int i = 0; i < OPTIONS_FORMERS; i++)
		if (words_equal(name, words_of(options_formers[i].name)))
			return &options_formers[i];
	return NULL;
}

bool options_is_former(struct words name)
{
	return options_find_former(name) != NULL;
}

static int options_find_words(struct words name)
{
	const struct options_former *former = options_find_former(name);
	for (int i = 0; i < OPTION_COUNT; i++)
		if (words_equal(name, words_of(option_table[i].key)))
			return i;
	return former != NULL ? (int)former->option : -1;
}

/* A misspelt "threshold" is near to workload_threshold: the key's last word alone counts, too. */
static unsigned options_distance(struct words name, const char *key)
{
	const char *last = strrchr(key, '_');
	const unsigned whole = words_distance(name, key),
		       part = last != NULL ? words_distance(name, last + 1) : WORDS_FAR;
	return part < whole ? part : whole;
}

static bool options_find_nearest_words(struct words name, char nearest[OPTION_KEY_BYTES])
{
	unsigned least = WORDS_FAR;
	nearest[0] = '\0';
	if (routine_threshold_find_nearest(name, "workload_threshold_", nearest,
	                                   OPTION_KEY_BYTES) ||
	    routine_threshold_find_nearest(name, "policy_", nearest, OPTION_KEY_BYTES))
		return true;
	for (int i = 0; i < OPTION_COUNT; i++) {
		const unsigned distance = options_distance(name, option_table[i].key);
		if (distance >= least)
			continue;
		least = distance;
		struct sentence sentence = sentence_start(nearest, OPTION_KEY_BYTES);
		sentence_add(&sentence, option_table[i].key);
	}
	return least < WORDS_FAR;
}

static void options_refuse_key(struct words key, char *message)
{
	struct sentence sentence = sentence_start(message, OPTION_MESSAGE_BYTES);
	char nearest[OPTION_KEY_BYTES];
	sentence_add(&sentence, "unknown option ");
	sentence_quote(&sentence, key);
	if (!options_find_nearest_words(key, nearest))
		return;
	sentence_add(&sentence, "; the nearest is ");
	sentence_quote(&sentence, words_of(nearest));
}

/*
 * Finds the field that a key sets, and the row that says which values it takes; a key of one
 * routine takes the values of the general option. NULL where there is no such key.
 */
static const struct option_row *options_find_field(struct options *options, struct words key,
                                                   void **field)
{
	const int option = options_find_words(key);
	if (option >= 0) {
		*field = options_field(options, &option_table[option]);
		return &option_table[option];
	}
	*field = routine_threshold_find(&options->thresholds, key);
	if (*field != NULL)
		return &option_table[OPTION_workload_threshold];
	*field = routine_policy_find(&options->policies, key);
	return *field != NULL ? &option_table[OPTION_policy] : NULL;
}

static bool options_set_words(struct options *options, struct words key, struct words text,
                              char *message)
{
	void *field = NULL;
	const struct option_row *row = options_find_field(options, key, &field);
	if (row == NULL) {
		options_refuse_key(key, message);
		return false;
	}
	if (!options_store(row, text, field)) {
		options_refuse_value(row, text, message);
		return false;
	}
	options->workload_threshold_given |= field == &options->workload_threshold;
	return true;
}

void options_set_defaults(struct options *options)
{
	for (int i = 0; i < OPTION_COUNT; i++)
		options_store(&option_table[i], words_of(option_table[i].initial),
		              options_field(options, &option_table[i]));
	routine_threshold_clear(&options->thresholds);
	routine_policy_clear(&options->policies);
	options->workload_threshold_given = false;
}

static void options_settle_policy(int *policy)
{
	if (*policy == POLICY_AUTO)
		*policy = POLICY_THRESHOLD;
}

void options_settle(struct options *options)
{
	if (!options->deterministic)
		return;
	options->warmup = WARMUP_WAIT;
	if (options->residency == RESIDENCY_AUTO)
		options->residency = RESIDENCY_OFF;
	options_settle_policy(&options->policy);
	for (int family = 0; family < FAMILY_COUNT; family++) {
		options_settle_policy(&options->policies.family[family]);
		for (int element = 0; element < ELEMENT_COUNT; element++)
			options_settle_policy(&options->policies.routine[family][element]);
	}
}

bool options_set(struct options *options, const char *key, const char *text,
                 char message[OPTION_MESSAGE_BYTES])
{
	return options_set_words(options, words_of(key), words_of(text), message);
}

int options_find(const char *name)
{
	return options_find_words(words_of(name));
}

void options_name_variable(enum option option, char out[OPTION_VARIABLE_BYTES])
{
	struct sentence sentence = sentence_start(out, OPTION_VARIABLE_BYTES);
	sentence_add(&sentence, "EPOCHLY_GPU_");
	for (const char *letter = option_table[option].key; *letter != '\0'; letter++) {
		const bool small = *letter >= 'a' && *letter <= 'z';
		sentence_add_words(
			&sentence,
			words_make(&(const char){(char)(*letter - (small ? 'a' - 'A' : 0))}, 1));
	}
}

bool options_has_key(const char *name)
{
	struct routine_thresholds thresholds;
	struct routine_policies policies;
	return options_find(name) >= 0 ||
	       routine_threshold_find(&thresholds, words_of(name)) != NULL ||
	       routine_policy_find(&policies, words_of(name)) != NULL;
}

bool options_find_nearest(const char *name, char nearest[OPTION_KEY_BYTES])
{
	return options_find_nearest_words(words_of(name), nearest);
}

void options_name_choice(enum option option, int index, char *out, size_t size)
{
	struct sentence sentence = sentence_start(out, size);
	struct words rest = words_of(option_table[option].range), word = words_of("");
	for (int i = 0; i <= index && rest.text != NULL; i++)
		word = words_next(&rest, '|');
	sentence_add_words(&sentence, word);
}

void options_get(const struct options *options, enum option option, char *out, size_t size)
{
	const struct option_row *row = &option_table[option];
	const void *field = options_read_field(options, row);
	struct sentence sentence = sentence_start(out, size);
	char digits[NUMBER_REAL_BYTES];
	switch (row->kind) {
	case OPTION_SWITCH: sentence_add(&sentence, *(const bool *)field ? "true" : "false"); break;
	case OPTION_COUNT_KIND:
		number_format_count(*(const uint64_t *)field, digits);
		sentence_add(&sentence, digits);
		break;
	case OPTION_SHARE:
		number_format_real(*(const double *)field, digits);
		sentence_add(&sentence, digits);
		break;
	case OPTION_CHOICE: options_name_choice(option, *(const int *)field, out, size); break;
	case OPTION_TEXT: sentence_add(&sentence, field); break;
	}
}

bool options_parse_line(struct options *options, const char *line,
                        char message[OPTION_MESSAGE_BYTES])
{
	struct words key, value;
	const enum words_line form = words_split_line(line, &key, &value);
	if (form == WORDS_BLANK)
		return true;
	const char *wrong = words_describe_line(form);
	if (wrong == NULL && options_find_words(key) == OPTION_config)
		wrong = "config can be set in the environment only";
	if (wrong == NULL)
		return options_set_words(options, key, value, message);
	struct sentence sentence = sentence_start(message, OPTION_MESSAGE_BYTES);
	sentence_add(&sentence, wrong);
	return false;
}

bool options_match_list(const char *list, const char *text)
{
	struct words rest = words_of(list);
	while (rest.text != NULL) {
		const struct words pattern = words_trim(words_next(&rest, ','));
		if (pattern.length > 0 && words_match(pattern, text))
			return true;
	}
	return false;
}

uint64_t options_find_memory(const struct options *options)
{
	const uint64_t megabyte = 1000000;
	return options->memory_limit > UINT64_MAX / megabyte ? UINT64_MAX
	                                                     : options->memory_limit * megabyte;
}
