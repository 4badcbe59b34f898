/* replay.h - a process that decides again on calls whose times are known; pure */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_DECIDE_REPLAY_H
#define GPUSHIM_POLICY_DECIDE_REPLAY_H

#include "policy/decide/decide.h"

/* What the engine knows of a plan of cuFFT. Begins zeroed. */
struct replay_plan {
	double saved_ns;
	bool made;
};

/*
 * Times of a call on each side alone, and of the creation of its cuFFT plan. share_factor: by which
 * factor both parts of a shared call take longer than their share of these, by enum target; 0: they
 * take no longer.
 */
struct replay_times {
	double cpu_ns, gpu_ns, plan_ns;
	double share_factor[2];
};

/*
 * One process from its cold start, which decides as shim/route/route_decide.c does. The caller sets
 * options, experience, situation.setting and start_ns; the rest is zeroed. Times are in nanoseconds
 * of the clock of this process; busy_ns is the time in calls and in waiting for CUDA.
 */
struct replay {
	const struct options *options;
	struct experience experience;
	struct situation situation;
	double start_ns; /* time that CUDA takes to start */
	uint64_t gate_bytes[FAMILY_COUNT][ELEMENT_COUNT];
	/* Routines that the GPU has run: the first use of a kernel teaches nothing. */
	bool used[FAMILY_COUNT][ELEMENT_COUNT];
	double clock_ns, ready_ns, busy_ns;
	uint64_t offloads;
	struct replay_plan solver; /* cuSOLVER, which the first LAPACK call starts */
};

/* Sets the gates by the present experience: at the beginning, and when it has changed. */
void replay_open_gates(struct replay *replay);

/*
 * Whether the gate lets the call pass. replay_pass is for calls that it does not: they take cpu_ns
 * on the CPU, and nothing is learnt.
 */
bool replay_decides(const struct replay *replay, const struct call *call);
void replay_pass(struct replay *replay, double gap_ns, double cpu_ns);

/*
 * The program computes for gap_ns. true if CUDA has started meanwhile: the caller then puts the
 * results of the warm-up into the experience and calls replay_open_gates.
 */
bool replay_advance(struct replay *replay, double gap_ns);

/* Runs one call that passed the gate. plan: that of its transform; for others any. */
void replay_run(struct replay *replay, const struct call *call, struct replay_plan *plan,
                const struct replay_times *times, struct decision *decision);

#endif
