/* panel_estimate.c - about how long the best plan of a call takes, without making it */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stddef.h>

#include "policy/panel_search.h"

/* From the first operation to the last nothing is quicker than one of each kind. */
enum { ESTIMATE_OPERATIONS = 3 };

/* Of a triangle that is left to its rings, so much of its way back is behind the last kernels. */
static const double estimate_ring_tail = 0.5;

/* Kernels of panels seldom fill their last wave. */
static const double estimate_waves = 1.03;

static double estimate_larger(double a, double b)
{
	return a > b ? a : b;
}

/* A call as a group and panels see it: the factor that streams, the one in panels, kernels, the result. */
struct estimate {
	double stream_ns, panel_ns, work_ns, down_ns, duplex;
	double panels; /* so many */
};

/* All stages of the panels at once, but for the first one's way to the result's link and the last one's on it. */
static double estimate_find_panels(const struct estimate *estimate)
{
	const double part = 1 / estimate->panels;
	const double one_ns = (estimate->panel_ns + estimate->work_ns + estimate->down_ns) * part;
	const double link_ns = estimate_larger(estimate->panel_ns, estimate->down_ns) / estimate->duplex;
	return estimate->stream_ns + one_ns + estimate_larger(link_ns, estimate->work_ns) * (1 - part);
}

/* A share of the panels is a group, whose kernels run while the other factor streams; then the others. */
static double estimate_find_group(const struct estimate *estimate, double share)
{
	const double in_ns = estimate->stream_ns + share * estimate->panel_ns, group_ns = share * estimate->work_ns;
	const double rest_ns = (1 - share) * estimate_larger(estimate->work_ns, estimate->panel_ns / estimate->duplex);
	const double tail_ns = estimate->down_ns / estimate->panels;
	return estimate_larger(in_ns, group_ns) + estimate_larger(rest_ns + tail_ns, estimate->down_ns);
}

/* One factor after the other in slices, or the ones that rings ask for: both come all the time. */
static double estimate_find_rings(const struct estimate *estimate)
{
	const double up_ns = estimate->stream_ns + estimate->panel_ns;
	return estimate_larger(up_ns, estimate->work_ns) + estimate_ring_tail * estimate->down_ns;
}

double panels_estimate(const struct panel_problem *problem, const struct panel_rates *rates)
{
	const struct panel_search search = panel_search_start(problem, rates, PANEL_COLUMNS | PANEL_ROWS, NULL);
	const enum panel_order order = panel_search_prefer(&search);
	const struct panel_choice choice = panel_search_find_panels(&search, order);
	const int64_t size = order == PANEL_ORDER_COLUMNS ? problem->blas.n : problem->blas.m;
	const double up_ns = search.up_a_ns + search.up_b_ns, panel_ns = panel_search_find_way(&search, order);
	struct estimate estimate = {.stream_ns = up_ns - panel_ns,
	                            .panel_ns = panel_ns,
	                            .work_ns = search.work_ns * estimate_waves,
	                            .down_ns = search.down_ns,
	                            .duplex = rates->duplex};
	estimate.panels = choice.width < size ? (double)size / (double)choice.width : 1;
	double time_ns = estimate_find_panels(&estimate);
	if (operand_is_triangle(problem->family)) {
		time_ns = estimate_find_rings(&estimate);
	} else {
		const double share = panel_search_find_share(&search, estimate.stream_ns, panel_ns);
		const double shares[] = {share, 1};
		for (int i = 0; i < 2; i++) {
			const double group_ns = estimate_find_group(&estimate, shares[i]);
			time_ns = group_ns < time_ns ? group_ns : time_ns;
		}
	}
	return time_ns + (estimate.panels + ESTIMATE_OPERATIONS) * rates->operation_ns;
}
