/* plot_meet.c - where two lines meet */
/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "page/plot.h"

static bool plot_meet_has(const struct plot_point *point)
{
	return isfinite(point->x) && isfinite(point->y) && point->x > 0 && point->y > 0;
}

/* Between two points lines are straight where both axes are logarithmic, as they are drawn. */
static double plot_meet_between(double x, double next_x, double ratio, double next_ratio)
{
	return x * pow(next_x / x, log(ratio) / (log(ratio) - log(next_ratio)));
}

double plot_meet_find(const struct plot_point *first, const struct plot_point *second, int count)
{
	double next_x = 0, next_ratio = 0;
	for (int i = count - 1; i >= 0; i--) {
		if (!plot_meet_has(&first[i]) || !plot_meet_has(&second[i]))
			continue;
		const double ratio = second[i].y / first[i].y;
		if (ratio >= 1)
			return next_x > 0 ? plot_meet_between(first[i].x, next_x, ratio, next_ratio)
			                  : 0;
		next_x = first[i].x;
		next_ratio = ratio;
	}
	return next_x;
}
