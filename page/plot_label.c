/* plot_label.c - values with few digits and a unit that is easy to read */
/* SPDX-License-Identifier: Apache-2.0 */
#include "page/plot_label.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "policy/text/human.h"

/* Bytes of a blank and a unit. */
enum { PLOT_LABEL_UNIT = 8 };

#define PLOT_LABEL_MOST_COUNT 9.995e20

/* Counts above 999,499, as units.h has them in text. */
static const struct human_unit plot_label_counts[] = {
	{"", 1, 0},
	{"M", 1000000, 999500},
	{"G", 1000000000, 999500000},
	{"T", 1000000000000, 999500000000},
	{"P", 1000000000000000, 999500000000000},
	{"E", 1000000000000000000, 999500000000000000},
};

/* Inserts commas: 12,000 for 12000. The text has plain digits only. */
static void plot_label_group(char *text, size_t size)
{
	const size_t digits = strspn(text + (*text == '-'), "0123456789");
	size_t length = strlen(text);
	for (size_t behind = 3; behind < digits && digits > 3; behind += 3) {
		char *at = text + (*text == '-') + digits - behind;
		if (length + 2 > size)
			return;
		memmove(at + 1, at, strlen(at) + 1);
		*at = ',';
		length++;
	}
}

/* Writes at most this many digits, without zeros at the end. */
static void plot_label_number(double value, int digits, char *out, size_t size)
{
	const double amount = fabs(value);
	if (amount != 0 && (amount >= 999500 || amount < 0.0005)) {
		const int power = (int)floor(log10(amount) + 1e-12);
		/* In two steps, since a single power may be beyond the range of numbers. */
		const int half = power / 2;
		const double digit = value / pow(10, half) / pow(10, power - half);
		snprintf(out, size, "%.*ge%d", digits, digit, power);
	} else if (amount >= 999.5) {
		const int decimals = digits - 1 - (int)floor(log10(amount) + 1e-12);
		snprintf(out, size, "%.*f", decimals > 0 ? decimals : 0, value);
		plot_label_group(out, size);
	} else {
		snprintf(out, size, "%.*g", digits, value);
	}
}

/* The largest unit that suits near. */
static const struct human_unit *plot_label_find(const struct human_unit *units, size_t count,
                                                double near)
{
	size_t i = 0;
	while (i + 1 < count && fabs(near) >= (double)units[i + 1].least * (1 - 1e-9))
		i++;
	return &units[i];
}

static void plot_label_scale(const struct human_unit *units, size_t count, double value,
                             double near, int digits, char out[PLOT_LABEL_BYTES])
{
	const struct human_unit *unit = plot_label_find(units, count, near);
	plot_label_number(value / (double)unit->factor, digits, out,
	                  PLOT_LABEL_BYTES - PLOT_LABEL_UNIT);
	if (value != 0 && unit->name[0] != '\0') {
		strcat(out, units == plot_label_counts ? "" : " ");
		strcat(out, unit->name);
	}
}

bool plot_label_write_power(double value, char out[PLOT_LABEL_BYTES])
{
	static const char *const raised[] = {"\u2070", "\u00b9", "\u00b2", "\u00b3", "\u2074",
	                                     "\u2075", "\u2076", "\u2077", "\u2078", "\u2079"};
	char digits[12];
	int power;
	if (!isfinite(value) || frexp(value, &power) != 0.5 || power < 2)
		return false;
	snprintf(digits, sizeof digits, "%d", power - 1);
	strcpy(out, "2");
	for (const char *digit = digits; *digit != '\0'; digit++)
		strcat(out, raised[*digit - '0']);
	return true;
}

void plot_label_write_digits(enum plot_unit unit, double value, double near, int digits,
                             char out[PLOT_LABEL_BYTES])
{
	enum { COUNTS = sizeof plot_label_counts / sizeof plot_label_counts[0] };
	switch (unit) {
	case PLOT_TIME_NS:
		plot_label_scale(human_times, HUMAN_TIMES, value, near, digits, out);
		break;
	case PLOT_SIZE_BYTES:
		plot_label_scale(human_sizes, HUMAN_SIZES, value, near, digits, out);
		break;
	case PLOT_SHARE:
		plot_label_number(value * 100, digits, out, PLOT_LABEL_BYTES - PLOT_LABEL_UNIT);
		strcat(out, " %");
		break;
	case PLOT_PLAIN:
		if (fabs(near) < PLOT_LABEL_MOST_COUNT)
			plot_label_scale(plot_label_counts, COUNTS, value, near, digits, out);
		else
			plot_label_number(value, digits, out, PLOT_LABEL_BYTES);
		break;
	}
}

void plot_label_write(enum plot_unit unit, double value, double near, char out[PLOT_LABEL_BYTES])
{
	/* As human_format_share has it. */
	if (unit == PLOT_SHARE && value > 0 && value < 0.001)
		strcpy(out, "<0.1 %");
	else
		plot_label_write_digits(unit, value, near, 3, out);
}
