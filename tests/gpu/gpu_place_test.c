/* gpu_place_test.c - operands in device memory: used in place, written only when safe */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "gpu_check_blas.h"
#include "gpu_child.h"

static unsigned long count_copies(void)
{
	return gpu_check_count("cudaMemcpyAsync") + gpu_check_count("cudaMemcpy2DAsync");
}

/* Tries each place for each operand, sometimes at an address that is misaligned for a kernel. */
static void run_places(struct gpu_check_blas *wanted, int device)
{
	static const enum check_place place[] = {PLACE_HOST, PLACE_DEVICE, PLACE_MANAGED};
	static int calls;
	for (int i = 0; i < 9; i++, calls++) {
		wanted->m = 17;
		wanted->n = 14;
		wanted->k = 9;
		wanted->gap = calls % 3;
		wanted->alpha = 0.5 - 0.25 * I;
		wanted->beta = calls % 2 == 0 ? 0 : 2 - I;
		wanted->offset_bytes = calls % 5 == 0 ? 4 : 0;
		wanted->place[OPERAND_A] = place[i % 3];
		wanted->place[OPERAND_B] = place[i / 3];
		wanted->place[OPERAND_C] = place[calls % 7 % 3];
		const enum reason reason = gpu_check_run_blas(wanted, device);
		EXPECT(reason == REASON_NONE, "family %d: %s", (int)wanted->family,
		       reason_name(reason));
	}
}

static struct gpu_check_blas on_device(enum family family, double beta)
{
	return (struct gpu_check_blas){.family = family,
	                               .element = ELEMENT_Z,
	                               .m = 20,
	                               .n = 20,
	                               .k = 20,
	                               .gap = 3,
	                               .alpha = 1,
	                               .beta = beta,
	                               .place = {PLACE_DEVICE, PLACE_MANAGED, PLACE_DEVICE}};
}

/*
 * No copies where the CPU could repeat the call after a partial result; otherwise the result is
 * computed beside C and copied once.
 */
static void test_copies(int device)
{
	if (!gpu_check_is_simulated())
		return;
	static const struct {
		enum family family;
		double beta;
		unsigned long copies;
	} row[] = {{FAMILY_GEMM, 0, 0},   {FAMILY_SYMM, 0, 0},      {FAMILY_HERK, 0, 0},
	           {FAMILY_SYR2K, 0, 0},  {FAMILY_GEMM, 1, 2},      {FAMILY_TRMM, 0, 1},
	           {FAMILY_TRSM, 0, 2},   {FAMILY_HERK, 1, 1 + 20}, {FAMILY_SYMM, 1, 2},
	           {FAMILY_GEMMT, 0, 20}, {FAMILY_GEMMT, 1, 1 + 20}};
	for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
		const struct gpu_check_blas wanted = on_device(row[i].family, row[i].beta);
		const unsigned long before = count_copies();
		EXPECT(gpu_check_run_blas(&wanted, device) == REASON_NONE, "family %d",
		       (int)row[i].family);
		EXPECT(count_copies() - before == row[i].copies, "family %d beta %g: %lu copies",
		       (int)row[i].family, row[i].beta, count_copies() - before);
	}
}

/* A and C are on another device than the lane's: kernels cannot access them, copies can. */
static int scenario_other(void)
{
	const int device = gpu_check_start(0);
	for (enum family family = FAMILY_GEMM; family <= FAMILY_TRSM; family++)
		for (int beta = 0; beta < 2; beta++) {
			struct gpu_check_blas wanted = on_device(family, beta);
			wanted.place[OPERAND_A] = wanted.place[OPERAND_C] = PLACE_OTHER;
			EXPECT(gpu_check_run_blas(&wanted, device) == REASON_NONE, "family %d",
			       (int)family);
		}
	int current = -1;
	((int (*)(int *))gpu_check_function("cudaGetDevice"))(&current);
	EXPECT(current == 0, "the current device is %d", current);
	return gpu_check_end("gpu_place other");
}

/*
 * CUDA does not answer, or waiting for the program's work fails, or a copy fails before anything
 * was written: the operands are unchanged, and no error is left. An address that CUDA does not know
 * is the host's.
 */
static int scenario_faults(void)
{
	static const enum reason expected[] = {REASON_NONE,          REASON_DEVICE_FAILED,
	                                       REASON_DEVICE_FAILED, REASON_TRANSFER_FAILED,
	                                       REASON_DEVICE_FAILED, REASON_NONE};
	const int device = gpu_check_start(0);
	const struct gpu_check_blas host = {.family = FAMILY_GEMM,
	                                    .element = ELEMENT_D,
	                                    .m = 5,
	                                    .n = 6,
	                                    .k = 7,
	                                    .alpha = 1,
	                                    .beta = 1};
	struct gpu_check_blas wanted = on_device(FAMILY_SYMM, 1);
	for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
		const enum reason reason = gpu_check_run_blas(i == 0 ? &host : &wanted, device);
		EXPECT(reason == expected[i], "call %zu: %s", i, reason_name(reason));
		const int error = ((int (*)(void))gpu_check_function("cudaPeekAtLastError"))();
		EXPECT(error == 0, "call %zu leaves error %d", i, error);
	}
	return gpu_check_end("gpu_place faults");
}

static void test_scenario(const char *name, const char *setting)
{
	struct gpu_child child = {.scenario = name, .setting = {setting}};
	gpu_child_run(&child);
	EXPECT(gpu_child_exited(&child, 0), "%s: status %x: %s", name, (unsigned)child.status,
	       child.errors);
}

int main(int argc, char **argv)
{
	if (argc == 2)
		return strcmp(argv[1], "other") == 0 ? scenario_other() : scenario_faults();
	const int device = gpu_check_start(0);
	gpu_check_each_blas(run_places, device);
	test_copies(device);
	if (gpu_check_is_simulated()) {
		test_scenario("other", "SIMCUDA_DEVICES=2");
		/*
		 * Call 0 queries three times; the test itself waits three times after call 1. These
		 * fail in the calls from 1 on: the first query, the wait, the first copy, the
		 * confirmation.
		 */
		test_scenario(
			"faults",
			"SIMCUDA_FAIL=cudaPointerGetAttributes:1,cudaPointerGetAttributes:4:999,"
			"cudaDeviceSynchronize:4,cudaMemcpy2DAsync:1,cudaStreamSynchronize:1");
	} else {
		printf("not tried: two devices and faults need a simulated CUDA\n");
	}
	return gpu_check_end("gpu_place");
}
