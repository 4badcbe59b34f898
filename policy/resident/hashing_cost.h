/* hashing_cost.h - whether hashing an operand takes less time than sending it again; pure */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_RESIDENT_HASHING_COST_H
#define GPUSHIM_POLICY_RESIDENT_HASHING_COST_H

#include <stdbool.h>

/*
 * Bytes a second: that one thread hashes, that all threads together can read from memory, and that
 * are sent to the device. 0: unknown; an unknown rate of hashing or sending is taken to pay.
 */
struct hashing_rates {
	double thread_bytes_s, memory_bytes_s, send_bytes_s;
	int threads; /* below 1: one */
};

/* An input that is not sent is hashed at each call. */
bool hashing_cost_pays_input(const struct hashing_rates *rates);

/* A result is hashed when it is written, and again by each call that reads it. */
bool hashing_cost_pays_result(const struct hashing_rates *rates);

#endif
