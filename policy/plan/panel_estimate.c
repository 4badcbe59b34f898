/* panel_estimate.c - estimates the time of the best plan of a call without making it */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stddef.h>

#include "policy/plan/panels.h"

/*
 * Operations beside those of panels: one of each kind, and the confirmation of the result. A group
 * needs slices too.
 */
enum { ESTIMATE_OPERATIONS = 4, ESTIMATE_SLICES = 8 };

/*
 * Rank updates: the share of the way back of the triangle behind the last kernels, and the number
 * of rings.
 */
static const double estimate_ring_tail = 0.5;
enum { ESTIMATE_RINGS = 8 };

/* Kernels of panels seldom fill their last wave. */
static const double estimate_waves = 1.03;

/* Links that slow each other down more than this may as well take turns. */
static const double estimate_least_duplex = 0.5;

static double panel_estimate_larger(double a, double b)
{
	return a > b ? a : b;
}

static double panel_estimate_smaller(double a, double b)
{
	return a < b ? a : b;
}

/* Bounds share by least and 1; NaN becomes 1. */
static double panel_estimate_bound(double share, double least)
{
	if (!(share < 1))
		return 1;
	return share > least ? share : least;
}

/*
 * A call as a group and panels see it: times of the factor that streams, of the one in panels, of
 * all kernels and of the result. rest_ns: time that the device or the link up needs for all panels;
 * part: the share of one panel.
 */
struct estimate {
	double stream_ns, panel_ns, work_ns, down_ns, rest_ns, duplex, part;
};

/*
 * All stages of the panels overlap, except the first panel before its store and the store of the
 * last one.
 */
static double panel_estimate_find_panels(const struct estimate *estimate)
{
	const double one_ns = estimate->panel_ns + estimate->work_ns + estimate->down_ns;
	const double longest_ns =
		panel_estimate_larger(estimate->rest_ns, estimate->down_ns / estimate->duplex);
	return estimate->stream_ns + one_ns * estimate->part + longest_ns * (1 - estimate->part);
}

/*
 * A share of the panels is a group, whose kernels run while the other factor streams in slices; the
 * other panels follow.
 */
static double panel_estimate_find_group(const struct estimate *estimate, double share)
{
	const double in_ns = estimate->stream_ns + share * estimate->panel_ns,
		     group_ns = share * estimate->work_ns;
	const double rest_ns = (1 - share) * estimate->rest_ns + estimate->down_ns * estimate->part;
	return panel_estimate_larger(in_ns, group_ns) +
	       panel_estimate_larger(rest_ns, estimate->down_ns);
}

/*
 * The least time over all shares. The time is piecewise linear in the share, so the minimum is
 * where two lines meet, or at an end. All lines rise with what there is to copy and to compute, so
 * the minimum does too.
 */
static double panel_estimate_find_shares(const struct estimate *estimate)
{
	const double part = estimate->part, spare_ns = estimate->work_ns - estimate->panel_ns;
	const double paced =
		spare_ns > 0 ? panel_estimate_bound(estimate->stream_ns / spare_ns, part) : 1;
	const double drained =
		panel_estimate_bound(1 - estimate->down_ns * (1 - part) / estimate->rest_ns, part);
	const double whole_ns = panel_estimate_find_group(estimate, 1),
		     paced_ns = panel_estimate_find_group(estimate, paced);
	return panel_estimate_smaller(panel_estimate_smaller(whole_ns, paced_ns),
	                              panel_estimate_find_group(estimate, drained));
}

/* One factor streams, the other one comes in panels; the best number of panels is taken. */
static double panel_estimate_find_order(const struct panel_times *times, double stream_ns,
                                        double panel_ns)
{
	static const int panels[] = {1, 4, 16, 64};
	const double duplex = panel_estimate_bound(times->duplex, estimate_least_duplex);
	struct estimate estimate = {.stream_ns = stream_ns,
	                            .panel_ns = panel_ns,
	                            .work_ns = times->work_ns * estimate_waves,
	                            .down_ns = times->down_ns,
	                            .duplex = duplex};
	double least_ns = __DBL_MAX__;
	estimate.rest_ns = panel_estimate_larger(estimate.work_ns, panel_ns / duplex);
	for (size_t i = 0; i < sizeof panels / sizeof panels[0]; i++) {
		estimate.part = 1.0 / panels[i];
		const double time_ns =
			panel_estimate_smaller(panel_estimate_find_panels(&estimate),
		                               panel_estimate_find_shares(&estimate) +
		                                       ESTIMATE_SLICES * times->operation_ns);
		least_ns =
			panel_estimate_smaller(least_ns, time_ns + panels[i] * times->operation_ns);
	}
	return least_ns;
}

/* Both factors stream all the time, in slices or for rings; or all is undivided. */
static double panel_estimate_find_rings(const struct panel_times *times)
{
	const double up_ns = times->up_a_ns + times->up_b_ns,
		     work_ns = times->work_ns * estimate_waves;
	const double rings_ns = panel_estimate_larger(up_ns, work_ns) +
	                        estimate_ring_tail * times->down_ns +
	                        ESTIMATE_RINGS * times->operation_ns;
	return panel_estimate_smaller(rings_ns, up_ns + work_ns + times->down_ns);
}

double panels_estimate_times(const struct panel_problem *problem, const struct panel_times *times)
{
	double time_ns;
	if (operand_is_triangle(problem->family)) {
		time_ns = panel_estimate_find_rings(times);
	} else {
		time_ns = panel_estimate_find_order(times, times->up_a_ns, times->up_b_ns);
		if (family_is_product(problem->family) && times->up_a_ns != times->up_b_ns)
			time_ns = panel_estimate_smaller(
				time_ns,
				panel_estimate_find_order(times, times->up_b_ns, times->up_a_ns));
	}
	return time_ns + ESTIMATE_OPERATIONS * times->operation_ns;
}

/* A kernel that does not fill the device takes as long as one that does. */
static double panel_estimate_count_flops(const struct panel_problem *problem,
                                         const struct panel_rates *rates)
{
	const double flops = operand_count_flops(problem->family, problem->element, &problem->blas);
	const double tiles = (double)rates->tile * rates->tile * rates->units;
	const double elements = (double)problem->blas.m * (double)problem->blas.n;
	return elements < tiles ? flops * (tiles / elements) : flops;
}

double panels_estimate(const struct panel_problem *problem, const struct panel_rates *rates)
{
	const double ns = 1e9;
	const struct panel_bytes bytes = panel_plan_count_bytes(problem);
	const struct panel_times times = {
		.up_a_ns = bytes.a / rates->up_bytes_s * ns,
		.up_b_ns = bytes.b / rates->up_bytes_s * ns,
		.down_ns = bytes.c / rates->down_bytes_s * ns,
		.work_ns = panel_estimate_count_flops(problem, rates) / rates->work_flops_s * ns,
		.duplex = rates->duplex,
		.operation_ns = rates->operation_ns,
	};
	return panels_estimate_times(problem, &times);
}
