/* page_part.h - the sections of the HTML page of a report */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_REPORT_PAGE_PART_H
#define GPUSHIM_CLI_REPORT_PAGE_PART_H

#include "cli/common/units.h"
#include "cli/report/report_group.h"
#include "page/plot.h"
#include "policy/machine/machine.h"

/* part of whole in percent; a dash where whole is 0. */
void page_part_write_share(double part, double whole, char out[HUMAN_BYTES]);

/* Each writes a section, with a sentence where there is nothing to show. */
void page_part_put_timeline(struct html *page, const struct log_sum *sum);
void page_part_put_curves(struct html *page, const struct log_sum *sum,
                          const struct machine *machine);
void page_part_put_sizes(struct html *page, const struct log_sum *sum);
void page_part_put_routines(struct html *page, const struct log_sum *sum);
void page_part_put_traffic(struct html *page, const struct log_sum *sum); /* or nothing */
void page_part_put_reasons(struct html *page, const struct log_sum *sum);
void page_part_put_ranks(struct html *page, const struct log_sum *sum); /* nothing for one rank */
void page_part_put_objects(struct html *page, const struct log_sum *sum);

#endif
