/* human.h - numbers for people: 1,234 calls, 1.23 s, 4.50 MB, <0.1 %; pure */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_TEXT_HUMAN_H
#define GPUSHIM_POLICY_TEXT_HUMAN_H

#include <stdint.h>

enum { HUMAN_BYTES = 32 };

/*
 * The units of all output: of text, of pages and of plots. Sizes are decimal. least: the amount
 * from which on the unit is used.
 */
struct human_unit {
	const char *name;
	uint64_t factor, least;
};
enum { HUMAN_TIMES = 7, HUMAN_SIZES = 7 };
extern const struct human_unit human_times[HUMAN_TIMES]; /* from ns on */
extern const struct human_unit human_sizes[HUMAN_SIZES]; /* from B on */

/* Each writes a terminated text into out. */
void human_format_count(uint64_t count, char out[HUMAN_BYTES]); /* 1,234,567 */
void human_format_time(uint64_t time_ns,
                       char out[HUMAN_BYTES]); /* 12 ns, 1.23 ms, 45.6 s, 20.6 min */
void human_format_size(uint64_t size_bytes, char out[HUMAN_BYTES]); /* 999 B, 4.50 MB, 12.3 GB */

/*
 * part / whole in percent, rounded to one decimal, and to none. 0 % is nothing and 100 % the whole:
 * less than the least is <0.1 % or <1 %, and what would be rounded to the
 * whole is >99.9 % or >99 %.
 */
void human_format_share(uint64_t part, uint64_t whole, char out[HUMAN_BYTES]);
void human_format_percent(uint64_t part, uint64_t whole, char out[HUMAN_BYTES]);

#endif
