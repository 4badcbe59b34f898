/* human.h - numbers for people: 1,234 calls, 1.23 s, 4.50 MB; pure */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_TEXT_HUMAN_H
#define GPUSHIM_POLICY_TEXT_HUMAN_H

#include <stdint.h>

enum { HUMAN_BYTES = 32 };

/* Each writes a terminated text into out. */
void human_format_count(uint64_t count, char out[HUMAN_BYTES]); /* 1,234,567 */
void human_format_time(uint64_t time_ns,
                       char out[HUMAN_BYTES]); /* 12 ns, 1.23 ms, 45.6 s, 1,235 s */
void human_format_size(uint64_t size_bytes, char out[HUMAN_BYTES]); /* 999 B, 4.50 MB, 12.3 GB */

/*
 * part / whole in percent, truncated to one decimal: 100 % only for the whole, 0 % only for
 * nothing.
 */
void human_format_share(uint64_t part, uint64_t whole, char out[HUMAN_BYTES]);

#endif
