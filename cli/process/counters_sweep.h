/* counters_sweep.h - removes what killed programs left behind */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_PROCESS_COUNTERS_SWEEP_H
#define GPUSHIM_CLI_PROCESS_COUNTERS_SWEEP_H

#include <stddef.h>

/*
 * Removes the user's files of counters, and folders of the tool's runs, whose process is gone.
 * Returns how many.
 */
size_t counters_sweep_folder(const char *folder);

#endif
