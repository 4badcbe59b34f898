/* regret_replay.h - one trace on one machine by all policies: the same calls, the same noise */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_REGRET_REGRET_REPLAY_H
#define GPUSHIM_TESTS_REGRET_REGRET_REPLAY_H

#include "policy/options/options.h"
#include "tests/regret/call_trace.h"
#include "tests/regret/regret_fault.h"
#include "tests/regret/regret_machine.h"
#include "tests/regret/regret_rule.h"
#include "tests/regret/regret_truth.h"

/*
 * Times are those of the calls and of what they wait for, without the program's own time. wrong_ns:
 * the sum over routines and buckets of the largest difference between both sides.
 */
struct regret_outcome {
	double start_ns;
	double wrong_ns;
	double rule_ns[REGRET_RULES], auto_ns[REGRET_BELIEFS], oracle_ns;
	uint64_t looks[REGRET_BELIEFS], offloads[REGRET_BELIEFS];
};

/* false where there is no memory. */
bool regret_replay(const struct call_trace *trace, const struct regret_trial *trial,
                   struct regret_outcome *outcome);

#endif
