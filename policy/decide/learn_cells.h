/* learn_cells.h - cells for calls of about equal work and shape, found by hashing; pure */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_DECIDE_LEARN_CELLS_H
#define GPUSHIM_POLICY_DECIDE_LEARN_CELLS_H

#include <stdatomic.h>
#include <stdint.h>

#include "policy/call/call.h"

/*
 * Calls are sorted into buckets: a bucket holds calls of one routine whose work differs by less
 * than a factor of four. It has a cell for each shape: products with a long, a short and an
 * ordinary inner dimension, each thin or not; single transforms and batches of them; LAPACK's calls
 * by vectors or values, all of them or a range, few right-hand sides. Cells are found by hashing;
 * when all are taken, calls have only the correction of their routine.
 */
enum { LEARN_CELLS = 512, LEARN_SIDES = 2 };

/*
 * Measured / expected time on one side (an enum target): the mean; the level of calls that nothing
 * disturbed, which the mean returns to after a burst; the number of calls; how many of the last
 * ones in a row took much longer than that level; and whether any call was about as short (before,
 * the level is what was expected).
 */
struct learn_mean {
	_Atomic double ratio, low;
	_Atomic uint32_t seen;
	_Atomic uint16_t streak, found;
};

struct learn_cell {
	_Atomic uint32_t key; /* 0: free */
	/* side (enum target) of the last call plus one; 0 before the first call */
	_Atomic uint32_t last;
	struct learn_mean mean[LEARN_SIDES];
	/* time spent on the side of the last call since the other side was tried */
	_Atomic double spent_ns;
	/*
	 * Of calls that both sides shared: measured / expected time of each part, their number, and
	 * the time that they took since a call was last left to one side.
	 */
	_Atomic double part_ratio[LEARN_SIDES], shared_ns;
	_Atomic uint32_t shared;
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
