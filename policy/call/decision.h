/* decision.h - the decision on one call */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_CALL_DECISION_H
#define GPUSHIM_POLICY_CALL_DECISION_H

#include <stdbool.h>

#include "policy/call/reason.h"

enum target { TARGET_CPU, TARGET_GPU };

/*
 * model_*_ns: times of either side that the cost model expects, in nanoseconds. predicted_*_ns: the
 * same after the corrections of learn.h. Negative where nothing was predicted.
 */
struct decision {
	enum target target;
	enum reason reason;
	int device;      /* number of the device as CUDA counts, -1 on the CPU */
	int gpu_sharers; /* processes that use the device, this one included; 0 and 1: it alone */
	bool wakes_gpu;  /* the call would go to the GPU if CUDA had been started */
	bool looks;      /* the call tries the side that is expected to be slower, to measure it */
	/*
	 * Of a call on the GPU: the part of its work that the CPU computes meanwhile; 0: none. With
	 * REASON_SHARED_WITH_CPU also the times of both parts by enum target as the model says,
	 * before what calls have taught, and the expected time of the call.
	 */
	double cpu_share, part_ns[2], shared_ns;
	double predicted_cpu_ns, predicted_gpu_ns;
	double model_cpu_ns, model_gpu_ns;
	/*
	 * The time that the GPU would have saved; only with REASON_START_NOT_PAID and
	 * REASON_SETUP_NOT_PAID, else 0.
	 */
	double saving_ns;
};

#endif
