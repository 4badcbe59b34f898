/* predict_test.c - policy auto replayed on recorded calls: states, setups, sums, words */
/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "policy/decide/predict.h"
#include "policy/decide/predict_text.h"
#include "policy/machine/machine_phrase.h"
#include "tests/unit/cost_call.h"

static struct machine machine;
static struct options given, options;
static struct predict predict;
static struct call call;
static int64_t now_ns;

static void begin(enum policy policy, enum warmup warmup)
{
	options_set_defaults(&given);
	given.policy = (int)policy;
	given.warmup = (int)warmup;
	predict_set_options(&given, &options);
	machine = cost_machine;
	machine.start_ns = 25e6;
	machine.fft_plan_ns = 3e6;
	now_ns = 1000000000;
	call = cost_call_blas(FAMILY_GEMM, 2000, 2000, 2000);
	predict_begin(&predict, &options, &machine, EXPERIENCE_MEASURED);
}

/* One call right after the other: 10 ms here, 1 ms on the GPU. */
static struct decision add_call(double cpu_ns, bool stays)
{
	const struct predict_call one = {.call = &call,
	                                 .model_ns = {cpu_ns, cpu_ns / 10},
	                                 .time_ns = {cpu_ns, cpu_ns / 10},
	                                 .begin_ns = now_ns,
	                                 .elapsed_ns = (int64_t)cpu_ns,
	                                 .stays = stays};
	now_ns += (int64_t)cpu_ns;
	return predict_add(&predict, &one);
}

Test(predict, each_call_is_decided_in_the_state_that_those_before_lead_to)
{
	static const enum reason expected[] = {REASON_START_NOT_PAID, REASON_START_NOT_PAID,
	                                       REASON_WARMING_UP,     REASON_WARMING_UP,
	                                       REASON_WARMING_UP,     REASON_PREDICTED_FASTER};
	begin(POLICY_DRY, WARMUP_BACKGROUND);
	for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++)
		cr_expect_eq(add_call(10e6, false).reason, expected[i], "call %zu", i);
	cr_expect(predict.totals.calls == 6 && predict.totals.gpu_calls == 1 &&
	          predict.totals.starts == 1 && predict.totals.waited_ns == 0);
	cr_expect(predict.totals.cpu_ns == 60e6 && predict.totals.auto_ns == 51e6);
}

Test(predict, a_call_that_waits_pays_for_the_start)
{
	begin(POLICY_AUTO, WARMUP_WAIT);
	for (int i = 0; i < 3; i++)
		cr_expect_eq(add_call(10e6, false).target, TARGET_GPU);
	cr_expect(predict.totals.auto_ns == 25e6 + 3e6 && predict.totals.waited_ns == 25e6);
}

Test(predict, small_calls_are_not_decided_and_others_stay)
{
	begin(POLICY_DRY, WARMUP_WAIT);
	cr_expect_eq(add_call(DECIDE_LEAST_NS - 1, false).reason, REASON_BELOW_THRESHOLD);
	cr_expect(predict.totals.calls == 0 && predict.busy_ns == DECIDE_LEAST_NS - 1);
	cr_expect_eq(add_call(10e6, true).reason, REASON_NONE);
	cr_expect(predict.totals.calls == 1 && predict.totals.gpu_calls == 0 &&
	          predict.totals.auto_ns == 10e6);
	cr_expect_eq(add_call(-1, false).reason, REASON_NONE, "nothing is expected of it");
}

Test(predict, a_threshold_that_was_given_holds)
{
	begin(POLICY_DRY, WARMUP_WAIT);
	options.workload_threshold_given = true;
	options.workload_threshold = call.size_bytes + 1;
	predict_begin(&predict, &options, &machine, EXPERIENCE_MEASURED);
	cr_expect_eq(add_call(10e6, false).reason, REASON_BELOW_THRESHOLD);
	options.workload_threshold = call.size_bytes;
	predict_begin(&predict, &options, &machine, EXPERIENCE_MEASURED);
	cr_expect_eq(add_call(10e6, false).target, TARGET_GPU);
}

Test(predict, routines_that_are_dry_are_replayed_as_auto_and_others_keep_their_policy)
{
	options_set_defaults(&given);
	given.policies.routine[FAMILY_GEMM][ELEMENT_D] = POLICY_DRY;
	given.policies.routine[FAMILY_GEMM][ELEMENT_S] = POLICY_NEVER;
	predict_set_options(&given, &options);
	cr_expect_eq(options.policies.routine[FAMILY_GEMM][ELEMENT_D], POLICY_AUTO);
	cr_expect_eq(options.policies.routine[FAMILY_GEMM][ELEMENT_S], POLICY_NEVER);
	cr_expect_eq(options.policy, POLICY_AUTO);
}

/* A shape pays for its cuFFT plan once. */
Test(predict, plans_are_made_once_for_each_shape)
{
	static struct fft_problem problems[2];
	begin(POLICY_DRY, WARMUP_WAIT);
	for (int i = 0; i < 2; i++)
		problems[i] = (struct fft_problem){.family = FAMILY_FFT_C2C,
		                                   .element = ELEMENT_Z,
		                                   .rank = 1,
		                                   .dims = {{.n = 1 << (20 + i)}},
		                                   .howmany = 1};
	for (int i = 0; i < 6; i++) {
		call = (struct call){.family = FAMILY_FFT_C2C,
		                     .element = ELEMENT_Z,
		                     .work_flops = 1e8,
		                     .fft.problem = &problems[i % 2]};
		add_call(10e6, false);
	}
	cr_expect_eq(predict.totals.plans, 2);
	cr_expect_eq(predict.totals.gpu_calls, 6);
	cr_expect(predict.totals.auto_ns == 25e6 + 6 * 1e6 + 2 * 3e6, "%g", predict.totals.auto_ns);
}

Test(predict, times_are_rounded_as_a_log_has_them)
{
	cr_expect(predict_round(1.5) == 2 && predict_round(0.4) == 0 && predict_round(-3) == -1);
	cr_expect(predict_round((double)NAN) == -1 && predict_round(1e300) == (double)INT64_MAX);
	cr_expect(predict_round_begin(1234567) == 1234000 && predict_round_begin(-5) == -1);
}

Test(predict, sums_in_words)
{
	struct predict_totals totals = {.calls = 52,
	                                .gpu_calls = 36,
	                                .starts = 1,
	                                .plans = 2,
	                                .cpu_ns = 7.57e9,
	                                .auto_ns = 1.38e9};
	struct predict_text text;
	predict_text_write(&totals, 600e6, PREDICT_GATE_TIME, &text);
	cr_expect_str_eq(text.calls, "36 of 52 calls on the GPU, 7.57 s in calls -> 1.38 s");
	cr_expect_str_eq(text.setups,
	                 "included: CUDA's start, 600 ms in the background; 2 cuFFT plans");
	totals.solvers = 1;
	predict_text_write(&totals, 600e6, PREDICT_GATE_TIME, &text);
	cr_expect_str_eq(text.setups, "included: CUDA's start, 600 ms in the background, and "
	                              "cuSOLVER's; 2 cuFFT plans");
	totals.starts = totals.solvers = 12;
	predict_text_write(&totals, 600e6, PREDICT_GATE_TIME, &text);
	cr_expect_str_eq(text.setups, "included: 12 starts of CUDA, each 600 ms in the background, "
	                              "and 12 of cuSOLVER; 2 cuFFT plans");
	totals = (struct predict_totals){.calls = 1, .cpu_ns = 762e6, .auto_ns = 762e6};
	predict_text_write(&totals, 600e6, PREDICT_GATE_TIME, &text);
	cr_expect_str_eq(text.calls, "none of 1 call on the GPU, 762 ms in calls -> 762 ms");
	cr_expect_str_eq(text.setups, "");
	totals.calls = 0;
	predict_text_write(&totals, 600e6, PREDICT_GATE_TIME, &text);
	cr_expect_str_eq(text.calls, "no call is large enough for the GPU:");
	cr_expect_str_eq(text.setups, "each is expected to take less than 100 us on the CPU");
	predict_text_write(&totals, 600e6, 50000000, &text);
	cr_expect_str_eq(text.calls, "no call is large enough for the GPU:");
	cr_expect_str_eq(text.setups,
	                 "each has less than 50.0 MB of operands, the workload_threshold");
	predict_text_write(&totals, 600e6, PREDICT_GATE_SEVERAL, &text);
	cr_expect_str_eq(text.setups,
	                 "each is below a threshold, or expected to take less than 100 us");
	predict_text_write(&totals, 600e6, PREDICT_GATE_OPTIONS, &text);
	cr_expect_str_eq(text.calls, "no call is decided on:");
	cr_expect_str_eq(text.setups, "options keep them on the CPU, or they are too small");
}

static uint64_t find_gate(enum policy policy, const char *key, const char *value)
{
	char message[OPTION_MESSAGE_BYTES];
	options_set_defaults(&given);
	given.policy = (int)policy;
	cr_assert(key == NULL || options_set(&given, key, value, message));
	return predict_gate_find(&given);
}

Test(predict, the_gate_of_all_routines)
{
	cr_expect_eq(find_gate(POLICY_DRY, NULL, NULL), PREDICT_GATE_TIME);
	cr_expect_eq(find_gate(POLICY_DRY, "workload_threshold", "7000"), 7000);
	cr_expect_eq(find_gate(POLICY_DRY, "workload_threshold_dgemm", "7000"),
	             PREDICT_GATE_SEVERAL);
	cr_expect_eq(find_gate(POLICY_THRESHOLD, NULL, NULL), given.workload_threshold);
	cr_expect_eq(find_gate(POLICY_DRY, "policy_dgemm", "threshold"), PREDICT_GATE_SEVERAL);
	cr_expect_eq(find_gate(POLICY_DRY, "policy_dgemm", "never"), PREDICT_GATE_OPTIONS);
	cr_expect_eq(find_gate(POLICY_DRY, "enabled", "false"), PREDICT_GATE_OPTIONS);
	cr_expect_eq(predict_gate_join(7000, 7000), 7000);
	cr_expect_eq(predict_gate_join(7000, PREDICT_GATE_TIME), PREDICT_GATE_SEVERAL);
	cr_expect_eq(predict_gate_join(PREDICT_GATE_OPTIONS, 7000), PREDICT_GATE_OPTIONS);
}

static const char *phrase(const char *gpu, const char *name, const char *absence, bool is_it,
                          bool measured)
{
	static char text[MACHINE_PHRASE_BYTES];
	static struct machine one;
	const struct machine_here here = {absence, is_it};
	memset(&one, 0, sizeof one);
	strcpy(one.gpu, gpu);
	strcpy(one.name, name);
	if (measured) {
		strcpy(one.host, "node7");
		strcpy(one.measured, "2026-11-21T02:10:25Z");
		one.link_up_bytes = 1e9;
	}
	machine_phrase(&one, &here, text);
	return text;
}

Test(predict, the_machine_and_its_source_in_words)
{
	cr_expect_str_eq(phrase("NVIDIA H200", "h", "no driver", false, false),
	                 "here: CPU (no driver). On an H200 (assumed, not measured)");
	cr_expect_str_eq(phrase("NVIDIA GeForce RTX 4090", "", "no GPU", false, false),
	                 "here: CPU (no GPU). On a GeForce RTX 4090 (assumed, not measured)");
	cr_expect_str_eq(phrase("Tesla V100-SXM2", "", NULL, false, false),
	                 "here: GPU. On a Tesla V100-SXM2 (assumed, not measured)");
	cr_expect_str_eq(phrase("NVIDIA A100", "", NULL, true, true),
	                 "here, on an A100 (measured here on 2026-11-21)");
	cr_expect_str_eq(phrase("NVIDIA A100", "", "no driver", false, true),
	                 "here: CPU (no driver). On an A100 (measured on node7 on 2026-11-21)");
	cr_expect_str_eq(
		phrase("", "round figures", "no driver", false, false),
		"here: CPU (no driver). On the machine 'round figures' (assumed, not measured)");
	cr_expect_str_eq(phrase("", "", "no driver", false, false),
	                 "here: CPU (no driver). On a GPU (assumed, not measured)");
}
