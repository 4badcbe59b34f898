/* decide_test.c - each reason by the order of the rules */
/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>

#include "policy/decide.h"

/* One case: what differs from a large legal call on a ready GPU under the defaults, and what must come out. */
struct expectation {
	const char *what;
	bool disabled, excluded;
	enum policy policy;
	uint64_t size_bytes;
	enum reason defect;
	enum gpu_state gpu;
	enum reason off_reason;
	enum target target;
	enum reason reason;
	bool wakes_gpu;
};

enum { LARGE = 20000000, SMALL = 9999999 };

static const struct expectation expectations[] = {
	{"large", 0, 0, POLICY_THRESHOLD, LARGE, 0, GPU_READY, 0, TARGET_GPU, REASON_ABOVE_THRESHOLD, 0},
	{"at the threshold", 0, 0, POLICY_THRESHOLD, 10000000, 0, GPU_READY, 0, TARGET_GPU, REASON_ABOVE_THRESHOLD, 0},
	{"auto", 0, 0, POLICY_AUTO, LARGE, 0, GPU_READY, 0, TARGET_GPU, REASON_ABOVE_THRESHOLD, 0},
	{"small", 0, 0, POLICY_THRESHOLD, SMALL, 0, GPU_READY, 0, TARGET_CPU, REASON_BELOW_THRESHOLD, 0},
	{"small, asleep", 0, 0, POLICY_THRESHOLD, SMALL, 0, GPU_ASLEEP, 0, TARGET_CPU, REASON_BELOW_THRESHOLD, 0},
	{"always", 0, 0, POLICY_ALWAYS, 8, 0, GPU_READY, 0, TARGET_GPU, REASON_POLICY_ALWAYS, 0},
	{"never", 0, 0, POLICY_NEVER, LARGE, 0, GPU_READY, 0, TARGET_CPU, REASON_POLICY_NEVER, 0},
	{"disabled first", 1, 1, POLICY_NEVER, LARGE, REASON_OVERLAP, GPU_OFF, REASON_NO_CUDA, TARGET_CPU,
         REASON_DISABLED, 0},
	{"excluded", 0, 1, POLICY_NEVER, LARGE, 0, GPU_READY, 0, TARGET_CPU, REASON_PROGRAM_EXCLUDED, 0},
	{"illegal", 0, 0, POLICY_ALWAYS, 0, REASON_ILLEGAL_ARGUMENT, GPU_ASLEEP, 0, TARGET_CPU, REASON_ILLEGAL_ARGUMENT,
         0},
	{"overlap", 0, 0, POLICY_ALWAYS, LARGE, REASON_OVERLAP, GPU_READY, 0, TARGET_CPU, REASON_OVERLAP, 0},
	{"asleep", 0, 0, POLICY_THRESHOLD, LARGE, 0, GPU_ASLEEP, 0, TARGET_CPU, REASON_WARMING_UP, 1},
	{"warming", 0, 0, POLICY_THRESHOLD, LARGE, 0, GPU_WARMING, 0, TARGET_CPU, REASON_WARMING_UP, 0},
	{"off", 0, 0, POLICY_ALWAYS, LARGE, 0, GPU_OFF, REASON_NO_DEVICE, TARGET_CPU, REASON_NO_DEVICE, 0},
	{"given up", 0, 0, POLICY_THRESHOLD, LARGE, 0, GPU_OFF, REASON_BREAKER_OPEN, TARGET_CPU, REASON_BREAKER_OPEN,
         0},
};

static struct options options;

static void decide_as(const struct expectation *e, const struct machine *machine, struct decision *decision)
{
	const struct situation situation = {
		.gpu = e->gpu, .off_reason = e->off_reason, .device = 3, .program_excluded = e->excluded};
	const struct call call = {
		.family = FAMILY_GEMM, .element = ELEMENT_D, .size_bytes = e->size_bytes, .defect = e->defect};
	options_set_defaults(&options);
	options.enabled = !e->disabled;
	options.policy = e->policy;
	decide(&options, machine, &situation, &call, decision);
}

Test(decide, table)
{
	for (size_t i = 0; i < sizeof expectations / sizeof expectations[0]; i++) {
		const struct expectation *e = &expectations[i];
		struct decision decision;
		decide_as(e, NULL, &decision);
		cr_expect_eq(decision.target, e->target, "%s", e->what);
		cr_expect_eq(decision.reason, e->reason, "%s: %s", e->what, reason_name(decision.reason));
		cr_expect_eq(decision.wakes_gpu, e->wakes_gpu, "%s", e->what);
		cr_expect_eq(decision.device, e->target == TARGET_GPU ? 3 : -1, "%s", e->what);
		cr_expect(decision.predicted_cpu_ns < 0 && decision.predicted_gpu_ns < 0, "%s: no machine", e->what);
	}
}

Test(decide, a_machine_only_predicts)
{
	const struct machine machine = {.cpu_gemm_flops = {1, 1, 1, 1}, .link_up_bytes = 1, .link_down_bytes = 1};
	struct decision without, with;
	for (size_t i = 0; i < sizeof expectations / sizeof expectations[0]; i++) {
		decide_as(&expectations[i], NULL, &without);
		decide_as(&expectations[i], &machine, &with);
		cr_expect_eq(without.reason, with.reason, "%s", expectations[i].what);
		cr_expect_eq(without.target, with.target, "%s", expectations[i].what);
	}
}

Test(decide, gate)
{
	struct situation situation = {.gpu = GPU_READY};
	options_set_defaults(&options);
	cr_assert_eq(decide_gate_bytes(&options, &situation), options.workload_threshold);
	options.policy = POLICY_ALWAYS;
	cr_assert_eq(decide_gate_bytes(&options, &situation), 0);
	options.policy = POLICY_NEVER;
	cr_assert_eq(decide_gate_bytes(&options, &situation), UINT64_MAX);
	options.policy = POLICY_ALWAYS, situation.program_excluded = true;
	cr_assert_eq(decide_gate_bytes(&options, &situation), UINT64_MAX);
}

Test(decide, reasons_are_complete)
{
	for (int i = 0; i < REASON_COUNT; i++) {
		cr_assert_gt(strlen(reason_name((enum reason)i)), 3);
		cr_assert_gt(strlen(reason_sentence((enum reason)i)), 10);
		for (int j = 0; j < i; j++)
			cr_assert_str_neq(reason_name((enum reason)i), reason_name((enum reason)j));
	}
}
