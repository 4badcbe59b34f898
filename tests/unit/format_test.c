/* format_test.c - lines are strict JSON with the keys of field.def; times, sizes, numbers */
/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "shim/record/format.h"
#include "shim/table/symbol.h"

enum { KEYS_MAX = 64, KEY_BYTES = 32 };

static const char *const field_key[] = {
#define FIELD(key, type, help) #key,
#define FIELD_MAYBE(key, type, help)
#include "shim/record/field.def"
};
enum { FIELD_COUNT = sizeof(field_key) / sizeof(field_key[0]) };

/*
 * A strict reader of RFC 8259 without exponents. Returns the text after the value, or NULL for an
 * invalid value.
 */
struct json {
	char key[KEYS_MAX][KEY_BYTES];
	int keys;
};

static const char *json_read_string(const char *at, char *out)
{
	size_t used = 0;
	if (*at++ != '"')
		return NULL;
	for (; *at != '"'; at++) {
		if ((unsigned char)*at < 0x20)
			return NULL;
		if (*at == '\\') {
			at++;
			if (*at == 'u' && strspn(at + 1, "0123456789abcdefABCDEF") >= 4)
				at += 4;
			else if (*at == '\0' || strchr("\"\\/bfnrt", *at) == NULL)
				return NULL;
		}
		if (out != NULL && used + 1 < KEY_BYTES)
			out[used++] = *at;
	}
	if (out != NULL)
		out[used] = '\0';
	return at + 1;
}

static const char *json_read_number(const char *at)
{
	at += *at == '-';
	const size_t digits = strspn(at, "0123456789");
	return digits == 0 || (digits > 1 && *at == '0') ? NULL : at + digits;
}

static const char *json_read_object(const char *at, struct json *json)
{
	if (*at++ != '{')
		return NULL;
	if (*at == '}')
		return at + 1;
	for (;; at++) {
		at = json_read_string(at, json != NULL ? json->key[json->keys++] : NULL);
		if (at == NULL || *at++ != ':')
			return NULL;
		at = *at == '{'   ? json_read_object(at, NULL)
		     : *at == '"' ? json_read_string(at, NULL)
		                  : json_read_number(at);
		if (at == NULL || (*at != ',' && *at != '}'))
			return NULL;
		if (*at == '}')
			return at + 1;
	}
}

static bool json_is_valid(const char *line)
{
	const char *end = json_read_object(line, &(struct json){.keys = 0});
	return end != NULL && strcmp(end, "\n") == 0;
}

static const struct format_author author = {71, 72, "/usr/lib/libsolver.so.2"};
static const struct decision on_cpu = {.target = TARGET_CPU,
                                       .reason = REASON_BELOW_THRESHOLD,
                                       .device = -1,
                                       .wakes_gpu = false,
                                       .predicted_cpu_ns = -1,
                                       .predicted_gpu_ns = -1};

static struct call gemm_call(int symbol, int64_t m, int64_t n, int64_t k)
{
	struct call call = {.symbol = symbol,
	                    .family = FAMILY_GEMM,
	                    .element = symbol_table[symbol].element,
	                    .size_bytes = 402653184,
	                    .work_flops = 2.0 * (double)m * (double)n * (double)k};
	call.blas.m = m;
	call.blas.n = n;
	call.blas.k = k;
	return call;
}

static const char *write_record(const struct call *call, const struct decision *decision,
                                int64_t elapsed_ns)
{
	static char out[FORMAT_LINE_BYTES + 1];
	const bool was_tried = reason_outcome(decision->reason) != OUTCOME_CPU;
	const struct record record = {.call = call,
	                              .decision = decision,
	                              .start_ns = 1795227025123456789,
	                              .elapsed_ns = elapsed_ns,
	                              .sent_bytes = was_tried ? 134217728 : 0,
	                              .kept_bytes = decision->device == 1 ? 268435456 : 0};
	const size_t size = format_write_record(&record, &author, out);
	cr_assert(size < FORMAT_LINE_BYTES);
	out[size] = '\0';
	cr_assert(json_is_valid(out), "not JSON: %s", out);
	return out;
}

static const char *write_tick(const struct record_tick *tick)
{
	static char out[FORMAT_LINE_BYTES + 1];
	const struct format_tick line = {tick, 1795227025123456789, 250, REASON_BELOW_THRESHOLD};
	const size_t size = format_write_tick(&line, &author, out);
	cr_assert(size < FORMAT_LINE_BYTES);
	out[size] = '\0';
	cr_assert(json_is_valid(out), "not JSON: %s", out);
	return out;
}

Test(format, a_multiplication_on_the_gpu)
{
	const struct call call = gemm_call(SYMBOL_dgemm_, 4096, 4096, 4096);
	const struct decision decision = {.target = TARGET_GPU,
	                                  .reason = REASON_PREDICTED_FASTER,
	                                  .device = 0,
	                                  .wakes_gpu = false,
	                                  .predicted_cpu_ns = 2100000000.4,
	                                  .predicted_gpu_ns = 94000000};
	cr_assert_str_eq(
		write_record(&call, &decision, 97120345),
		"{\"time\":\"2026-11-21T02:10:25.123456Z\",\"pid\":71,\"tid\":72,"
		"\"object\":\"libsolver.so.2\",\"symbol\":\"dgemm_\","
		"\"routine\":\"dgemm\",\"sizes\":{\"m\":4096,\"n\":4096,\"k\":4096},"
		"\"bytes\":402653184,"
		"\"flops\":137438953472,\"target\":\"gpu\",\"reason\":\"predicted_faster\","
		"\"device\":0,\"math\":\"native\","
		"\"predicted_cpu_ns\":2100000000,\"predicted_gpu_ns\":94000000,"
		"\"sent\":134217728,\"elapsed_ns\":97120345}\n");
}

Test(format, operands_that_the_gpu_had)
{
	const struct call call = gemm_call(SYMBOL_dgemm_, 4096, 4096, 4096);
	const struct decision on_second = {
		.target = TARGET_GPU, .reason = REASON_POLICY_ALWAYS, .device = 1};
	cr_expect_not_null(strstr(write_record(&call, &on_second, 5),
	                          ",\"sent\":134217728,\"kept\":268435456,\"elapsed_ns\":5}"));
	cr_expect_null(strstr(write_record(&call, &on_cpu, 5), "\"sent\""));
	cr_expect_null(strstr(write_record(&call, &on_cpu, 5), "\"kept\""));
}

Test(format, bytes_of_a_call_that_came_back_were_sent)
{
	const struct call call = gemm_call(SYMBOL_dgemm_, 4096, 4096, 4096);
	const struct decision back = {
		.target = TARGET_CPU, .reason = REASON_LIBRARY_FAILED, .device = -1};
	cr_expect_not_null(strstr(write_record(&call, &back, 5), ",\"sent\":134217728,"));
}

/* The last keys of a line, of a call that the CPU computed too. */
static void expect_ratio(double ratio, const char *expected)
{
	const struct call call = gemm_call(SYMBOL_dgemm_, 1, 2, 3);
	const struct record record = {
		.call = &call, .decision = &on_cpu, .elapsed_ns = 5, .verify_ratio = &ratio};
	char out[FORMAT_LINE_BYTES + 1];
	out[format_write_record(&record, &author, out)] = '\0';
	const char *after = strstr(out, ",\"predicted_gpu_ns\":-1,");
	cr_assert_not_null(after);
	cr_expect_str_eq(after + strlen(",\"predicted_gpu_ns\":-1,"), expected);
}

Test(format, a_verified_call_has_its_ratio)
{
	expect_ratio(0, "\"verify_ratio\":0,\"elapsed_ns\":5}\n");
	expect_ratio(0.0125, "\"verify_ratio\":0.0125,\"elapsed_ns\":5}\n");
	expect_ratio(1e9, "\"verify_ratio\":1e9,\"elapsed_ns\":5}\n");
}

Test(format, keys_stand_in_the_order_of_their_rows)
{
	const struct call call = gemm_call(SYMBOL_cblas_sgemm, 1, 2, 3);
	const struct record_tick tick = {.symbol = SYMBOL_dgemm_, .sizes = {1, 2, 3}};
	const char *const lines[] = {write_record(&call, &on_cpu, -1), write_tick(&tick)};
	for (int i = 0; i < 2; i++) {
		struct json json = {.keys = 0};
		cr_assert_not_null(json_read_object(lines[i], &json));
		cr_assert_eq(json.keys, FIELD_COUNT);
		for (int key = 0; key < FIELD_COUNT; key++)
			cr_assert_str_eq(json.key[key], field_key[key]);
	}
}

Test(format, sizes_of_transforms_show_their_rank)
{
	struct fft_problem problem = {.family = FAMILY_FFT_R2C, .element = ELEMENT_C, .howmany = 7};
	struct call call = {
		.symbol = SYMBOL_fftwf_execute, .family = FAMILY_FFT_R2C, .element = ELEMENT_C};
	static const char *const expected[] = {
		"{}", "{\"n0\":10,\"howmany\":7}", "{\"n0\":10,\"n1\":20,\"howmany\":7}",
		"{\"n0\":10,\"n1\":20,\"n2\":30,\"howmany\":7}",
		"{\"n0\":10,\"n1\":20,\"n2\":30,\"n3\":40,\"howmany\":7}"};
	for (int rank = 0; rank <= 4; rank++) {
		char wanted[128];
		call.fft.problem = rank > 0 ? &problem : NULL;
		problem.rank = rank;
		for (int i = 0; i < FFT_RANK_MAX; i++)
			problem.dims[i].n = 10 * (i + 1);
		snprintf(wanted, sizeof(wanted), "\"routine\":\"fftwf_r2c\",\"sizes\":%s,\"bytes\"",
		         expected[rank]);
		const char *line = write_record(&call, &on_cpu, 5);
		cr_assert_not_null(strstr(line, wanted), "%s not in %s", wanted, line);
	}
}

static void expect_flops(double flops, const char *digits)
{
	struct call call = gemm_call(SYMBOL_dgemm_, 1, 1, 1);
	char wanted[64];
	call.work_flops = flops;
	snprintf(wanted, sizeof(wanted), "\"flops\":%s,", digits);
	const char *line = write_record(&call, &on_cpu, -1);
	cr_assert_not_null(strstr(line, wanted), "%s not in %s", wanted, line);
}

Test(format, flops_are_whole_numbers_of_any_size)
{
	expect_flops(0, "0");
	expect_flops(1.5, "2");
	expect_flops(4503599627370497.0, "4503599627370497");
	expect_flops(9007199254740992.0, "9007199254740992");
	expect_flops(9007199254740994.0, "9007199254740994");
	expect_flops(1e18, "1000000000000000000");
	expect_flops(9.3e18, "9223372036854775807");
	expect_flops(1e300, "9223372036854775807");
	expect_flops((double)INFINITY, "9223372036854775807");
	expect_flops(-1, "0");
	expect_flops((double)NAN, "0");
}

Test(format, hostile_numbers_give_valid_lines_that_fit)
{
	struct call call = gemm_call(SYMBOL_scipy_cblas_zgemm64_, INT64_MIN, INT64_MIN, INT64_MAX);
	char path[1024];
	const struct format_author large = {INT64_MIN, INT64_MIN, path};
	struct decision decision = {.target = TARGET_GPU,
	                            .reason = REASON_SYMBOL_MISSING,
	                            .device = INT32_MIN,
	                            .wakes_gpu = true,
	                            .predicted_cpu_ns = (double)NAN,
	                            .predicted_gpu_ns = (double)INFINITY};
	char out[FORMAT_LINE_BYTES + 1];
	memset(path, '"', sizeof(path) - 1);
	path[sizeof(path) - 1] = '\0';
	call.size_bytes = UINT64_MAX;
	for (int i = 0; i < 2; i++) {
		const struct record record = {.call = &call,
		                              .decision = &decision,
		                              .start_ns = i == 0 ? INT64_MIN : INT64_MAX,
		                              .elapsed_ns = INT64_MIN,
		                              .dry_machine = path};
		out[format_write_record(&record, &large, out)] = '\0';
		cr_assert(json_is_valid(out), "not JSON: %s", out);
		cr_assert_not_null(strstr(out, "\"bytes\":9223372036854775807,"));
		cr_assert_not_null(strstr(
			out, "\"predicted_cpu_ns\":-1,\"predicted_gpu_ns\":9223372036854775807,"));
	}
	call.symbol = SYMBOL_COUNT;
	cr_assert_not_null(strstr(write_record(&call, &decision, 1), "\"symbol\":\"unknown\""));
}

Test(format, ticks_have_the_same_keys_and_their_own_arithmetic)
{
	const struct record_tick real = {.symbol = SYMBOL_dgemm_, .sizes = {2, 3, 4}};
	const struct record_tick of_complex = {.symbol = SYMBOL_cgemm_, .sizes = {2, 3, 4}};
	cr_assert_str_eq(
		write_tick(&real),
		"{\"time\":\"2026-11-21T02:10:25.123456Z\",\"pid\":71,\"tid\":72,"
		"\"object\":\"-\",\"symbol\":\"dgemm_\","
		"\"routine\":\"dgemm\",\"sizes\":{\"m\":2,\"n\":3,\"k\":4},\"bytes\":208,"
		"\"flops\":48,"
		"\"target\":\"cpu\",\"reason\":\"below_threshold\",\"device\":-1,\"math\":\"-\","
		"\"predicted_cpu_ns\":-1,"
		"\"predicted_gpu_ns\":-1,\"elapsed_ns\":250}\n");
	cr_assert_not_null(strstr(write_tick(&of_complex), "\"bytes\":208,\"flops\":192,"));
}

Test(format, ticks_without_known_sizes_claim_no_work)
{
	const struct record_tick unknown = {.symbol = SYMBOL_fftw_execute, .sizes = {-1, -1, -1}};
	const struct record_tick known = {
		.symbol = SYMBOL_fftw_execute, .sizes = {8, 9, -1}, .problems = -1};
	const struct record_tick whole = {
		.symbol = SYMBOL_fftw_execute, .sizes = {8, -1, -1}, .problems = 3};
	const struct record_tick odd = {.symbol = -5, .sizes = {INT64_MAX, INT64_MAX, INT64_MAX}};
	const struct record_tick large = {.symbol = SYMBOL_zgemm_,
	                                  .sizes = {INT64_MAX, INT64_MAX, INT64_MAX}};
	cr_assert_not_null(strstr(write_tick(&unknown), "\"sizes\":{},\"bytes\":0,\"flops\":0,"));
	cr_assert_not_null(strstr(write_tick(&known),
	                          "\"sizes\":{\"n0\":8,\"n1\":9},\"bytes\":0,\"flops\":0,"));
	cr_assert_not_null(
		strstr(write_tick(&whole), "\"sizes\":{\"n0\":8,\"howmany\":3},\"bytes\":0,"));
	cr_assert_not_null(strstr(write_tick(&odd),
	                          "\"symbol\":\"unknown\",\"routine\":\"unknown\",\"sizes\":{},"));
	cr_assert_not_null(strstr(write_tick(&large), "\"flops\":9223372036854775807,"));
}

static int32_t pack(char job, char second, char range, bool query)
{
	return record_data_pack_letters((struct record_letters){job, second, range, query});
}

/* Letters as they came; those that a tick does not have are '?'. */
Test(format, ticks_of_lapack_have_work_unless_they_are_queries)
{
	const struct record_tick solve = {
		.symbol = SYMBOL_dgesv_, .sizes = {6, 6, 2}, .problems = pack(0, 0, 'A', false)};
	struct record_tick eigen = {
		.symbol = SYMBOL_dsyevd_, .sizes = {6, 6, 0}, .problems = pack('v', 0, 'A', false)};
	cr_assert_not_null(strstr(write_tick(&solve),
	                          "\"sizes\":{\"n\":6,\"nrhs\":2},\"bytes\":384,\"flops\":288,"));
	cr_assert_null(strstr(write_tick(&solve), "\"jobs\""));
	cr_assert_not_null(strstr(write_tick(&eigen), "\"bytes\":288,\"flops\":1008,"));
	cr_assert_not_null(strstr(write_tick(&eigen), "\"jobs\":\"V?\","));
	eigen.problems = pack('N', 0, 'A', false);
	cr_assert_not_null(strstr(write_tick(&eigen), "\"bytes\":288,\"flops\":288,"));
	eigen.problems = pack('N', 0, 'A', true);
	cr_assert_not_null(strstr(write_tick(&eigen), "\"bytes\":0,\"flops\":0,"));
	eigen.problems = pack('\"', 0, 'A', false);
	cr_assert(json_is_valid(write_tick(&eigen)));
	cr_assert_not_null(strstr(write_tick(&eigen), "\"jobs\":\"??\","));
	eigen = (struct record_tick){
		.symbol = SYMBOL_zheevr_, .sizes = {6, 6, 0}, .problems = pack('V', 0, 'I', false)};
	cr_assert_not_null(strstr(write_tick(&eigen), "\"bytes\":0,\"flops\":0,"));
	cr_assert_not_null(strstr(write_tick(&eigen), "\"jobs\":\"VI?\","));
	const struct record_tick large = {.symbol = SYMBOL_zgesvd_,
	                                  .sizes = {INT64_MAX, INT64_MAX, INT64_MAX},
	                                  .problems = pack('A', 'S', 'A', false)};
	cr_assert(json_is_valid(write_tick(&large)));
	const struct record_tick less = {
		.symbol = SYMBOL_dgetrf_, .sizes = {-1, 5, 0}, .problems = pack(0, 0, 'A', false)};
	cr_assert_not_null(strstr(write_tick(&less), "\"bytes\":0,\"flops\":0,"));
}

Test(format, ticks_of_one_shape_in_a_row_differ_only_where_they_must)
{
	char first[FORMAT_LINE_BYTES + 1], second[FORMAT_LINE_BYTES + 1],
		again[FORMAT_LINE_BYTES + 1];
	const struct record_tick tick = {.symbol = SYMBOL_dgemm_, .sizes = {5, 6, 7}};
	const struct record_tick other = {.symbol = SYMBOL_dgemm_, .sizes = {5, 6, 8}};
	strcpy(first, write_tick(&tick));
	strcpy(second, write_tick(&other));
	strcpy(again, write_tick(&tick));
	cr_assert_str_eq(first, again);
	cr_assert_str_neq(first, second);
}

static void expect_object(const char *path, const char *expected)
{
	const struct call call = gemm_call(SYMBOL_dgemm_, 1, 2, 3);
	const struct format_author from = {1, 2, path};
	const struct record record = {.call = &call, .decision = &on_cpu};
	char out[FORMAT_LINE_BYTES + 1], wanted[128];
	snprintf(wanted, sizeof(wanted), "\"object\":\"%s\",", expected);
	out[format_write_record(&record, &from, out)] = '\0';
	cr_assert(json_is_valid(out), "not JSON: %s", out);
	cr_assert_not_null(strstr(out, wanted), "%s not in %s", wanted, out);
}

Test(format, the_calling_object_has_no_folder)
{
	expect_object("/usr/lib/libsolver.so.2", "libsolver.so.2");
	expect_object("plugin.so", "plugin.so");
	expect_object("/opt/libj\xc3\xa9\x7f.so", "libj???.so");
	expect_object("/opt/a \"b\\c\n.so", "a ?b?c?.so");
	expect_object("/1234567890123456789012345678901234567890123456789012345678901234567890",
	              "123456789012345678901234567890123456789012345678901234567890123");
	expect_object("", program_invocation_short_name);
	expect_object(NULL, "-");
}

static void expect_time(int64_t second, int64_t ns, const char *expected)
{
	char out[FORMAT_TIME_BYTES];
	format_write_time(second * 1000000000 + ns, out);
	cr_assert_str_eq(out, expected);
}

Test(format, times_follow_the_calendar)
{
	expect_time(0, 0, "1970-01-01T00:00:00.000000Z");
	expect_time(0, 999, "1970-01-01T00:00:00.000000Z");
	expect_time(0, -1, "1969-12-31T23:59:59.999999Z");
	expect_time(-86400, 0, "1969-12-31T00:00:00.000000Z");
	expect_time(68169600, 1000, "1972-02-29T00:00:00.000001Z");
	expect_time(68255999, 999999999, "1972-02-29T23:59:59.999999Z");
	expect_time(951782400, 0, "2000-02-29T00:00:00.000000Z");
	expect_time(951868800, 0, "2000-03-01T00:00:00.000000Z");
	expect_time(1709164800, 0, "2024-02-29T00:00:00.000000Z");
	expect_time(1735689599, 999999000, "2024-12-31T23:59:59.999999Z");
	expect_time(4107542399, 0, "2100-02-28T23:59:59.000000Z");
	expect_time(4107542400, 0, "2100-03-01T00:00:00.000000Z");
	expect_time(9223372036, 854775807, "2262-04-11T23:47:16.854775Z");
	expect_time(-9223372036, -854775808, "1677-09-21T00:12:43.145224Z");
}

/* Every day of 300 years, against an independent count of days. */
Test(format, every_day_is_the_next_one)
{
	static const int month_days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
	int year = 1960, month = 1, day = 1;
	for (int64_t number = -3653; year < 2260; number++) {
		char expected[64], out[FORMAT_TIME_BYTES];
		snprintf(expected, sizeof(expected), "%04d-%02d-%02dT12:00:00.000000Z", year, month,
		         day);
		format_write_time((number * 86400 + 43200) * 1000000000, out);
		cr_assert_str_eq(out, expected);
		const bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
		if (++day <= month_days[month - 1] + (month == 2 && leap))
			continue;
		day = 1;
		if (++month <= 12)
			continue;
		month = 1;
		year++;
	}
}
