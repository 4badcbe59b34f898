/* cli_page_part.h - the parts of a report's page */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_CLI_PAGE_PART_H
#define GPUSHIM_CLI_CLI_PAGE_PART_H

#include "cli/cli_explain_words.h"
#include "cli/cli_page.h"
#include "cli/cli_report_group.h"
#include "page/plot.h"

/* Part of whole in percent; a dash where there is nothing to divide. */
void cli_page_write_share(double part, double whole, char out[HUMAN_BYTES]);

/* Sections of a page, each with a sentence where there is nothing to show. */
void cli_page_put_timeline(struct html *page, const struct cli_log_sum *sum);
void cli_page_put_curves(struct html *page, const struct cli_log_sum *sum, const struct machine *machine);
void cli_page_put_sizes(struct html *page, const struct cli_log_sum *sum);
void cli_page_put_routines(struct html *page, const struct cli_log_sum *sum);
void cli_page_put_reasons(struct html *page, const struct cli_log_sum *sum);
void cli_page_put_objects(struct html *page, const struct cli_log_sum *sum);

#endif
