/* gpu_batch_test.c - batches on the GPU: all kinds of groups, strided, shared operands, pieces */
/* SPDX-License-Identifier: Apache-2.0 */
#include <limits.h>

#include "gpu_check_batch.h"
#include "shim/execute/gpu/device/gpu_launch.h"

static struct gpu_check_blas make_blas(enum element element, int number)
{
	static const int64_t size[][3] = {{7, 5, 9}, {3, 8, 2}, {1, 1, 1}, {12, 4, 6}};
	static const double complex scalar[][2] = {
		{1, 0}, {0.5 - 0.25 * I, 2 + 1.5 * I}, {-1 + 3 * I, 1}};
	return (struct gpu_check_blas){.family = FAMILY_GEMM,
	                               .element = element,
	                               .transa = (enum transpose)(number % 3),
	                               .transb = (enum transpose)(number / 3 % 3),
	                               .m = size[number % 4][0],
	                               .n = size[number % 4][1],
	                               .k = size[number % 4][2],
	                               .gap = number % 3,
	                               .alpha = scalar[number % 3][0],
	                               .beta = scalar[number / 2 % 3][1]};
}

/* Four groups of 0 to 5 problems. Each group shares other operands than the one before. */
static struct gpu_check_groups make_groups(enum element element, int number)
{
	struct gpu_check_groups wanted = {.groups = 1 + number % CHECK_GROUPS,
	                                  .letters = number % 2 == 0,
	                                  .wide = number % 3 == 0};
	for (int g = 0; g < wanted.groups; g++)
		wanted.group[g] = (struct gpu_check_group){.blas = make_blas(element, number + g),
		                                           .count = g == 0 ? 5 : (number + g) % 4,
		                                           .shares_a = (number + g) % 4 == 1,
		                                           .shares_b = (number + g) % 5 < 2};
	return wanted;
}

static void expect_fine(enum reason reason, int number)
{
	EXPECT(reason == REASON_NONE, "number %d: %s", number, reason_name(reason));
}

static void test_groups(int device)
{
	for (enum element element = ELEMENT_S; element < ELEMENT_BLAS_COUNT; element++)
		for (int number = 0; number < 36; number++) {
			const struct gpu_check_groups wanted = make_groups(element, number);
			expect_fine(gpu_check_run_groups(&wanted, device), number);
		}
}

static void test_strided(int device)
{
	for (enum element element = ELEMENT_S; element < ELEMENT_BLAS_COUNT; element++)
		for (int number = 0; number < 36; number++) {
			const struct gpu_check_group wanted = {.blas = make_blas(element, number),
			                                       .count = 1 + number % 5,
			                                       .shares_a = number % 4 == 1,
			                                       .shares_b = number % 5 < 2};
			expect_fine(
				gpu_check_run_strided(&wanted, number % 4 != 0, number % 3, device),
				number);
		}
}

static void test_places(int device)
{
	static const enum check_place place[] = {PLACE_HOST, PLACE_DEVICE, PLACE_MANAGED};
	for (int number = 0; number < 54; number++) {
		struct gpu_check_groups wanted =
			make_groups((enum element)(number % ELEMENT_BLAS_COUNT), number);
		struct gpu_check_group strided = wanted.group[0];
		for (int g = 0; g < wanted.groups; g++)
			for (int name = OPERAND_A; name < OPERAND_COUNT; name++)
				wanted.group[g].blas.place[name] =
					place[(number / (1 + 2 * name) + g) % 3];
		expect_fine(gpu_check_run_groups(&wanted, device), number);
		for (int name = OPERAND_A; name < OPERAND_COUNT; name++)
			strided.blas.place[name] = place[number / (1 + 2 * name) % 3];
		strided.backward = number % 7 == 0;
		strided.blas.offset_bytes = number % 5 == 0 ? 4 : 0;
		expect_fine(gpu_check_run_strided(&strided, number % 2 == 0, number % 4, device),
		            number);
	}
}

/*
 * Operands of one group are partly in host and partly in device memory. Inputs are collected in one
 * place; with mixed results the call is refused.
 */
static void test_mixed(int device)
{
	struct gpu_check_groups wanted = {
		.groups = 1,
		.group = {{.blas = make_blas(ELEMENT_Z, 4), .count = 4, .mixes = true}}};
	expect_fine(gpu_check_run_groups(&wanted, device), 4);
	wanted.group[0].mixed = OPERAND_B;
	expect_fine(gpu_check_run_groups(&wanted, device), 4);
	wanted.group[0].mixed = OPERAND_C;
	EXPECT(gpu_check_run_groups(&wanted, device) == REASON_LIBRARY_FAILED,
	       "results in part on the device");
}

/* More problems than one kernel takes, and problems that are too large for one kernel. */
static void test_pieces(int device)
{
	static const int64_t limit[] = {2, 4, 12};
	for (size_t i = 0; i < sizeof limit / sizeof limit[0]; i++) {
		gpu_launch_set_limit(limit[i], false);
		test_groups(device);
		test_strided(device);
		gpu_launch_set_limit(limit[i], true);
		test_strided(device);
	}
	gpu_launch_set_limit(INT_MAX, true);
}

/*
 * Without gaps the whole batch goes to the device in one copy per operand; a shared operand is
 * copied once.
 */
static void test_copies(int device)
{
	struct gpu_check_group wanted = {.blas = make_blas(ELEMENT_D, 0), .count = 5};
	wanted.blas.beta = 1;
	unsigned long before = gpu_check_count("cudaMemcpyAsync");
	expect_fine(gpu_check_run_strided(&wanted, true, 0, device), 0);
	EXPECT(!gpu_check_is_simulated() || gpu_check_count("cudaMemcpyAsync") == before + 4,
	       "three up, one down");
	struct gpu_check_groups groups = {.groups = 1, .group = {wanted}};
	groups.group[0].shares_a = true;
	before = gpu_check_count("cudaMemcpyAsync");
	expect_fine(gpu_check_run_groups(&groups, device), 0);
	EXPECT(!gpu_check_is_simulated() ||
	               gpu_check_count("cudaMemcpyAsync") == before + 1 + 5 + 5 + 1,
	       "A once, B and C five times, the results together");
}

static void test_refusals(int device)
{
	struct gpu_check_groups wanted = {.groups = 2,
	                                  .group = {{.blas = make_blas(ELEMENT_D, 0), .count = 2},
	                                            {.blas = make_blas(ELEMENT_D, 1), .count = 2}}};
	wanted.group[1].blas.alpha = 0;
	EXPECT(gpu_check_run_groups(&wanted, device) == REASON_LIBRARY_FAILED,
	       "alpha of one group is 0");
	wanted.group[1].count = 0;
	EXPECT(gpu_check_run_groups(&wanted, device) == REASON_NONE, "and the group is empty");
	wanted.group[0].count = 0;
	EXPECT(gpu_check_run_groups(&wanted, device) == REASON_LIBRARY_FAILED,
	       "all groups are empty");
}

int main(void)
{
	const int device = gpu_check_start(0);
	test_groups(device);
	test_strided(device);
	test_places(device);
	test_mixed(device);
	test_pieces(device);
	test_copies(device);
	test_refusals(device);
	return gpu_check_end("gpu_batch");
}
