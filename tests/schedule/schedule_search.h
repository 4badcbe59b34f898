/* schedule_search.h - carries a call out in all orders, with all widths and slices, to find the best */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_SCHEDULE_SCHEDULE_SEARCH_H
#define GPUSHIM_TESTS_SCHEDULE_SCHEDULE_SEARCH_H

#include "tests/schedule/schedule_run.h"

/*
 * The least virtual time, its choice, and how many there were; less than 0 where one of them
 * failed.
 */
double schedule_search_run(const struct schedule_run *run, struct panel_choice *best,
                           double *tried);

#endif
