/* cost_test.c - expected times against the formula, by hand */
/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>

#include "policy/cost.h"

/* Round figures: 1 Tflop/s CPU, 50 Tflop/s GPU, 10 GB/s up, 20 GB/s down, 30 us per call. */
static const struct machine machine = {
	.cpu_gemm_flops = {1e12, 1e12, 1e12, 1e12},
	.gpu_gemm_flops = {50e12, 50e12, 50e12, 50e12},
	.cpu_fft_flops = {0, 0, 1e10, 1e10},
	.gpu_fft_flops = {0, 0, 1e12, 1e12},
	.link_up_bytes = 10e9,
	.link_down_bytes = 20e9,
	.call_fixed_ns = 30e3,
};

static struct call gemm_call(double flops, uint64_t in, uint64_t out)
{
	return (struct call){.family = FAMILY_GEMM,
	                     .element = ELEMENT_D,
	                     .work_flops = flops,
	                     .input_bytes = in,
	                     .output_bytes = out};
}

static double gpu_ns(const struct machine *m, const struct call *call)
{
	double cpu, gpu;
	cost_predict(m, call, &cpu, &gpu);
	return gpu;
}

Test(cost, dgemm_4096_by_hand)
{
	const double n = 4096;
	const struct call call = gemm_call(2 * n * n * n, (uint64_t)(2 * n * n * 8), (uint64_t)(n * n * 8));
	double cpu, gpu;
	cost_predict(&machine, &call, &cpu, &gpu);
	cr_assert_float_eq(cpu / 137438953.472, 1, 1e-12);
	/* Going up takes 26.8 ms, longest of the three; 30 us of fixed cost. */
	cr_assert_float_eq(gpu / (30e3 + 2 * n * n * 8 / 10.0), 1, 1e-12);
}

Test(cost, one_transform_does_not_overlap_a_batch_does)
{
	struct fft_problem problem = {.family = FAMILY_FFT_C2C, .element = ELEMENT_Z, .rank = 1, .loop = {.n = 1}};
	struct call call = {.family = FAMILY_FFT_C2C,
	                    .element = ELEMENT_Z,
	                    .work_flops = 1e9,
	                    .input_bytes = 100000000,
	                    .output_bytes = 100000000,
	                    .fft = {.problem = &problem}};
	cr_assert_float_eq(gpu_ns(&machine, &call) / (30e3 + 10e6 + 1e6 + 5e6), 1, 1e-12);
	problem.loop.n = 8;
	cr_assert_float_eq(gpu_ns(&machine, &call) / (30e3 + 10e6), 1, 1e-12);
}

Test(cost, more_never_looks_faster)
{
	double least = 0;
	for (uint64_t bytes = 1; bytes < (uint64_t)1 << 62; bytes *= 2) {
		const struct call call = gemm_call(1e6, bytes, bytes);
		const double ns = gpu_ns(&machine, &call);
		cr_assert(ns >= least && ns < 1e300, "%g after %g", ns, least);
		least = ns;
	}
	least = 0;
	for (double flops = 1; flops < 1e60; flops *= 16) {
		const struct call call = gemm_call(flops, 1, 1);
		cr_assert_geq(gpu_ns(&machine, &call), least);
		least = gpu_ns(&machine, &call);
	}
}

Test(cost, faster_machines_never_look_slower)
{
	const struct call call = gemm_call(1e12, 1000000000, 1000000000);
	struct machine faster = machine;
	double last = gpu_ns(&machine, &call);
	for (int i = 0; i < 20; i++) {
		faster.link_up_bytes *= 2, faster.link_down_bytes *= 2;
		for (int e = 0; e < ELEMENT_COUNT; e++)
			faster.gpu_gemm_flops[e] *= 2;
		cr_assert_leq(gpu_ns(&faster, &call), last);
		last = gpu_ns(&faster, &call);
	}
}

Test(cost, what_is_unknown_is_not_predicted)
{
	const struct call call = gemm_call(1e9, 1000, 1000);
	struct machine poor = machine;
	double cpu, gpu;
	poor.cpu_gemm_flops[ELEMENT_D] = 0;
	cost_predict(&poor, &call, &cpu, &gpu);
	cr_assert(cpu == -1 && gpu > 0);
	poor = machine, poor.link_down_bytes = 0;
	cost_predict(&poor, &call, &cpu, &gpu);
	cr_assert(cpu > 0 && gpu == -1);
}
