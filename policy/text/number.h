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
	NUMBER_FRACTION, /* asked for a whole number */
	NUMBER_TOO_LARGE /* beyond uint64_t, or beyond double */
};

/*
 * Both read all length bytes of text: digits with at most one point and at most one exponent,
 * "10000000", "1e7", "1.5e6"; no blanks, no hexadecimal, no words. value is written only on
 * NUMBER_FINE. number_parse_count is exact; number_parse_real is within a few units of the last
 * place.
 */
enum number_status number_parse_count(const char *text, size_t length, uint64_t *value);
enum number_status number_parse_real(const char *text, size_t length, double *value);

/*
 * The digits that text begins with, behind blanks; 0 where there are none, UINT64_MAX where they
 * are too many. end (may be NULL): what follows them, or text. For what the kernel writes; the C
 * library's own functions want its newest version wherever they are compiled with it.
 */
uint64_t number_scan_count(const char *text, const char **end);

/* Writes value in digits into out, which holds NUMBER_DIGITS_BYTES. */
enum { NUMBER_DIGITS_BYTES = 21 };
void number_format_count(uint64_t value, char out[NUMBER_DIGITS_BYTES]);

/*
 * Writes a value, 0 or more and finite, with at most nine digits, so that number_parse_real reads
 * it again: 0.01, 1500, 3.25e13.
 */
enum { NUMBER_REAL_BYTES = 32 };
void number_format_real(double value, char out[NUMBER_REAL_BYTES]);

#endif
