/* share_cost.h - how a call is best shared by CPU and GPU, and the time that it takes then; pure */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_DECIDE_SHARE_COST_H
#define GPUSHIM_POLICY_DECIDE_SHARE_COST_H

#include "policy/call/decision.h"
#include "policy/decide/cost.h"

/*
 * What is expected of the call on each side alone, by enum target, after all corrections; and by
 * which factor the parts of shared calls took longer than these say.
 */
struct share_sides {
	double alone_ns[2], factor[2];
};

/*
 * cpu_share: the CPU's part of the work. part_ns: the expected time of each side's part, by enum
 * target, without its factor. whole_ns: that of the call, with both.
 */
struct share_plan {
	double cpu_share, part_ns[2], whole_ns;
};

/* Whether calls like this can be divided: level 3, and batches of products or transforms. */
bool share_cost_takes(const struct call *call);

/*
 * The plan with this part of the work on the CPU, 0 < cpu_share < 1. The CPU's part takes its share
 * of the time alone, and a little for slices; of transforms at the rate of plans that are not
 * measured. The GPU's part takes what cost_predict says of it, as a part of what it says of the
 * call; but no less than setting->copy_threads need to copy its pageable operands. No operand of it
 * is held. false: the call cannot be divided so, or something is unknown.
 */
bool share_cost_predict(const struct machine *machine, const struct cost_setting *setting,
                        const struct call *call, const struct share_sides *sides, double cpu_share,
                        struct share_plan *plan);

/*
 * The plan in which both sides end together. false: that does not save a tenth of the time of the
 * better side alone, or calls of this kind are not shared.
 */
bool share_cost_find(const struct machine *machine, const struct cost_setting *setting,
                     const struct call *call, const struct share_sides *sides,
                     struct share_plan *plan);

/* The time of the call by this plan where the parts take so many times as long. */
double share_cost_time(const struct share_plan *plan, const double factor[2]);

/* The longest time of a shared call that pays, where the better side alone takes alone_ns. */
double share_cost_find_most(double alone_ns);

#endif
