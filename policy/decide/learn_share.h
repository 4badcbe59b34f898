/* learn_share.h - what calls that both sides shared teach; pure */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_DECIDE_LEARN_SHARE_H
#define GPUSHIM_POLICY_DECIDE_LEARN_SHARE_H

#include "policy/decide/learn.h"

/*
 * Of calls of this bucket that both sides shared: the times of their parts, in those that
 * cost_predict expects (0 before the first one), in the mean and with nothing that disturbs; that
 * of the whole, in those of the later part (1 before): which one is later changes from call to
 * call. The time of shared calls since one was left to a side alone, and of those since one was
 * shared.
 */
struct learn_shared {
	double ratio[LEARN_SIDES], low[LEARN_SIDES], whole, spent_ns, alone_ns;
};
struct learn_shared learn_share_find(const struct learn *learn, const struct call *call);

/*
 * Notes the times of both parts of a shared call, and of the whole. decision: what was expected;
 * cpu_share: what the CPU really had.
 */
void learn_share_note(struct learn *learn, const struct call *call, const struct decision *decision,
                      double cpu_share, const double part_ns[LEARN_SIDES], double elapsed_ns);

#endif
