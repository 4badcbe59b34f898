/* unit.c - splits a text into number and unit, and converts between units of one kind */
/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/text/unit.h"

#include <stdbool.h>
#include <string.h>

#include "policy/text/human.h"
#include "policy/text/words.h"

/* A unit is factor * 10^exponent of its kind's base: bytes, flop, seconds, or one. */
struct unit_scale {
	int exponent;
	unsigned factor;
};

/* The exponent of ten of the option's own unit. */
static int unit_base(enum unit unit)
{
	return unit == UNIT_MEGABYTES ? 6 : unit == UNIT_PERCENT ? -2 : 0;
}

/*
 * A prefix of SI before the symbol, or alone. The prefix exa does not stand alone: 1E is the
 * beginning of 1E6.
 */
static bool unit_find_prefix(struct words name, const char *symbol, struct unit_scale *scale)
{
	static const char *const prefix[] = {"", "k", "M", "G", "T", "P", "E"};
	enum { PREFIXES = sizeof prefix / sizeof prefix[0] };
	for (int i = 0; i < PREFIXES; i++) {
		struct words rest = name;
		if (!words_skip(&rest, prefix[i]))
			continue;
		const bool alone = rest.length == 0 && i > 0 && i < PREFIXES - 1;
		if (!alone && !words_equal(rest, words_of(symbol)))
			continue;
		*scale = (struct unit_scale){3 * i, 1};
		return true;
	}
	return false;
}

/* Nanoseconds as seconds: the tens of the factor are in the exponent, as decimals may follow it. */
static struct unit_scale unit_scale_time(uint64_t factor_ns)
{
	int exponent = -9;
	for (; factor_ns % 10 == 0; factor_ns /= 10)
		exponent++;
	return (struct unit_scale){exponent, (unsigned)factor_ns};
}

/* The units of human.h; us in both spellings. */
static bool unit_find_time(struct words name, struct unit_scale *scale)
{
	if (words_equal(name, words_of("\xc2\xb5s")))
		name = words_of("us");
	for (int i = 0; i < HUMAN_TIMES; i++) {
		if (words_equal(name, words_of(human_times[i].name))) {
			*scale = unit_scale_time(human_times[i].factor);
			return true;
		}
	}
	return false;
}

/* The scale of this name; that of the option's own unit where the name is empty. */
static bool unit_find(enum unit unit, struct words name, struct unit_scale *scale)
{
	*scale = (struct unit_scale){unit_base(unit), 1};
	if (name.length == 0)
		return true;
	switch (unit) {
	case UNIT_PLAIN: return false;
	case UNIT_BYTES:
	case UNIT_MEGABYTES: return unit_find_prefix(name, "B", scale);
	case UNIT_FLOPS: return unit_find_prefix(name, "flop", scale);
	case UNIT_SECONDS: return unit_find_time(name, scale);
	case UNIT_SHARE:
	case UNIT_PERCENT: scale->exponent = -2; return words_equal(name, words_of("%"));
	}
	return false;
}

static bool unit_is_letter(char letter)
{
	return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
	       letter == '%' || (unsigned char)letter >= 0x80;
}

/* The number at the beginning of text; scale, of the unit behind it, is relative to unit. */
static bool unit_split(enum unit unit, struct words text, struct words *number,
                       struct unit_scale *scale)
{
	size_t cut = text.length;
	while (cut > 0 && unit_is_letter(text.text[cut - 1]))
		cut--;
	*number = words_make(text.text, cut);
	if (unit != UNIT_PLAIN)
		*number = words_trim(*number);
	if (!unit_find(unit, words_make(text.text + cut, text.length - cut), scale))
		return false;
	scale->exponent -= unit_base(unit);
	return true;
}

enum number_status unit_parse_count(enum unit unit, const char *text, size_t length,
                                    uint64_t *value)
{
	struct words number;
	struct unit_scale scale;
	uint64_t count = 0, product = 0;
	if (!unit_split(unit, words_make(text, length), &number, &scale))
		return NUMBER_UNREADABLE;
	const enum number_status status =
		number_scale_count(number.text, number.length, scale.exponent, &count);
	if (status == NUMBER_FINE &&
	    __builtin_mul_overflow(count, (uint64_t)scale.factor, &product))
		return NUMBER_TOO_LARGE;
	if (status == NUMBER_FINE)
		*value = product;
	return status;
}

enum number_status unit_parse_real(enum unit unit, const char *text, size_t length, double *value)
{
	struct words number;
	struct unit_scale scale;
	double real = 0;
	if (!unit_split(unit, words_make(text, length), &number, &scale))
		return NUMBER_UNREADABLE;
	const enum number_status status =
		number_scale_real(number.text, number.length, scale.exponent, &real);
	if (status == NUMBER_FINE && real > __DBL_MAX__ / scale.factor)
		return NUMBER_TOO_LARGE;
	if (status == NUMBER_FINE)
		*value = real * scale.factor;
	return status;
}

const char *unit_describe(enum unit unit)
{
	switch (unit) {
	case UNIT_BYTES: return " bytes, for instance 10MB";
	case UNIT_MEGABYTES: return " MB, for instance 8GB";
	case UNIT_FLOPS: return ", for instance 2Gflop";
	case UNIT_SECONDS: return " seconds, for instance 2min";
	case UNIT_SHARE: return ", for instance 5%";
	case UNIT_PERCENT: return " percent, for instance 5%";
	case UNIT_PLAIN: break;
	}
	return "";
}
