/* replay.h - one process that decides again on calls whose times are known, on a clock of its own; pure */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_DECIDE_REPLAY_H
#define GPUSHIM_POLICY_DECIDE_REPLAY_H

#include "policy/decide/decide.h"

/* What the engine keeps of a transform's plan. Begins zeroed. */
struct replay_plan {
	double saved_ns;
	bool made;
};

/* What a call takes on each side, and what its first transform on the GPU pays for beside. */
struct replay_times {
	double cpu_ns, gpu_ns, plan_ns;
};

/*
 * One process from its cold start, as shim/route/route_decide.c decides. The caller fills the first
 * five and, of the situation, its setting; all else is zeroed. Times in nanoseconds of its own
 * clock; busy: in calls, and waiting for CUDA, alone.
 */
struct replay {
	const struct options *options;
	struct experience experience;
	struct situation situation;
	double start_ns; /* that CUDA takes to start */
	uint64_t gate_bytes[FAMILY_COUNT][ELEMENT_COUNT];
	double clock_ns, ready_ns, busy_ns;
	uint64_t offloads;
};

/* Sets the gates by what is known now: at the beginning, and when that has changed. */
void replay_open_gates(struct replay *replay);

/*
 * Whether the gate lets the call pass. What stays in front of it takes its time on the CPU, and
 * teaches nothing.
 */
bool replay_decides(const struct replay *replay, const struct call *call);
void replay_pass(struct replay *replay, double gap_ns, double cpu_ns);

/*
 * The program works for so long. Whether CUDA has come up meanwhile: what its warm-up finds out
 * goes into the experience then, and replay_open_gates follows.
 */
bool replay_advance(struct replay *replay, double gap_ns);

/* One call that the gate lets pass. plan: of its transform; of a product any. */
void replay_run(struct replay *replay, const struct call *call, struct replay_plan *plan,
                const struct replay_times *times, struct decision *decision);

#endif
