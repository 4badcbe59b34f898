/* tracking_cost.c - the time of scans, arms and disarms beside that of the link */
/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/resident/tracking_cost.h"

/* Of the time to send all of it: about a tenth is sent in any case. */
static const double tracking_saved_share = 0.9;

/*
 * To count a row's pages and to list its ends, at each call; and once more where the kernel names
 * the pages between two rows. An assumption: bench/residency took 90 to 150 ns for each of 4000.
 */
static const double tracking_row_ns = 120;

/*
 * Copy threads arm and disarm the parts of a large result beside the kernels of the call and its
 * other copies. An assumption: in bench/residency a tenth of that time was seen in the time of the
 * calls, whose kernels took longer than the tracking.
 */
static const double tracking_seen_share = 0.5;
enum { TRACKING_PARTS_PAGES = 8 * TRACKING_BLOCK };

/* Of the time to send an operand, what a sample and a look may take: most operands do change. */
static const double tracking_sample_share = 0.2;

/*
 * What takes less time to send is not tracked, however quick the kernel is at the moment: a call
 * saves little, and a wrong guess costs a few hundred microseconds. pw.x took 2 to 5 % longer with
 * operands of 43 microseconds, some of which it rewrites after a few calls (bench/residency).
 */
static const double tracking_least_ns = 50e3;

static double tracking_cost_find(const struct tracking_rates *rates,
                                 const struct tracking_extent *extent, bool of_result)
{
	const struct tracking_times *times[] = {&rates->small, &rates->large};
	const uint64_t pages[] = {extent->pages - extent->large_pages, extent->large_pages};
	const bool in_parts = extent->apart == 0 && extent->pages >= TRACKING_PARTS_PAGES;
	const double seen_share = in_parts ? tracking_seen_share : 1;
	double time_ns =
		(double)rates->look_ns + tracking_row_ns * (double)(extent->rows + extent->apart);
	if (of_result)
		time_ns += (double)rates->search_ns +
		           (double)rates->look_ns * 2 * (double)extent->apart;
	for (int i = 0; i < 2; i++) {
		double block_ns = (double)times[i]->scan_ns;
		if (of_result)
			block_ns += seen_share * (double)(times[i]->arm_ns + times[i]->disarm_ns);
		time_ns += block_ns * (double)pages[i] / TRACKING_BLOCK;
	}
	return time_ns;
}

static bool tracking_cost_pays(const struct tracking_rates *rates,
                               const struct tracking_extent *extent, bool of_result)
{
	const double bytes = (double)extent->saved_bytes;
	return rates->send_bytes_s <= 0 ||
	       tracking_cost_find(rates, extent, of_result) <
	               tracking_saved_share * bytes / rates->send_bytes_s * 1e9;
}

bool tracking_cost_pays_input(const struct tracking_rates *rates,
                              const struct tracking_extent *extent)
{
	return tracking_cost_pays(rates, extent, false);
}

bool tracking_cost_pays_result(const struct tracking_rates *rates,
                               const struct tracking_extent *extent)
{
	return tracking_cost_pays(rates, extent, true);
}

/* A part of what is not sent would have been hidden by the work of the device. */
static const double tracking_paid_margin = 1.5;

uint32_t tracking_cost_count_paid(const struct tracking_rates *rates,
                                  const struct tracking_extent *extent, uint64_t fault_ns)
{
	const uint32_t most = 1000;
	if (rates->send_bytes_s <= 0 || extent->saved_bytes == 0)
		return 0;
	const double saved_ns = (double)extent->saved_bytes / rates->send_bytes_s * 1e9;
	const double paid =
		tracking_paid_margin * (double)fault_ns * (double)extent->pages / saved_ns;
	return paid < most ? (uint32_t)paid + 1 : most;
}

bool tracking_cost_pays_sample(const struct tracking_rates *rates, uint64_t bytes)
{
	if (rates->send_bytes_s <= 0)
		return true;
	const double found_ns = (double)(rates->look_ns + rates->sample_ns);
	const double send_ns = (double)bytes / rates->send_bytes_s * 1e9;
	return send_ns >= tracking_least_ns && found_ns < tracking_sample_share * send_ns;
}
