/* number.c - decimal numbers from text and to text */
/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/text/number.h"

#include <stdbool.h>
#include <string.h>

/*
 * Larger exponents are cut to this one, which is far too large or zero all the same, so that the
 * sums below cannot overflow.
 */
enum { NUMBER_EXPONENT_MAX = 100000 };

/*
 * The number is mantissa * 10^exponent. A zero is counted in zeros until a digit follows, so
 * mantissa never ends in 0, and the number is whole exactly when exponent >= 0. Digits beyond 64
 * bits are counted in dropped.
 */
struct number_decimal {
	uint64_t mantissa;
	int64_t exponent, zeros, dropped;
	bool negative;
};

struct number_cursor {
	const char *at, *end;
};

static bool number_take(struct number_cursor *cursor, const char *any_of)
{
	if (cursor->at == cursor->end || *cursor->at == '\0' || strchr(any_of, *cursor->at) == NULL)
		return false;
	cursor->at++;
	return true;
}

static bool number_take_digit(struct number_cursor *cursor, unsigned *digit)
{
	if (!number_take(cursor, "0123456789"))
		return false;
	*digit = (unsigned)(cursor->at[-1] - '0');
	return true;
}

/* value * 10^places + digit; false on overflow. */
static bool number_shift(uint64_t *value, int64_t places, unsigned digit)
{
	uint64_t shifted = *value;
	for (; places > 0 && shifted != 0; places--)
		if (__builtin_mul_overflow(shifted, (uint64_t)10, &shifted))
			return false;
	return !__builtin_add_overflow(shifted, (uint64_t)digit, value);
}

static void number_add_digit(struct number_decimal *decimal, unsigned digit)
{
	if (digit == 0) {
		decimal->zeros++;
		return;
	}
	const uint64_t before = decimal->mantissa;
	if (decimal->dropped > 0 || !number_shift(&decimal->mantissa, decimal->zeros + 1, digit)) {
		decimal->mantissa = before;
		decimal->dropped += decimal->zeros + 1;
	}
	decimal->zeros = 0;
}

/* Returns the number of digits read. */
static int64_t number_scan_digits(struct number_cursor *cursor, struct number_decimal *decimal)
{
	int64_t count = 0;
	for (unsigned digit; number_take_digit(cursor, &digit); count++)
		number_add_digit(decimal, digit);
	return count;
}

static bool number_scan_exponent(struct number_cursor *cursor, int64_t *exponent)
{
	const bool minus = number_take(cursor, "-");
	if (!minus)
		number_take(cursor, "+");
	int64_t count = 0, value = 0;
	for (unsigned digit; number_take_digit(cursor, &digit); count++)
		if (value < NUMBER_EXPONENT_MAX)
			value = value * 10 + digit;
	*exponent += minus ? -value : value;
	return count > 0;
}

static bool number_scan(const char *text, size_t length, struct number_decimal *decimal)
{
	struct number_cursor cursor = {text, text + length};
	*decimal = (struct number_decimal){.negative = number_take(&cursor, "-")};
	if (!decimal->negative)
		number_take(&cursor, "+");
	int64_t digits = number_scan_digits(&cursor, decimal);
	if (number_take(&cursor, ".")) {
		decimal->exponent = -number_scan_digits(&cursor, decimal);
		digits -= decimal->exponent;
	}
	if (number_take(&cursor, "eE") && !number_scan_exponent(&cursor, &decimal->exponent))
		return false;
	decimal->exponent += decimal->zeros;
	if (decimal->mantissa == 0)
		decimal->negative = false;
	return digits > 0 && cursor.at == cursor.end;
}

enum number_status number_parse_count(const char *text, size_t length, uint64_t *value)
{
	return number_scale_count(text, length, 0, value);
}

enum number_status number_scale_count(const char *text, size_t length, int exponent,
                                      uint64_t *value)
{
	struct number_decimal decimal;
	if (!number_scan(text, length, &decimal))
		return NUMBER_UNREADABLE;
	decimal.exponent += exponent;
	if (decimal.negative)
		return NUMBER_NEGATIVE;
	if (decimal.mantissa != 0 && decimal.exponent < 0)
		return NUMBER_FRACTION;
	if (decimal.dropped > 0 || !number_shift(&decimal.mantissa, decimal.exponent, 0))
		return NUMBER_TOO_LARGE;
	*value = decimal.mantissa;
	return NUMBER_FINE;
}

/*
 * Each step is exact as long as value and step are whole numbers below 2^53, as in numbers that
 * people write.
 */
static double number_raise(double value, int64_t exponent)
{
	static const double step = 1e22;
	const double finite_max = __DBL_MAX__;
	for (; exponent >= 22 && value <= finite_max && value > 0; exponent -= 22)
		value *= step;
	for (; exponent <= -22 && value > 0; exponent += 22)
		value /= step;
	double rest = 1;
	for (int64_t i = exponent < 0 ? -exponent : exponent; i > 0 && i < 22; i--)
		rest *= 10;
	return exponent < 0 ? value / rest : value * rest;
}

enum number_status number_parse_real(const char *text, size_t length, double *value)
{
	return number_scale_real(text, length, 0, value);
}

enum number_status number_scale_real(const char *text, size_t length, int exponent, double *value)
{
	struct number_decimal decimal;
	if (!number_scan(text, length, &decimal))
		return NUMBER_UNREADABLE;
	decimal.exponent += exponent;
	if (decimal.negative)
		return NUMBER_NEGATIVE;
	const double scaled =
		number_raise((double)decimal.mantissa, decimal.exponent + decimal.dropped);
	if (scaled > __DBL_MAX__)
		return NUMBER_TOO_LARGE;
	*value = scaled;
	return NUMBER_FINE;
}

uint64_t number_scan_count(const char *text, const char **end)
{
	const char *at = text + strspn(text, " \t");
	const size_t length = strspn(at, "0123456789");
	uint64_t value = 0;
	if (end != NULL)
		*end = length > 0 ? at + length : text;
	for (size_t i = 0; i < length; i++)
		if (!number_shift(&value, 1, (unsigned)(at[i] - '0')))
			return UINT64_MAX;
	return value;
}

void number_format_count(uint64_t value, char out[NUMBER_DIGITS_BYTES])
{
	char reversed[NUMBER_DIGITS_BYTES];
	size_t count = 0;
	do
		reversed[count++] = (char)('0' + value % 10);
	while ((value /= 10) != 0);
	for (size_t i = 0; i < count; i++)
		out[i] = reversed[count - 1 - i];
	out[count] = '\0';
}

/*
 * The decimal exponent of the first digit: 10^exponent <= value < 10^(exponent + 1), up to
 * rounding.
 */
static int64_t number_find_exponent(double value)
{
	int64_t exponent = 0;
	for (; exponent < 400 && number_raise(value, -exponent) >= 10; exponent++)
		;
	for (; exponent > -400 && number_raise(value, -exponent) < 1; exponent--)
		;
	return exponent;
}

enum { NUMBER_REAL_PLACES = 9, NUMBER_REAL_PLAIN = 7 };

void number_format_real(double value, char out[NUMBER_REAL_BYTES])
{
	char digits[NUMBER_DIGITS_BYTES] = "";
	int64_t exponent = value > 0 && value <= __DBL_MAX__ ? number_find_exponent(value) : 0;
	uint64_t mantissa =
		value > 0 ? (uint64_t)(number_raise(value, NUMBER_REAL_PLACES - 1 - exponent) + 0.5)
			  : 0;
	number_format_count(mantissa, digits);
	if (strlen(digits) > NUMBER_REAL_PLACES)
		exponent++;
	size_t count = strlen(digits), used = 0;
	while (count > 1 && digits[count - 1] == '0')
		count--;
	const bool plain = exponent >= -NUMBER_REAL_PLAIN / 2 && exponent < NUMBER_REAL_PLAIN;
	for (int64_t zero = exponent; plain && zero < 0; zero++)
		used = (size_t)(stpcpy(out + used, used == 0 ? "0." : "0") - out);
	for (size_t i = 0; i < count || (plain && (int64_t)i <= exponent); i++) {
		if (i > 0 && (int64_t)i == (plain ? exponent : 0) + 1)
			out[used++] = '.';
		out[used++] = i < count ? digits[i] : '0';
	}
	out[used] = '\0';
	if (plain || mantissa == 0)
		return;
	used = (size_t)(stpcpy(out + used, exponent < 0 ? "e-" : "e") - out);
	number_format_count((uint64_t)(exponent < 0 ? -exponent : exponent), out + used);
}
