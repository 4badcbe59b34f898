/* report_page.h - the HTML page of a report */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_REPORT_REPORT_PAGE_H
#define GPUSHIM_CLI_REPORT_REPORT_PAGE_H

#include "cli/log/log_sum.h"
#include "policy/machine/machine.h"

/*
 * Stores the page at path; log_sum_end was called. machine: a complete profile for the curves
 * without transfers, or NULL. false after a message; an old file is kept then.
 */
bool report_page_write(const struct log_sum *sum, const struct machine *machine, const char *path);

#endif
