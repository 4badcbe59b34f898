/* decision.h - the outcome of deciding on one call */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_CALL_DECISION_H
#define GPUSHIM_POLICY_CALL_DECISION_H

#include <stdbool.h>

#include "policy/call/reason.h"

enum target { TARGET_CPU, TARGET_GPU };

/*
 * predicted_*_ns are expected times in nanoseconds, after what was learnt; model_*_ns the same
 * before it. Negative where no prediction was made.
 */
struct decision {
	enum target target;
	enum reason reason;
	int device;     /* CUDA's number of the device, -1 on the CPU */
	bool wakes_gpu; /* the call would have gone to the GPU, had CUDA been started */
	bool looks;     /* it goes where more time is expected, to learn whether that is so */
	double predicted_cpu_ns, predicted_gpu_ns;
	double model_cpu_ns, model_gpu_ns;
	double saving_ns; /* that the call could have had, were it not for REASON_START_NOT_PAID or
	                     REASON_SETUP_NOT_PAID */
};

#endif
