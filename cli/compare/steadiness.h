/* steadiness.h - whether the times of runs are those of one and the same thing */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_COMPARE_STEADINESS_H
#define GPUSHIM_CLI_COMPARE_STEADINESS_H

#include <stdbool.h>
#include <stddef.h>

/*
 * drifts: they grow or shrink in the order of the runs; drift: median of the last third / of the
 * first. is_split: they fall into two groups, with these medians and lengths. late: runs far above
 * the median, where they are not a group.
 */
struct steadiness {
	bool drifts, is_split;
	double drift, group[2];
	size_t length[2], late;
};

/*
 * times: in the order of the runs, all above 0. Fewer than 8 tell nothing of drift, fewer than 10
 * nothing of groups.
 */
struct steadiness steadiness_find(const double *times, size_t count);

#endif
