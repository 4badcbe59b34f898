/* human.c - three significant digits and a unit */
/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/text/human.h"

#include <string.h>

#include "policy/text/number.h"
#include "policy/text/sentence.h"

struct human_unit {
	const char *name;
	uint64_t factor;
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

/* units ascend. */
static void human_format_scaled(uint64_t value, const struct human_unit *units, size_t count,
                                char out[HUMAN_BYTES])
{
	unsigned decimals;
	size_t i = 0;
	while (i + 1 < count && human_scale(value, units[i].factor, &decimals) >= 1000)
		i++;
	const uint64_t scaled = human_scale(value, units[i].factor, &decimals);
	human_put(scaled, decimals, units[i].name, out);
}

void human_format_time(uint64_t time_ns, char out[HUMAN_BYTES])
{
	static const struct human_unit units[] = {
		{"ns", 1}, {"us", 1000}, {"ms", 1000000}, {"s", 1000000000}};
	human_format_scaled(time_ns, units, sizeof(units) / sizeof(units[0]), out);
}

void human_format_size(uint64_t size_bytes, char out[HUMAN_BYTES])
{
	static const struct human_unit units[] = {{"B", 1},
	                                          {"kB", 1000},
	                                          {"MB", 1000000},
	                                          {"GB", 1000000000},
	                                          {"TB", 1000000000000},
	                                          {"PB", 1000000000000000},
	                                          {"EB", 1000000000000000000}};
	human_format_scaled(size_bytes, units, sizeof(units) / sizeof(units[0]), out);
}

void human_format_share(uint64_t part, uint64_t whole, char out[HUMAN_BYTES])
{
	if (part == 0 || part >= whole) {
		strcpy(out, part == 0 ? "0 %" : "100 %");
		return;
	}
	uint64_t tenths = (uint64_t)(1000.0 * (double)part / (double)whole);
	if (tenths > 999)
		tenths = 999;
	if (tenths == 0)
		strcpy(out, "less than 0.1 %");
	else
		human_put(tenths, 1, "%", out);
}
