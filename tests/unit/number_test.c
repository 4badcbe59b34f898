/* number_test.c - decimal numbers: exact counts, close reals, and text that is no number */
/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "policy/text/number.h"

struct count_case {
	const char *text;
	enum number_status status;
	uint64_t value;
};

Test(number, counts_are_exact)
{
	static const struct count_case cases[] = {
		{"0", NUMBER_FINE, 0},
		{"-0", NUMBER_FINE, 0},
		{"007", NUMBER_FINE, 7},
		{"+7", NUMBER_FINE, 7},
		{"10000000", NUMBER_FINE, 10000000},
		{"1e7", NUMBER_FINE, 10000000},
		{"1E+7", NUMBER_FINE, 10000000},
		{"1.5e6", NUMBER_FINE, 1500000},
		{"1500e-2", NUMBER_FINE, 15},
		{"15.000", NUMBER_FINE, 15},
		{".5e1", NUMBER_FINE, 5},
		{"5.", NUMBER_FINE, 5},
		{"0e99999999999", NUMBER_FINE, 0},
		{"0.000e-99999999999", NUMBER_FINE, 0},
		{"18446744073709551615", NUMBER_FINE, UINT64_MAX},
		{"1.8446744073709551615e19", NUMBER_FINE, UINT64_MAX},
		{"9007199254740993", NUMBER_FINE, 9007199254740993}, /* no double has this value */
		{"1.00000000000000000000000000000000e3", NUMBER_FINE, 1000},
		{"000000000000000000000000000000000000001", NUMBER_FINE, 1},
		{"18446744073709551616", NUMBER_TOO_LARGE, 0},
		{"1e20", NUMBER_TOO_LARGE, 0},
		{"1e99999999999999999999", NUMBER_TOO_LARGE, 0},
		{"123456789012345678901234567890", NUMBER_TOO_LARGE, 0},
		{"1.5", NUMBER_FRACTION, 0},
		{"1e-1", NUMBER_FRACTION, 0},
		{"12345678901234567890123.5", NUMBER_FRACTION, 0},
		{"1e-99999999999999999999", NUMBER_FRACTION, 0},
		{"-1", NUMBER_NEGATIVE, 0},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		uint64_t value = 0;
		const enum number_status status =
			number_parse_count(cases[i].text, strlen(cases[i].text), &value);
		cr_expect_eq(status, cases[i].status, "%s", cases[i].text);
		cr_expect_eq(value, cases[i].value, "%s", cases[i].text);
	}
}

static const char *const unreadable[] = {"",    ".",     "e5",    "1e",    "1e+",  "-",       "+",
                                         "--1", "1.2.3", "0x10",  " 1",    "1 ",   "1,5",     "inf",
                                         "nan", "1e5x",  "1e1.5", "1_000", "10MB", "\xc2\xb2"};

Test(number, refuses_what_is_no_number)
{
	for (size_t i = 0; i < sizeof unreadable / sizeof unreadable[0]; i++) {
		uint64_t count = 42;
		double real = 42;
		const size_t length = strlen(unreadable[i]);
		cr_expect_eq(number_parse_count(unreadable[i], length, &count), NUMBER_UNREADABLE,
		             "'%s'", unreadable[i]);
		cr_expect_eq(number_parse_real(unreadable[i], length, &real), NUMBER_UNREADABLE,
		             "'%s'", unreadable[i]);
		cr_expect(count == 42 && real == 42, "'%s'", unreadable[i]);
	}
	uint64_t count = 42;
	cr_expect_eq(number_parse_count("1\0002", 3, &count), NUMBER_UNREADABLE);
}

Test(number, reads_no_more_than_its_length)
{
	uint64_t count = 0;
	cr_expect_eq(number_parse_count("1234", 2, &count), NUMBER_FINE);
	cr_expect_eq(count, 12);
}

Test(number, reals_are_near)
{
	static const struct {
		const char *text;
		double value;
	} cases[] = {{"0", 0},
	             {"55.3e9", 55.3e9},
	             {"60.6e12", 60.6e12},
	             {"1e22", 1e22},
	             {"1e300", 1e300},
	             {"2.5e-7", 2.5e-7},
	             {"1e-300", 1e-300},
	             {"13500000000", 13500000000},
	             {"0.1", 0.1},
	             {"30e3", 30e3},
	             {"1.7976931348623157e308", 1.7976931348623157e308},
	             {"123456789012345678901234567890", 1.2345678901234568e29}};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		double value = -1;
		cr_expect_eq(number_parse_real(cases[i].text, strlen(cases[i].text), &value),
		             NUMBER_FINE, "%s", cases[i].text);
		cr_expect(fabs(value - cases[i].value) <= 4e-15 * cases[i].value, "%s is %.17g",
		          cases[i].text, value);
	}
}

Test(number, reals_have_ends)
{
	double value = 42;
	cr_expect_eq(number_parse_real("1e309", 5, &value), NUMBER_TOO_LARGE);
	cr_expect_eq(number_parse_real("-1", 2, &value), NUMBER_NEGATIVE);
	cr_expect_eq(value, 42);
	cr_expect_eq(number_parse_real("1e-400", 6, &value), NUMBER_FINE);
	cr_expect_eq(value, 0);
}

Test(number, scans_what_the_kernel_writes)
{
	static const struct {
		const char *text;
		uint64_t value;
		size_t length;
	} cases[] = {
		{"200000 100000", 200000, 6},
		{"   16306748 kB", 16306748, 11},
		{"max 100000", 0, 0},
		{"-1", 0, 0},
		{"007K", 7, 3},
		{"18446744073709551615", UINT64_MAX, 20},
		{"", 0, 0},
		{"  ", 0, 0},
		{"99999999999999999999", UINT64_MAX, 20},
		{"\t5,6", 5, 2},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		const char *end;
		cr_expect_eq(number_scan_count(cases[i].text, &end), cases[i].value, "'%s'",
		             cases[i].text);
		cr_expect_eq(end, cases[i].text + cases[i].length, "'%s'", cases[i].text);
		cr_expect_eq(number_scan_count(cases[i].text, NULL), cases[i].value);
	}
}

Test(number, formats_counts)
{
	char out[NUMBER_DIGITS_BYTES];
	number_format_count(0, out);
	cr_expect_str_eq(out, "0");
	number_format_count(UINT64_MAX, out);
	cr_expect_str_eq(out, "18446744073709551615");
}

/* Text as people write it, and the same value again. */
Test(number, real_numbers_go_out_and_in)
{
	static const struct {
		double value;
		const char *text;
	} cases[] = {{0, "0"},
	             {0.01, "0.01"},
	             {1, "1"},
	             {0.5, "0.5"},
	             {1500, "1500"},
	             {3.25e13, "3.25e13"},
	             {1e7, "1e7"},
	             {1e-5, "1e-5"},
	             {0.001, "0.001"},
	             {123456.75, "123456.75"},
	             {9999999999, "1e10"},
	             {10, "10"},
	             {1e300, "1e300"},
	             {2.5e-300, "2.5e-300"},
	             {0.92, "0.92"}};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		char text[NUMBER_REAL_BYTES];
		double again = -1;
		number_format_real(cases[i].value, text);
		cr_expect_str_eq(text, cases[i].text);
		cr_expect_eq(number_parse_real(text, strlen(text), &again), NUMBER_FINE);
		cr_expect(fabs(again - cases[i].value) <= 1e-8 * cases[i].value, "%s", text);
	}
}
