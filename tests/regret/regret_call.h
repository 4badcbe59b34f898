/* regret_call.h - a trace's shapes as calls that the policy decides on */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_REGRET_REGRET_CALL_H
#define GPUSHIM_TESTS_REGRET_REGRET_CALL_H

#include "tests/regret/call_trace.h"

/* One per shape; call.fft.problem points to problem. */
struct regret_call {
	struct call call;
	struct fft_problem problem;
	unsigned bucket; /* by work, a factor of four each */
};

/* An array of trace->shape_count, from malloc; NULL where there is no memory. */
struct regret_call *regret_call_make(const struct call_trace *trace);

#endif
