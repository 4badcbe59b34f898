/* tracking_cost.h - whether tracking an operand takes less time than sending it again; pure */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_RESIDENT_TRACKING_COST_H
#define GPUSHIM_POLICY_RESIDENT_TRACKING_COST_H

#include <stdbool.h>
#include <stdint.h>

/* Nanoseconds for TRACKING_BLOCK pages. */
enum { TRACKING_BLOCK = 512 };
struct tracking_times {
	uint64_t arm_ns, disarm_ns, scan_ns;
};

/*
 * Measured on this system: of small pages, and of those that the kernel maps by one entry a block.
 * look_ns: of each call that looks at a tracked operand, whatever its size. search_ns: of each call
 * that arms pages, at its end. sample_ns: of a sample of an operand that is not tracked.
 * send_bytes_s: the rate at which operands are sent; 0: unknown, and tracking is taken to pay.
 */
struct tracking_rates {
	struct tracking_times small, large;
	uint64_t look_ns, search_ns, sample_ns;
	double send_bytes_s;
};

/*
 * The pages from an operand's first byte to its last one, those of them that are mapped in large
 * ones, the bytes that are not sent where nothing has changed. rows, apart: those that are counted
 * and listed one by one, and armed one by one.
 */
struct tracking_extent {
	uint64_t pages, large_pages, saved_bytes, rows, apart;
};

/*
 * Whether so many bytes take long enough to send that it is worth a sample to find out whether they
 * change.
 */
bool tracking_cost_pays_sample(const struct tracking_rates *rates, uint64_t bytes);

/* An input that is not sent: it is scanned at each call. */
bool tracking_cost_pays_input(const struct tracking_rates *rates,
                              const struct tracking_extent *extent);

/* A result that is read by a later call: it is disarmed, armed and scanned for each time. */
bool tracking_cost_pays_result(const struct tracking_rates *rates,
                               const struct tracking_extent *extent);

/*
 * How many calls that need not send the operand save what it costs the program to rewrite it once:
 * a page fault of so long for each page. 0: the rate of the link is not known.
 */
uint32_t tracking_cost_count_paid(const struct tracking_rates *rates,
                                  const struct tracking_extent *extent, uint64_t fault_ns);

#endif
