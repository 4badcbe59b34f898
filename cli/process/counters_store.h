/* counters_store.h - where the processes of a run put their counts, until the run is over */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_PROCESS_COUNTERS_STORE_H
#define GPUSHIM_CLI_PROCESS_COUNTERS_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cli/process/counters_read.h"
#include "shim/record/pool.h"

struct counters_store_part {
	struct pool_head *head;
	size_t size_bytes;
};

/*
 * name: the value of the option counters, owned; NULL where there is no store. part: of a pool;
 * none where the store is a folder. folder: of the counts of other nodes, beside a pool; owned;
 * NULL without. named: the folder or the pool is not the tool's own.
 */
struct counters_store {
	char *name, *folder;
	bool named;
	size_t parts;
	struct counters_store_part part[POOL_SEGMENTS];
};

/*
 * A pool, which the kernel removes with the tool and its programs, however they end. Where the
 * system has no shared memory a folder, which counters_store_free removes. false after a message.
 */
bool counters_store_make(struct counters_store *store);

/*
 * Lets processes of other nodes take part in a pool that was made: by a folder in the user's cache,
 * which the nodes may share. Where no folder can be made the pool stays as it is.
 */
void counters_store_widen(struct counters_store *store);

/* The folder that the user named, or the pool of an outer run. false after a message. */
bool counters_store_open(struct counters_store *store, const char *name);

/* Adds the counts of the processes that started at since_ns (CLOCK_REALTIME) or later. */
void counters_store_read(const struct counters_store *store, struct counters_read *counters,
                         int64_t since_ns);

/* Whether most of a pool is in use. */
bool counters_store_is_filling(const struct counters_store *store);

void counters_store_free(struct counters_store *store);

#endif
