/* gpu_fft_test.c - transforms on the GPU: families, ranks, layouts, sizes; reuse of plans */
/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu_check.h"
#include "shim/execute/gpu/fft/fft_plans.h"
#include "shim/execute/gpu/fft/gpu_fft.h"

static void test_run(const struct gpu_check_fft *wanted, int device)
{
	const enum reason reason = gpu_check_run_fft(wanted, device);
	EXPECT(reason == REASON_NONE, "family %d rank %d order %d: %s", wanted->family,
	       wanted->rank, wanted->order, reason_name(reason));
}

/*
 * In place: real transforms need FFTW's padded rows; complex ones take any order that is the same
 * on both sides.
 */
static bool test_is_possible(const struct gpu_check_fft *wanted)
{
	return !wanted->in_place || wanted->family == FAMILY_FFT_C2C ||
	       wanted->order == ORDER_TIGHT;
}

static void test_shapes(enum family family, enum element element, int device)
{
	static const int64_t shape[][4] = {
		{1, 16, 1, 1}, {1, 31, 1, 1}, {1, 1, 1, 1}, {1, 127, 1, 1}, {1, 60, 1, 1},
		{2, 6, 10, 1}, {2, 7, 5, 1},  {2, 1, 9, 1}, {3, 4, 3, 6},   {3, 2, 5, 7}};
	for (size_t s = 0; s < sizeof shape / sizeof shape[0]; s++)
		for (int variant = 0; variant < 20; variant++) {
			const struct gpu_check_fft wanted = {
				.family = family,
				.element = element,
				.rank = (int)shape[s][0],
				.n = {shape[s][1], shape[s][2], shape[s][3]},
				.howmany = variant % 2 == 0 ? 1 : 3,
				.sign = family == FAMILY_FFT_C2C   ? (variant / 2 % 2 == 0 ? -1 : 1)
			                : family == FAMILY_FFT_R2C ? -1
			                                           : 1,
				.in_place = variant / 2 % 2 == 1,
				.order = (enum gpu_check_order)(variant / 4),
				.offset_bytes = variant % 3 == 2
			                                ? (int)element_size_bytes(element) / 2
			                                : 0};
			if (test_is_possible(&wanted))
				test_run(&wanted, device);
		}
}

/* Lengths for Bluestein's algorithm, and one that takes several passes. */
static void test_large(int device)
{
	static const int64_t size[] = {1009, 2048, 1155};
	for (size_t i = 0; i < sizeof size / sizeof size[0]; i++)
		for (int element = ELEMENT_C; element <= ELEMENT_Z; element++) {
			struct gpu_check_fft wanted = {.family = FAMILY_FFT_C2C,
			                               .element = (enum element)element,
			                               .rank = 1,
			                               .n = {size[i]},
			                               .howmany = 2,
			                               .sign = -1};
			test_run(&wanted, device);
			wanted.family = FAMILY_FFT_R2C;
			test_run(&wanted, device);
			wanted.family = FAMILY_FFT_C2R;
			wanted.sign = 1;
			test_run(&wanted, device);
		}
}

/* Equal shapes share a cuFFT plan. More shapes than the table holds replace the oldest. */
static void test_plans(int device)
{
	struct gpu_check_fft wanted = {.family = FAMILY_FFT_C2C,
	                               .element = ELEMENT_Z,
	                               .rank = 1,
	                               .n = {24},
	                               .howmany = 1,
	                               .sign = -1,
	                               .key = &wanted};
	test_run(&wanted, device);
	const unsigned long made = gpu_check_count("cufftMakePlanMany64"),
			    destroyed = gpu_check_count("cufftDestroy");
	for (int i = 0; i < 4; i++)
		test_run(&wanted, device);
	EXPECT(gpu_check_count("cufftMakePlanMany64") == made, "one plan serves equal calls");
	/* The same key with another shape: the program has reused the pointer for another plan. */
	wanted.n[0] = 25;
	test_run(&wanted, device);
	for (int i = 0; i < 2 * FFT_PLANS_MAX; i++) {
		wanted.n[0] = 200 + i;
		test_run(&wanted, device);
	}
	EXPECT(!gpu_check_is_simulated() || gpu_check_count("cufftDestroy") > destroyed,
	       "old plans go");
	gpu_fft_forget(&wanted);
	gpu_fft_forget(NULL);
	test_run(&wanted, device);
}

static void test_refusals(int device)
{
	struct gpu_check_fft wanted = {.family = FAMILY_FFT_C2C,
	                               .element = ELEMENT_Z,
	                               .rank = 1,
	                               .n = {8},
	                               .howmany = 1,
	                               .sign = 0};
	EXPECT(gpu_check_run_fft(&wanted, device) == REASON_LIBRARY_FAILED, "a sign that is none");
	wanted.sign = 1;
	EXPECT(gpu_check_run_fft(&wanted, device + 1) != REASON_NONE,
	       "a device that was not started");
}

int main(void)
{
	const int device = gpu_check_start(0);
	for (enum family family = FAMILY_FFT_C2C; family <= FAMILY_FFT_C2R; family++) {
		test_shapes(family, ELEMENT_C, device);
		test_shapes(family, ELEMENT_Z, device);
	}
	test_large(device);
	test_plans(device);
	test_refusals(device);
	return gpu_check_end("gpu_fft");
}
