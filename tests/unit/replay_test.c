/* replay_test.c - one process on its own clock: gate, CUDA's start, waits, plans, rehearsals */
/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "policy/decide/rehearse.h"
#include "policy/decide/replay.h"
#include "tests/unit/cost_call.h"
#include "tests/unit/cost_lapack.h"

static struct machine machine;
static struct learn learn;
static struct options options;
static struct replay one;
static struct replay_plan plan;
static struct decision decision;
static const struct replay_times ten_to_one = {.cpu_ns = 10e6, .gpu_ns = 1e6, .plan_ns = 3e6};

static void begin(enum policy policy, enum warmup warmup)
{
	options_set_defaults(&options);
	options.policy = (int)policy;
	options.warmup = (int)warmup;
	machine = cost_machine;
	machine.start_ns = 25e6;
	machine.fft_plan_ns = 3e6;
	learn = (struct learn){0};
	plan = (struct replay_plan){0};
	one = (struct replay){.options = &options,
	                      .experience = {&machine, &learn, EXPERIENCE_MEASURED},
	                      .start_ns = machine.start_ns};
	one.situation.start_is_free = warmup == WARMUP_WAIT;
	replay_open_gates(&one);
}

static void run(const struct call *call)
{
	replay_run(&one, call, &plan, &ten_to_one, &decision);
}

Test(replay, what_the_gate_keeps_passes_by)
{
	const struct call small = cost_call_blas(FAMILY_GEMM, 64, 64, 64),
			  large = cost_call_blas(FAMILY_GEMM, 2000, 2000, 2000);
	begin(POLICY_AUTO, WARMUP_BACKGROUND);
	cr_expect(!replay_decides(&one, &small));
	cr_expect(replay_decides(&one, &large));
	replay_pass(&one, 100, 7);
	cr_expect(one.clock_ns == 107 && one.busy_ns == 7 && one.offloads == 0);
}

Test(replay, calls_go_on_while_cuda_starts)
{
	const struct call call = cost_call_blas(FAMILY_GEMM, 2000, 2000, 2000);
	begin(POLICY_THRESHOLD, WARMUP_BACKGROUND);
	run(&call);
	cr_expect(decision.target == TARGET_CPU && one.situation.gpu == GPU_WARMING);
	cr_expect(!replay_advance(&one, 10e6), "20 of 25 ms have passed");
	run(&call);
	cr_expect(decision.target == TARGET_CPU);
	cr_expect(replay_advance(&one, 0), "30 of 25 ms have passed");
	cr_expect(!replay_advance(&one, 0), "it comes up once");
	run(&call);
	cr_expect(decision.target == TARGET_GPU && one.offloads == 1);
	cr_expect(one.busy_ns == 2 * 10e6 + 1e6, "a start in the background is no time of calls");
}

Test(replay, who_wakes_cuda_waits_for_it)
{
	const struct call call = cost_call_blas(FAMILY_GEMM, 2000, 2000, 2000);
	begin(POLICY_THRESHOLD, WARMUP_WAIT);
	run(&call);
	run(&call);
	cr_expect(decision.target == TARGET_GPU && one.offloads == 2);
	cr_expect(one.busy_ns == 25e6 + 2 * 1e6);
}

Test(replay, auto_starts_cuda_when_calls_have_paid_for_it)
{
	const struct call call = cost_call_blas(FAMILY_GEMM, 800, 800, 800);
	begin(POLICY_AUTO, WARMUP_BACKGROUND);
	run(&call);
	cr_expect_eq(decision.reason, REASON_START_NOT_PAID);
	for (int i = 0; i < 10 && one.situation.gpu == GPU_ASLEEP; i++)
		run(&call);
	cr_expect_eq(one.situation.gpu, GPU_WARMING);
}

Test(replay, a_plan_is_paid_for_once)
{
	const struct fft_problem problem = {.family = FAMILY_FFT_C2C,
	                                    .element = ELEMENT_Z,
	                                    .rank = 1,
	                                    .dims = {{1 << 22, 1, 1}},
	                                    .howmany = 1};
	const struct call call = {.family = FAMILY_FFT_C2C,
	                          .element = ELEMENT_Z,
	                          .size_bytes = UINT64_C(2) << 26,
	                          .input_bytes = UINT64_C(1) << 26,
	                          .output_bytes = UINT64_C(1) << 26,
	                          .work_flops = 5.0 * 22 * (1 << 22),
	                          .fft = {.problem = &problem}};
	begin(POLICY_ALWAYS, WARMUP_WAIT);
	run(&call);
	cr_expect(plan.made && one.busy_ns == 25e6 + 1e6 + 3e6);
	run(&call);
	cr_expect(one.busy_ns == 25e6 + 2 * 1e6 + 3e6);
}

Test(rehearse, a_plan_takes_about_what_the_formula_says)
{
	struct cost cost;
	machine = cost_machine;
	machine.gpu_multiprocessors = 100;
	const struct cost_setting setting = {.cpu_threads = 1};
	for (int64_t n = 500; n <= 8000; n *= 2) {
		const struct call call = cost_call_blas(FAMILY_GEMM, n, n, n);
		cost_predict(&machine, &setting, &call, &cost);
		const double planned_ns = rehearse_call(&machine, &call, 0) + machine.call_fixed_ns;
		cr_expect(planned_ns > 0.7 * cost.gpu.whole_ns &&
		                  planned_ns < 1.7 * cost.gpu.whole_ns,
		          "n %ld: %.0f against %.0f", (long)n, planned_ns, cost.gpu.whole_ns);
	}
}

Test(rehearse, factorizations_take_about_what_the_formula_says)
{
	static const enum family families[] = {FAMILY_GETRF, FAMILY_GESV, FAMILY_POTRF,
	                                       FAMILY_POSV};
	struct cost cost;
	machine = cost_machine;
	machine.gpu_multiprocessors = 100;
	machine.gpu_memory_bytes = 3e12;
	const struct cost_setting setting = {.cpu_threads = 1};
	for (int i = 0; i < 4; i++)
		for (int64_t n = 600; n <= 40000; n *= 2) {
			const struct call call = cost_lapack_square(families[i], n, false);
			cost_predict(&machine, &setting, &call, &cost);
			const double planned_ns =
				rehearse_call(&machine, &call, 0) + machine.call_fixed_ns;
			cr_expect(planned_ns > 0.8 * cost.gpu.whole_ns &&
			                  planned_ns < 1.35 * cost.gpu.whole_ns,
			          "%s, n %ld: %.0f against %.0f", family_name(families[i]), (long)n,
			          planned_ns, cost.gpu.whole_ns);
		}
}

/* Less memory takes more time, by the formula and by the plan. Solvers are as with all of it. */
static void check_streamed(enum family family, bool streams)
{
	static const double memory[] = {0, 4e9, 1e9, 5e8, 2.5e8};
	const struct call call = cost_lapack_square(family, 30000, false);
	struct cost cost;
	double before_ns = 0;
	for (int i = 0; i < 5; i++) {
		const struct cost_setting setting = {.cpu_threads = 1, .memory_bytes = memory[i]};
		cost_predict(&machine, &setting, &call, &cost);
		const double planned_ns =
			rehearse_call(&machine, &call, memory[i]) + machine.call_fixed_ns;
		cr_expect(planned_ns > 0.6 * cost.gpu.whole_ns &&
		                  planned_ns < 1.5 * cost.gpu.whole_ns,
		          "%s, %.0f bytes: %.0f against %.0f", family_name(family), memory[i],
		          planned_ns, cost.gpu.whole_ns);
		cr_expect(i == 0 || (streams ? cost.gpu.whole_ns >= before_ns
		                             : cost.gpu.whole_ns == before_ns),
		          "%s, %.0f bytes", family_name(family), memory[i]);
		before_ns = cost.gpu.whole_ns;
	}
	cr_expect(!streams || rehearse_call(&machine, &call, 1e5) == HUGE_VAL, "no panel fits");
}

Test(rehearse, a_matrix_larger_than_the_memory_is_streamed)
{
	machine = cost_machine;
	machine.gpu_multiprocessors = 100;
	machine.gpu_memory_bytes = 3e12;
	check_streamed(FAMILY_POTRF, true);
	check_streamed(FAMILY_GETRF, true);
	check_streamed(FAMILY_GESV, false);
}

Test(rehearse, what_is_not_planned_is_not_known)
{
	struct call call = cost_call_blas(FAMILY_GEMM, 500, 500, 500);
	machine = cost_machine;
	call.element = ELEMENT_L;
	cr_expect(rehearse_call(&machine, &call, 0) == -1, "no rate");
	call = cost_call_blas(FAMILY_GEMM, 500, 500, 500);
	call.family = FAMILY_GEMM_BATCH;
	cr_expect(rehearse_call(&machine, &call, 0) == -1, "a batch");
	call = cost_call_blas(FAMILY_GEMM, 500, 500, 500);
	call.defect = REASON_OVERLAP;
	cr_expect(rehearse_call(&machine, &call, 0) == -1, "the CPU's");
	call = cost_lapack_square(FAMILY_GEQRF, 500, false);
	cr_expect(rehearse_call(&machine, &call, 0) == -1, "another routine of LAPACK");
	call = cost_lapack_square(FAMILY_GETRF, 500, false);
	cr_expect(rehearse_call(&machine, &call, 0) > 0, "LU");
	char message[MACHINE_MESSAGE_BYTES];
	cr_assert(machine_parse_line(&machine, "gpu_dgetrf = 1000:1e12 8000:10e12", message), "%s",
	          message);
	cr_expect(rehearse_call(&machine, &call, 0) == -1, "a rate that was measured");
}

/* The first call of cuSOLVER waits until what it and others could save pays for its start. */
Test(replay, cusolver_starts_when_calls_have_paid_for_it)
{
	const struct call call = cost_lapack_square(FAMILY_GETRF, 4000, false),
			  other = cost_lapack_square(FAMILY_POTRF, 4000, true);
	begin(POLICY_AUTO, WARMUP_BACKGROUND);
	one.situation.gpu = GPU_READY;
	struct cost cost;
	cost_predict(&machine, &one.situation.setting, &call, &cost);
	const struct replay_times times = {cost.cpu.whole_ns, cost.gpu.whole_ns, 1e12, {0}};
	const double saving_ns = times.cpu_ns - times.gpu_ns / 2;
	machine.solver_start_ns = 2.5 * saving_ns;
	for (int i = 0; i < 2; i++) {
		replay_run(&one, &call, &plan, &times, &decision);
		cr_expect_eq(decision.reason, REASON_SETUP_NOT_PAID, "call %d", i);
	}
	const double before_ns = one.busy_ns;
	replay_run(&one, &call, &plan, &times, &decision);
	cr_expect_eq(decision.target, TARGET_GPU);
	cr_expect_float_eq(one.busy_ns - before_ns, times.gpu_ns + machine.solver_start_ns, 1);
	cr_expect(one.solver.made && !plan.made);
	replay_run(&one, &other, &plan, &times, &decision);
	cr_expect_eq(decision.target, TARGET_GPU, "one start serves all routines");
}
