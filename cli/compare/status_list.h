/* status_list.h - the exit statuses of a side's runs */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_COMPARE_STATUS_LIST_H
#define GPUSHIM_CLI_COMPARE_STATUS_LIST_H

#include <stdbool.h>
#include <stddef.h>

enum { STATUS_LIST_LENGTH = 256 };

/* runs: how many ended with each status, as child_status has it. */
struct status_list {
	size_t runs[STATUS_LIST_LENGTH];
};

void status_list_add(struct status_list *list, int status);
size_t status_list_count(const struct status_list *list);
size_t status_list_count_failed(const struct status_list *list);

/* How many different statuses there are. */
size_t status_list_count_kinds(const struct status_list *list);

/*
 * Whether the runs with the shim ended otherwise than those without it: with a status that none of
 * those had. Where those end with several statuses, another one is theirs too, unless it stands for
 * a signal.
 */
bool status_list_differs(const struct status_list *with, const struct status_list *without);

/* "0", or of several statuses "0 (5 runs), 7 (2 runs)"; to be freed. */
char *status_list_describe(const struct status_list *list);

#endif
