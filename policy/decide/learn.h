/* learn.h - corrects expected times by measured ones, per routine and size; totals; pure */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_DECIDE_LEARN_H
#define GPUSHIM_POLICY_DECIDE_LEARN_H

#include <stdatomic.h>
#include <stdbool.h>

#include "policy/call/decision.h"
#include "policy/decide/cost.h"

/*
 * Calls are sorted into buckets: a bucket holds calls of one routine whose work differs by less
 * than a factor of four. It has a cell for each shape: products with a long, a short and an
 * ordinary inner dimension, each thin or not; single transforms and batches of them; LAPACK's calls
 * by vectors or values, all of them or a range, few right-hand sides. Cells are found by hashing;
 * when all are taken, calls have only the correction of their routine.
 */
enum { LEARN_CELLS = 512, LEARN_SIDES = 2 };

/* So many calls of a bucket tell what it takes, whatever disturbed some of them. */
enum { LEARN_FEW = 8 };

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
};

/*
 * Totals for the summary. gain_ns: time that calls on the GPU saved against the time expected on
 * the CPU.
 */
struct learn_totals {
	_Atomic uint64_t looks, offloads;
	_Atomic double gain_ns;
	_Atomic double look_loss_ns; /* time of trials beyond the time expected on the other side */
	_Atomic double regret_ns; /* time of all calls beyond the time expected on the other side */
};

/*
 * All corrections, zeroed at the start. Threads read and write without a lock: if two add to one
 * mean at the same time, one observation may be lost, which changes nothing in the long run.
 */
struct learn {
	struct learn_cell cell[LEARN_CELLS];
	struct learn_mean routine[FAMILY_COUNT][ELEMENT_COUNT][LEARN_SIDES], all[LEARN_SIDES];
	/* time that calls would have saved with CUDA started, and LAPACK's with cuSOLVER started */
	_Atomic double savings_ns, solver_savings_ns;
	struct learn_totals totals;
};

/*
 * The expected time of each side after correction. doubt: the factor by which it may still be
 * wrong; 1 if a few calls of this bucket were measured on that side, more after the first calls,
 * and more the farther away the nearest measured calls are. low_ns: the time of a call that
 * nothing disturbs; more than time_ns never. seen: calls of this bucket that were measured there.
 * measured: some call was, of whatever kind. spent_ns as in learn_cell.
 */
struct learn_guess {
	double time_ns[LEARN_SIDES], low_ns[LEARN_SIDES], doubt[LEARN_SIDES];
	uint32_t seen[LEARN_SIDES];
	bool measured[LEARN_SIDES];
	double spent_ns;
	enum target last; /* side of the last call of this bucket; TARGET_CPU before the first */
};

/*
 * Corrects whole_ns of both sides as cost_predict gives them; -1 stays. doubt: that of an
 * uncorrected expectation, 1 or more. learn may be NULL: nothing is corrected.
 */
void learn_correct(const struct learn *learn, const struct call *call, const struct cost *cost,
                   double doubt, struct learn_guess *guess);

/*
 * Notes the time of a call on the side where it ran, decision->target. Times that are not positive
 * are ignored.
 */
void learn_note(struct learn *learn, const struct call *call, const struct decision *decision,
                double elapsed_ns);

/*
 * Notes the time of a call that includes costs which later calls do not have (the first use of a
 * kernel, a cuFFT plan): only where it took less than expected even so.
 */
void learn_note_first(struct learn *learn, const struct call *call, const struct decision *decision,
                      double elapsed_ns);

/* Adds to the time that calls would have saved with CUDA started, or with cuSOLVER started. */
void learn_note_saving(struct learn *learn, double saving_ns);
void learn_note_solver_saving(struct learn *learn, double saving_ns);

/* The number of the bucket of a call. */
unsigned learn_find_bucket(const struct call *call);

#endif
