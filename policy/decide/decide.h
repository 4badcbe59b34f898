/* decide.h - the one place where a call's target is chosen; pure: data in, decision out */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_DECIDE_DECIDE_H
#define GPUSHIM_POLICY_DECIDE_DECIDE_H

#include <stdbool.h>

#include "policy/call/call.h"
#include "policy/call/decision.h"
#include "policy/decide/cost.h"
#include "policy/decide/learn.h"
#include "policy/machine/machine.h"
#include "policy/options/options.h"

enum gpu_state {
	GPU_ASLEEP,  /* CUDA was not asked for yet */
	GPU_WARMING, /* it is starting in the background */
	GPU_READY,
	GPU_OFF /* it cannot be used in this process; situation.off_reason says why */
};

/* What the process knows at the moment of the call. */
struct situation {
	enum gpu_state gpu;
	enum reason off_reason;
	int device;            /* the device a call would go to, when gpu is GPU_READY */
	bool program_excluded; /* by the options only and except */
	struct cost_setting setting;
	double setup_saved_ns; /* what earlier calls of the same kind could have saved, had setup_ns been spent */
	bool device_only; /* an operand lies where the CPU cannot read it */
	bool start_is_free; /* the user asked to wait for CUDA, or it fails at once: its start is not weighed */
};

/* Where the machine's rates come from: less doubt from row to row. */
enum experience_source {
	EXPERIENCE_ASSUMED, /* nobody measured this machine */
	EXPERIENCE_LOOKED,  /* the warm-up had a quick look at the GPU and its link */
	EXPERIENCE_MEASURED /* a profile of gpushim calibrate, made here */
};

/* What decisions are made from. Either may be NULL: nothing is predicted, nothing is corrected. */
struct experience {
	const struct machine *machine; /* complete: machine_assume has filled it */
	struct learn *learn;
	enum experience_source source;
};

/*
 * Decides on one described call. The order of the rules is part of the contract, so that each call
 * has exactly one
 * reason: options that rule the GPU out, defects of the call, the policy, the state of the GPU.
 */
void decide(const struct options *options, const struct experience *experience,
            const struct situation *situation, const struct call *call, struct decision *decision);

/*
 * With policy auto a call whose time on the CPU is expected to be below this is not worth a
 * decision: what it could save is little, and looking would cost a part of it. In nanoseconds.
 */
enum { DECIDE_LEAST_NS = 200000 };

/*
 * The least workload in bytes with which a call of this routine can leave the CPU under these
 * options: what the gate compares with. 0 lets every call pass, UINT64_MAX none. With policy auto,
 * unless workload_threshold was given: the operands of a square call (a long transform) that takes
 * the CPU DECIDE_LEAST_NS, at most the threshold's default; and that one where the GPU is off, so
 * that decisions that are none cost less.
 */
uint64_t decide_gate_bytes(const struct options *options, const struct experience *experience,
                           const struct situation *situation, enum family family,
                           enum element element);

#endif
