/* crossover_curve.c - medians, and the size where two of them meet */
/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "bench/crossover/crossover.h"
#include "measure/spread.h"
#include "page/plot.h"

enum { CURVE_LEAST = 3, CURVE_MOST = 51 };

/* Short calls are not repeated for as long as there is time: their median stands after this. */
static const double curve_enough_s = 0.05;

double crossover_median(double (*once)(void *context), void *context, double budget_s,
                        double *whole_s)
{
	double seconds[CURVE_MOST];
	int count = 0;
	const double begin = device_seconds(), first = once(context),
		     limit_s = fmin(budget_s, curve_enough_s);
	for (double spent = first; first > 0 && count < CURVE_MOST;
	     spent = device_seconds() - begin) {
		/* One that is as long as all the time there is, is its own median. */
		if ((count >= CURVE_LEAST && spent > limit_s) || (count > 0 && spent > budget_s))
			break;
		if (count == 0 && spent > budget_s) {
			*whole_s = spent;
			return first;
		}
		seconds[count] = once(context);
		if (!(seconds[count] > 0))
			break;
		count++;
	}
	*whole_s = device_seconds() - begin;
	return count == 0 ? 0 : spread_of(seconds, (size_t)count).median;
}

void crossover_find_even(struct crossover_curve *curve)
{
	struct plot_point cpu[CROSSOVER_POINTS], gpu[CROSSOVER_POINTS];
	for (int i = 0; i < curve->count; i++) {
		cpu[i] = (struct plot_point){(double)curve->point[i].size,
		                             curve->point[i].seconds[CROSSOVER_CPU]};
		gpu[i] = (struct plot_point){(double)curve->point[i].size,
		                             curve->point[i].seconds[CROSSOVER_GPU]};
	}
	curve->even = plot_meet_find(cpu, gpu, curve->count);
}
