/* predict_gate.h - what calls have to reach to be decided on under some options; pure */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_DECIDE_PREDICT_GATE_H
#define GPUSHIM_POLICY_DECIDE_PREDICT_GATE_H

#include <stdint.h>

#include "policy/options/options.h"

/*
 * A workload_threshold in bytes that holds for all routines, or one of these: the expected time
 * alone (DECIDE_LEAST_NS); more than one of both, depending on the routine; options that keep all
 * calls of a routine on the CPU, beside any other.
 */
#define PREDICT_GATE_TIME UINT64_MAX
#define PREDICT_GATE_SEVERAL (UINT64_MAX - 1)
#define PREDICT_GATE_OPTIONS (UINT64_MAX - 2)

uint64_t predict_gate_find(const struct options *options);

/* The gate of calls that passed by either one. */
uint64_t predict_gate_join(uint64_t one, uint64_t other);

#endif
