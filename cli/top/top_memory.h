/* top_memory.h - finds counters in the shared memory of running processes and of runs */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_TOP_TOP_MEMORY_H
#define GPUSHIM_CLI_TOP_TOP_MEMORY_H

#include "cli/top/top_read.h"

/*
 * Calls see for the counts of each process. fault other than TOP_FINE: they are left out, name says
 * whose they are, and there is no sample.
 */
void top_memory_visit(void (*see)(void *context, enum top_fault fault, const char *name,
                                  const struct top_sample *sample),
                      void *context);

#endif
