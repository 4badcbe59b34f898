/* log_parse.c - parses one line of a log in place */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stddef.h>
#include <string.h>

#include "cli/log/log.h"
#include "cli/log/log_names.h"
#include "policy/text/number.h"

/*
 * PARSE_LAST_YEAR: nanoseconds in 64 bits end in 2262; a time plus the duration of a call must stay
 * below.
 */
enum { PARSE_DEPTH = 16, PARSE_KEY_BYTES = 24, PARSE_LAST_YEAR = 2200 };

enum parse_type { PARSE_TEXT, PARSE_INTEGER, PARSE_REAL, PARSE_OBJECT };

/* One value for each row of field.def. Sizes are stored in the record directly. */
#define PARSE_TYPE_TEXT(key) struct words key;
#define PARSE_TYPE_INTEGER(key) int64_t key;
#define PARSE_TYPE_REAL(key) double key;
#define PARSE_TYPE_OBJECT(key) char key;
struct parse_values {
#define FIELD(key, type, help) PARSE_TYPE_##type(key)
#include "shim/record/field.def"
};

static const struct parse_row {
	char name[PARSE_KEY_BYTES];
	size_t length, offset;
	enum parse_type type;
} parse_rows[LOG_KEYS] = {
#define FIELD(key, type, help)                                                                     \
	{#key, sizeof(#key) - 1, offsetof(struct parse_values, key), PARSE_##type},
#include "shim/record/field.def"
};

const char *const log_head_names[LOG_HEADS] = {
#define HEAD(key, help) #key,
#include "shim/record/head.def"
};

/* next: the row of the key that is expected, since the shim writes keys in order. */
struct line_parse {
	const char *at, *end;
	struct log_record *record;
	struct parse_values values;
	int next;
	struct words unknown;
};

/* The shim writes no blanks; other programs may add them. */
static void log_parse_blanks(struct line_parse *parse)
{
	while (parse->at < parse->end &&
	       (*parse->at == ' ' || *parse->at == '\t' || *parse->at == '\r'))
		parse->at++;
}

static bool log_parse_take(struct line_parse *parse, char letter)
{
	log_parse_blanks(parse);
	if (parse->at >= parse->end || *parse->at != letter)
		return false;
	parse->at++;
	return true;
}

/* A string; words: the bytes between its quotes, with escapes as they are. */
static bool log_parse_text(struct line_parse *parse, struct words *words)
{
	if (!log_parse_take(parse, '"'))
		return false;
	const char *begin = parse->at;
	for (; parse->at < parse->end && *parse->at != '"'; parse->at++) {
		if ((unsigned char)*parse->at < ' ')
			return false;
		if (*parse->at == '\\' && ++parse->at >= parse->end)
			return false;
	}
	if (parse->at >= parse->end)
		return false;
	*words = words_make(begin, (size_t)(parse->at - begin));
	parse->at++;
	return true;
}

/* The characters of a number, up to the first one that no number has. */
static struct words log_parse_digits(struct line_parse *parse)
{
	log_parse_blanks(parse);
	const char *begin = parse->at;
	while (parse->at < parse->end &&
	       ((*parse->at >= '0' && *parse->at <= '9') ||
	        (*parse->at != '\0' && strchr("+-.eE", *parse->at) != NULL)))
		parse->at++;
	return words_make(begin, (size_t)(parse->at - begin));
}

/* A number that another program wrote as 2.1e9. Values beyond 64 bits become the largest one. */
static bool log_parse_real(struct words digits, bool negative, int64_t *value)
{
	double real;
	if (number_parse_real(digits.text, digits.length, &real) != NUMBER_FINE)
		return false;
	*value = real >= 9.2e18 ? INT64_MAX : (int64_t)real;
	if (negative)
		*value = -*value;
	return true;
}

static bool log_parse_integer(struct line_parse *parse, int64_t *value)
{
	struct words digits = log_parse_digits(parse);
	const bool negative = digits.length > 0 && digits.text[0] == '-';
	uint64_t sum = 0;
	if (negative)
		digits = words_make(digits.text + 1, digits.length - 1);
	if (digits.length == 0)
		return false;
	for (size_t i = 0; i < digits.length; i++) {
		const unsigned digit = (unsigned)(digits.text[i] - '0');
		if (digit > 9 || i >= 18)
			return log_parse_real(digits, negative, value);
		sum = sum * 10 + digit;
	}
	*value = negative ? -(int64_t)sum : (int64_t)sum;
	return true;
}

/* A number that is not negative. */
static bool log_parse_number(struct line_parse *parse, double *value)
{
	const struct words digits = log_parse_digits(parse);
	return number_parse_real(digits.text, digits.length, value) == NUMBER_FINE;
}

/* Skips a value of any type. */
static bool log_parse_pass(struct line_parse *parse, int depth);

static bool log_parse_pass_list(struct line_parse *parse, char close, int depth)
{
	struct words key;
	if (log_parse_take(parse, close))
		return true;
	do {
		if (close == '}' && (!log_parse_text(parse, &key) || !log_parse_take(parse, ':')))
			return false;
		if (!log_parse_pass(parse, depth + 1))
			return false;
	} while (log_parse_take(parse, ','));
	return log_parse_take(parse, close);
}

static bool log_parse_pass(struct line_parse *parse, int depth)
{
	static const char *const words[] = {"true", "false", "null"};
	struct words text;
	if (depth >= PARSE_DEPTH)
		return false;
	if (log_parse_take(parse, '{'))
		return log_parse_pass_list(parse, '}', depth);
	if (log_parse_take(parse, '['))
		return log_parse_pass_list(parse, ']', depth);
	if (parse->at < parse->end && *parse->at == '"')
		return log_parse_text(parse, &text);
	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
		const size_t length = strlen(words[i]);
		if ((size_t)(parse->end - parse->at) >= length &&
		    memcmp(parse->at, words[i], length) == 0) {
			parse->at += length;
			return true;
		}
	}
	return log_parse_digits(parse).length > 0;
}

/* The field of the record for this key of sizes, or NULL. */
static int64_t *log_parse_find_size(struct log_record *record, struct words key)
{
	const char letter = key.length > 0 ? key.text[0] : '\0';
	if (key.length == 1)
		return letter == 'm'   ? &record->m
		       : letter == 'n' ? &record->n
		       : letter == 'k' ? &record->k
		                       : NULL;
	if (key.length == 2 && letter == 'n' && key.text[1] >= '0' &&
	    key.text[1] < '0' + FFT_RANK_MAX) {
		const int dim = key.text[1] - '0';
		if (record->rank <= dim)
			record->rank = dim + 1;
		return &record->dims[dim];
	}
	if (key.length == 7 && memcmp(key.text, "howmany", 7) == 0)
		return &record->howmany;
	if (key.length == 4 && memcmp(key.text, "nrhs", 4) == 0)
		return &record->nrhs;
	return key.length == 8 && memcmp(key.text, "problems", 8) == 0 ? &record->problems : NULL;
}

static bool log_parse_sizes(struct line_parse *parse)
{
	struct words key;
	if (!log_parse_take(parse, '{'))
		return false;
	if (log_parse_take(parse, '}'))
		return true;
	do {
		if (!log_parse_text(parse, &key) || !log_parse_take(parse, ':'))
			return false;
		int64_t *size = log_parse_find_size(parse->record, key);
		if (size != NULL ? !log_parse_integer(parse, size) : !log_parse_pass(parse, 0))
			return false;
	} while (log_parse_take(parse, ','));
	return log_parse_take(parse, '}');
}

static int log_parse_find_key(struct line_parse *parse, struct words key)
{
	for (int i = 0; i < LOG_KEYS; i++) {
		const int row = (parse->next + i) % LOG_KEYS;
		if (parse_rows[row].length == key.length &&
		    memcmp(parse_rows[row].name, key.text, key.length) == 0)
			return row;
	}
	return -1;
}

/* The record's place for this key of the head, or NULL. */
static struct words *log_parse_find_head(struct line_parse *parse, struct words key)
{
	for (int i = 0; i < LOG_HEADS; i++)
		if (strlen(log_head_names[i]) == key.length &&
		    memcmp(log_head_names[i], key.text, key.length) == 0)
			return &parse->record->head[i];
	return NULL;
}

/* A key that is not in field.def. */
static bool log_parse_other(struct line_parse *parse, struct words key)
{
	struct words *head = log_parse_find_head(parse, key);
	log_parse_blanks(parse);
	if (head != NULL)
		return head->text == NULL && log_parse_text(parse, head);
	if (parse->unknown.text == NULL)
		parse->unknown = key;
	return log_parse_pass(parse, 0);
}

static bool log_parse_member(struct line_parse *parse)
{
	struct words key;
	if (!log_parse_text(parse, &key) || !log_parse_take(parse, ':'))
		return false;
	const int row = log_parse_find_key(parse, key);
	if (row < 0)
		return log_parse_other(parse, key);
	void *value = (char *)&parse->values + parse_rows[row].offset;
	if ((parse->record->seen & 1u << row) != 0)
		return false;
	parse->record->seen |= 1u << row;
	parse->next = row + 1;
	switch (parse_rows[row].type) {
	case PARSE_TEXT: return log_parse_text(parse, value);
	case PARSE_INTEGER: return log_parse_integer(parse, value);
	case PARSE_REAL: return log_parse_number(parse, value);
	default: return log_parse_sizes(parse);
	}
}

static bool log_parse_object(struct line_parse *parse)
{
	if (!log_parse_take(parse, '{'))
		return false;
	do
		if (!log_parse_member(parse))
			return false;
	while (log_parse_take(parse, ','));
	if (!log_parse_take(parse, '}'))
		return false;
	log_parse_blanks(parse);
	return parse->at == parse->end;
}

static bool log_parse_pair(const char *digits, int count, int64_t *value)
{
	*value = 0;
	for (int i = 0; i < count; i++) {
		if (digits[i] < '0' || digits[i] > '9')
			return false;
		*value = *value * 10 + (digits[i] - '0');
	}
	return true;
}

/*
 * Converts "2026-11-21T02:10:25.123456Z" to nanoseconds since 1970. Years begin in March, so that
 * the leap day is the last day of a year. *time_ns is -1 for a year out of range; false where text
 * is not a time.
 */
static bool log_parse_time(struct words text, int64_t *time_ns)
{
	static const char form[] = "0000-00-00T00:00:00.000000Z";
	int64_t year, month, day, hour, minute, second, rest_us;
	if (text.length != sizeof form - 1)
		return false;
	for (size_t i = 0; i < sizeof form - 1; i++)
		if (form[i] != '0' && text.text[i] != form[i])
			return false;
	if (!log_parse_pair(text.text, 4, &year) || !log_parse_pair(text.text + 5, 2, &month) ||
	    !log_parse_pair(text.text + 8, 2, &day) || !log_parse_pair(text.text + 11, 2, &hour) ||
	    !log_parse_pair(text.text + 14, 2, &minute) ||
	    !log_parse_pair(text.text + 17, 2, &second) ||
	    !log_parse_pair(text.text + 20, 6, &rest_us) || month < 1 || month > 12)
		return false;
	*time_ns = -1;
	if (year < 1970 || year > PARSE_LAST_YEAR)
		return true;
	year -= month <= 2;
	const int64_t from_march = (month + 9) % 12, of_year = (153 * from_march + 2) / 5 + day - 1;
	const int64_t days = year * 365 + year / 4 - year / 100 + year / 400 + of_year - 719468;
	*time_ns = (((days * 24 + hour) * 60 + minute) * 60 + second) * 1000000000 + rest_us * 1000;
	return true;
}

static bool log_parse_target(struct words text, enum target *target)
{
	if (text.length != 3)
		return false;
	*target = memcmp(text.text, "gpu", 3) == 0 ? TARGET_GPU : TARGET_CPU;
	return *target == TARGET_GPU || memcmp(text.text, "cpu", 3) == 0;
}

/* Fills the record from the values of a line. false where a required one is missing. */
static bool log_parse_fill(struct line_parse *parse)
{
	struct log_record *record = parse->record;
	const struct parse_values *values = &parse->values;
	const bool timed = (record->seen & 1u << LOG_KEY_time) != 0;
	if ((record->seen & 1u << LOG_KEY_symbol) == 0 ||
	    !log_parse_target(values->target, &record->target))
		return false;
	if (timed && !log_parse_time(values->time, &record->time_ns))
		return false;
	record->pid = values->pid;
	record->tid = values->tid;
	record->symbol_name = values->symbol;
	record->symbol_name_routine = values->routine;
	record->reason_name = values->reason;
	record->object = values->object;
	record->math = values->math;
	record->dry_machine = values->dry_machine;
	record->device =
		values->device >= 0 && values->device < INT32_MAX ? (int)values->device : -1;
	record->size_bytes = values->bytes;
	record->work_flops = values->flops;
	record->predicted_cpu_ns = values->predicted_cpu_ns;
	record->predicted_gpu_ns = values->predicted_gpu_ns;
	record->elapsed_ns = values->elapsed_ns;
	record->verify_ratio = values->verify_ratio;
	record->jobs = values->jobs;
	record->pci = values->pci;
	record->recipe = values->recipe;
	record->info = values->info;
	record->workspace_bytes = values->workspace;
	record->sent_bytes = values->sent;
	record->kept_bytes = values->kept;
	record->cpu_part = values->cpu_part;
	record->cpu_part_ns = values->cpu_part_ns;
	record->gpu_part_ns = values->gpu_part_ns;
	record->nested = values->nested == 1;
	record->total_calls = values->calls > 0 ? values->calls : 0;
	record->symbol = log_names_symbol(record->symbol_name);
	record->reason = log_names_reason(record->reason_name);
	log_names_routine(record->symbol_name_routine, &record->family, &record->element);
	if (record->family < 0)
		log_names_routine_of(record->symbol, &record->family, &record->element);
	return true;
}

bool log_parse(const char *line, size_t length, struct log_record *record, struct words *unknown)
{
	struct line_parse parse = {.at = line,
	                           .end = line + length,
	                           .record = record,
	                           .values = {.pid = -1,
	                                      .tid = -1,
	                                      .bytes = -1,
	                                      .flops = -1,
	                                      .device = -1,
	                                      .predicted_cpu_ns = -1,
	                                      .predicted_gpu_ns = -1,
	                                      .elapsed_ns = -1,
	                                      .info = -1,
	                                      .workspace = -1,
	                                      .sent = -1,
	                                      .kept = -1,
	                                      .cpu_part = -1,
	                                      .cpu_part_ns = -1,
	                                      .gpu_part_ns = -1,
	                                      .nested = -1,
	                                      .verify_ratio = -1}};
	*record = (struct log_record){.time_ns = -1,
	                              .m = -1,
	                              .n = -1,
	                              .k = -1,
	                              .nrhs = -1,
	                              .problems = -1,
	                              .howmany = -1};
	for (int i = 0; i < FFT_RANK_MAX; i++)
		record->dims[i] = -1;
	if (!log_parse_object(&parse) || !log_parse_fill(&parse))
		return false;
	if (unknown != NULL && parse.unknown.text != NULL)
		*unknown = parse.unknown;
	return true;
}
