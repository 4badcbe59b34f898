/* count_store.h - the process's counts: private memory first, a shared file from the first library of interest on */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_AUDIT_COUNT_COUNT_STORE_H
#define GPUSHIM_AUDIT_COUNT_COUNT_STORE_H

#include <stdbool.h>

#include "audit/count/count_file.h"

/* A forked child goes on in its parent's file, so that nothing is lost or counted twice. */
extern struct count_file count_store;

/* Reads the environment; false where nothing is to be counted. */
bool count_store_prepare(void);

/*
 * Makes the file, once, and moves the counts there. On failure they stay private, and one sentence
 * says so.
 */
void count_store_open(void);

/*
 * A new row, or -1 where there is none left; the loss is counted. To be filled, and then marked as
 * ready.
 */
int count_store_add_cell(void);
int count_store_add_object(void);

#endif
