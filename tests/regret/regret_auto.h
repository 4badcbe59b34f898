/* regret_auto.h - the policy auto as the shim uses it, from a cold start, on a virtual clock */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_REGRET_REGRET_AUTO_H
#define GPUSHIM_TESTS_REGRET_REGRET_AUTO_H

#include "policy/decide/replay.h"
#include "tests/regret/regret_machine.h"
#include "tests/regret/regret_truth.h"

/* One process, and what it knows. */
struct regret_auto {
	int index; /* of the machine */
	enum regret_belief belief;
	struct machine machine;
	struct learn learn;
	struct replay replay;
	struct replay_plan *plan; /* one per shape */
	bool loud;                /* each decision is printed */
};

/*
 * Begins a process that knows no more than belief; false where there is no memory. Afterwards
 * regret_auto_end.
 */
bool regret_auto_begin(struct regret_auto *one, const struct options *options, int index,
                       enum regret_belief belief, int shapes);
void regret_auto_end(struct regret_auto *one);

/* One call past the gate, gap_ns after the last one. */
void regret_auto_run(struct regret_auto *one, const struct call *call, int shape, double gap_ns,
                     const struct replay_times *times);

#endif
