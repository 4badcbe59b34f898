/* gpu_split_test.c - sizes beyond an int, with a lowered limit: 64-bit functions, pieces */
/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "gpu_check_blas.h"
#include "shim/execute/gpu/cuda/cuda.h"
#include "shim/execute/gpu/device/gpu_launch.h"

/* Several pieces of 4, with a remainder, on each side. */
enum { LIMIT = 6 };

static int64_t scalars;

static void run_pieces(struct gpu_check_blas *wanted, int device)
{
	static const int64_t size[][3] = {{13, 10, 9}, {4, 15, 8}, {7, 2, 17},
	                                  {11, 7, 3},  {8, 8, 8},  {9, 27, 6}};
	static const double complex scalar[][2] = {
		{1, 0}, {0.5 - 0.25 * I, 2 + 1.5 * I}, {-1 + 3 * I, 1}};
	for (size_t s = 0; s < sizeof size / sizeof size[0]; s++, scalars++) {
		wanted->m = size[s][0];
		wanted->n = size[s][1];
		wanted->k = size[s][2];
		wanted->gap = scalars % 2;
		wanted->alpha = scalar[scalars % 3][0];
		wanted->beta = scalar[scalars % 3][1];
		const enum reason reason = gpu_check_run_blas(wanted, device);
		EXPECT(reason == REASON_NONE, "family %d: %s", (int)wanted->family,
		       reason_name(reason));
	}
}

/*
 * A leading dimension beyond the limit, also in device memory: the matrix is copied, and its rows
 * fit.
 */
static void run_long_gaps(struct gpu_check_blas *wanted, int device)
{
	wanted->m = wanted->n = wanted->k = LIMIT - 1;
	wanted->gap = 2 * LIMIT;
	wanted->alpha = 1;
	wanted->beta = scalars++ % 2 == 0 ? 0 : 0.5;
	for (int name = OPERAND_A; name < OPERAND_COUNT; name++)
		wanted->place[name] = scalars % 3 == 0 ? PLACE_HOST : PLACE_DEVICE;
	const enum reason reason = gpu_check_run_blas(wanted, device);
	EXPECT(reason == REASON_NONE, "family %d: %s", (int)wanted->family, reason_name(reason));
}

static unsigned long count_wide(void)
{
	static const char *const functions[] = {
#define CUDA(library, field, name, need, result, parameters) #name,
#include "shim/execute/gpu/cuda/cuda_api.def"
	};
	unsigned long count = 0;
	for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++)
		if (strstr(functions[i], "_64") != NULL)
			count += gpu_check_count(functions[i]);
	return count;
}

/* Ordinary sizes, which exceed the lowered limit. */
static void test_wide(int device)
{
	int version = 0;
	((int (*)(int *))gpu_check_function("cudaRuntimeGetVersion"))(&version);
	gpu_launch_set_limit(LIMIT, true);
	const unsigned long before = count_wide();
	gpu_check_each_blas(run_pieces, device);
	gpu_check_each_blas(run_long_gaps, device);
	if (gpu_check_is_simulated())
		EXPECT((count_wide() > before) == (version >= 12000),
		       "%lu calls of 64-bit functions", count_wide() - before);
}

int main(void)
{
	const int device = gpu_check_start(0);
	const unsigned long before = count_wide();
	gpu_launch_set_limit(LIMIT, false);
	gpu_check_each_blas(run_pieces, device);
	gpu_check_each_blas(run_long_gaps, device);
	EXPECT(count_wide() == before, "no 64-bit function");
	test_wide(device);
	return gpu_check_end("gpu_split");
}
