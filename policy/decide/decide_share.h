/* decide_share.h - whether both sides share a call that one side would compute; pure */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_DECIDE_DECIDE_SHARE_H
#define GPUSHIM_POLICY_DECIDE_DECIDE_SHARE_H

#include "policy/decide/learn.h"
#include "policy/decide/share_cost.h"

/*
 * The plan of a call that is to be shared, where decision leaves it to one side: part_ns as the
 * model says, whole_ns as is expected. guess: of both sides, whose times are known; learn may be
 * NULL. false: one side alone computes it, because that takes less than a tenth longer or is to be
 * measured again.
 */
bool decide_share_find(const struct machine *machine, const struct learn *learn,
                       const struct cost_setting *setting, const struct call *call,
                       const struct learn_guess *guess, const struct decision *decision,
                       struct share_plan *plan);

#endif
