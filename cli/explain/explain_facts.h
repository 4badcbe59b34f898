/* explain_facts.h - what explain tells about one call on one machine, as numbers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_EXPLAIN_EXPLAIN_FACTS_H
#define GPUSHIM_CLI_EXPLAIN_EXPLAIN_FACTS_H

#include "cli/explain/explain_predict.h"
#include "cli/explain/explain_smallest.h"

enum { EXPLAIN_CHANGES = 6, EXPLAIN_CHANGE_BYTES = 96 };

/* By speedup: over 5, 2 to 5, 1 to 2, below 1; unknown. */
enum explain_band { BAND_SIGNIFICANT, BAND_WORTHWHILE, BAND_MARGINAL, BAND_DO_NOT, BAND_UNKNOWN };

/*
 * A change that would move the call or change its time. text: an option as the environment spells
 * it, with is_option, and then decision is the one under this option; else words. waits: the option
 * is that calls wait for CUDA; decision is that on the first one, and the times are those of all
 * calls without it (cpu_ns) and with it, CUDA's start included.
 */
struct explain_change {
	bool is_option, waits;
	char text[EXPLAIN_CHANGE_BYTES];
	struct decision decision;
	double cpu_ns, gpu_ns;
};

struct explain_facts {
	const struct call_problem *problem;
	struct explain_view view;
	const struct call *call;
	struct decision decision; /* after such calls took the expected time on both sides */
	struct decision first; /* of the first call once CUDA runs, which may try the other side */
	bool gated; /* the gate forwards the call without a decision, as it is below gate_bytes */
	uint64_t gate_bytes;
	bool kept; /* explain_decide_is_kept */
	struct cost cost;
	struct explain_prediction prediction; /* of calls like this one */
	uint64_t calls;                       /* as many as were asked for */
	double speedup;                       /* 0: unknown */
	enum explain_band band;
	/* flops per byte that crosses the link; DBL_MAX as in policy/decide/cost.h */
	double intensity, break_even;
	struct explain_smallest smallest;
	/*
	 * calls that save what CUDA's start, a cuFFT plan, or cuSOLVER's start costs; 0: they
	 * never do
	 */
	double start_calls, plan_calls, solver_calls;
	int changes;
	struct explain_change change[EXPLAIN_CHANGES];
};

/* problem, view and call are set, the rest is zeroed. */
void explain_facts_find(struct explain_facts *facts);

/*
 * Once prediction and calls are set: adds the change that calls wait for CUDA, where the first one
 * is on the CPU because CUDA does not run yet, and waiting takes less time in all.
 */
void explain_facts_find_wait(struct explain_facts *facts);

/* "significant", "worthwhile", "marginal", "do not offload", "unknown". */
const char *explain_facts_name_band(enum explain_band band);

/* The band of a speedup; 0 is unknown. */
enum explain_band explain_facts_find_band(double speedup);

#endif
