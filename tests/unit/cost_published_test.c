/* cost_published_test.c - expected times beside published measurements of other machines */
/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "cost_call.h"
#include "policy/machine/panel_rates.h"

static const struct cost_setting alone = {.cpu_threads = 1};
static struct machine machine;

static struct cost predict(const struct cost_setting *setting, const struct call *call)
{
	struct cost cost;
	cost_predict(&machine, setting, call, &cost);
	return cost;
}

/* Expects a value within a factor of the published one. */
static void expect_within(double value, double published, double factor, const char *what)
{
	cr_expect(value > 0 && value < published * factor && value * factor > published,
	          "%s: %g beside %g", what, value, published);
}

/* A complex transform of equal lengths, in place, in single precision. */
static struct call transform(struct fft_problem *problem, int rank, int64_t n,
                             enum fft_rigour rigour)
{
	double points = 1;
	*problem = (struct fft_problem){
		.family = FAMILY_FFT_C2C, .element = ELEMENT_C, .rank = rank, .howmany = 1};
	for (int i = 0; i < rank; i++) {
		problem->dims[i].n = n;
		points *= (double)n;
	}
	struct call call =
		cost_call_fft(problem, (uint64_t)(8 * points), 5 * points * log2(points));
	call.fft.rigour = rigour;
	return call;
}

/*
 * gearshifft, results/P100-PCIE-16GB/cuda-9.0.69-beta: upload, transform and download in one
 * dimension (361, 6859 points) and two. The links are those of its copies of 8 MB.
 */
Test(cost_published, small_transforms_on_a_p100)
{
	static const struct {
		int rank;
		int64_t n;
		double all_us, kernel_us;
	} runs[] = {{1, 361, 85.5, 35.5},
	            {1, 6859, 130.5, 44},
	            {2, 512, 1366, 56},
	            {2, 1024, 4527, 140},
	            {2, 4096, 59000, 1590}};
	struct fft_problem problem;
	machine = (struct machine){.link_up_bytes = 5.42e9, .link_down_bytes = 2.95e9};
	machine_assume(&machine, 60, 56);
	for (size_t i = 0; i < sizeof runs / sizeof runs[0]; i++) {
		const struct call call = transform(&problem, runs[i].rank, runs[i].n, FFT_MEASURED);
		const struct cost_time time = predict(&alone, &call).gpu;
		expect_within(time.whole_ns / 1e3, runs[i].all_us, 1.6, "all");
		expect_within(time.work_ns / 1e3, runs[i].kernel_us, 1.6, "kernel");
	}
}

/*
 * FFTW 3.3.6 on 40 threads of a Broadwell, single precision: 12.0 ms by estimated and 6.3 by
 * measured plans for 2^21 points, 40.2 and 18.2 for 2^22 (gearshifft, results/broadwell).
 */
Test(cost_published, estimated_plans_are_slower)
{
	struct fft_problem problem;
	const double published[] = {12.0 / 6.3, 40.2 / 18.2};
	machine = (struct machine){.name = ""};
	machine_assume(&machine, 60, 56);
	for (int i = 0; i < 2; i++) {
		struct call call = transform(&problem, 1, INT64_C(1) << (21 + i), FFT_MEASURED);
		const double measured_ns = predict(&alone, &call).cpu.whole_ns;
		call.fft.rigour = FFT_ESTIMATED;
		expect_within(predict(&alone, &call).cpu.whole_ns / measured_ns, published[i], 1.3,
		              "share");
	}
}

/*
 * Rates of dtrsm from the right, unit, m = n, on a K40 (clBLAS, doc/performance/cuBLAS_7.0,
 * dtrsm.csv), counted as n^3: rows of the triangle wait for each other. The rate of gemm is that of
 * order 5760, where this hardly matters any more.
 */
Test(cost_published, dtrsm_on_a_k40)
{
	static const struct {
		int64_t n;
		double gflops;
	} runs[] = {{192, 46.15}, {384, 147.7}, {576, 244.6}, {1152, 506.3}, {1920, 883.4}};
	struct cost_setting device = alone;
	machine = (struct machine){.gpu_gemm_flops = {[ELEMENT_D] = 1222e9}};
	machine_assume(&machine, 35, 15);
	for (int name = OPERAND_A; name < OPERAND_COUNT; name++)
		device.place[name] = COST_DEVICE;
	for (size_t i = 0; i < sizeof runs / sizeof runs[0]; i++) {
		const double n = (double)runs[i].n;
		const struct call call =
			cost_call_blas(FAMILY_TRSM, runs[i].n, runs[i].n, runs[i].n);
		expect_within(predict(&device, &call).gpu.work_ns, n * n * n / runs[i].gflops, 1.5,
		              "dtrsm");
	}
}

/*
 * No product is faster than memory delivers its operands. Data sheets: 1,555 GB/s of an A100, 8
 * channels of DDR4-3200 on each of two sockets.
 */
Test(cost_published, thin_products_read_their_operands)
{
	static const int64_t shapes[][3] = {
		{20000, 1, 20000}, {1, 20000, 20000}, {20000, 20000, 1}, {30000, 4, 30000}};
	const struct cost_setting all = {.cpu_threads = 64,
	                                 .place = {COST_DEVICE, COST_DEVICE, COST_DEVICE}};
	machine = (struct machine){.cpu_threads = 64};
	machine_assume(&machine, 80, 108);
	for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
		const struct call call =
			cost_call_blas(FAMILY_GEMM, shapes[i][0], shapes[i][1], shapes[i][2]);
		const double bytes = (double)call.size_bytes;
		cr_expect_geq(predict(&all, &call).gpu.work_ns, bytes / 1555);
		cr_expect_geq(predict(&all, &call).cpu.work_ns, bytes / 409.6);
	}
}

static double rate_tflops(const char *name, enum element element, int capability, int units)
{
	machine = (struct machine){.name = ""};
	strncpy(machine.gpu, name, sizeof machine.gpu - 1);
	return panel_rates_find(&machine, element, capability, units).work_flops_s / 1e12;
}

/*
 * SGEMM at large sizes: P4 and L4 zzc0721/torch-performance-test-data, issues 9 and 120; A10
 * NVIDIA/cutlass, issue 941; RTX 4070 Ti and A100 Yinghan-Li/YHs_Sample, issue 4, which no power
 * limit slows down as much.
 */
Test(cost_published, power_limits)
{
	static const struct {
		const char *name;
		int capability, units;
		double tflops;
	} cards[] = {{"Tesla P4", 61, 20, 4.2},
	             {"NVIDIA A10", 86, 72, 12.5},
	             {"NVIDIA L4", 89, 58, 11.1},
	             {"NVIDIA GeForce RTX 4070 Ti", 89, 60, 29.2},
	             {"NVIDIA A100 80GB PCIe", 80, 108, 18.9}};
	for (size_t i = 0; i < sizeof cards / sizeof cards[0]; i++) {
		expect_within(
			rate_tflops(cards[i].name, ELEMENT_S, cards[i].capability, cards[i].units),
			cards[i].tflops, 1.25, cards[i].name);
		expect_within(rate_tflops("", ELEMENT_S, cards[i].capability, cards[i].units),
		              cards[i].tflops, 1.25, "without a name");
	}
	/* 24 of 65 Tflop/s in half precision: NVIDIA's forum, "About GPU peak performance". */
	expect_within(rate_tflops("Tesla T4", ELEMENT_S, 75, 40), 8.1 * 24 / 65, 1.35, "T4");
	/* As many multiprocessors as a T4, and three times its power limit. */
	cr_expect_gt(rate_tflops("NVIDIA GeForce RTX 2070 SUPER", ELEMENT_S, 75, 40), 6);
}

/* 80 ms at the boost clock say 8 Tflop/s of a T4 and 30 of an L4; doubles draw little power. */
Test(cost_published, a_moment_is_no_sustained_rate)
{
	machine = (struct machine){.gpu = "NVIDIA L4",
	                           .gpu_capability = 89,
	                           .gpu_multiprocessors = 58,
	                           .gpu_gemm_flops = {29e12, 0.47e12, 14e12, 0.47e12}};
	panel_rates_limit_look(&machine);
	expect_within(machine.gpu_gemm_flops[ELEMENT_S] / 1e12, 11.1, 1.25, "L4");
	cr_expect_leq(machine.gpu_gemm_flops[ELEMENT_C], machine.gpu_gemm_flops[ELEMENT_S]);
	cr_expect_eq(machine.gpu_gemm_flops[ELEMENT_D], 0.47e12);
	machine.gpu_gemm_flops[ELEMENT_S] = 5e12;
	panel_rates_limit_look(&machine);
	cr_expect_eq(machine.gpu_gemm_flops[ELEMENT_S], 5e12, "shared with others");
	machine = (struct machine){.gpu = "NVIDIA H200",
	                           .gpu_capability = 90,
	                           .gpu_multiprocessors = 132,
	                           .gpu_gemm_flops = {70e12, 66e12}};
	panel_rates_limit_look(&machine);
	cr_expect_eq(machine.gpu_gemm_flops[ELEMENT_S], 70e12);
}

/*
 * CGEMM on an RTX 5080: 20.0 Tflop/s at n = 8192 (UCHINO-Yuki/GEMMul8_numerical_results,
 * results_05); on a GH200 48.8 to 55.9 beside 51.4 of SGEMM.
 */
Test(cost_published, complex_products_on_cards_for_graphics)
{
	expect_within(rate_tflops("NVIDIA GeForce RTX 5080", ELEMENT_C, 120, 84), 20.0, 1.25,
	              "RTX 5080");
	expect_within(rate_tflops("NVIDIA GH200 480GB", ELEMENT_C, 90, 132), 52, 1.25, "GH200");
}
