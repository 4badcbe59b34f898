/* decide.h - chooses where a call runs; pure: data in, decision out */
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
	GPU_ASLEEP,  /* CUDA was not started yet */
	GPU_WARMING, /* CUDA is starting in the background */
	GPU_READY,
	GPU_OFF /* it cannot be used in this process; off_reason says why */
};

/* The state of the process at the time of the call. */
struct situation {
	enum gpu_state gpu;
	enum reason off_reason;
	int device;            /* the device for a call, when gpu is GPU_READY */
	bool program_excluded; /* by the options only and except */
	struct cost_setting setting;
	/* Time that earlier calls of the same kind would have saved if setup_ns had been spent. */
	double setup_saved_ns;
	/*
	 * The calling thread asks for arithmetic that no device has: another rounding than to
	 * nearest, or traps of inexact or denormal results.
	 */
	bool host_arithmetic;
	/*
	 * Processes that use the device, this one included, as far as is known; less than 1 counts
	 * as 1. How much they use it, measured times show.
	 */
	int gpu_peers;
	/* A signal handler calls, and its thread has a call on a device below the handler. */
	bool inside_call;
	/* The CPU library calls, inside a call that the GPU gave back to it. */
	bool below_fallback;
	bool device_only; /* an operand lies in memory that the CPU cannot read */
	/* The start of CUDA is not weighed: the user asked to wait for it, or it fails at once. */
	bool start_is_free;
	/* The model's times of the call by enum target, where they are known; NULL: not yet. */
	const double *model_ns;
};

/* The source of the rates of the machine, from the most uncertain to the least. */
enum experience_source {
	EXPERIENCE_ASSUMED, /* the machine was not measured */
	EXPERIENCE_LOOKED,  /* the warm-up measured GPU and link briefly */
	EXPERIENCE_MEASURED /* a profile that gpushim calibrate made on this machine */
};

/* The data of decisions. machine NULL: nothing is predicted; learn NULL: nothing is corrected. */
struct experience {
	const struct machine *machine; /* complete: filled by machine_assume */
	struct learn *learn;
	enum experience_source source;
};

/*
 * Decides on one described call. The order of the rules is part of the contract, so that each call
 * has exactly one reason: options that rule the GPU out, defects of the call, the floating-point
 * environment, the policy, the state of the GPU.
 */
void decide(const struct options *options, const struct experience *experience,
            const struct situation *situation, const struct call *call, struct decision *decision);

/*
 * Policy auto does not decide on a call that the CPU is expected to compute in less than this, in
 * nanoseconds: it could save little, and a decision would cost a part of that.
 */
enum { DECIDE_LEAST_NS = 100000 };

/*
 * Whether the expected time decides which calls of this routine are worth a decision: the policy is
 * auto or dry, and no threshold was given.
 */
bool decide_is_by_time(const struct options *options, enum family family, enum element element);

/*
 * The workload in bytes from which a call of this routine may leave the CPU under these options;
 * the gate compares with it. 0: every call passes; UINT64_MAX: none. With policy auto and no
 * workload_threshold given, the operands of a square call (a long transform) that takes the CPU
 * DECIDE_LEAST_NS, at most the default of the threshold. With the GPU off it is the threshold
 * itself, so that calls without a choice cost less.
 */
uint64_t decide_gate_bytes(const struct options *options, const struct experience *experience,
                           const struct situation *situation, enum family family,
                           enum element element);

/* Whether the gate lets the call pass, so that it is decided: the rule that all callers share. */
bool decide_passes_gate(const struct options *options, const struct experience *experience,
                        const struct situation *situation, const struct call *call);

#endif
