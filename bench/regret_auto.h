/* regret_auto.h - the policy auto as the shim uses it, from a cold start, on a virtual clock */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_BENCH_REGRET_AUTO_H
#define GPUSHIM_BENCH_REGRET_AUTO_H

#include "bench/regret_machine.h"
#include "bench/regret_truth.h"
#include "policy/decide.h"

/* What the engine keeps of a transform's plan. */
struct regret_plan {
	double saved_ns;
	bool made;
};

/* One process. Times in nanoseconds of its own clock. */
struct regret_auto {
	int index; /* of the machine */
	enum regret_belief belief;
	struct machine machine;
	struct learn learn;
	struct experience experience;
	struct situation situation;
	const struct options *options;
	uint64_t gate_bytes[FAMILY_COUNT][ELEMENT_COUNT];
	struct regret_plan *plan;           /* one per shape */
	double clock_ns, ready_ns, busy_ns; /* busy: in calls alone */
	uint64_t offloads;
	bool loud; /* each decision is printed */
};

/* Begins a process that knows no more than belief; false where there is no memory. Afterwards regret_auto_end. */
bool regret_auto_begin(struct regret_auto *one, const struct options *options, int index, enum regret_belief belief,
                       int shapes);
void regret_auto_end(struct regret_auto *one);

/* Whether the gate lets the call pass. What stays in front of it takes its time on the CPU, and teaches nothing. */
bool regret_auto_decides(const struct regret_auto *one, const struct call *call);
void regret_auto_pass(struct regret_auto *one, double gap_ns, double cpu_ns);

/* One call, gap_ns after the last one, which would take cpu_ns or gpu_ns. */
void regret_auto_run(struct regret_auto *one, const struct call *call, int shape, double gap_ns, double cpu_ns,
                     double gpu_ns, double plan_ns);

#endif
