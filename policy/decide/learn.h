/* learn.h - what calls took, against what was expected: corrections per routine and size, and the totals; pure */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_DECIDE_LEARN_H
#define GPUSHIM_POLICY_DECIDE_LEARN_H

#include <stdatomic.h>
#include <stdbool.h>

#include "policy/call/decision.h"
#include "policy/decide/cost.h"

/*
 * Sizes are put into buckets: one bucket holds calls of one routine whose work differs by less than
 * a factor of four, and has a cell each for products with a long, a short and an ordinary inner
 * dimension, thin or not (for one transform, and many). Cells are found by hashing; where all are
 * taken, calls have only their routine's correction.
 */
enum { LEARN_CELLS = 512, LEARN_SIDES = 2 };

/*
 * Of one side (an enum target): measured / expected time, averaged, and how many calls stand behind
 * it.
 */
struct learn_mean {
	_Atomic double ratio;
	_Atomic uint32_t seen;
};

struct learn_cell {
	_Atomic uint32_t key;  /* 0: free */
	_Atomic uint32_t last; /* enum target of the last call, plus one; 0 before the first */
	struct learn_mean mean[LEARN_SIDES];
	_Atomic double
		spent_ns; /* on the side of the last call, since the other one was looked at */
};

/*
 * Totals that a summary tells of. gain_ns: of offloads, against what the CPU was expected to take.
 */
struct learn_totals {
	_Atomic uint64_t looks, offloads;
	_Atomic double gain_ns,
		look_loss_ns; /* of looks, against the side that was expected to be faster */
	_Atomic double
		regret_ns; /* of all calls that took longer than the other side was expected to */
	_Atomic double dry_cpu_ns,
		dry_gpu_ns; /* of a dry run's calls that are faster there: taken here, expected there */
};

/*
 * All of it, zeroed at the start. Threads read and add without a lock: of two that add to one mean
 * at the same time one may lose its observation, which changes nothing in the long run.
 */
struct learn {
	struct learn_cell cell[LEARN_CELLS];
	struct learn_mean routine[FAMILY_COUNT][ELEMENT_COUNT][LEARN_SIDES], all[LEARN_SIDES];
	_Atomic double savings_ns; /* that calls could have had, had CUDA been started */
	struct learn_totals totals;
};

/*
 * What is expected of each side after correction. doubt: the factor by which that may still be
 * wrong: 1 where a few calls of this bucket were seen on that side, more after the first ones, and
 * the farther away the nearest ones were.
 */
struct learn_guess {
	double time_ns[LEARN_SIDES], doubt[LEARN_SIDES];
	double spent_ns;
	enum target last; /* of calls of this bucket; TARGET_CPU before the first */
};

/*
 * Corrects what cost_predict expects, whole_ns of each side; what is unknown stays -1. doubt: of an
 * uncorrected expectation, 1 or more. learn may be NULL: nothing is corrected.
 */
void learn_correct(const struct learn *learn, const struct call *call, const struct cost *cost,
                   double doubt, struct learn_guess *guess);

/*
 * Adds what a call took on the side where it ran, decision->target. A call that was to pay for
 * something first (a cuFFT plan) does not tell how long such calls take: it is not to be noted.
 * Times that are not positive are left out.
 */
void learn_note(struct learn *learn, const struct call *call, const struct decision *decision,
                double elapsed_ns);

/* Adds to what calls could have saved, had CUDA been started. */
void learn_note_saving(struct learn *learn, double saving_ns);

/* The bucket of a call. */
unsigned learn_find_bucket(const struct call *call);

#endif
