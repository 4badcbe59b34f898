/* transfer_copy.h - copies between user memory and the rings: ours, and plain ones */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_BENCH_ENGINE_TRANSFER_COPY_H
#define GPUSHIM_BENCH_ENGINE_TRANSFER_COPY_H

#include <stdbool.h>

#include "shim/execute/gpu/copy/pack.h"
#include "shim/execute/gpu/engine/staging.h"

/* Who copies: the library's threads and functions, or threads with a plain loop of one kind. */
enum transfer_who {
	TRANSFER_OURS,
	TRANSFER_MEMCPY,
	TRANSFER_STRING,
	TRANSFER_VECTOR,
	TRANSFER_KINDS
};

/* A copy of an area of user memory, chunk by chunk, into the ring of its way or out of it. */
struct transfer {
	enum transfer_who who;
	enum staging_way way;
	struct pack_area area;
	const struct pack_rule *rule; /* for ours only */
};

const char *transfer_copy_name(enum transfer_who who);

/* Whether this processor has the instructions. */
bool transfer_copy_has(enum transfer_who who);

/* Copies by this many threads, the caller among them. Returns nanoseconds. */
double transfer_copy_run(const struct transfer *transfer, const struct staging *staging,
                         int threads);

#endif
