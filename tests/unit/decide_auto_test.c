/* decide_auto_test.c - policy auto: expected times, CUDA's start, trial calls, dry runs */
/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>

#include "decide_state.h"
#include "policy/decide/cards.h"

/* Round figures: 30 Gflop/s against 6 Tflop/s, 10 GB/s each way, half a second to start. */
static const struct machine fast = {
	.cpu_threads = 1,
	.cpu_gemm_flops = {60e9, 30e9, 60e9, 30e9},
	.gpu_gemm_flops = {12e12, 6e12, 12e12, 6e12},
	.cpu_fft_flops = {[ELEMENT_C] = 4e9, [ELEMENT_Z] = 2e9},
	.gpu_fft_flops = {[ELEMENT_C] = 2e12, [ELEMENT_Z] = 1e12},
	.link_up_bytes = 10e9,
	.link_down_bytes = 10e9,
	.link_duplex = 1,
	.operation_ns = 5e3,
	.call_fixed_ns = 30e3,
	.start_ns = 500e6,
	.fft_plan_ns = 1e6,
};

static void start(void)
{
	const struct situation begin = {.gpu = GPU_READY, .device = 2};
	decide_state_start(&fast, begin, "policy", "auto");
}

TestSuite(decide_auto, .init = start);

static struct call product(int64_t n)
{
	const double order = (double)n;
	return (struct call){
		.family = FAMILY_GEMM,
		.element = ELEMENT_D,
		.size_bytes = (uint64_t)(24 * order * order),
		.input_bytes = (uint64_t)(16 * order * order),
		.output_bytes = (uint64_t)(8 * order * order),
		.work_flops = 2 * order * order * order,
		.blas = {.m = n, .n = n, .k = n, .lda = n, .ldb = n, .ldc = n, .alpha = {1}}};
}

/* The sharers are those that cards_count_sharers tells a rank; 16 GB/s each way, both at once. */
static void judge_rank(int ranks, int cards_there, const struct call *call)
{
	const struct cards cards = {.count = cards_there,
	                            .launch = {.processes = ranks, .rank = ranks - 1}};
	int order[CARDS_MAX];
	cards_order(&cards, order);
	situation.gpu_peers = cards_count_sharers(&cards, order[0]);
	decide(&options, &experience, &situation, call, &decision);
}

/*
 * A product of little depth, by whose time the link decides. A rank with a GPU of its own gains, one
 * of four on a GPU loses. The first two such calls are looks; what they took tells the next one.
 */
Test(decide_auto, four_ranks_on_four_cards_or_on_one)
{
	struct machine machine = fast;
	machine.link_up_bytes = machine.link_down_bytes = 16e9;
	machine.cpu_gemm_flops[ELEMENT_D] = 145e9;
	experience.machine = &machine;
	const struct call call = {.family = FAMILY_GEMM,
	                          .element = ELEMENT_D,
	                          .size_bytes = 8 * (8192 * 8192 + 2 * 8192 * 80),
	                          .input_bytes = 8 * 2 * 8192 * 80,
	                          .output_bytes = 8 * 8192 * 8192,
	                          .work_flops = 2. * 8192 * 8192 * 80,
	                          .blas = {.m = 8192,
	                                   .n = 8192,
	                                   .k = 80,
	                                   .lda = 8192,
	                                   .ldb = 80,
	                                   .ldc = 8192,
	                                   .alpha = {1}}};
	judge_rank(4, 4, &call);
	const double alone_ns = decision.predicted_gpu_ns, cpu_ns = decision.predicted_cpu_ns;
	cr_expect_eq(decision.gpu_sharers, 1);
	cr_expect_eq(decision.reason, REASON_PREDICTED_FASTER);
	cr_expect(cpu_ns > 2 * alone_ns && cpu_ns < 4 * alone_ns, "%g %g", cpu_ns, alone_ns);
	judge_rank(4, 1, &call);
	cr_expect_eq(decision.gpu_sharers, 4);
	cr_expect_eq(decision.predicted_gpu_ns, 4 * alone_ns);
	cr_expect_eq(decision.reason, REASON_LOOKED_AT_GPU);
	for (int i = 0; i < 2; i++) {
		cr_expect_eq(decision.target, TARGET_GPU);
		learn_note(&learn, &call, &decision, 4 * alone_ns);
		judge_rank(4, 1, &call);
	}
	cr_expect_eq(decision.reason, REASON_PREDICTED_SLOWER);
	cr_expect(decision.predicted_gpu_ns < 5 * alone_ns, "sharers are in the measured time");
}

/* What the quick look found contains what the others did then. */
Test(decide_auto, a_quick_look_is_not_multiplied)
{
	const struct call call = product(2000);
	experience.source = EXPERIENCE_LOOKED;
	judge_rank(1, 1, &call);
	const double alone_ns = decision.predicted_gpu_ns;
	judge_rank(4, 1, &call);
	cr_expect_eq(decision.predicted_gpu_ns, alone_ns);
}

static enum reason judge(int64_t n)
{
	const struct call call = product(n);
	decide(&options, &experience, &situation, &call, &decision);
	return decision.reason;
}

/* The same, and then the call takes `ratio` times the expected time. */
static enum reason carry_out(int64_t n, double ratio)
{
	const struct call call = product(n);
	const enum reason reason = judge(n);
	learn_note(&learn, &call, &decision,
	           ratio * (decision.target == TARGET_GPU ? decision.model_gpu_ns
	                                                  : decision.model_cpu_ns));
	return reason;
}

/* Enough calls on each side that both are known well. */
static void settle(int64_t n, double cpu_ratio, double gpu_ratio)
{
	const struct call call = product(n);
	for (int i = 0; i < 20; i++) {
		judge(n);
		decision.looks = false;
		decision.target = TARGET_CPU;
		learn_note(&learn, &call, &decision, cpu_ratio * decision.model_cpu_ns);
		decision.target = TARGET_GPU;
		learn_note(&learn, &call, &decision, gpu_ratio * decision.model_gpu_ns);
	}
}

Test(decide_auto, the_faster_side)
{
	settle(4000, 1, 1);
	cr_expect_eq(judge(4000), REASON_PREDICTED_FASTER);
	cr_expect_eq(decision.target, TARGET_GPU);
	cr_expect_eq(decision.device, 2);
	cr_expect_lt(decision.predicted_gpu_ns, decision.predicted_cpu_ns);
	settle(40, 1, 1);
	cr_expect_eq(judge(40), REASON_PREDICTED_SLOWER);
	cr_expect_eq(decision.target, TARGET_CPU);
}

/* Unless the user sets it, the threshold is no gate of auto. */
Test(decide_auto, a_threshold_that_was_given_is_a_gate)
{
	char message[OPTION_MESSAGE_BYTES];
	settle(500, 1, 1);
	cr_expect_eq(judge(500), REASON_PREDICTED_FASTER, "6 MB");
	cr_assert(options_set(&options, "workload_threshold", "10000000", message));
	cr_expect_eq(judge(500), REASON_BELOW_THRESHOLD);
	options_set_defaults(&options);
	options.policy = POLICY_AUTO;
	options.thresholds.family[FAMILY_GEMM] = 10000000;
	cr_expect_eq(judge(500), REASON_BELOW_THRESHOLD);
}

Test(decide_auto, the_gate_is_what_the_cpu_does_in_no_time)
{
	const uint64_t bytes =
		decide_gate_bytes(&options, &experience, &situation, FAMILY_GEMM, ELEMENT_D);
	/* 30 Gflop/s for 100 us are 3 Mflop: n = 114. */
	cr_expect(bytes > 24 * 104 * 104 && bytes < 24 * 128 * 128, "%lu", (unsigned long)bytes);
	struct machine node = fast;
	node.cpu_gemm_flops[ELEMENT_D] = 1e15;
	experience.machine = &node;
	cr_expect_eq(decide_gate_bytes(&options, &experience, &situation, FAMILY_GEMM, ELEMENT_D),
	             10000000);
	experience.machine = NULL;
	cr_expect_eq(decide_gate_bytes(&options, &experience, &situation, FAMILY_GEMM, ELEMENT_D),
	             10000000);
}

/* A call saves about 40 ms: a dozen calls pay for half a second. */
Test(decide_auto, cuda_starts_when_it_pays)
{
	int waited = 0;
	situation.gpu = GPU_ASLEEP;
	while (judge(900) == REASON_START_NOT_PAID && waited < 1000) {
		cr_expect_not(decision.wakes_gpu);
		learn_note_saving(&learn, decision.saving_ns);
		waited++;
	}
	cr_expect_eq(decision.reason, REASON_WARMING_UP);
	cr_expect(decision.wakes_gpu);
	cr_expect(waited >= 10 && waited < 14, "%d", waited);
	situation.gpu = GPU_WARMING;
	cr_expect_eq(judge(900), REASON_WARMING_UP);
	cr_expect_not(decision.wakes_gpu);
	cr_expect_eq(judge(10), REASON_PREDICTED_SLOWER,
	             "nobody waits for CUDA for the sake of this one");
}

Test(decide_auto, a_free_start_is_not_weighed)
{
	situation.gpu = GPU_ASLEEP;
	situation.start_is_free = true;
	cr_expect_eq(judge(900), REASON_WARMING_UP);
	cr_expect(decision.wakes_gpu);
	cr_expect_eq(judge(10), REASON_PREDICTED_SLOWER);
	cr_expect_not(decision.wakes_gpu);
}

Test(decide_auto, off_is_off)
{
	situation.gpu = GPU_OFF;
	situation.off_reason = REASON_NO_DRIVER;
	cr_expect_eq(judge(4000), REASON_NO_DRIVER);
	cr_expect_eq(judge(10), REASON_NO_DRIVER);
}

Test(decide_auto, a_plan_is_made_when_it_pays)
{
	settle(900, 1, 1);
	situation.setting.setup_ns = 1e9;
	cr_expect_eq(judge(900), REASON_SETUP_NOT_PAID);
	cr_expect_eq(decision.target, TARGET_CPU);
	cr_expect_gt(decision.saving_ns, 1e7);
	situation.setup_saved_ns = 1e9;
	cr_expect_eq(judge(900), REASON_PREDICTED_FASTER);
	cr_expect_eq(judge(40), REASON_PREDICTED_SLOWER);
}

Test(decide_auto, only_the_gpu_reads_its_memory)
{
	situation.device_only = true;
	cr_expect_eq(judge(10), REASON_ON_DEVICE);
	cr_expect_eq(decision.target, TARGET_GPU);
}

/* The GPU is ten times slower than expected: after a few calls the CPU is used again. */
Test(decide_auto, learns_from_a_slow_gpu)
{
	int offloads = 0;
	for (int i = 0; i < 100; i++)
		offloads += reason_outcome(carry_out(500, 1)) == OUTCOME_GPU;
	cr_expect_eq(offloads, 100, "as expected");
	start();
	offloads = 0;
	for (int i = 0; i < 100; i++) {
		const struct call call = product(500);
		judge(500);
		offloads += decision.target == TARGET_GPU;
		learn_note(&learn, &call, &decision,
		           decision.target == TARGET_GPU ? 30 * decision.model_gpu_ns
		                                         : decision.model_cpu_ns);
	}
	cr_expect(offloads >= 1 && offloads <= 6, "%d", offloads);
}

/* A machine with unknown rates: the GPU seems three times slower and is ten times faster. */
Test(decide_auto, looks_where_little_is_known)
{
	struct machine unlike = fast;
	unlike.cpu_gemm_flops[ELEMENT_D] = 2e12;
	experience = (struct experience){&unlike, &learn, EXPERIENCE_ASSUMED};
	int offloads = 0;
	for (int i = 0; i < 50; i++) {
		const struct call call = product(1000);
		judge(1000);
		offloads += decision.target == TARGET_GPU;
		learn_note(&learn, &call, &decision,
		           decision.target == TARGET_GPU ? decision.model_gpu_ns
		                                         : 60 * decision.model_cpu_ns);
	}
	cr_expect_geq(offloads, 48, "%d", offloads);
}

/*
 * The first call on the CPU was delayed and took 500 times as long; in truth the CPU is three times
 * faster than the GPU. Calls return to the CPU.
 */
Test(decide_auto, an_accident_is_not_for_ever)
{
	int offloads = 0;
	const double slow = 3;
	for (int i = 0; i < 2000; i++) {
		const struct call call = product(500);
		judge(500);
		offloads += decision.target == TARGET_GPU;
		const double cpu_ns = decision.model_cpu_ns * (i == 0 ? 500 : 1);
		decision.target = i == 0 ? TARGET_CPU : decision.target;
		learn_note(&learn, &call, &decision,
		           decision.target == TARGET_GPU ? slow * decision.model_cpu_ns : cpu_ns);
	}
	cr_expect_lt(offloads, 200, "%d", offloads);
}

/* Where both sides are close the other one is tried sometimes, and the loss is bounded. */
Test(decide_auto, looks_again_where_it_is_close)
{
	judge(500);
	const double close = 1.2 * decision.model_cpu_ns / decision.model_gpu_ns;
	settle(500, 1, close);
	double all_ns = 0, lost_ns = 0;
	int looks = 0;
	for (int i = 0; i < 5000; i++) {
		const struct call call = product(500);
		judge(500);
		const double cpu_ns = decision.model_cpu_ns, gpu_ns = close * decision.model_gpu_ns;
		const double taken_ns = decision.target == TARGET_GPU ? gpu_ns : cpu_ns;
		looks += decision.looks;
		all_ns += taken_ns;
		lost_ns += taken_ns - (gpu_ns < cpu_ns ? gpu_ns : cpu_ns);
		learn_note(&learn, &call, &decision, taken_ns);
	}
	cr_expect_gt(looks, 0);
	cr_expect_leq(lost_ns, 0.01 * all_ns, "%g of %g ns", lost_ns, all_ns);
	cr_expect_eq(atomic_load(&learn.totals.looks), (uint64_t)looks);
}

/*
 * Makes a call that takes the given multiples of the expected times. Returns its loss against the
 * better side.
 */
static double lose(int64_t n, double cpu_ratio, double gpu_ratio, double *best_ns)
{
	const struct call call = product(n);
	judge(n);
	const double cpu_ns = cpu_ratio * decision.model_cpu_ns,
		     gpu_ns = gpu_ratio * decision.model_gpu_ns;
	const double taken_ns = decision.target == TARGET_GPU ? gpu_ns : cpu_ns;
	*best_ns += gpu_ns < cpu_ns ? gpu_ns : cpu_ns;
	learn_note(&learn, &call, &decision, taken_ns);
	return taken_ns - (gpu_ns < cpu_ns ? gpu_ns : cpu_ns);
}

/* Another job slows the GPU down for a while: calls leave it after a few, and return afterwards. */
Test(decide_auto, a_gpu_that_is_busy_for_a_while)
{
	double best_ns = 0, lost_ns = 0;
	for (int i = 0; i < 200; i++)
		lost_ns += lose(900, 1, 1, &best_ns);
	cr_expect_lt(lost_ns, 0.01 * best_ns);
	int offloads = 0;
	for (int i = 0; i < 400; i++) {
		lost_ns += lose(900, 1, 100, &best_ns);
		offloads += decision.target == TARGET_GPU;
	}
	cr_expect(offloads >= 1 && offloads <= 10, "%d", offloads);
	cr_expect_lt(lost_ns, 0.05 * best_ns, "%g of %g ns", lost_ns, best_ns);
	offloads = 0;
	for (int i = 0; i < 2000; i++) {
		lose(900, 1, 1, &best_ns);
		offloads += decision.target == TARGET_GPU;
	}
	cr_expect_gt(offloads, 1000, "%d", offloads);
}

/* The CPU that was in use has become slow: changing to the GPU is not a trial. */
Test(decide_auto, the_side_that_is_left_is_no_news)
{
	double best_ns = 0;
	judge(500);
	const double even = decision.model_cpu_ns / decision.model_gpu_ns;
	settle(500, 1, 2 * even);
	for (int i = 0; i < 500; i++)
		lose(500, 1, 2 * even, &best_ns);
	cr_assert_eq(decision.reason, REASON_PREDICTED_SLOWER);
	enum target before = TARGET_CPU;
	for (int i = 0; i < 100; i++) {
		lose(500, 8, 2 * even, &best_ns);
		cr_assert(decision.reason != REASON_LOOKED_AT_CPU || before == TARGET_GPU,
		          "call %d", i);
		before = decision.target;
	}
	cr_expect_eq(before, TARGET_GPU);
}

/* Sizes hardly ever repeat and the model is wrong about both sides; the loss still stays small. */
Test(decide_auto, sizes_that_change_with_each_call)
{
	double best_ns = 0, lost_ns = 0;
	for (int i = 0; i < 3000; i++)
		lost_ns += lose(150 + (int64_t)i * 7919 % 300, 0.3, 3, &best_ns);
	cr_expect_lt(lost_ns, 0.01 * best_ns, "%g of %g ns", lost_ns, best_ns);
}

/*
 * Each phase has calls of another size; one size is faster on the CPU, the other on the GPU.
 * Neither teaches the other.
 */
Test(decide_auto, phases)
{
	double best_ns = 0, lost_ns = 0;
	for (int i = 0; i < 2000; i++)
		lost_ns += lose(i / 100 % 2 == 0 ? 180 : 320, 0.3, 3, &best_ns);
	cr_expect_lt(lost_ns, 0.01 * best_ns, "%g of %g ns", lost_ns, best_ns);
}

Test(decide_auto, a_dry_run_stays_on_the_cpu)
{
	options.policy = POLICY_DRY;
	for (enum gpu_state gpu = GPU_ASLEEP; gpu <= GPU_OFF; gpu++) {
		situation.gpu = gpu;
		cr_expect_eq(judge(4000), REASON_DRY_FASTER);
		cr_expect_eq(decision.target, TARGET_CPU);
		cr_expect_not(decision.wakes_gpu);
		cr_expect_eq(judge(40), REASON_PREDICTED_SLOWER);
	}
}

Test(decide_auto, a_routine_has_a_policy_of_its_own)
{
	options.policies.routine[FAMILY_GEMM][ELEMENT_D] = POLICY_NEVER;
	cr_expect_eq(judge(4000), REASON_POLICY_NEVER);
	cr_expect_eq(decide_gate_bytes(&options, &experience, &situation, FAMILY_GEMM, ELEMENT_D),
	             UINT64_MAX);
	options.policies.routine[FAMILY_GEMM][ELEMENT_D] = POLICY_ALWAYS;
	cr_expect_eq(judge(10), REASON_POLICY_ALWAYS);
	options.policies.routine[FAMILY_GEMM][ELEMENT_D] = POLICY_THRESHOLD;
	cr_expect_eq(judge(700), REASON_ABOVE_THRESHOLD);
	cr_expect_eq(judge(600), REASON_BELOW_THRESHOLD);
}

/* For any numbers a decision has one reason, which agrees with its target. */
Test(decide_auto, target_agrees_with_the_outcome)
{
	for (int64_t n = 1; n < 20000; n = n * 3 / 2 + 1)
		for (enum gpu_state gpu = GPU_ASLEEP; gpu <= GPU_READY; gpu++)
			for (int source = EXPERIENCE_ASSUMED; source <= EXPERIENCE_MEASURED;
			     source++) {
				situation.gpu = gpu;
				experience.source = (enum experience_source)source;
				const enum reason reason = carry_out(n, n % 3 == 0 ? 5 : 1);
				cr_expect_eq(reason_outcome(reason) == OUTCOME_GPU,
				             decision.target == TARGET_GPU);
				cr_expect_eq(decision.device,
				             decision.target == TARGET_GPU ? 2 : -1);
			}
}
