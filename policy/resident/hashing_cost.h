/* hashing_cost.h - whether hashing an operand takes less time than sending it again; pure */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_RESIDENT_HASHING_COST_H
#define GPUSHIM_POLICY_RESIDENT_HASHING_COST_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Bytes a second: that are sent to the device, and that all threads together have hashed of late,
 * up to that time of a monotonic clock, in so many trials. An unknown rate, of too few trials or 0,
 * is taken to pay.
 */
struct hashing_rates {
	double send_bytes_s, hash_bytes_s;
	int64_t noted_ns;
	int trials;
};

/*
 * So many bytes were hashed until now in so long. Few bytes tell nothing. Of the first trials the
 * fastest counts: other programs may have had the processors in the others.
 */
void hashing_cost_note(struct hashing_rates *rates, uint64_t bytes, int64_t took_ns,
                       int64_t now_ns);

/* A rate of hashing that was noted four seconds ago is unknown: the machine may be idle by now. */
void hashing_cost_refresh(struct hashing_rates *rates, int64_t now_ns);

/* An input that is not sent is hashed at each call. */
bool hashing_cost_pays_input(const struct hashing_rates *rates);

/* A result is hashed when it is written, and again by each call that reads it. */
bool hashing_cost_pays_result(const struct hashing_rates *rates);

#endif
