/* human.c - three significant digits and a unit */
/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/text/human.h"

#include <stdbool.h>
#include <string.h>

#include "policy/text/number.h"
#include "policy/text/sentence.h"

/* Two minutes, hours and days are the least of their unit: 90 s is easier to read than 1.50 min. */
const struct human_unit human_times[HUMAN_TIMES] = {
	{"ns", 1, 0},
	{"us", 1000, 1000},
	{"ms", 1000000, 1000000},
	{"s", 1000000000, 1000000000},
	{"min", 60000000000, 120000000000},
	{"h", 3600000000000, 7200000000000},
	{"days", 86400000000000, 172800000000000},
};
const struct human_unit human_sizes[HUMAN_SIZES] = {
	{"B", 1, 0},
	{"kB", 1000, 1000},
	{"MB", 1000000, 1000000},
	{"GB", 1000000000, 1000000000},
	{"TB", 1000000000000, 1000000000000},
	{"PB", 1000000000000000, 1000000000000000},
	{"EB", 1000000000000000000, 1000000000000000000},
};

void human_format_count(uint64_t count, char out[HUMAN_BYTES])
{
	char digits[NUMBER_DIGITS_BYTES];
	number_format_count(count, digits);
	const size_t length = strlen(digits);
	for (size_t i = 0; i < length; i++) {
		if (i > 0 && (length - i) % 3 == 0)
			*out++ = ',';
		*out++ = digits[i];
	}
	*out = '\0';
}

/* value / step, rounded to the nearest whole number. */
static uint64_t human_round(uint64_t value, uint64_t step)
{
	return value / step + (value % step >= step - step / 2 ? 1 : 0);
}

/*
 * value in units of factor, scaled to at most three digits: *decimals of them stand behind the
 * point.
 */
static uint64_t human_scale(uint64_t value, uint64_t factor, unsigned *decimals)
{
	uint64_t scaled = 0;
	*decimals = factor > 1 ? 2 : 0;
	for (uint64_t step = factor > 1 ? factor / 100 : 1;; step *= 10, --*decimals) {
		scaled = human_round(value, step);
		if (scaled < 1000 || *decimals == 0)
			return scaled;
	}
}

static void human_put(uint64_t scaled, unsigned decimals, const char *unit, char out[HUMAN_BYTES])
{
	static const uint64_t power[] = {1, 10, 100};
	char digits[NUMBER_DIGITS_BYTES];
	human_format_count(scaled / power[decimals], out);
	struct sentence rest = sentence_start(out + strlen(out), HUMAN_BYTES - strlen(out));
	if (decimals > 0) {
		/* The one in front keeps the zeros behind the point; the point replaces it. */
		number_format_count(power[decimals] + scaled % power[decimals], digits);
		digits[0] = '.';
		sentence_add(&rest, digits);
	}
	sentence_add(&rest, " ");
	sentence_add(&rest, unit);
}

/* The largest unit that the rounded value reaches: 999,500 ns are 1.00 ms. */
static void human_format_scaled(uint64_t value, const struct human_unit *units, size_t count,
                                char out[HUMAN_BYTES])
{
	unsigned decimals;
	size_t i = 0;
	while (i + 1 < count && value >= units[i + 1].least - units[i + 1].least / 2000)
		i++;
	const uint64_t scaled = human_scale(value, units[i].factor, &decimals);
	human_put(scaled, decimals, units[i].name, out);
}

void human_format_time(uint64_t time_ns, char out[HUMAN_BYTES])
{
	human_format_scaled(time_ns, human_times, HUMAN_TIMES, out);
}

void human_format_size(uint64_t size_bytes, char out[HUMAN_BYTES])
{
	human_format_scaled(size_bytes, human_sizes, HUMAN_SIZES, out);
}

/*
 * part / whole in units of 1 / scale, rounded, but 1 at least, and scale - 1 at most. *near: less
 * than 1, or it would have been rounded to the whole.
 */
static uint64_t human_round_share(uint64_t part, uint64_t whole, double scale, bool *near)
{
	const double exact = scale * ((double)part / (double)whole);
	*near = exact < 1 || exact >= scale - 0.5;
	return exact < 1 ? 1 : *near ? (uint64_t)scale - 1 : (uint64_t)(exact + 0.5);
}

/* decimals: of the percentage, 0 or 1. */
static void human_put_share(uint64_t part, uint64_t whole, unsigned decimals, char out[HUMAN_BYTES])
{
	const double scale = decimals > 0 ? 1000 : 100;
	bool near;
	if (part == 0 || part >= whole) {
		strcpy(out, part == 0 ? "0 %" : "100 %");
		return;
	}
	const uint64_t share = human_round_share(part, whole, scale, &near);
	if (near)
		*out++ = share == 1 ? '<' : '>';
	human_put(share, decimals, "%", out);
}

void human_format_share(uint64_t part, uint64_t whole, char out[HUMAN_BYTES])
{
	human_put_share(part, whole, 1, out);
}

void human_format_percent(uint64_t part, uint64_t whole, char out[HUMAN_BYTES])
{
	human_put_share(part, whole, 0, out);
}
