/* explain.h - the two reports of `gpushim explain` */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_EXPLAIN_EXPLAIN_H
#define GPUSHIM_CLI_EXPLAIN_EXPLAIN_H

#include "cli/explain/explain_facts.h"

/* One call. */
void explain_print(struct emit *emit, const struct explain_facts *facts);

/*
 * The size from which on each routine is faster on the GPU. The text also has a plot of the speedup
 * against the size. setting: operands are in pageable memory.
 */
void explain_table_print(struct emit *emit, const struct known_machine *machine,
                         const struct cost_setting *setting);

#endif
