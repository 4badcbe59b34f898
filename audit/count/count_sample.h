/* count_sample.h - samples of where the threads run, for code whose calls cannot be seen */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_AUDIT_COUNT_COUNT_SAMPLE_H
#define GPUSHIM_AUDIT_COUNT_COUNT_SAMPLE_H

/* Begins to sample the threads that exist. Later calls do nothing. */
void count_sample_open(void);

/* Begins to sample threads that were made since, and forgets those that have ended. */
void count_sample_adopt(void);

/* In a forked child, which has none of its parent's timers. */
void count_sample_reopen(void);

#endif
