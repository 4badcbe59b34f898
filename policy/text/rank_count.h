/* rank_count.h - how many ranks of a job were counted, in words; pure */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_TEXT_RANK_COUNT_H
#define GPUSHIM_POLICY_TEXT_RANK_COUNT_H

#include <stdint.h>

/* Ranks whose processes told of themselves, of those started. All zero: no launcher was seen. */
struct rank_count {
	uint64_t reported, started;
};

/* "4 ranks", or "2 of 4 ranks". */
enum { RANK_COUNT_BYTES = 64 };
void rank_count_name(const struct rank_count *ranks, char out[RANK_COUNT_BYTES]);

#endif
