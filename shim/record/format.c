/* format.c - writes a record as a line of JSON, without stdio, locale or libc's calendar */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/record/format.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "policy/call/argument.h"
#include "policy/call/lapack_flops.h"
#include "policy/call/lapack_letters.h"
#include "policy/call/lapack_operand.h"
#include "policy/call/operand.h"
#include "policy/text/number.h"
#include "shim/record/format_name.h"
#include "shim/table/symbol.h"

enum { FORMAT_SIZES_MAX = FFT_RANK_MAX + 1, FORMAT_ROUTINE_BYTES = 32 };

static const int64_t ns_per_second = 1000000000, seconds_per_day = 86400;

static const char format_no_math[] = "-"; /* of calls on the CPU */

/* The object "sizes"; keys in order. */
struct format_sizes {
	int count;
	const char *key[FORMAT_SIZES_MAX];
	int64_t value[FORMAT_SIZES_MAX];
};

/* One value per row of field.def. */
#define FORMAT_TYPE_TEXT(key) const char *key;
#define FORMAT_TYPE_INTEGER(key) int64_t key;
#define FORMAT_TYPE_REAL(key) double key;
#define FORMAT_TYPE_OBJECT(key) struct format_sizes key;
struct format_line {
#define FIELD(key, type, help) FORMAT_TYPE_##type(key)
#include "shim/record/field.def"
};

static char *format_put_bytes(char *out, const char *bytes, size_t count)
{
	memcpy(out, bytes, count);
	return out + count;
}

/* Words of tables, and names that format_name_object has cleaned, hold nothing to be escaped. */
static char *format_put_TEXT(char *out, const char *text)
{
	*out++ = '"';
	out = format_put_bytes(out, text, strlen(text));
	*out++ = '"';
	return out;
}

char *format_write_integer(char *out, int64_t value)
{
	char reversed[20];
	size_t count = 0;
	uint64_t rest = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
	if (value < 0)
		*out++ = '-';
	do
		reversed[count++] = (char)('0' + rest % 10);
	while ((rest /= 10) != 0);
	while (count > 0)
		*out++ = reversed[--count];
	return out;
}

static char *format_put_INTEGER(char *out, int64_t value)
{
	return format_write_integer(out, value);
}

static char *format_put_REAL(char *out, double value)
{
	char digits[NUMBER_REAL_BYTES];
	number_format_real(value, digits);
	return format_put_bytes(out, digits, strlen(digits));
}

static char *format_put_OBJECT(char *out, struct format_sizes sizes)
{
	*out++ = '{';
	for (int i = 0; i < sizes.count; i++) {
		if (i > 0)
			*out++ = ',';
		out = format_put_TEXT(out, sizes.key[i]);
		*out++ = ':';
		out = format_put_INTEGER(out, sizes.value[i]);
	}
	*out++ = '}';
	return out;
}

#define FORMAT_HAS_TEXT(text) ((text) != NULL)
#define FORMAT_HAS_INTEGER(value) ((value) >= 0)
#define FORMAT_HAS_REAL(value) ((value) >= 0)

static size_t format_write_line(const struct format_line *line, char *out)
{
	char *at = out;
#define FIELD(key, type, help)                                                                     \
	at = format_put_##type(                                                                    \
		format_put_bytes(at, ",\"" #key "\":", sizeof(",\"" #key "\":") - 1), line->key);
#define FIELD_MAYBE(key, type, help)                                                               \
	at = !FORMAT_HAS_##type(line->key)                                                         \
	             ? at                                                                          \
	             : format_put_##type(format_put_bytes(at, ",\"" #key "\":",                    \
	                                                  sizeof(",\"" #key "\":") - 1),           \
	                                 line->key);
#include "shim/record/field.def"
	*out = '{';
	at = format_put_bytes(at, "}\n", 2);
	return (size_t)(at - out);
}

static char *format_put_padded(char *out, unsigned value, int width)
{
	for (int i = width - 1; i >= 0; i--, value /= 10)
		out[i] = (char)('0' + value % 10);
	return out + width;
}

/*
 * The Gregorian date of a day since 1970-01-01. Years are counted from March, so that the leap day
 * is a year's last day; an era is 400 years or 146097 days.
 */
static void format_find_date(int64_t day, unsigned *year, unsigned *month, unsigned *day_of_month)
{
	const int64_t shifted = day + 719468; /* since 0000-03-01 */
	const int64_t era = (shifted >= 0 ? shifted : shifted - 146096) / 146097;
	const unsigned of_era = (unsigned)(shifted - era * 146097);
	const unsigned year_of_era =
		(of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
	const unsigned of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
	const unsigned from_march = (5 * of_year + 2) / 153;
	*day_of_month = of_year - (153 * from_march + 2) / 5 + 1;
	*month = from_march < 10 ? from_march + 3 : from_march - 9;
	*year = (unsigned)(era * 400) + year_of_era + (*month <= 2);
}

void format_write_time(int64_t realtime_ns, char out[FORMAT_TIME_BYTES])
{
	int64_t second = realtime_ns / ns_per_second, rest_ns = realtime_ns % ns_per_second;
	if (rest_ns < 0) {
		rest_ns += ns_per_second;
		second--;
	}
	int64_t day = second / seconds_per_day, of_day = second % seconds_per_day;
	if (of_day < 0) {
		of_day += seconds_per_day;
		day--;
	}
	unsigned year, month, day_of_month;
	format_find_date(day, &year, &month, &day_of_month);
	memcpy(out, "YYYY-MM-DDThh:mm:ss.uuuuuuZ", FORMAT_TIME_BYTES);
	format_put_padded(out, year, 4);
	format_put_padded(out + 5, month, 2);
	format_put_padded(out + 8, day_of_month, 2);
	format_put_padded(out + 11, (unsigned)(of_day / 3600), 2);
	format_put_padded(out + 14, (unsigned)(of_day / 60 % 60), 2);
	format_put_padded(out + 17, (unsigned)(of_day % 60), 2);
	format_put_padded(out + 20, (unsigned)(rest_ns / 1000), 6);
}

/* JSON readers use signed 64-bit integers: larger values are cut to the largest one. */
static int64_t format_limit_count(uint64_t count)
{
	return count > INT64_MAX ? INT64_MAX : (int64_t)count;
}

static int64_t format_round_real(double value, int64_t unknown)
{
	const double no_fraction = 4503599627370496.0;  /* 2^52 */
	const double too_large = 9223372036854775808.0; /* 2^63 */
	if (!(value >= 0))
		return unknown;
	if (value >= too_large)
		return INT64_MAX;
	return (int64_t)(value < no_fraction ? value + 0.5 : value);
}

static const char *format_symbol_name(int symbol)
{
	return symbol >= 0 && symbol < SYMBOL_COUNT ? symbol_table[symbol].name : "unknown";
}

static void format_add_size(struct format_sizes *sizes, const char *key, int64_t value)
{
	sizes->key[sizes->count] = key;
	sizes->value[sizes->count++] = value;
}

/* The sizes that the family's row of family.def names. */
static void format_add_letters(struct format_sizes *sizes, enum family family, struct call_sizes of,
                               int64_t problems)
{
	for (const char *letter = family_sizes(family); *letter != '\0'; letter++) {
		switch (*letter) {
		case 'm': format_add_size(sizes, "m", of.m); break;
		case 'n': format_add_size(sizes, "n", of.n); break;
		case 'k': format_add_size(sizes, "k", of.k); break;
		case 'r': format_add_size(sizes, "nrhs", of.nrhs); break;
		default: format_add_size(sizes, "problems", problems); break;
		}
	}
}

static const char *const format_dim_key[FFT_RANK_MAX] = {"n0", "n1", "n2", "n3",
                                                         "n4", "n5", "n6", "n7"};

static void format_add_problem(struct format_sizes *sizes, const struct fft_problem *problem)
{
	if (problem == NULL)
		return;
	for (int i = 0; i < problem->rank && i < FFT_RANK_MAX; i++)
		format_add_size(sizes, format_dim_key[i], problem->dims[i].n);
	format_add_size(sizes, "howmany", problem->howmany);
}

/* A line in which everything but these is unknown. */
static struct format_line format_start(const char *time, const char *routine,
                                       const struct format_author *author)
{
	return (struct format_line){.time = time,
	                            .pid = author->pid,
	                            .tid = author->tid,
	                            .object = FORMAT_NO_OBJECT,
	                            .routine = routine,
	                            .device = -1,
	                            .math = format_no_math,
	                            .predicted_cpu_ns = -1,
	                            .predicted_gpu_ns = -1,
	                            .info = -1,
	                            .workspace = -1,
	                            .nested = -1,
	                            .sharers = -1,
	                            .sent = -1,
	                            .kept = -1,
	                            .cpu_part = -1,
	                            .cpu_part_ns = -1,
	                            .gpu_part_ns = -1,
	                            .calls = -1,
	                            .verify_ratio = -1};
}

/* An illegal call is recorded before the library has set info. */
static int64_t format_read_info(const struct record *record)
{
	const struct lapack_call *lapack = &record->call->lapack;
	if (lapack->info == NULL || record->elapsed_ns < 0)
		return -1;
	return argument_read_integer(lapack->info, 0, lapack->wide);
}

static void format_add_lapack(const struct record *record, struct format_line *line,
                              char letters[LAPACK_LETTERS_BYTES])
{
	lapack_letters_write(record->call, letters);
	if (letters[0] != '\0')
		line->jobs = letters;
	line->info = format_read_info(record);
	line->recipe = record->recipe;
	if (record->decision->target == TARGET_GPU)
		line->workspace = format_limit_count(record->workspace_bytes);
}

static void format_add_part(const struct record *record, struct format_line *line)
{
	if (record->cpu_part <= 0)
		return;
	line->cpu_part = record->cpu_part;
	line->cpu_part_ns = record->cpu_part_ns;
	line->gpu_part_ns = record->gpu_part_ns;
}

/* A call that came back to the CPU has sent bytes too. */
static void format_add_traffic(const struct record *record, struct format_line *line)
{
	if (record->decision->target == TARGET_GPU || record->sent_bytes > 0)
		line->sent = format_limit_count(record->sent_bytes);
	if (record->kept_bytes > 0)
		line->kept = format_limit_count(record->kept_bytes);
}

size_t format_write_record(const struct record *record, const struct format_author *author,
                           char out[FORMAT_LINE_BYTES])
{
	const struct call *call = record->call;
	const struct decision *decision = record->decision;
	char time[FORMAT_TIME_BYTES] = "", routine[FORMAT_ROUTINE_BYTES] = "";
	char object[FORMAT_OBJECT_BYTES], machine[FORMAT_MACHINE_BYTES];
	char letters[LAPACK_LETTERS_BYTES];
	struct format_line line = format_start(time, routine, author);
	format_write_time(record->start_ns, time);
	line.object = format_name_object(author->object, object);
	symbol_name_routine(call->family, call->element, routine, sizeof(routine));
	line.symbol = format_symbol_name(call->symbol);
	if (family_is_fft(call->family))
		format_add_problem(&line.sizes, call->fft.problem);
	else
		format_add_letters(&line.sizes, call->family, call_find_sizes(call),
		                   call->batch.problems);
	line.bytes = format_limit_count(call->size_bytes);
	line.flops = format_round_real(call->work_flops, 0);
	line.target = decision->target == TARGET_GPU ? "gpu" : "cpu";
	line.reason = reason_name(decision->reason);
	line.device = decision->target == TARGET_GPU ? decision->device : -1;
	line.math = decision->target != TARGET_GPU ? format_no_math
	            : record->math != NULL         ? record->math
	                                           : "native";
	line.dry_machine = format_name_machine(record->dry_machine, machine);
	line.predicted_cpu_ns = format_round_real(decision->predicted_cpu_ns, -1);
	line.predicted_gpu_ns = format_round_real(decision->predicted_gpu_ns, -1);
	line.pci = record->pci;
	line.verify_ratio = record->verify_ratio != NULL ? *record->verify_ratio : -1;
	line.nested = record->nested ? 1 : -1;
	line.sharers = decision->gpu_sharers > 1 ? decision->gpu_sharers : -1;
	format_add_traffic(record, &line);
	if (decision->target == TARGET_GPU)
		format_add_part(record, &line);
	if (family_is_lapack(call->family))
		format_add_lapack(record, &line, letters);
	line.elapsed_ns = record->elapsed_ns;
	return format_write_line(&line, out);
}

/* As double: the product of sizes may exceed 64 bits. */
static double format_count_elements(enum family family, const struct blas_call *blas)
{
	double elements = 0;
	struct matrix matrix;
	for (int operand = OPERAND_A; operand < OPERAND_COUNT; operand++)
		if (operand_find(family, blas, (enum operand)operand, &matrix))
			elements += (double)matrix.rows * (double)matrix.columns;
	return elements;
}

static void format_measure_blas(struct format_line *line, const struct symbol_row *row,
                                const struct record_tick *tick)
{
	const struct blas_call blas = {
		.m = tick->sizes[0], .n = tick->sizes[1], .k = tick->sizes[2]};
	const double problems = family_is_batch(row->family) ? tick->problems : 1;
	const double elements = format_count_elements(row->family, &blas) * problems;
	const struct call_sizes sizes = {blas.m, blas.n, blas.k, 0};
	format_add_letters(&line->sizes, row->family, sizes, tick->problems);
	if (blas.m < 0 || blas.n < 0 || blas.k < 0)
		return;
	line->bytes = format_round_real(elements * (double)element_size_bytes(row->element), 0);
	line->flops = format_round_real(
		operand_count_flops(row->family, row->element, &blas) * problems, 0);
}

/* Case does not matter in letters of LAPACK. */
static char format_raise(char letter)
{
	return letter >= 'a' && letter <= 'z' ? (char)(letter - 'a' + 'A') : letter;
}

static bool format_is_letter(char letter)
{
	return letter >= 'A' && letter <= 'Z';
}

/* Nothing is read at the address. */
static struct call format_describe_solve(const struct symbol_row *row,
                                         const struct record_tick *tick)
{
	static char there;
	const struct record_letters letters = record_data_unpack_letters(tick->problems);
	const int64_t *sizes = tick->sizes;
	return (struct call){
		.family = row->family,
		.element = row->element,
		.lapack = {.side = format_raise(letters.job) == 'R' ? SIDE_RIGHT : SIDE_LEFT,
	                   .jobs = {format_raise(letters.job), format_raise(letters.second)},
	                   .range = format_raise(letters.range),
	                   .itype = 1,
	                   .m = sizes[0],
	                   .n = sizes[1],
	                   .k = sizes[2],
	                   .nrhs = sizes[2],
	                   .a = &there,
	                   .b = &there,
	                   .u = &there,
	                   .vt = &there}};
}

/* Letters that the tick does not have are '?'. */
static void format_add_jobs(const struct call *call, char jobs[LAPACK_LETTERS_BYTES])
{
	const char *which = family_letters(call->family);
	lapack_letters_write(call, jobs);
	for (int i = 0; which[i] != '\0'; i++)
		if (strchr("jves", which[i]) == NULL || !format_is_letter(jobs[i]))
			jobs[i] = '?';
}

/* A query has no bytes and flops, nor has a call for a part of the eigenvalues. */
static void format_measure_lapack(struct format_line *line, const struct symbol_row *row,
                                  const struct record_tick *tick, char jobs[LAPACK_LETTERS_BYTES])
{
	const struct call call = format_describe_solve(row, tick);
	const struct lapack_call *lapack = &call.lapack;
	struct lapack_operands operands;
	uint64_t bytes = 0;
	format_add_letters(&line->sizes, row->family,
	                   (struct call_sizes){lapack->m, lapack->n, lapack->k, lapack->nrhs}, 1);
	format_add_jobs(&call, jobs);
	line->jobs = jobs[0] != '\0' ? jobs : NULL;
	if (lapack->m < 0 || lapack->n < 0 || lapack->k < 0 || lapack->range != 'A' ||
	    record_data_unpack_letters(tick->problems).query)
		return;
	lapack_operand_list(&call, &operands);
	for (int i = 0; i < operands.count; i++)
		if (operands.list[i].name <= LAPACK_VT)
			bytes = operand_add_bytes(bytes,
			                          lapack_operand_bytes(&call, &operands.list[i]));
	line->bytes = format_limit_count(bytes);
	line->flops = format_round_real(lapack_flops_count(&call), 0);
}

static void format_measure_tick(struct format_line *line, const struct symbol_row *row,
                                const struct record_tick *tick, char jobs[LAPACK_LETTERS_BYTES])
{
	const int64_t *sizes = tick->sizes;
	if (family_is_blas(row->family)) {
		format_measure_blas(line, row, tick);
		return;
	}
	if (family_is_lapack(row->family)) {
		format_measure_lapack(line, row, tick, jobs);
		return;
	}
	/*
	 * The tick does not tell whether the transform was in place or had more dimensions: no
	 * bytes and flops are given.
	 */
	for (int i = 0; i < 3 && sizes[i] >= 0; i++)
		format_add_size(&line->sizes, format_dim_key[i], sizes[i]);
	if (sizes[0] >= 0 && tick->problems >= 0)
		format_add_size(&line->sizes, "howmany", tick->problems);
}

size_t format_write_tick(const struct format_tick *tick, const struct format_author *author,
                         char out[FORMAT_LINE_BYTES])
{
	const int symbol = tick->tick->symbol;
	char time[FORMAT_TIME_BYTES] = "", routine[FORMAT_ROUTINE_BYTES] = "unknown",
	     jobs[LAPACK_LETTERS_BYTES];
	struct format_line line = format_start(time, routine, author);
	format_write_time(tick->start_ns, time);
	line.symbol = format_symbol_name(symbol);
	if (symbol >= 0 && symbol < SYMBOL_COUNT) {
		const struct symbol_row *row = &symbol_table[symbol];
		symbol_name_routine(row->family, row->element, routine, sizeof(routine));
		format_measure_tick(&line, row, tick->tick, jobs);
	}
	line.target = "cpu";
	line.reason = reason_name(tick->reason);
	line.elapsed_ns = tick->elapsed_ns;
	return format_write_line(&line, out);
}

size_t format_write_total(const struct format_total *total, const struct format_author *author,
                          char out[FORMAT_LINE_BYTES])
{
	char time[FORMAT_TIME_BYTES] = "", routine[FORMAT_ROUTINE_BYTES] = "unknown";
	struct format_line line = format_start(time, routine, author);
	format_write_time(total->time_ns, time);
	line.symbol = format_symbol_name(total->symbol);
	if (total->symbol >= 0 && total->symbol < SYMBOL_COUNT) {
		const struct symbol_row *row = &symbol_table[total->symbol];
		symbol_name_routine(row->family, row->element, routine, sizeof(routine));
	}
	line.bytes = format_limit_count(total->size_bytes);
	line.target = reason_outcome(total->reason) == OUTCOME_GPU ? "gpu" : "cpu";
	line.reason = reason_name(total->reason);
	line.calls = format_limit_count(total->calls);
	line.elapsed_ns = total->elapsed_ns > 0 ? format_limit_count(total->elapsed_ns) : -1;
	return format_write_line(&line, out);
}
