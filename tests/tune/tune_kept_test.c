/* tune_kept_test.c - calls that found their operands on the GPU, beside calls that send them */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdbool.h>
#include <stdio.h>

#include "cli/recorded/recorded_sum.h"

enum { ORDER = 1000, OPERAND_BYTES = ORDER * ORDER * 8, CALLS = 5 };

static int failures;

static void expect_near(double found_ns, double wanted_ns, const char *what)
{
	if (found_ns > 0.99 * wanted_ns && found_ns < 1.01 * wanted_ns)
		return;
	printf("%s: %g ns, not %g\n", what, found_ns, wanted_ns);
	failures++;
}

static struct log_record make_record(enum target target, int64_t kept_bytes, double elapsed_ns)
{
	return (struct log_record){.pid = 1,
	                           .family = FAMILY_GEMM,
	                           .element = ELEMENT_D,
	                           .reason = REASON_PREDICTED_FASTER,
	                           .target = target,
	                           .m = ORDER,
	                           .n = ORDER,
	                           .k = ORDER,
	                           .problems = -1,
	                           .size_bytes = 3 * OPERAND_BYTES,
	                           .sent_bytes = 2 * OPERAND_BYTES - kept_bytes,
	                           .kept_bytes = kept_bytes,
	                           .predicted_cpu_ns = -1,
	                           .predicted_gpu_ns = -1,
	                           .elapsed_ns = (int64_t)elapsed_ns};
}

/* The expected time of the call on the GPU, by what it has. */
static double find_expected(const struct recorded_sum *sum, struct recorded_view *view,
                            int64_t kept_bytes)
{
	const struct log_record record = make_record(TARGET_GPU, kept_bytes, 1);
	recorded_sum_view((struct recorded_sum *)(uintptr_t)sum, &record, view);
	return view->model_ns[TARGET_GPU];
}

static void check_held(const struct recorded_view *view, bool a, bool b)
{
	if (view->held[OPERAND_A] == a && view->held[OPERAND_B] == b)
		return;
	printf("held: %d and %d\n", view->held[OPERAND_A], view->held[OPERAND_B]);
	failures++;
}

int main(void)
{
	static struct known_machine machine;
	static struct options options;
	struct recorded_view view;
	options_set_defaults(&options);
	machine_assume(&machine.complete, 0, 0);
	struct recorded_sum *sum = recorded_sum_make(&options, &machine);
	sum->cpu_threads = 1;
	sum->by_model = true;
	const double all_ns = find_expected(sum, &view, 0);
	check_held(&view, false, false);
	find_expected(sum, &view, OPERAND_BYTES);
	check_held(&view, true, false);
	const double none_ns = find_expected(sum, &view, 2 * OPERAND_BYTES - 16384);
	check_held(&view, true, true);
	if (none_ns > 0.8 * all_ns) {
		printf("with both operands there: %g ns, else %g\n", none_ns, all_ns);
		failures++;
	}
	/* Calls on the GPU had both operands there; one on the CPU would have to send them. */
	for (int i = 0; i < CALLS; i++) {
		const struct log_record on_gpu =
			make_record(TARGET_GPU, 2 * OPERAND_BYTES - 16384, none_ns);
		recorded_sum_add(sum, &on_gpu);
	}
	const struct log_record on_cpu = make_record(TARGET_CPU, -1, 2 * all_ns);
	recorded_sum_add(sum, &on_cpu);
	recorded_sum_end(sum);
	recorded_sum_view(sum, &on_cpu, &view);
	expect_near(recorded_sum_find_time(&view, &on_cpu, TARGET_GPU), all_ns,
	            "a call of the CPU on the GPU");
	const struct log_record on_gpu =
		make_record(TARGET_GPU, 2 * OPERAND_BYTES - 16384, none_ns);
	recorded_sum_view(sum, &on_gpu, &view);
	expect_near(recorded_sum_find_time(&view, &on_gpu, TARGET_CPU), 2 * all_ns,
	            "a call of the GPU on the CPU");
	recorded_sum_free(sum);
	printf("%d failures\n", failures);
	return failures > 0;
}
