/* decide_share.c - the plan of a call for both sides, if one pays */
/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/decide/decide_share.h"

#include "policy/decide/learn_share.h"

/*
 * The better side alone is tried again when the expected loss is at most this share of the time of
 * the shared calls since, and so are shared calls after those alone.
 */
static const double decide_share_trial = 0.005;

/* The sides, whose parts of shared calls take so many times as long as the model says. */
static struct share_sides decide_share_find_sides(const struct learn_guess *guess,
                                                  const double model_ns[LEARN_SIDES],
                                                  const double ratio[LEARN_SIDES])
{
	struct share_sides sides;
	for (int side = 0; side < LEARN_SIDES; side++) {
		sides.alone_ns[side] = guess->time_ns[side];
		sides.factor[side] = ratio[side] > 0 && guess->time_ns[side] > 0
		                             ? ratio[side] * model_ns[side] / guess->time_ns[side]
		                             : 1;
	}
	return sides;
}

/*
 * Plans that pay by what shared calls took, or by what they took while nothing disturbed them; the
 * expected time is that of the mean in both cases.
 */
static bool decide_share_make(const struct machine *machine, const struct cost_setting *setting,
                              const struct call *call, const struct learn_guess *guess,
                              const double model_ns[LEARN_SIDES], const struct learn_shared *shared,
                              struct share_plan *plan)
{
	const struct share_sides mean = decide_share_find_sides(guess, model_ns, shared->ratio),
				 low = decide_share_find_sides(guess, model_ns, shared->low);
	if (!share_cost_find(machine, setting, call, &mean, plan) &&
	    (!(shared->alone_ns > 0) || !share_cost_find(machine, setting, call, &low, plan)))
		return false;
	plan->whole_ns = share_cost_time(plan, mean.factor) * shared->whole;
	return true;
}

/* Whether a shared call is due, where the better side alone takes alone_ns. */
static bool decide_share_is_due(const struct learn_shared *shared, double whole_ns, double alone_ns)
{
	if (shared->spent_ns > 0 && alone_ns - whole_ns <= decide_share_trial * shared->spent_ns)
		return false;
	return whole_ns - share_cost_find_most(alone_ns) <= decide_share_trial * shared->alone_ns;
}

bool decide_share_find(const struct machine *machine, const struct learn *learn,
                       const struct cost_setting *setting, const struct call *call,
                       const struct learn_guess *guess, const struct decision *decision,
                       struct share_plan *plan)
{
	const double model_ns[] = {decision->model_cpu_ns, decision->model_gpu_ns};
	const struct learn_shared shared = learn_share_find(learn, call);
	if (!decide_share_make(machine, setting, call, guess, model_ns, &shared, plan) ||
	    !decide_share_is_due(&shared, plan->whole_ns, guess->time_ns[decision->target]))
		return false;
	for (int side = 0; side < LEARN_SIDES; side++)
		plan->part_ns[side] *= model_ns[side] / guess->time_ns[side];
	return true;
}
