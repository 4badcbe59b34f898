/* count_sample.h - samples of where the threads run, for code whose calls cannot be seen */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_AUDIT_COUNT_COUNT_SAMPLE_H
#define GPUSHIM_AUDIT_COUNT_COUNT_SAMPLE_H

#include <stdbool.h>

/* Begins to sample the threads that exist. Later calls do nothing. */
void count_sample_open(void);

/* Begins to sample threads that were made since, and forgets those that have ended. */
void count_sample_adopt(void);

/*
 * Whether the signal is the samples' own: to the program it has its default action. Ends the
 * samples if the program is about to set another one.
 */
bool count_sample_yields(int signal, bool is_set);

/* In a forked child, which has none of its parent's timers. */
void count_sample_reopen(void);

#endif
