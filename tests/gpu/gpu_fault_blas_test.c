/* gpu_fault_blas_test.c - every computing function of cuBLAS is called, and made to fail */
/* SPDX-License-Identifier: Apache-2.0 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "gpu_check_batch.h"
#include "gpu_child.h"
#include "shim/execute/gpu/cuda/cuda.h"
#include "shim/execute/gpu/device/gpu_launch.h"
#include "shim/execute/gpu/engine/staging.h"

static const char *const functions[] = {
#define CUDA(library, field, name, need, result, parameters) #name,
#include "shim/execute/gpu/cuda/cuda_api.def"
};

/* The exit status is one of these plus the number of calls that came back. */
enum { ENDED = 40, COUNTED = 60 };

/* Small, because each of many children has its own: bytes of staging, and MB of the device. */
enum { RING_BYTES = 64 << 10, LIMIT = 16 };

static int failures;

static void note(enum reason reason)
{
	failures += reason != REASON_NONE;
	EXPECT(reason == REASON_NONE || reason == REASON_LIBRARY_FAILED, "%s", reason_name(reason));
}

/* One call for each family and element, with the device memory that the session has left. */
static void run_once(struct gpu_check_blas *wanted, int device)
{
	if (wanted->transa != TRANSPOSE_N || wanted->side != SIDE_LEFT ||
	    wanted->diag != DIAG_NON_UNIT)
		return;
	wanted->m = wanted->n = wanted->k = 5;
	wanted->gap = 1;
	wanted->alpha = wanted->beta = 1;
	note(gpu_check_run_blas(wanted, device));
}

static void run_all(int device)
{
	gpu_check_each_blas(run_once, device);
	for (enum element element = ELEMENT_S; element < ELEMENT_BLAS_COUNT; element++) {
		const struct gpu_check_groups wanted = {.groups = 1,
		                                        .group = {{.blas = {.family = FAMILY_GEMM,
		                                                            .element = element,
		                                                            .m = 5,
		                                                            .n = 5,
		                                                            .k = 5,
		                                                            .alpha = 1,
		                                                            .beta = 1},
		                                                   .count = 3}}};
		note(gpu_check_run_groups(&wanted, device));
	}
}

static int scenario(void)
{
	const int device = gpu_check_start(LIMIT);
	run_all(device);
	gpu_launch_set_limit(2, true); /* 64-bit functions */
	run_all(device);
	gpu_launch_set_limit(2, false); /* pieces */
	run_all(device);
	if (gpu_check_end("gpu_fault_blas scenario") != 0)
		return 1;
	return ENDED + (failures < COUNTED ? failures : COUNTED);
}

static int run_fault(const char *fail)
{
	char setting[128];
	snprintf(setting, sizeof setting, "SIMCUDA_FAIL=%s", fail);
	struct gpu_child child = {.scenario = "calls", .setting = {setting}};
	gpu_child_run(&child);
	const int status = (child.status & 0x7f) == 0 ? child.status >> 8 : -1;
	EXPECT(status >= ENDED, "%s: status %x: %s", fail, (unsigned)child.status, child.errors);
	return status - ENDED;
}

static bool computes(const char *function)
{
	static const char *const words[] = {"gemm",  "symm",  "hemm", "syrk", "herk",
	                                    "syr2k", "her2k", "trmm", "trsm"};
	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
		if (strstr(function, words[i]) != NULL)
			return true;
	return false;
}

int main(int argc, char **argv)
{
	char fail[96];
	(void)argv;
	staging_set_sizes(RING_BYTES, RING_BYTES / 4);
	if (argc == 2)
		return scenario();
	if (getenv("EPOCHLY_GPU_CUDA_PATH") == NULL) {
		printf("skipped: faults need a simulated CUDA in EPOCHLY_GPU_CUDA_PATH\n");
		return GPU_CHECK_SKIPPED;
	}
	EXPECT(run_fault("cudaMalloc:100") == 0, "no fault");
	for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) {
		if (!computes(functions[i]))
			continue;
		snprintf(fail, sizeof fail, "%s:1", functions[i]);
		EXPECT(run_fault(fail) == 1, "%s: it is called, and one call comes back",
		       functions[i]);
	}
	return gpu_check_end("gpu_fault_blas");
}
