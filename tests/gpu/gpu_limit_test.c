/* gpu_limit_test.c - memory_limit includes operands, workspaces, work areas and plans */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdatomic.h>

#include "gpu_check_batch.h"
#include "shim/execute/gpu/device/memory.h"

static atomic_long held, peak;

static void observe(int64_t difference)
{
	const long now = atomic_fetch_add(&held, difference) + difference;
	if (now > atomic_load(&peak))
		atomic_store(&peak, now);
}

static enum reason run_gemm(int64_t n, int device)
{
	const struct gpu_check_gemm wanted = {
		.element = ELEMENT_D, .m = n, .n = n, .k = n, .alpha = 1, .beta = 0};
	return gpu_check_run_gemm(&wanted, device);
}

/* Two problems of n x n each, sent to the device together. */
static enum reason run_two(int64_t n, int device)
{
	const struct gpu_check_group wanted = {
		.blas = {.element = ELEMENT_D, .m = n, .n = n, .k = n, .alpha = 1, .beta = 0},
		.count = 2};
	return gpu_check_run_strided(&wanted, true, 0, device);
}

static enum reason run_batch(int64_t n0, int64_t n1, int64_t howmany, int device)
{
	const struct gpu_check_fft wanted = {.family = FAMILY_FFT_C2C,
	                                     .element = ELEMENT_Z,
	                                     .rank = 2,
	                                     .n = {n0, n1},
	                                     .howmany = howmany,
	                                     .sign = -1};
	return gpu_check_run_fft(&wanted, device);
}

static enum reason run_fft(int64_t n0, int64_t n1, int device)
{
	return run_batch(n0, n1, 1, device);
}

/* Plans are kept until there is room for the smallest calls only. */
static void keep_plans(int device)
{
	/* 24 kB of tables each: some 35 plans fit. */
	for (int64_t n = 1500; n < 1560; n++)
		EXPECT(run_fft(n, 1, device) == REASON_NONE, "%ld, beside kept plans", (long)n);
}

/* A real cuFFT takes more than this limit for its code alone. */
static void test_transforms(int device)
{
	if (!gpu_check_is_simulated()) {
		printf("not tried: transforms under a limit of 1 MB, which a real cuFFT exceeds\n");
		return;
	}
	EXPECT(run_fft(128, 128, device) == REASON_NONE, "262 kB and the work area");
	const long before = atomic_load(&held);
	EXPECT(run_fft(512, 128, device) == REASON_DEVICE_MEMORY, "1 MB does not fit");
	EXPECT(run_fft(176, 176, device) == REASON_DEVICE_MEMORY,
	       "496 kB do, but not the work area");
	EXPECT(gpu_check_count("cufftDestroy") == 0, "no plan was given up for what cannot fit");
	EXPECT(run_fft(128, 128, device) == REASON_NONE, "%ld bytes are held", before);
	keep_plans(device);
	EXPECT(gpu_check_count("cufftDestroy") > 10, "%lu plans went",
	       gpu_check_count("cufftDestroy"));
	EXPECT(gpu_check_count("cufftMakePlanMany64") == 62, "and none that was needed");
	EXPECT(run_batch(1500, 1, 8, device) == REASON_NONE,
	       "three groups of 48 kB, by plans that go");
	EXPECT(gpu_check_count("cufftDestroy") > 30, "%lu plans went",
	       gpu_check_count("cufftDestroy"));
}

int main(void)
{
	memory_set_observer(observe);
	const int device = gpu_check_start(1);
	const long workspace = atomic_load(&held);
	EXPECT(workspace > 0 && workspace <= 62500, "a workspace that fits the limit: %ld bytes",
	       workspace);
	EXPECT(run_gemm(150, device) == REASON_NONE, "3 x 180 kB fit");
	EXPECT(run_two(138, device) == REASON_NONE, "6 x 152 kB do, whatever the one before left");
	EXPECT(run_gemm(197, device) == REASON_NONE, "3 x 310 kB fit");
	EXPECT(run_gemm(200, device) == REASON_NONE, "3 x 320 kB do by parts");
	EXPECT(run_two(200, device) == REASON_DEVICE_MEMORY, "6 x 320 kB do not");
	EXPECT(run_gemm(100, device) == REASON_NONE, "and the next one does");
	test_transforms(device);
	EXPECT(run_gemm(50, device) == REASON_NONE, "nothing is lost");
	EXPECT(atomic_load(&peak) <= 1000000, "at most %ld bytes at a time", atomic_load(&peak));
	return gpu_check_end("gpu_limit");
}
