/* machine_merge_test.c - measured values replace stated ones; another machine's GPU is dropped */
/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <string.h>

#include "policy/machine/machine_merge.h"

static struct machine machine = {
	.name = "said",
	.cpu = "a processor",
	.gpu = "a card",
	.cpu_threads = 8,
	.cpu_gemm_flops = {1, 2, 3, 4},
	.gpu_gemm_flops = {5, 6, 7, 8},
	.link_up_bytes = 9,
	.operation_ns = 10,
	.start_ns = 11,
	.curve_count = 3,
	.curve = {{.side = MACHINE_GPU, .count = 1},
                  {.side = MACHINE_CPU, .threads = 4, .count = 1},
                  {.side = MACHINE_GPU}},
};

Test(machine_merge, what_was_found_replaces_what_was_said)
{
	const struct machine found = {
		.gpu = "this card", .gpu_gemm_flops = {[ELEMENT_D] = 60}, .link_up_bytes = 90};
	machine_merge(&machine, &found);
	cr_expect_str_eq(machine.gpu, "this card");
	cr_expect_str_eq(machine.name, "said");
	cr_expect(machine.gpu_gemm_flops[ELEMENT_D] == 60 &&
	          machine.gpu_gemm_flops[ELEMENT_S] == 5);
	cr_expect(machine.link_up_bytes == 90 && machine.operation_ns == 10 &&
	          machine.cpu_threads == 8);
	cr_expect_eq(machine.curve_count, 3);
}

Test(machine_merge, another_machines_gpu_goes)
{
	machine_merge_drop_gpu(&machine);
	cr_expect_str_eq(machine.gpu, "");
	cr_expect_str_eq(machine.cpu, "a processor");
	for (int element = 0; element < ELEMENT_BLAS_COUNT; element++) {
		cr_expect(machine.gpu_gemm_flops[element] == 0);
		cr_expect(machine.cpu_gemm_flops[element] == element + 1);
	}
	cr_expect(machine.link_up_bytes == 0 && machine.operation_ns == 0 && machine.start_ns == 0);
	cr_expect_eq(machine.curve_count, 1);
	cr_expect_eq(machine.curve[0].threads, 4);
}

Test(machine_merge, what_was_not_said_is_completed)
{
	const struct machine found = {.gpu = "this card",
	                              .cuda = "13.0",
	                              .gpu_gemm_flops = {[ELEMENT_D] = 60},
	                              .link_down_bytes = 90};
	machine_merge_complete(&machine, &found);
	cr_expect_str_eq(machine.gpu, "a card");
	cr_expect_str_eq(machine.cuda, "13.0");
	cr_expect(machine.gpu_gemm_flops[ELEMENT_D] == 6 && machine.link_down_bytes == 90 &&
	          machine.link_up_bytes == 9);
}
