/* steadiness.h - finds drift, two groups and outliers in the times of runs */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_COMPARE_STEADINESS_H
#define GPUSHIM_CLI_COMPARE_STEADINESS_H

#include <stdbool.h>
#include <stddef.h>

/*
 * drifts: the times grow or shrink in the order of the runs; drift: the median of the last third
 * divided by that of the first. is_split: the times form two groups, with these medians and
 * lengths. late: runs far above the median; 0 if there are two groups.
 */
struct steadiness {
	bool drifts, is_split;
	double drift, group[2];
	size_t length[2], late;
};

/*
 * times: in the order of the runs, all above 0. Drift is looked for in 8 times or more, groups in
 * 10 or more, late runs in 5 or more.
 */
struct steadiness steadiness_find(const double *times, size_t count);

#endif
