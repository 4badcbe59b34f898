/* share_cost_test.c - shares of CPU and GPU: expected times, what is chosen, what calls teach */
/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>

#include "cost_call.h"
#include "decide_state.h"
#include "policy/decide/learn_share.h"
#include "policy/decide/share_cost.h"

/*
 * A workstation with a consumer card whose double precision is weak: 0.38 Tflop/s on 16 cores, 0.84
 * on the card, 20 GB/s each way.
 */
static const struct machine weak = {
	.cpu_threads = 16,
	.cpu_gemm_flops = {0.76e12, 0.38e12, 0.76e12, 0.38e12},
	.gpu_gemm_flops = {1.68e12, 0.84e12, 1.68e12, 0.84e12},
	.link_up_bytes = 20e9,
	.link_down_bytes = 20e9,
	.link_duplex = 0.95,
	.operation_ns = 8e3,
	.call_fixed_ns = 30e3,
	.start_ns = 500e6,
};

static void start(void)
{
	const struct situation begin = {
		.gpu = GPU_READY, .device = 1, .setting = {.cpu_threads = 16, .copy_threads = 1}};
	decide_state_start(&weak, begin, "share_cpu", "auto");
}

TestSuite(share_cost, .init = start);

static struct call square(enum family family, int64_t n)
{
	struct call call = cost_call_blas(family, n, n, n);
	call.blas.lda = call.blas.ldb = call.blas.ldc = n;
	return call;
}

static void judge(const struct call *call)
{
	decide(&options, &experience, &situation, call, &decision);
}

static double better_alone(void)
{
	return decision.predicted_cpu_ns < decision.predicted_gpu_ns ? decision.predicted_cpu_ns
	                                                             : decision.predicted_gpu_ns;
}

/* 0.84 and 0.38 Tflop/s together are 1.45 times the faster one. */
Test(share_cost, weak_double_precision_gains_what_both_have)
{
	const struct call call = square(FAMILY_GEMM, 8000);
	judge(&call);
	cr_assert_eq(decision.reason, REASON_SHARED_WITH_CPU);
	cr_expect_eq(decision.target, TARGET_GPU);
	cr_expect_eq(decision.device, 1);
	cr_expect_float_eq(better_alone() / decision.shared_ns, 1.45, 0.05);
	cr_expect_float_eq(decision.cpu_share, 0.38 / (0.38 + 0.84), 0.03);
	cr_expect_float_eq(decision.part_ns[TARGET_CPU], decision.part_ns[TARGET_GPU],
	                   0.05 * decision.shared_ns);
}

/* In single precision the card is fifty times as fast: nothing is gained. */
Test(share_cost, a_fast_card_keeps_its_calls)
{
	struct machine machine = weak;
	machine.gpu_gemm_flops[ELEMENT_D] = 20e12;
	machine.link_up_bytes = machine.link_down_bytes = 200e9;
	experience.machine = &machine;
	const struct call call = square(FAMILY_GEMM, 8000);
	judge(&call);
	cr_expect_eq(decision.reason, REASON_PREDICTED_FASTER);
	cr_expect_eq(decision.cpu_share, 0);
}

Test(share_cost, words_and_options)
{
	const struct call call = square(FAMILY_GEMM, 8000);
	char message[OPTION_MESSAGE_BYTES];
	static const struct {
		const char *text;
		double share;
		enum reason reason;
	} row[] = {{"off", 0, REASON_PREDICTED_FASTER},
	           {"37", 0.37, REASON_PREDICTED_FASTER},
	           {"99%", 0.99, REASON_PREDICTED_FASTER}};
	for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
		cr_assert(options_set(&options, "share_cpu", row[i].text, message), "%s", message);
		judge(&call);
		cr_expect_float_eq(decision.cpu_share, row[i].share, 1e-12);
		cr_expect_eq(decision.reason, row[i].reason);
	}
	static const char *const wrong[] = {"0", "100", "-3", "37.5", "half", "", "%"};
	for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
		cr_expect_not(options_set(&options, "share_cpu", wrong[i], message), "%s",
		              wrong[i]);
	cr_assert(options_set(&options, "share_cpu", "auto", message));
	options.deterministic = true;
	judge(&call);
	cr_expect_eq(decision.cpu_share, 0);
}

/* Nothing is shared by a guess: both sides were measured, here or by calls of this kind. */
Test(share_cost, waits_for_both_sides)
{
	const struct call call = square(FAMILY_GEMM, 8000);
	experience.source = EXPERIENCE_LOOKED;
	for (int i = 0; i < 20; i++) {
		judge(&call);
		if (decision.reason == REASON_SHARED_WITH_CPU)
			break;
		const bool gpu = decision.target == TARGET_GPU;
		learn_note(&learn, &call, &decision,
		           gpu ? decision.model_gpu_ns : decision.model_cpu_ns);
	}
	cr_assert_eq(decision.reason, REASON_SHARED_WITH_CPU);
	struct learn_guess guess;
	struct cost cost;
	cost_predict(&weak, &situation.setting, &call, &cost);
	learn_correct(&learn, &call, &cost, 2, &guess);
	cr_expect_gt(guess.seen[TARGET_CPU], 0);
	cr_expect_gt(guess.seen[TARGET_GPU], 0);
}

Test(share_cost, calls_that_are_not_shared)
{
	const struct call small = square(FAMILY_GEMM, 700), call = square(FAMILY_GEMM, 8000);
	judge(&small);
	cr_expect_eq(decision.cpu_share, 0, "it would take less than a millisecond");
	situation.setting.place[OPERAND_B] = COST_DEVICE;
	judge(&call);
	cr_expect_eq(decision.cpu_share, 0, "an operand lies on the device");
	situation.setting.place[OPERAND_B] = COST_PAGEABLE;
	situation.gpu = GPU_WARMING;
	judge(&call);
	cr_expect_eq(decision.cpu_share, 0, "CUDA is starting");
	situation.gpu = GPU_READY;
	options.policy = POLICY_DRY;
	judge(&call);
	cr_expect_eq(decision.cpu_share, 0, "a dry run");
	cr_expect_eq(decision.target, TARGET_CPU);
}

/* The thread that conducts copies alone: what it cannot copy in time is not given to the GPU. */
Test(share_cost, copies_bound_the_gpu)
{
	struct share_sides sides = {{100e6, 100e6}, {1, 1}};
	const struct call call = square(FAMILY_GEMM, 4000);
	struct share_plan one, eight;
	struct machine machine = weak;
	machine.link_up_bytes = machine.link_down_bytes = 50e9;
	machine.gpu_gemm_flops[ELEMENT_D] = 60e12;
	sides.alone_ns[TARGET_GPU] = 6e6;
	sides.alone_ns[TARGET_CPU] = 330e6;
	cr_assert(share_cost_predict(&machine, &situation.setting, &call, &sides, 0.1, &one));
	situation.setting.copy_threads = 8;
	cr_assert(share_cost_predict(&machine, &situation.setting, &call, &sides, 0.1, &eight));
	cr_expect_gt(one.part_ns[TARGET_GPU], 4 * eight.part_ns[TARGET_GPU]);
}

/* A process on a machine whose CPU slows down by half while the GPU copies, and a call 50 times. */
Test(share_cost, learns_the_balance)
{
	const struct call call = square(FAMILY_GEMM, 8000);
	double waits = 0, whole_ns = 0;
	int shared = 0;
	for (int i = 0; i < 50; i++) {
		judge(&call);
		if (decision.reason != REASON_SHARED_WITH_CPU) {
			learn_note(&learn, &call, &decision,
			           decision.target == TARGET_GPU ? decision.model_gpu_ns
			                                         : decision.model_cpu_ns);
			continue;
		}
		shared++;
		const double part_ns[] = {[TARGET_CPU] = 1.5 * decision.part_ns[TARGET_CPU],
		                          [TARGET_GPU] = decision.part_ns[TARGET_GPU]};
		const double longer = part_ns[TARGET_CPU] > part_ns[TARGET_GPU]
		                              ? part_ns[TARGET_CPU]
		                              : part_ns[TARGET_GPU];
		waits = 2 * longer - part_ns[TARGET_CPU] - part_ns[TARGET_GPU];
		whole_ns = longer;
		learn_share_note(&learn, &call, &decision, decision.cpu_share, part_ns, longer);
	}
	cr_assert_gt(shared, 45);
	cr_expect_lt(waits, 0.05 * whole_ns, "a side waits %g of %g ns", waits, whole_ns);
}

/* Where sharing is slower than was expected, it ends. */
Test(share_cost, ends_where_it_does_not_pay)
{
	const struct call call = square(FAMILY_GEMM, 8000);
	int shared = 0;
	for (int i = 0; i < 50; i++) {
		judge(&call);
		const bool both = decision.reason == REASON_SHARED_WITH_CPU;
		shared += both;
		const double part_ns[] = {3 * decision.part_ns[0], 3 * decision.part_ns[1]};
		if (both)
			learn_share_note(&learn, &call, &decision, decision.cpu_share, part_ns,
			                 part_ns[0]);
		else
			learn_note(&learn, &call, &decision,
			           decision.target == TARGET_GPU ? decision.model_gpu_ns
			                                         : decision.model_cpu_ns);
	}
	cr_expect_lt(shared, 3, "%d calls were shared", shared);
}

/* Now and then a call is left to the better side, at a small part of the time. */
Test(share_cost, one_side_is_tried_again)
{
	const struct call call = square(FAMILY_GEMM, 8000);
	double spent_ns = 0, alone_ns = 0;
	int alone = 0;
	for (int i = 0; i < 2000; i++) {
		judge(&call);
		if (decision.reason == REASON_SHARED_WITH_CPU) {
			learn_share_note(&learn, &call, &decision, decision.cpu_share,
			                 decision.part_ns, decision.shared_ns);
			spent_ns += decision.shared_ns;
			continue;
		}
		const double elapsed_ns = decision.target == TARGET_GPU ? decision.predicted_gpu_ns
		                                                        : decision.predicted_cpu_ns;
		learn_note(&learn, &call, &decision, elapsed_ns);
		alone += decision.target == TARGET_GPU;
		alone_ns += elapsed_ns - decision.shared_ns;
		spent_ns += elapsed_ns;
	}
	cr_expect_gt(alone, 3);
	cr_expect_lt(alone_ns, 0.03 * spent_ns);
}

/*
 * One call of a process whose sides take so many times as long as cost_predict says, each alone or
 * for its part; returns its time.
 */
static double run(const struct call *call, double cpu_factor, double gpu_factor)
{
	judge(call);
	const double part_ns[] = {[TARGET_CPU] = cpu_factor * decision.part_ns[TARGET_CPU],
	                          [TARGET_GPU] = gpu_factor * decision.part_ns[TARGET_GPU]};
	double elapsed_ns = part_ns[TARGET_CPU] > part_ns[TARGET_GPU] ? part_ns[TARGET_CPU]
	                                                              : part_ns[TARGET_GPU];
	if (decision.reason == REASON_SHARED_WITH_CPU) {
		learn_share_note(&learn, call, &decision, decision.cpu_share, part_ns, elapsed_ns);
		return elapsed_ns;
	}
	elapsed_ns = decision.target == TARGET_GPU ? gpu_factor * decision.model_gpu_ns
	                                           : cpu_factor * decision.model_cpu_ns;
	learn_note(&learn, call, &decision, elapsed_ns);
	return elapsed_ns;
}

/* A GPU that was slow when its calls were measured, and is not any more, keeps them. */
Test(share_cost, a_slow_while_is_over)
{
	struct machine machine = weak;
	machine.gpu_gemm_flops[ELEMENT_D] = 5e12;
	machine.link_up_bytes = machine.link_down_bytes = 100e9;
	experience.machine = &machine;
	experience.source = EXPERIENCE_LOOKED;
	const struct call call = square(FAMILY_GEMM, 8000);
	int alone = 0;
	for (int i = 0; i < 30; i++)
		run(&call, 1, 6);
	cr_assert_eq(decision.reason, REASON_SHARED_WITH_CPU);
	for (int i = 0; i < 30; i++) {
		run(&call, 1, 1);
		alone += decision.target == TARGET_GPU && decision.cpu_share == 0;
	}
	cr_expect_gt(alone, 24, "%d calls were left to the GPU", alone);
}

/* The CPU is late now and then: calls that wait for both sides take longer than the GPU alone. */
Test(share_cost, a_side_that_is_often_late)
{
	const struct call call = square(FAMILY_GEMM, 8000);
	double spent_ns = 0, alone_ns = 0;
	int shared = 0;
	for (int i = 0; i < 1000; i++) {
		spent_ns += run(&call, i % 8 == 7 ? 10 : 1, 1);
		alone_ns += decision.model_gpu_ns;
	}
	cr_expect_lt(spent_ns, 1.1 * alone_ns, "%g times as long as the GPU alone",
	             spent_ns / alone_ns);
	for (int i = 0; i < 1000; i++) {
		run(&call, 1, 1);
		shared += decision.reason == REASON_SHARED_WITH_CPU;
	}
	cr_expect_gt(shared, 300, "%d of 1000 undisturbed calls were shared", shared);
}

/* Once both sides are known, a batch is divided, at a whole problem. */
Test(share_cost, problems_of_a_batch)
{
	struct call call = square(FAMILY_GEMM_BATCH_STRIDED, 2000);
	const int problems = 200;
	call.batch = (struct batch_call){
		.strided = true, .groups = 1, .problems = problems, .first = call.blas};
	call.work_flops *= problems;
	call.size_bytes *= problems;
	call.input_bytes *= problems;
	call.output_bytes *= problems;
	for (int i = 0; i < 20 && decision.reason != REASON_SHARED_WITH_CPU; i++) {
		judge(&call);
		learn_note(&learn, &call, &decision,
		           decision.target == TARGET_GPU ? decision.model_gpu_ns
		                                         : decision.model_cpu_ns);
	}
	cr_assert_eq(decision.reason, REASON_SHARED_WITH_CPU);
	cr_expect_lt(decision.shared_ns, 0.8 * better_alone());
	cr_expect_float_eq(decision.part_ns[TARGET_CPU], decision.part_ns[TARGET_GPU],
	                   0.05 * decision.shared_ns);
	const double cpu_problems = decision.cpu_share * problems;
	cr_expect_float_eq(cpu_problems, (int)(cpu_problems + 0.5), 1e-6);
	call.batch.problems = 1;
	judge(&call);
	cr_expect_eq(decision.cpu_share, 0);
}

/* In two arrays. */
static struct call transforms(struct fft_problem *problem, int64_t howmany)
{
	static char input, *const output = (char *)((uintptr_t)1 << 46);
	const uint64_t bytes = (uint64_t)howmany * 4096 * 16;
	*problem = (struct fft_problem){.family = FAMILY_FFT_C2C,
	                                .element = ELEMENT_Z,
	                                .rank = 1,
	                                .dims = {{4096, 1, 1}},
	                                .loops = 1,
	                                .loop = {{howmany, 4096, 4096}},
	                                .howmany = howmany,
	                                .sign = -1};
	struct call call = cost_call_fft(problem, bytes, 5.0 * 4096 * 12 * (double)howmany);
	call.fft.in = &input;
	call.fft.out = output;
	return call;
}

static void judge_until_shared(const struct call *call)
{
	for (int i = 0; i < 20 && decision.reason != REASON_SHARED_WITH_CPU; i++) {
		judge(call);
		learn_note(&learn, call, &decision,
		           decision.target == TARGET_GPU ? decision.model_gpu_ns
		                                         : decision.model_cpu_ns);
	}
}

Test(share_cost, transforms_of_a_batch)
{
	struct machine machine = weak;
	struct fft_problem problem;
	machine.cpu_fft_flops[ELEMENT_Z] = 60e9;
	machine.gpu_fft_flops[ELEMENT_Z] = 100e9;
	experience.machine = &machine;
	situation.setting.copy_threads = 8;
	struct call call = transforms(&problem, 20000);
	judge_until_shared(&call);
	cr_assert_eq(decision.reason, REASON_SHARED_WITH_CPU);
	cr_expect_lt(decision.shared_ns, 0.8 * better_alone());
	cr_expect_float_eq(decision.part_ns[TARGET_CPU], decision.part_ns[TARGET_GPU],
	                   0.05 * decision.shared_ns);
	const double turns = decision.cpu_share * 20000;
	cr_expect_float_eq(turns, 200 * (int)(turns / 200 + 0.5), 1e-6, "whole slices: %g", turns);
	call = transforms(&problem, 1);
	judge(&call);
	cr_expect_eq(decision.cpu_share, 0, "one transform");
}

/* Plans that are not measured are five times as slow: less is left for the CPU. */
Test(share_cost, transforms_by_slow_plans)
{
	struct machine machine = weak;
	struct fft_problem problem;
	machine.cpu_fft_flops[ELEMENT_Z] = 60e9;
	machine.gpu_fft_flops[ELEMENT_Z] = 100e9;
	const struct call call = transforms(&problem, 20000);
	const struct share_sides sides = {{100e6, 100e6}, {1, 1}};
	struct share_plan measured, estimated;
	cr_assert(share_cost_predict(&machine, &situation.setting, &call, &sides, 0.3, &measured));
	machine.cpu_fft_estimate_flops[ELEMENT_Z] = 12e9;
	cr_assert(share_cost_predict(&machine, &situation.setting, &call, &sides, 0.3, &estimated));
	cr_expect_float_eq(estimated.part_ns[TARGET_CPU], 5 * measured.part_ns[TARGET_CPU], 1e3);
	cr_expect_float_eq(estimated.part_ns[TARGET_GPU], measured.part_ns[TARGET_GPU], 1e3);
}
