/* unit_test.c - numbers with units: exact, in the option's own unit, and text that is neither */
/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "policy/text/human.h"
#include "policy/text/unit.h"

Test(unit, counts_are_exact)
{
	static const struct {
		enum unit unit;
		const char *text;
		uint64_t value;
	} cases[] = {
		{UNIT_PLAIN, "1e6", 1000000},
		{UNIT_BYTES, "0", 0},
		{UNIT_BYTES, "1e7", 10000000},
		{UNIT_BYTES, "10MB", 10000000},
		{UNIT_BYTES, "10 MB", 10000000},
		{UNIT_BYTES, "10m", 10000000},
		{UNIT_BYTES, "1.5gb", 1500000000},
		{UNIT_BYTES, "4096B", 4096},
		{UNIT_BYTES, "1e3kB", 1000000},
		{UNIT_BYTES, "18.446744073709551615EB", UINT64_MAX},
		{UNIT_BYTES, "0.5kB", 500},
		{UNIT_MEGABYTES, "500", 500},
		{UNIT_MEGABYTES, "8G", 8000},
		{UNIT_MEGABYTES, "8 GB", 8000},
		{UNIT_MEGABYTES, "2000000B", 2},
		{UNIT_FLOPS, "2Gflop", 2000000000},
		{UNIT_FLOPS, "2 k", 2000},
		{UNIT_FLOPS, "7flop", 7},
		{UNIT_SECONDS, "60", 60},
		{UNIT_SECONDS, "5000ms", 5},
		{UNIT_SECONDS, "3e9ns", 3},
		{UNIT_SECONDS, "2min", 120},
		{UNIT_SECONDS, "2 h", 7200},
		{UNIT_SECONDS, "1.5min", 90},
		{UNIT_SECONDS, "0.25 days", 21600},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		uint64_t value = 1;
		cr_expect_eq(unit_parse_count(cases[i].unit, cases[i].text, strlen(cases[i].text),
		                              &value),
		             NUMBER_FINE, "%s", cases[i].text);
		cr_expect_eq(value, cases[i].value, "%s", cases[i].text);
	}
}

Test(unit, what_is_no_count_is_refused)
{
	static const struct {
		enum unit unit;
		const char *text;
		enum number_status status;
	} cases[] = {
		{UNIT_PLAIN, "10MB", NUMBER_UNREADABLE},
		{UNIT_PLAIN, "10 ", NUMBER_UNREADABLE},
		{UNIT_BYTES, "", NUMBER_UNREADABLE},
		{UNIT_BYTES, "MB", NUMBER_UNREADABLE},
		{UNIT_BYTES, "10MiB", NUMBER_UNREADABLE},
		{UNIT_BYTES, "10 bytes", NUMBER_UNREADABLE},
		{UNIT_BYTES, "10s", NUMBER_UNREADABLE},
		{UNIT_BYTES, "10%", NUMBER_UNREADABLE},
		{UNIT_BYTES, "1e", NUMBER_UNREADABLE},
		{UNIT_BYTES, "1E", NUMBER_UNREADABLE},
		{UNIT_BYTES, "1 2MB", NUMBER_UNREADABLE},
		{UNIT_BYTES, "1MBMB", NUMBER_UNREADABLE},
		{UNIT_BYTES, "0.5B", NUMBER_FRACTION},
		{UNIT_BYTES, "-1MB", NUMBER_NEGATIVE},
		{UNIT_BYTES, "19EB", NUMBER_TOO_LARGE},
		{UNIT_MEGABYTES, "500kB", NUMBER_FRACTION},
		{UNIT_SECONDS, "5ms", NUMBER_FRACTION},
		{UNIT_SECONDS, "1e18h", NUMBER_TOO_LARGE},
		{UNIT_SECONDS, "5m", NUMBER_UNREADABLE},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		uint64_t value = 77;
		cr_expect_eq(unit_parse_count(cases[i].unit, cases[i].text, strlen(cases[i].text),
		                              &value),
		             cases[i].status, "%s", cases[i].text);
		cr_expect_eq(value, 77, "%s", cases[i].text);
	}
}

Test(unit, real_numbers_are_converted)
{
	static const struct {
		enum unit unit;
		const char *text;
		double value;
	} cases[] = {
		{UNIT_PLAIN, "0.5", 0.5},      {UNIT_SECONDS, "500ms", 0.5},
		{UNIT_SECONDS, "20 us", 2e-5}, {UNIT_SECONDS, "20\xc2\xb5s", 2e-5},
		{UNIT_SECONDS, "1.5min", 90},  {UNIT_SHARE, "0.8", 0.8},
		{UNIT_SHARE, "80%", 0.8},      {UNIT_SHARE, "0.1 %", 0.001},
		{UNIT_PERCENT, "5", 5},        {UNIT_PERCENT, "5%", 5},
	};
	double value = 77;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		cr_expect_eq(unit_parse_real(cases[i].unit, cases[i].text, strlen(cases[i].text),
		                             &value),
		             NUMBER_FINE, "%s", cases[i].text);
		cr_expect(fabs(value - cases[i].value) <= 1e-12 * cases[i].value, "%s: %g",
		          cases[i].text, value);
	}
	value = 77;
	cr_expect_eq(unit_parse_real(UNIT_PLAIN, "5%", 2, &value), NUMBER_UNREADABLE);
	cr_expect_eq(unit_parse_real(UNIT_SHARE, "5s", 2, &value), NUMBER_UNREADABLE);
	cr_expect_eq(unit_parse_real(UNIT_SECONDS, "1e308h", 6, &value), NUMBER_TOO_LARGE);
	cr_expect_eq(value, 77);
}

/* What the tool prints can be given back, to the three digits that it has. */
Test(unit, printed_sizes_and_times_are_read_back)
{
	char text[HUMAN_BYTES];
	uint64_t count = 0;
	double seconds = 0;
	for (uint64_t value = 1; value < 900000000000000000; value += 1 + value / 7) {
		human_format_size(value, text);
		cr_assert_eq(unit_parse_count(UNIT_BYTES, text, strlen(text), &count), NUMBER_FINE,
		             "%s", text);
		cr_assert(fabs((double)count - (double)value) <= 0.006 * (double)value, "%s", text);
		if (value >= 1000000000000)
			continue;
		human_format_time(value, text);
		cr_assert_eq(unit_parse_real(UNIT_SECONDS, text, strlen(text), &seconds),
		             NUMBER_FINE, "%s", text);
		cr_assert(fabs(seconds * 1e9 - (double)value) <= 0.006 * (double)value, "%s", text);
	}
}
