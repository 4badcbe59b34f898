/* cost_test.c - expected times: by hand, without a rate, by places and threads, break-even */
/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <float.h>
#include <math.h>

#include "cost_call.h"

/* All threads of cost_machine, no other work on the device, pageable operands. */
static const struct cost_setting plain = {.cpu_threads = 8};

static struct cost predict_at(const struct machine *machine, const struct cost_setting *setting,
                              const struct call *call)
{
	struct cost cost = {.cpu = {.whole_ns = NAN}, .gpu = {.whole_ns = NAN}};
	cost_predict(machine, setting, call, &cost);
	return cost;
}

static struct cost predict(const struct machine *machine, const struct call *call)
{
	return predict_at(machine, &plain, call);
}

static void expect_near(double got, double wanted)
{
	cr_expect(fabs(got - wanted) <= 1e-9 * fabs(wanted), "%.17g is not %.17g", got, wanted);
}

/*
 * n = 4096: 137438953472 flops; 3 x 134217728 bytes up take 40.2653184 ms, longer than
 * 2.74877906944 ms of work. Each part has an operation of 8 us.
 */
Test(cost, dgemm_that_waits_for_the_link)
{
	const struct call call = cost_call_bytes(4096);
	const struct cost cost = predict(&cost_machine, &call);
	expect_near(cost.cpu.whole_ns, 137438953.472);
	expect_near(cost.gpu.whole_ns, 30000 + 40273318.4);
	expect_near(cost.gpu.fixed_ns, 30000);
	expect_near(cost.gpu.in_ns, 40273318.4);
	expect_near(cost.gpu.work_ns, 2756779.06944);
	expect_near(cost.gpu.out_ns, 6718886.4);
	expect_near(cost.cpu.work_ns, cost.cpu.whole_ns);
	cr_expect(cost.cpu.in_ns == 0 && cost.cpu.out_ns == 0 && cost.cpu.fixed_ns == 0);
}

/* The same on a fast link: the arithmetic takes longest. */
Test(cost, dgemm_that_waits_for_the_arithmetic)
{
	struct machine fast = cost_machine;
	fast.link_up_bytes = fast.link_down_bytes = 1e12;
	const struct call call = cost_call_bytes(4096);
	expect_near(predict(&fast, &call).gpu.whole_ns, 30000 + 2756779.06944);
}

/* The same with a slow link back: 134217728 bytes at 1 GB/s. */
Test(cost, dgemm_that_waits_for_the_result)
{
	struct machine narrow = cost_machine;
	narrow.link_down_bytes = 1e9;
	const struct call call = cost_call_bytes(4096);
	expect_near(predict(&narrow, &call).gpu.whole_ns, 30000 + 134225728);
}

/*
 * A call with its sizes is planned: longer than its longest stage, shorter than the sum of all
 * stages and operation costs.
 */
Test(cost, gemm_takes_as_long_as_its_plan)
{
	struct machine better = cost_machine;
	better.link_duplex = 1;
	better.operation_ns = 1;
	for (int64_t n = 512; n <= 16384; n *= 2) {
		const struct call call = cost_call_blas(FAMILY_GEMM, n, n, n);
		const struct cost_time time = predict(&cost_machine, &call).gpu,
				       less = predict(&better, &call).gpu;
		cr_expect_gt(time.whole_ns, less.whole_ns, "%ld", (long)n);
		cr_expect_gt(less.whole_ns,
		             30e3 + fmax(time.in_ns, fmax(time.work_ns, time.out_ns)), "%ld",
		             (long)n);
		cr_expect_lt(less.whole_ns, 30e3 + time.in_ns + time.work_ns * 1.04 + time.out_ns,
		             "%ld", (long)n);
		expect_near(time.in_ns, (double)call.input_bytes / 10);
		expect_near(time.out_ns, (double)call.output_bytes / 20);
		expect_near(time.work_ns, call.work_flops / 50e3);
	}
}

/* Bytes that the planner moves: one triangle of a square A, one of a result; B that is A once. */
Test(cost, parts_are_those_of_the_plan)
{
	enum { N = 4000, M = 1000 };
	const double square_bytes = 8.0 * N * N, other_bytes = 8.0 * N * M;
	static const enum family squares[] = {FAMILY_SYMM, FAMILY_HEMM, FAMILY_TRMM, FAMILY_TRSM};
	for (size_t i = 0; i < sizeof squares / sizeof squares[0]; i++) {
		const struct call call = cost_call_blas(squares[i], N, M, N);
		const struct cost_time time = predict(&cost_machine, &call).gpu;
		expect_near(time.in_ns, (square_bytes / 2 + other_bytes) / 10);
		expect_near(time.out_ns, other_bytes / 20);
	}
	struct call call = cost_call_blas(FAMILY_SYRK, N, N, M);
	expect_near(predict(&cost_machine, &call).gpu.in_ns, other_bytes / 10);
	expect_near(predict(&cost_machine, &call).gpu.out_ns, square_bytes / 2 / 20);
	call = cost_call_blas(FAMILY_SYR2K, N, N, M);
	expect_near(predict(&cost_machine, &call).gpu.in_ns, 2 * other_bytes / 10);
	call = cost_call_blas(FAMILY_GEMM, N, N, N);
	const double apart_ns = predict(&cost_machine, &call).gpu.in_ns;
	call.blas.transb = TRANSPOSE_T;
	call.blas.a = call.blas.b = &call;
	call.blas.lda = call.blas.ldb = N;
	expect_near(predict(&cost_machine, &call).gpu.in_ns, apart_ns / 2);
}

/* Without a product there is nothing to plan. */
Test(cost, gemm_without_a_product_is_not_planned)
{
	struct call call = cost_call_blas(FAMILY_GEMM, 1000, 1000, 1000);
	call.blas.alpha[0] = 0;
	call.input_bytes = 10000;
	call.work_flops = 0;
	expect_near(predict(&cost_machine, &call).gpu.whole_ns, 30e3 + 8e6 / 20 + 8000);
}

Test(cost, planned_calls_need_the_rates_too)
{
	const struct call call = cost_call_blas(FAMILY_GEMM, 1000, 1000, 1000);
	struct machine some = cost_machine;
	some.gpu_gemm_flops[ELEMENT_D] = 0;
	cr_expect_eq(predict(&some, &call).gpu.whole_ns, -1);
	cr_expect_eq(predict(&some, &call).gpu.work_ns, -1);
	some = cost_machine;
	some.link_down_bytes = 0;
	cr_expect_eq(predict(&some, &call).gpu.whole_ns, -1);
	cr_expect_eq(predict(&some, &call).gpu.out_ns, -1);
	expect_near(predict(&some, &call).gpu.in_ns, 1.6e6);
}

/* 2^24 points: 268435456 bytes each way, 5 * 2^24 * 24 flops, two copies; nothing overlaps. */
Test(cost, single_transform_is_a_sum)
{
	static const struct fft_problem problem = {
		.family = FAMILY_FFT_C2C, .element = ELEMENT_Z, .rank = 1, .howmany = 1};
	const struct call call = cost_call_fft(&problem, 268435456, 2013265920);
	const struct cost cost = predict(&cost_machine, &call);
	expect_near(cost.cpu.whole_ns, 20132659.2);
	expect_near(cost.gpu.whole_ns, 30000 + 26851545.6 + 2013265.92 + 13429772.8);
}

/*
 * All stages but the longest are hidden, except those of the first and the last transform: of q
 * transforms a q-th.
 */
Test(cost, transforms_overlap)
{
	struct fft_problem problem = {
		.family = FAMILY_FFT_R2C, .element = ELEMENT_C, .rank = 1, .howmany = 1};
	const struct call call = cost_call_fft(&problem, 268435456, 2013265920);
	const double others_ns = predict(&cost_machine, &call).gpu.whole_ns - 30000 - 26851545.6;
	cr_assert_gt(others_ns, 0);
	for (int64_t q = 1; q <= INT64_C(1) << 40; q *= 2) {
		problem.howmany = q;
		expect_near(predict(&cost_machine, &call).gpu.whole_ns,
		            30000 + 26851545.6 + others_ns / (double)q);
	}
	problem.howmany = 0;
	expect_near(predict(&cost_machine, &call).gpu.whole_ns, 30000 + 26851545.6 + others_ns);
}

/* 1000 products of 100: 240 MB in, 80 MB out, 2 Gflop; one after the other, 8 us each. */
Test(cost, batches_are_sums)
{
	struct call call = {.family = FAMILY_GEMM_BATCH,
	                    .element = ELEMENT_D,
	                    .input_bytes = 240000000,
	                    .output_bytes = 80000000,
	                    .work_flops = 2e9,
	                    .blas = {.m = 100, .n = 100, .k = 100, .alpha = {1}}};
	expect_near(predict(&cost_machine, &call).gpu.whole_ns, 30e3 + 24e6 + 4e4 + 4e6 + 3 * 8e3);
}

/* 9 x 9 x 9 points to and from the device: operations and the floor of three dimensions. */
Test(cost, transforms_have_a_floor_by_rank)
{
	struct machine floors = cost_machine;
	struct fft_problem problem = {
		.family = FAMILY_FFT_C2C, .element = ELEMENT_Z, .rank = 3, .howmany = 1};
	const struct call call = cost_call_fft(&problem, 10000, 40000);
	const double plain_ns = predict(&floors, &call).gpu.whole_ns;
	expect_near(plain_ns, 30000 + 1000 + 8000 + 40 + 500 + 8000);
	for (int rank = 0; rank < FFT_GPU_RANK; rank++)
		floors.gpu_fft_floor_ns[rank] = 1000 * (rank + 1);
	static const int ranks[] = {1, 2, 3, 8, 0};
	static const double floor_ns[] = {1000, 2000, 3000, 3000, 1000};
	for (size_t i = 0; i < sizeof ranks / sizeof ranks[0]; i++) {
		problem.rank = ranks[i];
		expect_near(predict(&floors, &call).gpu.whole_ns, plain_ns + floor_ns[i]);
	}
	struct cost_setting device = plain;
	device.place[OPERAND_A] = device.place[OPERAND_C] = COST_DEVICE;
	expect_near(predict_at(&floors, &device, &call).gpu.whole_ns, 30000 + 40 + 1000);
}

/* Two fills in one dimension; six more operations with outer dimensions longer than 1. */
Test(cost, real_results_need_hermitian_input)
{
	struct fft_problem problem = {.family = FAMILY_FFT_R2C,
	                              .element = ELEMENT_Z,
	                              .rank = 2,
	                              .dims = {{1, 1, 1}, {64, 1, 1}},
	                              .howmany = 1};
	const struct call call = cost_call_fft(&problem, 10000, 40000);
	const double plain_ns = predict(&cost_machine, &call).gpu.work_ns;
	problem.family = FAMILY_FFT_C2R;
	expect_near(predict(&cost_machine, &call).gpu.work_ns, plain_ns + 2 * 8000);
	problem.dims[0].n = 64;
	expect_near(predict(&cost_machine, &call).gpu.work_ns, plain_ns + 8 * 8000);
}

/* Estimated plans are ten times slower here. */
Test(cost, transforms_go_by_the_rigour_of_the_plan)
{
	static const struct fft_problem problem = {
		.family = FAMILY_FFT_C2C, .element = ELEMENT_Z, .rank = 1, .howmany = 1};
	struct machine slow = cost_machine;
	struct call call = cost_call_fft(&problem, 268435456, 2013265920);
	slow.cpu_fft_estimate_flops[ELEMENT_Z] = 10e9;
	expect_near(predict(&slow, &call).cpu.whole_ns, 20132659.2);
	call.fft.rigour = FFT_ESTIMATED;
	expect_near(predict(&slow, &call).cpu.whole_ns, 201326592);
	expect_near(predict(&cost_machine, &call).cpu.whole_ns, 20132659.2);
}

/* 1000 x 1 x 1000: 8016000 bytes at 100 and 1,000 GB/s. A square product does not notice. */
Test(cost, thin_products_wait_for_memory)
{
	struct machine memory = cost_machine;
	const struct call thin = cost_call_blas(FAMILY_GEMM, 1000, 1, 1000),
			  square = cost_call_blas(FAMILY_GEMM, 1000, 1000, 1000);
	memory.cpu_memory_bytes = 100e9;
	memory.gpu_memory_bytes = 1e12;
	expect_near(predict(&memory, &thin).cpu.whole_ns, 80160);
	expect_near(predict(&memory, &thin).gpu.work_ns, 8016);
	expect_near(predict(&memory, &square).cpu.whole_ns, 2e6);
	expect_near(predict(&memory, &square).gpu.work_ns,
	            predict(&cost_machine, &square).gpu.work_ns);
}

/* Rows of the triangle, unless the machine has a rate of trsm. */
Test(cost, trsm_solves_row_by_row)
{
	struct machine rows = cost_machine;
	char message[MACHINE_MESSAGE_BYTES];
	const struct call left = cost_call_blas(FAMILY_TRSM, 1000, 500, 1000),
			  trmm = cost_call_blas(FAMILY_TRMM, 1000, 500, 1000);
	rows.gpu_trsm_row_ns = 700;
	expect_near(predict(&rows, &left).gpu.work_ns, 5e8 / 50e3 + 700e3);
	expect_near(predict(&rows, &trmm).gpu.work_ns, 5e8 / 50e3);
	cr_assert(machine_parse_line(&rows, "gpu_dtrsm = 1000:25e12", message));
	expect_near(predict(&rows, &left).gpu.work_ns, 5e8 / 25e3);
}

Test(cost, unknown_rates_predict_nothing)
{
	const struct call call = cost_call_bytes(1000);
	struct machine some = cost_machine;
	some.cpu_gemm_flops[ELEMENT_D] = 0;
	cr_expect_eq(predict(&some, &call).cpu.whole_ns, -1);
	cr_expect_gt(predict(&some, &call).gpu.whole_ns, 0);
	some = cost_machine;
	some.gpu_gemm_flops[ELEMENT_D] = 0;
	cr_expect_gt(predict(&some, &call).cpu.whole_ns, 0);
	cr_expect_eq(predict(&some, &call).gpu.whole_ns, -1);
	some = cost_machine;
	some.link_up_bytes = 0;
	cr_expect_eq(predict(&some, &call).gpu.whole_ns, -1);
	some = cost_machine;
	some.call_fixed_ns = 0;
	cr_expect_gt(predict(&some, &call).gpu.whole_ns, 0, "no fixed cost is a fixed cost of 0");
}

Test(cost, broken_figures_predict_nothing)
{
	const double broken[] = {NAN, -1, -INFINITY};
	for (int i = 0; i < 3; i++) {
		struct call call = cost_call_bytes(1000);
		struct machine some = cost_machine;
		some.link_up_bytes = broken[i];
		cr_expect_eq(predict(&some, &call).gpu.whole_ns, -1);
		call.work_flops = broken[i];
		cr_expect_eq(predict(&cost_machine, &call).cpu.whole_ns, -1);
		cr_expect_eq(predict(&cost_machine, &call).gpu.whole_ns, -1);
	}
}

Test(cost, nothing_to_do_takes_no_time)
{
	const struct call call = cost_call_bytes(0);
	cr_expect_eq(predict(&cost_machine, &call).cpu.whole_ns, 0);
	cr_expect_eq(predict(&cost_machine, &call).gpu.whole_ns, 30e3);
}

/* Rates of the machine are for all of its threads: one of eight takes eight times as long. */
Test(cost, threads_share_the_rate)
{
	const struct call call = cost_call_blas(FAMILY_GEMM, 1000, 1000, 1000);
	static const int threads[] = {-1, 0, 1, 2, 8, 64};
	static const double wanted_ns[] = {16e6, 16e6, 16e6, 8e6, 2e6, 2e6};
	for (int i = 0; i < 6; i++) {
		const struct cost_setting setting = {.cpu_threads = threads[i]};
		expect_near(predict_at(&cost_machine, &setting, &call).cpu.whole_ns, wanted_ns[i]);
	}
}

/* Three processes share the GPU, and 5 ms of work are queued before the call. */
Test(cost, sharers_and_queue)
{
	const struct call call = cost_call_bytes(4096);
	struct cost_setting setting = {.cpu_threads = 8, .gpu_sharers = 3};
	expect_near(predict_at(&cost_machine, &setting, &call).gpu.whole_ns,
	            38000 + 3 * 40265318.4);
	setting.queue_ns = 5e6;
	expect_near(predict_at(&cost_machine, &setting, &call).gpu.whole_ns,
	            5038000 + 3 * 40265318.4);
	expect_near(predict_at(&cost_machine, &setting, &call).gpu.fixed_ns, 5030000);
	expect_near(predict_at(&cost_machine, &setting, &call).cpu.whole_ns, 137438953.472);
}

/* A and B go up at 25 instead of 10 GB/s; C comes back through the staging in any case. */
Test(cost, page_locked_operands)
{
	const struct call call = cost_call_blas(FAMILY_GEMM, 4000, 4000, 4000);
	struct cost_setting setting = plain;
	setting.place[OPERAND_A] = COST_PINNED;
	const struct cost_time one = predict_at(&cost_machine, &setting, &call).gpu;
	expect_near(one.in_ns, 128e6 / 25 + 128e6 / 10);
	setting.place[OPERAND_B] = setting.place[OPERAND_C] = COST_PINNED;
	const struct cost_time all = predict_at(&cost_machine, &setting, &call).gpu;
	expect_near(all.in_ns, 256e6 / 25);
	expect_near(all.out_ns, 128e6 / 20);
	cr_expect(all.whole_ns < one.whole_ns &&
	          one.whole_ns < predict(&cost_machine, &call).gpu.whole_ns);
}

/*
 * All operands are on the device: the GPU needs the arithmetic only; the CPU would fetch the
 * operands and send C back.
 */
Test(cost, operands_on_the_device)
{
	const struct call call = cost_call_blas(FAMILY_GEMM, 4000, 4000, 4000);
	struct cost_setting setting = plain;
	setting.place[OPERAND_A] = setting.place[OPERAND_B] = setting.place[OPERAND_C] =
		COST_DEVICE;
	const struct cost cost = predict_at(&cost_machine, &setting, &call);
	expect_near(cost.gpu.whole_ns, 30e3 + 2.56e6);
	expect_near(cost.cpu.whole_ns, 256e6 / 4 + 128e6 + 128e6 / 5);
	setting.place[OPERAND_C] = COST_PAGEABLE;
	expect_near(predict_at(&cost_machine, &setting, &call).gpu.whole_ns, 30e3 + 2.56e6 + 6.4e6);
}

Test(cost, intensity)
{
	struct call call = cost_call_blas(FAMILY_GEMM, 1000, 1000, 1000);
	expect_near(cost_find_intensity(&plain, &call), 2e9 / 24e6);
	struct cost_setting setting = plain;
	setting.place[OPERAND_A] = COST_DEVICE;
	expect_near(cost_find_intensity(&setting, &call), 2e9 / 16e6);
	setting.place[OPERAND_B] = setting.place[OPERAND_C] = COST_DEVICE;
	cr_expect_eq(cost_find_intensity(&setting, &call), DBL_MAX);
	call = cost_call_bytes(1000);
	expect_near(cost_find_intensity(&plain, &call), 2e9 / 32e6);
	call = cost_call_blas(FAMILY_TRSM, 1000, 500, 1000);
	expect_near(cost_find_intensity(&plain, &call), 5e8 / (4e6 + 4e6 + 4e6));
}

Test(cost, size)
{
	struct call call = cost_call_blas(FAMILY_GEMM, 1000, 1000, 1000);
	cr_expect_float_eq(cost_find_size(&call), 1000, 1e-7);
	for (int64_t n = 1; n < INT64_C(1) << 61; n = 3 * n / 2 + 1) {
		call.blas.m = n;
		call.blas.n = call.blas.k = 7;
		cr_expect_float_eq(cost_find_size(&call) / cbrt((double)n * 49), 1, 1e-11, "%ld",
		                   (long)n);
	}
	call.blas.k = 0;
	cr_expect_eq(cost_find_size(&call), 1);
	const struct fft_problem problem = {.family = FAMILY_FFT_C2C,
	                                    .element = ELEMENT_Z,
	                                    .rank = 3,
	                                    .dims = {{512, 0, 0}, {256, 0, 0}, {100, 0, 0}},
	                                    .howmany = 9};
	const struct call transform = cost_call_fft(&problem, 1, 1);
	cr_expect_eq(cost_find_size(&transform), 512 * 256 * 100);
}

/* A textbook machine: link 15 GB/s, GPU 1,000 and CPU 1 Gop/s. */
Test(cost, break_even)
{
	cr_expect_float_eq(cost_break_even(15e9, 1e9, 1000e9), 0.0667, 0.00005);
	expect_near(cost_break_even(15e9, 1e9, 1000e9), 1 / 15e9 / (1 / 1e9 - 1 / 1000e9));
	cr_expect_eq(cost_break_even(15e9, 1e9, 1e9), DBL_MAX);
	cr_expect_eq(cost_break_even(15e9, 2e9, 1e9), DBL_MAX);
	cr_expect_eq(cost_break_even(0, 1e9, 2e9), DBL_MAX);
	cr_expect_eq(cost_break_even(15e9, 1e9, 0), DBL_MAX);
}

/* One break-even point: below it the CPU is faster, above it the GPU. */
Test(cost, sides_change_once)
{
	int changes = 0;
	bool gpu_faster = false;
	for (double n = 8; n <= 32768; n *= 1.1) {
		const struct call call =
			cost_call_blas(FAMILY_GEMM, (int64_t)n, (int64_t)n, (int64_t)n);
		const struct cost cost = predict(&cost_machine, &call);
		changes += (cost.gpu.whole_ns < cost.cpu.whole_ns) != gpu_faster;
		gpu_faster = cost.gpu.whole_ns < cost.cpu.whole_ns;
	}
	cr_expect(gpu_faster);
	cr_expect_eq(changes, 1);
}
