/* cost_test.c - expected times: cases computed by hand, monotone, unknown where a rate is missing */
/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <float.h>
#include <math.h>

#include "policy/cost.h"

/* Round figures: 1 Tflop/s against 50, 10 GB/s up and 20 down, 30 us fixed. */
static const struct machine machine = {
	.cpu_gemm_flops = {2e12, 1e12, 2e12, 1e12},
	.gpu_gemm_flops = {100e12, 50e12, 100e12, 50e12},
	.cpu_fft_flops = {[ELEMENT_C] = 200e9, [ELEMENT_Z] = 100e9},
	.gpu_fft_flops = {[ELEMENT_C] = 2e12, [ELEMENT_Z] = 1e12},
	.link_up_bytes = 10e9,
	.link_down_bytes = 20e9,
	.call_fixed_ns = 30e3,
};

static double cpu_ns, gpu_ns;

static struct call dgemm(double n)
{
	const uint64_t matrix_bytes = (uint64_t)(8 * n * n);
	return (struct call){.family = FAMILY_GEMM,
	                     .element = ELEMENT_D,
	                     .size_bytes = 3 * matrix_bytes,
	                     .input_bytes = 3 * matrix_bytes,
	                     .output_bytes = matrix_bytes,
	                     .work_flops = 2 * n * n * n};
}

static struct call fft(const struct fft_problem *problem, uint64_t bytes, double flops)
{
	return (struct call){.family = problem->family,
	                     .element = problem->element,
	                     .size_bytes = bytes,
	                     .input_bytes = bytes,
	                     .output_bytes = bytes,
	                     .work_flops = flops,
	                     .fft = {.problem = problem}};
}

static void predict(const struct machine *of, const struct call *call)
{
	cpu_ns = gpu_ns = NAN;
	cost_predict(of, call, &cpu_ns, &gpu_ns);
}

static void expect_near(double got, double wanted)
{
	cr_expect(fabs(got - wanted) <= 1e-9 * fabs(wanted), "%.17g is not %.17g", got, wanted);
}

/* n = 4096: 137438953472 flops; 3 x 134217728 bytes up take 40.2653184 ms, longer than 2.74877906944 ms of work. */
Test(cost, dgemm_that_waits_for_the_link)
{
	const struct call call = dgemm(4096);
	predict(&machine, &call);
	expect_near(cpu_ns, 137438953.472);
	expect_near(gpu_ns, 30000 + 40265318.4);
}

/* The same on a fast link: the arithmetic takes longest. */
Test(cost, dgemm_that_waits_for_the_arithmetic)
{
	struct machine fast = machine;
	fast.link_up_bytes = fast.link_down_bytes = 1e12;
	const struct call call = dgemm(4096);
	predict(&fast, &call);
	expect_near(gpu_ns, 30000 + 2748779.06944);
}

/* And with a narrow way back: 134217728 bytes at 1 GB/s. */
Test(cost, dgemm_that_waits_for_the_result)
{
	struct machine narrow = machine;
	narrow.link_down_bytes = 1e9;
	const struct call call = dgemm(4096);
	predict(&narrow, &call);
	expect_near(gpu_ns, 30000 + 134217728);
}

static struct call gemm(int64_t n)
{
	struct call call = dgemm((double)n);
	call.input_bytes = call.size_bytes / 3 * 2;
	call.blas = (struct blas_call){.m = n, .n = n, .k = n, .alpha = {1}};
	return call;
}

/* A call with its sizes is planned: more than the longest stage, less than all of them, and not what a better machine
 * needs. */
Test(cost, gemm_takes_as_long_as_its_plan)
{
	struct machine better = machine;
	better.link_duplex = 1;
	better.operation_ns = 1;
	better.gpu_multiprocessors = 1;
	for (int64_t n = 512; n <= 16384; n *= 2) {
		const struct call call = gemm(n);
		const double up_ns = (double)call.input_bytes / 10, down_ns = (double)call.output_bytes / 20;
		const double work_ns = call.work_flops / 50e3;
		predict(&better, &call);
		const double better_ns = gpu_ns;
		predict(&machine, &call);
		cr_expect_gt(gpu_ns, better_ns, "%ld", (long)n);
		cr_expect_gt(better_ns, 30e3 + fmax(up_ns, fmax(work_ns, down_ns)), "%ld", (long)n);
		cr_expect_lt(better_ns, 30e3 + up_ns + work_ns + down_ns, "%ld", (long)n);
	}
}

/* Without a product there is nothing to plan. */
Test(cost, gemm_without_a_product_is_not_planned)
{
	struct call call = gemm(1000);
	call.blas.alpha[0] = 0;
	call.input_bytes = 10000;
	call.work_flops = 0;
	predict(&machine, &call);
	expect_near(gpu_ns, 30e3 + 8e6 / 20);
}

Test(cost, planned_calls_need_the_rates_too)
{
	const struct call call = gemm(1000);
	struct machine some = machine;
	some.gpu_gemm_flops[ELEMENT_D] = 0;
	predict(&some, &call);
	cr_expect_eq(gpu_ns, -1);
	some = machine;
	some.link_down_bytes = 0;
	predict(&some, &call);
	cr_expect_eq(gpu_ns, -1);
}

/* 2^24 points: 268435456 bytes each way, 5 * 2^24 * 24 flops; nothing overlaps. */
Test(cost, single_transform_is_a_sum)
{
	static const struct fft_problem problem = {
		.family = FAMILY_FFT_C2C, .element = ELEMENT_Z, .rank = 1, .howmany = 1};
	const struct call call = fft(&problem, 268435456, 2013265920);
	predict(&machine, &call);
	expect_near(cpu_ns, 20132659.2);
	expect_near(gpu_ns, 30000 + 26843545.6 + 2013265.92 + 13421772.8);
}

/* All but the longest stage of the first and the last transform is hidden. */
Test(cost, batch_overlaps)
{
	static const struct fft_problem one = {.family = FAMILY_FFT_R2C, .element = ELEMENT_C, .rank = 1, .howmany = 1};
	const struct call alone = fft(&one, 268435456, 2013265920);
	predict(&machine, &alone);
	const double gpu_alone_ns = gpu_ns;
	static const struct fft_problem problem = {
		.family = FAMILY_FFT_R2C, .element = ELEMENT_C, .rank = 1, .howmany = 64};
	const struct call call = fft(&problem, 268435456, 2013265920);
	predict(&machine, &call);
	expect_near(cpu_ns, 10066329.6);
	const double others_ns = gpu_alone_ns - 30000 - 26843545.6;
	cr_assert_gt(others_ns, 0);
	expect_near(gpu_ns, 30000 + 26843545.6 + others_ns / 64);
}

Test(cost, unknown_rates_predict_nothing)
{
	const struct call call = dgemm(1000);
	struct machine some = machine;
	some.cpu_gemm_flops[ELEMENT_D] = 0;
	predict(&some, &call);
	cr_expect_eq(cpu_ns, -1);
	cr_expect_gt(gpu_ns, 0);
	some = machine;
	some.gpu_gemm_flops[ELEMENT_D] = 0;
	predict(&some, &call);
	cr_expect_gt(cpu_ns, 0);
	cr_expect_eq(gpu_ns, -1);
	some = machine;
	some.link_up_bytes = 0;
	predict(&some, &call);
	cr_expect_eq(gpu_ns, -1);
	some = machine;
	some.link_down_bytes = 0;
	predict(&some, &call);
	cr_expect_eq(gpu_ns, -1);
	some = machine;
	some.call_fixed_ns = 0;
	predict(&some, &call);
	cr_expect_gt(gpu_ns, 0, "no fixed cost is a fixed cost of 0");
}

Test(cost, broken_figures_predict_nothing)
{
	const double broken[] = {NAN, -1, -INFINITY};
	for (int i = 0; i < 3; i++) {
		struct call call = dgemm(1000);
		struct machine some = machine;
		some.cpu_gemm_flops[ELEMENT_D] = some.link_up_bytes = broken[i];
		predict(&some, &call);
		cr_expect(cpu_ns == -1 && gpu_ns == -1);
		call.work_flops = broken[i];
		predict(&machine, &call);
		cr_expect(cpu_ns == -1 && gpu_ns == -1);
	}
	struct machine slow = machine;
	slow.cpu_gemm_flops[ELEMENT_D] = DBL_MIN;
	const struct call call = dgemm(1e6);
	predict(&slow, &call);
	cr_expect_eq(cpu_ns, -1, "an infinite time is none");
}

Test(cost, nothing_to_do_takes_no_time)
{
	struct call call = dgemm(0);
	predict(&machine, &call);
	cr_expect_eq(cpu_ns, 0);
	cr_expect_eq(gpu_ns, 30e3);
}

/* Sizes up to 2^62 bytes and 2^93 flops stay finite, and a larger call never takes less time. */
Test(cost, grows_with_the_size)
{
	double last_cpu_ns = 0, last_gpu_ns = 0;
	for (int power = 0; power <= 62; power++) {
		struct call call = dgemm(1);
		call.size_bytes = call.input_bytes = call.output_bytes = UINT64_C(1) << power;
		call.work_flops = ldexp(1, power * 3 / 2);
		predict(&machine, &call);
		cr_expect(isfinite(cpu_ns) && isfinite(gpu_ns), "2^%d", power);
		cr_expect(cpu_ns >= last_cpu_ns && gpu_ns >= last_gpu_ns, "2^%d", power);
		last_cpu_ns = cpu_ns;
		last_gpu_ns = gpu_ns;
	}
}

/* No call gets slower on a machine that is better in one respect. */
Test(cost, shrinks_with_the_rates)
{
	for (double n = 16; n <= 65536; n *= 2) {
		const struct call call = dgemm(n);
		predict(&machine, &call);
		const double base_ns = gpu_ns, base_cpu_ns = cpu_ns;
		struct machine better = machine;
		better.link_up_bytes *= 2;
		predict(&better, &call);
		cr_expect_leq(gpu_ns, base_ns);
		better.link_down_bytes *= 2;
		better.gpu_gemm_flops[ELEMENT_D] *= 2;
		better.cpu_gemm_flops[ELEMENT_D] *= 2;
		predict(&better, &call);
		cr_expect_leq(gpu_ns, base_ns);
		expect_near(cpu_ns * 2, base_cpu_ns);
	}
}

/* One change of sides: below it the CPU is faster, above it the GPU (design, section 6). */
Test(cost, sides_change_once)
{
	int changes = 0;
	bool gpu_faster = false;
	for (double n = 8; n <= 32768; n *= 1.1) {
		const struct call call = dgemm(floor(n));
		predict(&machine, &call);
		changes += (gpu_ns < cpu_ns) != gpu_faster;
		gpu_faster = gpu_ns < cpu_ns;
	}
	cr_expect(gpu_faster);
	cr_expect_eq(changes, 1);
}
