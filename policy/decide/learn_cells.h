/* learn_cells.h - cells for calls of about equal work and shape, found by hashing; pure */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_DECIDE_LEARN_CELLS_H
#define GPUSHIM_POLICY_DECIDE_LEARN_CELLS_H

#include <stdatomic.h>
#include <stdint.h>

#include "policy/call/call.h"
#include "policy/decide/learn_mean.h"

/*
 * Calls are sorted into buckets: a bucket holds calls of one routine whose work differs by less
 * than a factor of four. It has a cell for each shape: products with a long, a short and an
 * ordinary inner dimension, each thin or not; single transforms and batches of them; LAPACK's calls
 * by vectors or values, all of them or a range, few right-hand sides. Cells are found by hashing;
 * when all are taken, calls have only the correction of their routine.
 */
enum { LEARN_CELLS = 512, LEARN_SIDES = 2 };

struct learn_cell {
	_Atomic uint32_t key; /* 0: free */
	/* side (enum target) of the last call plus one; 0 before the first call */
	_Atomic uint32_t last;
	struct learn_mean mean[LEARN_SIDES]; /* by enum target */
	/* time spent on the side of the last call since the other side was tried */
	_Atomic double spent_ns;
	/*
	 * Of calls that both sides shared: measured / expected time of each part, and of the whole
	 * as its parts say; whether no call ran on that side alone since; the time of those since
	 * one was left to a side alone, and of calls alone since one was shared.
	 */
	struct learn_mean part[LEARN_SIDES], whole;
	_Atomic uint16_t newest[LEARN_SIDES];
	_Atomic double shared_ns, alone_ns;
};

/* Keys of neighbouring buckets, and of the shapes of a bucket, are at constant distances. */
enum {
	LEARN_BUCKETS = 512,
	LEARN_RANKS = 3, /* of transforms, each with several rigours, of one and of several */
	LEARN_SHAPES = 2 * LEARN_RANKS * FFT_RIGOURS
};

/* The number of the bucket of a call; the key of its cell, never 0. */
unsigned learn_cells_find_bucket(const struct call *call);
uint32_t learn_cells_name(const struct call *call);

/* Of LEARN_CELLS cells the one with the key; NULL: there is none. */
const struct learn_cell *learn_cells_find(const struct learn_cell cells[], uint32_t key);

/* The same, created if it is missing; NULL if there is no room. From any thread. */
struct learn_cell *learn_cells_take(struct learn_cell cells[], uint32_t key);

#endif
