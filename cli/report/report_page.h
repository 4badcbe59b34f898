/* report_page.h - a report of logs as a page of HTML with plots */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_REPORT_REPORT_PAGE_H
#define GPUSHIM_CLI_REPORT_REPORT_PAGE_H

#include "cli/log/log_sum.h"
#include "policy/machine/machine.h"

/*
 * Stores the page of sums that have ended at path. machine: a complete profile, whose expectation
 * without transfers is drawn beside the times; or NULL. false: one sentence was said, and an old
 * file is as it was.
 */
bool report_page_write(const struct log_sum *sum, const struct machine *machine, const char *path);

#endif
