/* decision.h - the outcome of deciding on one call */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_DECISION_H
#define GPUSHIM_POLICY_DECISION_H

#include <stdbool.h>

#include "policy/reason.h"

enum target { TARGET_CPU, TARGET_GPU };

/* predicted_*_ns are expected times in nanoseconds, negative where no prediction was made. */
struct decision {
	enum target target;
	enum reason reason;
	int device;     /* CUDA's number of the device, -1 on the CPU */
	bool wakes_gpu; /* the call would have gone to the GPU, had CUDA been started */
	double predicted_cpu_ns, predicted_gpu_ns;
};

#endif
