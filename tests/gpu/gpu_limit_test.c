/* gpu_limit_test.c - memory_limit holds for everything: operands, workspaces, work areas */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdatomic.h>

#include "gpu_check.h"
#include "shim/execute/gpu/memory.h"

static atomic_long held, peak;

static void observe(int64_t difference)
{
	const long now = atomic_fetch_add(&held, difference) + difference;
	if (now > atomic_load(&peak))
		atomic_store(&peak, now);
}

static enum reason run_gemm(int64_t n, int device)
{
	const struct gpu_check_gemm wanted = {.element = ELEMENT_D, .m = n, .n = n, .k = n, .alpha = 1, .beta = 0};
	return gpu_check_run_gemm(&wanted, device);
}

static enum reason run_fft(int64_t n, int device)
{
	const struct gpu_check_fft wanted = {.family = FAMILY_FFT_C2C,
	                                     .element = ELEMENT_Z,
	                                     .rank = 2,
	                                     .n = {128, n / 128},
	                                     .howmany = 1,
	                                     .sign = -1};
	return gpu_check_run_fft(&wanted, device);
}

int main(void)
{
	memory_set_observer(observe);
	const int device = gpu_check_start(1);
	const long workspace = atomic_load(&held);
	EXPECT(workspace > 0 && workspace <= 62500, "a workspace that fits the limit: %ld bytes", workspace);
	EXPECT(run_gemm(150, device) == REASON_NONE, "3 x 180 kB fit");
	EXPECT(run_gemm(197, device) == REASON_NONE, "3 x 310 kB fit");
	EXPECT(run_gemm(200, device) == REASON_DEVICE_MEMORY, "3 x 320 kB do not");
	EXPECT(run_gemm(100, device) == REASON_NONE, "and the next one does");
	EXPECT(run_fft(16384, device) == REASON_NONE, "262 kB and the work area");
	EXPECT(run_fft(65536, device) == REASON_DEVICE_MEMORY, "1 MB does not fit");
	EXPECT(run_gemm(50, device) == REASON_NONE, "nothing is lost");
	EXPECT(atomic_load(&peak) <= 1000000, "at most %ld bytes at a time", atomic_load(&peak));
	return gpu_check_end("gpu_limit");
}
