/* decide_test.c - each rule in its order: options, defects, policy, state of the GPU */
/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <string.h>

#include "policy/decide/decide.h"
#include "shim/execute/gpu/lapack/lapack_recipe.h"

enum { THRESHOLD_BYTES = 1000 };

static const struct experience nothing;

/* Differences from an enabled shim with a ready GPU and a call of exactly the threshold. */
struct decide_case {
	const char *what;
	bool disabled, excluded;
	int policy;
	enum reason defect;
	uint64_t size_bytes;
	enum gpu_state gpu;
	enum reason off_reason;
	/* Expected: */
	enum target target;
	enum reason reason;
	bool wakes_gpu;
};

#define READY .gpu = GPU_READY
#define LARGE .size_bytes = THRESHOLD_BYTES

static const struct decide_case cases[] = {
	{"at the threshold", .policy = POLICY_THRESHOLD, LARGE, READY, .target = TARGET_GPU,
         .reason = REASON_ABOVE_THRESHOLD},
	{"below the threshold", .policy = POLICY_THRESHOLD, .size_bytes = THRESHOLD_BYTES - 1,
         READY, .reason = REASON_BELOW_THRESHOLD},
	{"auto has its gate", .policy = POLICY_AUTO, .size_bytes = THRESHOLD_BYTES - 1, READY,
         .reason = REASON_BELOW_THRESHOLD},
	{"always, however small", .policy = POLICY_ALWAYS, .size_bytes = 1, READY,
         .target = TARGET_GPU, .reason = REASON_POLICY_ALWAYS},
	{"never", .policy = POLICY_NEVER, LARGE, READY, .reason = REASON_POLICY_NEVER},
	{"disabled", .disabled = true, .policy = POLICY_ALWAYS, LARGE, READY,
         .reason = REASON_DISABLED},
	{"excluded", .excluded = true, .policy = POLICY_ALWAYS, LARGE, READY,
         .reason = REASON_PROGRAM_EXCLUDED},
	{"disabled goes before excluded", .disabled = true, .excluded = true,
         .policy = POLICY_NEVER, LARGE, READY, .reason = REASON_DISABLED},
	{"excluded goes before never", .excluded = true, .policy = POLICY_NEVER, LARGE, READY,
         .reason = REASON_PROGRAM_EXCLUDED},
	{"never goes before a defect", .policy = POLICY_NEVER, .defect = REASON_OVERLAP, LARGE,
         READY, .reason = REASON_POLICY_NEVER},
	{"a defect goes before always", .policy = POLICY_ALWAYS, .defect = REASON_ILLEGAL_ARGUMENT,
         LARGE, READY, .reason = REASON_ILLEGAL_ARGUMENT},
	{"a defect goes before the threshold", .policy = POLICY_THRESHOLD, .defect = REASON_OVERLAP,
         .size_bytes = 1, READY, .reason = REASON_OVERLAP},
	{"a defect goes before the GPU", .policy = POLICY_ALWAYS, .defect = REASON_QUICK_RETURN,
         LARGE, .gpu = GPU_ASLEEP, .reason = REASON_QUICK_RETURN},
	{"asleep", .policy = POLICY_THRESHOLD, LARGE, .gpu = GPU_ASLEEP,
         .reason = REASON_WARMING_UP, .wakes_gpu = true},
	{"asleep, always", .policy = POLICY_ALWAYS, .size_bytes = 1, .gpu = GPU_ASLEEP,
         .reason = REASON_WARMING_UP, .wakes_gpu = true},
	{"a small call wakes nothing", .policy = POLICY_THRESHOLD, .size_bytes = 1,
         .gpu = GPU_ASLEEP, .reason = REASON_BELOW_THRESHOLD},
	{"warming", .policy = POLICY_THRESHOLD, LARGE, .gpu = GPU_WARMING,
         .reason = REASON_WARMING_UP},
	{"off", .policy = POLICY_ALWAYS, LARGE, .gpu = GPU_OFF, .off_reason = REASON_NO_DRIVER,
         .reason = REASON_NO_DRIVER},
	{"the threshold goes before off", .policy = POLICY_THRESHOLD, .size_bytes = 1,
         .gpu = GPU_OFF, .off_reason = REASON_NO_DRIVER, .reason = REASON_BELOW_THRESHOLD},
};

static struct options options_of(const struct decide_case *row)
{
	struct options options;
	options_set_defaults(&options);
	options.enabled = !row->disabled;
	options.policy = row->policy;
	options.workload_threshold = THRESHOLD_BYTES;
	options.workload_threshold_given = true;
	return options;
}

static struct call call_of(const struct decide_case *row)
{
	return (struct call){.family = FAMILY_GEMM,
	                     .element = ELEMENT_D,
	                     .size_bytes = row->size_bytes,
	                     .input_bytes = row->size_bytes,
	                     .output_bytes = row->size_bytes,
	                     .work_flops = 1e9,
	                     .defect = row->defect};
}

static struct decision decide_case(const struct decide_case *row, const struct machine *machine)
{
	const struct options options = options_of(row);
	const struct call call = call_of(row);
	const struct situation situation = {.gpu = row->gpu,
	                                    .off_reason = row->off_reason,
	                                    .device = 3,
	                                    .program_excluded = row->excluded};
	struct decision decision;
	const struct experience experience = {.machine = machine};
	decide(&options, &experience, &situation, &call, &decision);
	return decision;
}

/* Decides on a product of 1000 x 1000 with inner dimension k, which has 2 m n k operations. */
static enum reason reason_of_product(const struct options *options, int64_t k)
{
	const struct situation ready = {.gpu = GPU_READY};
	const struct call call = {.family = FAMILY_GEMM,
	                          .element = ELEMENT_D,
	                          .size_bytes = THRESHOLD_BYTES,
	                          .work_flops = 2e6 * (double)k,
	                          .blas = {.m = 1000, .n = 1000, .k = k}};
	struct decision decision;
	decide(options, &nothing, &ready, &call, &decision);
	return decision.reason;
}

Test(decide, least_work_and_least_k)
{
	struct options options = options_of(&cases[0]);
	cr_expect_eq(reason_of_product(&options, 4), REASON_ABOVE_THRESHOLD,
	             "neither is asked for");
	options.k_threshold = 5;
	cr_expect_eq(reason_of_product(&options, 4), REASON_BELOW_K);
	cr_expect_eq(reason_of_product(&options, 5), REASON_ABOVE_THRESHOLD);
	options.work_threshold = 12000000;
	cr_expect_eq(reason_of_product(&options, 5), REASON_BELOW_WORK);
	cr_expect_eq(reason_of_product(&options, 6), REASON_ABOVE_THRESHOLD);
	options.policy = POLICY_ALWAYS;
	cr_expect_eq(reason_of_product(&options, 1), REASON_POLICY_ALWAYS);
}

/* k_threshold is that of products; the other least amounts count. */
Test(decide, least_k_is_not_for_lapack)
{
	const struct situation ready = {.gpu = GPU_READY};
	const struct call call = {.family = FAMILY_GESV,
	                          .element = ELEMENT_D,
	                          .size_bytes = THRESHOLD_BYTES,
	                          .work_flops = 1e9,
	                          .lapack = {.m = 1000, .n = 1000, .nrhs = 1}};
	struct options options = options_of(&cases[0]);
	struct decision decision;
	options.k_threshold = 1000000;
	decide(&options, &nothing, &ready, &call, &decision);
	cr_expect_eq(decision.reason, REASON_ABOVE_THRESHOLD);
	options.work_threshold = 2000000000;
	decide(&options, &nothing, &ready, &call, &decision);
	cr_expect_eq(decision.reason, REASON_BELOW_WORK);
}

Test(decide, each_routine_of_lapack_has_a_recipe)
{
	const struct situation ready = {.gpu = GPU_READY};
	struct options options = options_of(&cases[0]);
	options.policy = POLICY_ALWAYS;
	for (int family = FAMILY_GETRF; family < FAMILY_FFT_C2C; family++) {
		const struct call call = {.family = (enum family)family,
		                          .element = ELEMENT_D,
		                          .size_bytes = THRESHOLD_BYTES,
		                          .work_flops = 1e9,
		                          .lapack = {.m = 1000, .n = 1000, .nrhs = 1}};
		struct decision decision;
		decide(&options, &nothing, &ready, &call, &decision);
		cr_expect_eq(decision.reason, REASON_POLICY_ALWAYS, "%s",
		             family_name((enum family)family));
		cr_expect(lapack_recipe_find((enum family)family) != NULL, "%s",
		          family_name((enum family)family));
	}
}

Test(decide, a_routine_has_a_threshold_of_its_own)
{
	const struct situation ready = {.gpu = GPU_READY};
	struct options options = options_of(&cases[0]);
	options.thresholds.family[FAMILY_GEMM] = 2 * THRESHOLD_BYTES;
	cr_expect_eq(reason_of_product(&options, 4), REASON_BELOW_THRESHOLD);
	cr_expect_eq(decide_gate_bytes(&options, &nothing, &ready, FAMILY_GEMM, ELEMENT_Z),
	             2 * THRESHOLD_BYTES);
	cr_expect_eq(decide_gate_bytes(&options, &nothing, &ready, FAMILY_TRSM, ELEMENT_Z),
	             THRESHOLD_BYTES);
	options.thresholds.routine[FAMILY_GEMM][ELEMENT_D] = THRESHOLD_BYTES;
	cr_expect_eq(reason_of_product(&options, 4), REASON_ABOVE_THRESHOLD,
	             "dgemm goes before gemm");
	cr_expect_eq(decide_gate_bytes(&options, &nothing, &ready, FAMILY_GEMM, ELEMENT_Z),
	             2 * THRESHOLD_BYTES);
}

Test(decide, rules_in_their_order)
{
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		const struct decision decision = decide_case(&cases[i], NULL);
		cr_expect_eq(decision.target, cases[i].target, "%s", cases[i].what);
		cr_expect_eq(decision.reason, cases[i].reason, "%s: %s", cases[i].what,
		             reason_name(decision.reason));
		cr_expect_eq(decision.wakes_gpu, cases[i].wakes_gpu, "%s", cases[i].what);
		cr_expect_eq(decision.device, cases[i].target == TARGET_GPU ? 3 : -1, "%s",
		             cases[i].what);
	}
}

Test(decide, target_agrees_with_the_outcome_of_the_reason)
{
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		const struct decision decision = decide_case(&cases[i], NULL);
		cr_expect_eq(reason_outcome(decision.reason) == OUTCOME_GPU,
		             decision.target == TARGET_GPU, "%s", cases[i].what);
	}
}

/* The reason of a call's defect, or of a GPU that is off, is passed on unchanged. */
Test(decide, reasons_pass_through)
{
	for (int reason = REASON_NONE + 1; reason < REASON_COUNT; reason++) {
		if (reason_outcome((enum reason)reason) != OUTCOME_CPU)
			continue;
		struct decide_case row = {"", .policy = POLICY_ALWAYS,
		                          .defect = (enum reason)reason, LARGE, READY};
		cr_expect_eq(decide_case(&row, NULL).reason, (enum reason)reason);
		row = (struct decide_case){"", .policy = POLICY_ALWAYS, LARGE, .gpu = GPU_OFF,
		                           .off_reason = (enum reason)reason};
		const struct decision decision = decide_case(&row, NULL);
		cr_expect_eq(decision.reason, (enum reason)reason);
		cr_expect_eq(decision.target, TARGET_CPU);
	}
}

Test(decide, predicts_only_where_it_can)
{
	const struct machine machine = {.cpu_gemm_flops = {[ELEMENT_D] = 1e9},
	                                .gpu_gemm_flops = {[ELEMENT_D] = 1e12},
	                                .link_up_bytes = 1e9,
	                                .link_down_bytes = 1e9};
	struct decide_case row = {"", .policy = POLICY_THRESHOLD, LARGE, READY};
	struct decision decision = decide_case(&row, NULL);
	cr_expect(decision.predicted_cpu_ns < 0 && decision.predicted_gpu_ns < 0);
	decision = decide_case(&row, &machine);
	cr_expect(decision.predicted_cpu_ns == 1e9 && decision.predicted_gpu_ns == 1e6);
	row.size_bytes = 1;
	decision = decide_case(&row, &machine);
	cr_expect(decision.predicted_cpu_ns == 1e9,
	          "calls that stay on the CPU have their prediction too");
	row.defect = REASON_ILLEGAL_ARGUMENT;
	decision = decide_case(&row, &machine);
	cr_expect(decision.predicted_cpu_ns < 0 && decision.predicted_gpu_ns < 0,
	          "the sizes cannot be trusted");
}

/* Except with auto, predictions are only for the log: no case above reaches them. */
Test(decide, predictions_change_nothing)
{
	const struct machine machine = {
		.cpu_gemm_flops = {1, 1, 1, 1}, .link_up_bytes = 1, .link_down_bytes = 1};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		const struct decision without = decide_case(&cases[i], NULL),
				      with = decide_case(&cases[i], &machine);
		cr_expect_eq(without.reason, with.reason, "%s", cases[i].what);
		cr_expect_eq(without.target, with.target, "%s", cases[i].what);
	}
}

Test(decide, gate)
{
	struct options options;
	struct situation situation = {.gpu = GPU_OFF, .off_reason = REASON_NO_CUDA};
	options_set_defaults(&options);
	options.policy = POLICY_THRESHOLD;
	cr_expect_eq(decide_gate_bytes(&options, &nothing, &situation, FAMILY_GEMM, ELEMENT_D),
	             10000000, "a GPU that is off changes no count");
	options.policy = POLICY_ALWAYS;
	cr_expect_eq(decide_gate_bytes(&options, &nothing, &situation, FAMILY_GEMM, ELEMENT_D), 0);
	situation.program_excluded = true;
	cr_expect_eq(decide_gate_bytes(&options, &nothing, &situation, FAMILY_GEMM, ELEMENT_D),
	             UINT64_MAX);
	situation.program_excluded = false;
	options.enabled = false;
	cr_expect_eq(decide_gate_bytes(&options, &nothing, &situation, FAMILY_GEMM, ELEMENT_D),
	             UINT64_MAX);
	options.enabled = true;
	options.policy = POLICY_NEVER;
	cr_expect_eq(decide_gate_bytes(&options, &nothing, &situation, FAMILY_GEMM, ELEMENT_D),
	             UINT64_MAX);
}

Test(decide, arithmetic_of_the_host)
{
	struct options options;
	struct situation situation = {.gpu = GPU_READY, .host_arithmetic = true};
	struct call call = {.family = FAMILY_GEMM, .element = ELEMENT_D, .size_bytes = 1 << 30};
	struct decision decision;
	options_set_defaults(&options);
	options.policy = POLICY_ALWAYS;
	decide(&options, &nothing, &situation, &call, &decision);
	cr_expect_eq(decision.target, TARGET_CPU);
	cr_expect_eq(decision.reason, REASON_FP_ENVIRONMENT);
	situation.gpu = GPU_ASLEEP;
	decide(&options, &nothing, &situation, &call, &decision);
	cr_expect_not(decision.wakes_gpu);
	call.defect = REASON_ILLEGAL_ARGUMENT;
	decide(&options, &nothing, &situation, &call, &decision);
	cr_expect_eq(decision.reason, REASON_ILLEGAL_ARGUMENT, "a defect of the call comes first");
	call.defect = REASON_NONE;
	situation.gpu = GPU_READY;
	situation.device_only = true;
	decide(&options, &nothing, &situation, &call, &decision);
	cr_expect_eq(decision.target, TARGET_GPU, "the CPU cannot read the operand");
}

/* A call that the gate keeps on the CPU must be a call that the rules keep there too. */
Test(decide, gate_agrees_with_the_rules)
{
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		const struct options options = options_of(&cases[i]);
		const struct situation situation = {.gpu = cases[i].gpu,
		                                    .program_excluded = cases[i].excluded};
		if (cases[i].size_bytes <
		    decide_gate_bytes(&options, &nothing, &situation, FAMILY_GEMM, ELEMENT_D))
			cr_expect_eq(decide_case(&cases[i], NULL).target, TARGET_CPU, "%s",
			             cases[i].what);
	}
}

Test(decide, reasons_have_names_and_sentences)
{
	for (int reason = 0; reason < REASON_COUNT; reason++) {
		cr_expect_not_null(reason_name((enum reason)reason));
		cr_expect_gt(strlen(reason_sentence((enum reason)reason)), 10);
		for (int other = 0; other < reason; other++)
			cr_expect_str_neq(reason_name((enum reason)reason),
			                  reason_name((enum reason)other));
	}
}
