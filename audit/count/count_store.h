/* count_store.h - the counts of a process: in private memory, then in a shared file */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_AUDIT_COUNT_COUNT_STORE_H
#define GPUSHIM_AUDIT_COUNT_COUNT_STORE_H

#include <stdbool.h>

#include "audit/count/count_file.h"
#include "shim/base/clock.h"

/* A forked child counts in its parent's file, so that nothing is lost or counted twice. */
extern struct count_file count_store;

/* The time since the process image began to count, as struct count_time has it. */
static inline uint64_t count_store_read_clock(void)
{
	return (clock_ticks() - count_store.start.ticks) >> COUNT_TICKS_SHIFT;
}

/* Reads the environment. false where it asks for no counts. */
bool count_store_prepare(void);

/*
 * Makes the file and moves the counts there; later calls do nothing. To be called when the first
 * library with routines of the tables is loaded. On failure the counts stay private, and a message
 * is printed.
 */
void count_store_open(void);

/*
 * The number of a new row, or -1 where none is left: then the file's count exceeds the number of
 * rows. The caller fills the row and then sets its ready.
 */
int count_store_add_cell(void);
int count_store_add_object(void);

#endif
