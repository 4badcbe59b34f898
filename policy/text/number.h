/* number.h - decimal numbers from text, the same in every locale; pure */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_TEXT_NUMBER_H
#define GPUSHIM_POLICY_TEXT_NUMBER_H

#include <stddef.h>
#include <stdint.h>

enum number_status {
	NUMBER_FINE,
	NUMBER_UNREADABLE, /* not a decimal number, or something follows it */
	NUMBER_NEGATIVE,
	NUMBER_FRACTION, /* the number is not whole */
	NUMBER_TOO_LARGE /* beyond uint64_t, or beyond double */
};

/*
 * Both read all of text: digits with at most one point and one exponent ("10000000", "1e7",
 * "1.5e6"); no blanks, hexadecimal digits or words. *value is written only on NUMBER_FINE.
 * number_parse_count is exact; number_parse_real is within a few units of the last place.
 */
enum number_status number_parse_count(const char *text, size_t length, uint64_t *value);
enum number_status number_parse_real(const char *text, size_t length, double *value);

/* The same of the number times 10^exponent, which is as exact. */
enum number_status number_scale_count(const char *text, size_t length, int exponent,
                                      uint64_t *value);
enum number_status number_scale_real(const char *text, size_t length, int exponent, double *value);

/*
 * Reads the digits at the beginning of text, behind blanks; 0 where there are none, UINT64_MAX on
 * overflow. *end (end may be NULL) is the rest of the text, or text if there are no digits. For
 * files of the kernel: strtoul and the like would bind the library to a recent glibc.
 */
uint64_t number_scan_count(const char *text, const char **end);

/* Writes value in decimal digits. */
enum { NUMBER_DIGITS_BYTES = 21 };
void number_format_count(uint64_t value, char out[NUMBER_DIGITS_BYTES]);

/*
 * Writes a finite value of 0 or more with at most nine digits, as number_parse_real reads it: 0.01,
 * 1500, 3.25e13.
 */
enum { NUMBER_REAL_BYTES = 32 };
void number_format_real(double value, char out[NUMBER_REAL_BYTES]);

#endif
