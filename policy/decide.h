/* decide.h - the one place where a call's target is chosen; pure: data in, decision out */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_DECIDE_H
#define GPUSHIM_POLICY_DECIDE_H

#include <stdbool.h>

#include "policy/call.h"
#include "policy/decision.h"
#include "policy/machine.h"
#include "policy/options.h"

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
};

/*
 * Decides on one described call. machine may be NULL: then nothing is predicted. The order of the rules is part of
 * the contract, so that each call has exactly one reason: options that rule the GPU out, defects of the call, the
 * policy, the state of the GPU.
 */
void decide(const struct options *options, const struct machine *machine, const struct situation *situation,
            const struct call *call, struct decision *decision);

/*
 * The least workload in bytes with which a call of this routine can leave the CPU under these options: what the gate
 * compares with. 0 lets every call pass, UINT64_MAX none.
 */
uint64_t decide_gate_bytes(const struct options *options, const struct situation *situation, enum family family,
                           enum element element);

#endif
