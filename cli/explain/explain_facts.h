/* explain_facts.h - all that there is to say about one call on one machine, as numbers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_EXPLAIN_EXPLAIN_FACTS_H
#define GPUSHIM_CLI_EXPLAIN_EXPLAIN_FACTS_H

#include "cli/common/call_problem.h"
#include "cli/common/known_machine.h"

enum { EXPLAIN_CHANGES = 4, EXPLAIN_CHANGE_BYTES = 96 };

/* By speedup: over 5, 2 to 5, 1 to 2, below 1; or not known. */
enum explain_band { BAND_SIGNIFICANT, BAND_WORTHWHILE, BAND_MARGINAL, BAND_DO_NOT, BAND_UNKNOWN };

/* Something that would change where the call goes, or what it takes: an option in its environment's spelling, or words.
 */
struct explain_change {
	bool is_option;
	char text[EXPLAIN_CHANGE_BYTES];
	struct decision decision; /* under that option */
	double cpu_ns, gpu_ns;
};

struct explain_facts {
	const struct call_problem *problem;
	const struct known_machine *machine;
	const struct cost_setting *setting;
	const struct call *call;
	struct decision
		decision; /* once such calls took what the model expects of them, on either side */
	struct decision first; /* on the first one, which may look at the other side */
	bool gated; /* the shim's gate forwards it without a decision; gate_bytes is where that ends */
	uint64_t gate_bytes;
	struct cost cost;
	double speedup; /* 0: unknown */
	enum explain_band band;
	double intensity,
		break_even; /* flops per byte that crosses the link; DBL_MAX as in policy/decide/cost.h */
	int64_t smallest; /* as explain_smallest_find */
	double start_calls,
		plan_calls; /* so many calls pay for CUDA's start, for a cuFFT plan; 0 where none does */
	int changes;
	struct explain_change change[EXPLAIN_CHANGES];
};

void explain_facts_find(struct explain_facts *facts, const struct options *options);

/* The words: "significant", "worthwhile", "marginal", "do not offload", "unknown". */
const char *explain_facts_name_band(enum explain_band band);

/* The band of a speedup; 0 is unknown. */
enum explain_band explain_facts_find_band(double speedup);

#endif
