/* learn.h - corrects expected times by measured ones, per routine and size; totals; pure */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_DECIDE_LEARN_H
#define GPUSHIM_POLICY_DECIDE_LEARN_H

#include <stdatomic.h>
#include <stdbool.h>

#include "policy/call/decision.h"
#include "policy/decide/cost.h"
#include "policy/decide/learn_cells.h"
#include "policy/decide/learn_mean.h"

/* So many calls of a bucket tell what it takes, whatever disturbed some of them. */
enum { LEARN_FEW = 8 };

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
 * uncorrected expectation, 1 or more. learn may be NULL: nothing is corrected. A side that was
 * faster in a call that both shared, and has computed none alone since, is taken to be that fast.
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
