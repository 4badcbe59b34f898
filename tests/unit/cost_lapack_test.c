/* cost_lapack_test.c - expected times of LAPACK calls: the model's published figures, and its rules */
/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>

#include "cost_lapack.h"
#include "policy/call/lapack_flops.h"
#include "policy/decide/lapack_cost.h"

/* An H200 behind a staged link, and hosts of 16 and of 64 cores. */
#define H200                                                                                       \
	.gpu_gemm_flops = {110e12, 55e12, 110e12, 55e12}, .gpu_memory_bytes = 3.9e12,              \
	.link_up_bytes = 44e9, .link_down_bytes = 42e9, .operation_ns = 8e3,                       \
	.call_fixed_ns = 30e3, .start_ns = 600e6, .fft_plan_ns = 10e6
static const struct machine hosts[] = {
	{.cpu_threads = 16,
         .cpu_gemm_flops = {1.2e12, 0.6e12, 1.2e12, 0.6e12},
         .cpu_memory_bytes = 100e9,
         H200},
	{.cpu_threads = 64,
         .cpu_gemm_flops = {4.4e12, 2.2e12, 4.4e12, 2.2e12},
         .cpu_memory_bytes = 350e9,
         H200},
};
enum { HOSTS = sizeof hosts / sizeof hosts[0] };

static struct cost predict(const struct machine *machine, const struct call *call)
{
	const struct cost_setting setting = {.cpu_threads = (int)machine->cpu_threads};
	struct cost cost = {.cpu = {.whole_ns = NAN}, .gpu = {.whole_ns = NAN}};
	cost_predict(machine, &setting, call, &cost);
	return cost;
}

static struct cost predict_square(const struct machine *machine, enum family family, int64_t n,
                                  bool vectors)
{
	const struct call call = cost_lapack_square(family, n, vectors);
	return predict(machine, &call);
}

static void expect_within(double value, double wanted, double share, const char *what, double n)
{
	cr_expect(fabs(value / wanted - 1) <= share, "%s, %g: %g is not %g", what, n, value,
	          wanted);
}

/*
 * Seconds of in, solve and out one after the other, and how many times as long 16 and 64 cores
 * take: an estimate for an H200 by the same inputs, whose figures have one or two digits.
 */
static const struct {
	const char *name;
	enum family family;
	struct {
		int64_t n;
		double seconds, times[HOSTS];
	} run[4];
} estimates[] = {
	{"getrf",
         FAMILY_GETRF,
         {{2000, .0061, {1.9, .5}},
          {5000, .022, {8, 2.3}},
          {10000, .072, {21, 6}},
          {20000, .29, {41, 11}}}},
	{"potrf",
         FAMILY_POTRF,
         {{2000, 0, {2, .6}}, {5000, 0, {9, 2.4}}, {10000, 0, {21, 6}}, {20000, 0, {41, 11}}}},
	{"syevd",
         FAMILY_SYEVD,
         {{2000, .029, {7, 1.8}},
          {5000, .13, {23, 7}},
          {10000, .63, {38, 11}},
          {20000, 4.2, {46, 13}}}},
	{"gesdd",
         FAMILY_GESDD,
         {{2000, .12, {5, 1.4}},
          {5000, .52, {18, 5}},
          {10000, 2.6, {29, 8}},
          {20000, 18, {34, 10}}}},
};

/* In, solve, out one after the other. */
static double find_sum(const struct cost *cost)
{
	const struct cost_time *time = &cost->gpu;
	return time->fixed_ns + time->in_ns + time->work_ns + time->out_ns;
}

Test(cost_lapack, times_are_those_of_the_estimate)
{
	for (size_t i = 0; i < sizeof estimates / sizeof estimates[0]; i++)
		for (int size = 0; size < 4; size++)
			for (int host = 0; host < HOSTS; host++) {
				const double n = (double)estimates[i].run[size].n;
				const struct cost cost =
					predict_square(&hosts[host], estimates[i].family,
				                       estimates[i].run[size].n, true);
				if (estimates[i].run[size].seconds > 0)
					expect_within(find_sum(&cost) / 1e9,
					              estimates[i].run[size].seconds, 0.1,
					              estimates[i].name, n);
				expect_within(cost.cpu.whole_ns / find_sum(&cost),
				              estimates[i].run[size].times[host], 0.15,
				              estimates[i].name, n);
			}
}

/* The seconds of LU whose copies overlap the work, by the same estimate, which has no panels. */
Test(cost_lapack, copies_of_lu_and_cholesky_overlap_the_work)
{
	static const struct {
		int64_t n;
		double seconds;
	} rows[] = {{2000, .0047}, {5000, .013}, {10000, .037}, {20000, .153}};
	for (int i = 0; i < 4; i++) {
		const struct cost lu = predict_square(&hosts[1], FAMILY_GETRF, rows[i].n, false);
		const double seconds = lu.gpu.whole_ns / 1e9;
		cr_expect(seconds > rows[i].seconds && seconds < 1.25 * rows[i].seconds, "%ld: %g",
		          (long)rows[i].n, seconds);
		const struct cost cholesky =
			predict_square(&hosts[1], FAMILY_POTRF, rows[i].n, false);
		cr_expect_lt(cholesky.gpu.whole_ns, 0.95 * find_sum(&cholesky));
	}
}

/* Few columns are not worth a second panel. */
Test(cost_lapack, small_factorizations_are_not_planned)
{
	for (int64_t n = 10; n <= 300; n += 10) {
		const struct cost cost = predict_square(&hosts[1], FAMILY_GETRF, n, false);
		cr_expect_float_eq(cost.gpu.whole_ns, find_sum(&cost), 1, "%ld", (long)n);
	}
}

static double find_whole(const struct cost *cost)
{
	return cost->gpu.whole_ns;
}

/* The least order from which on the GPU is faster at every size. */
static double find_break_even(const struct machine *machine, enum family family,
                              double (*find_ns)(const struct cost *))
{
	int64_t n = 20000;
	for (; n > 10; n -= 10) {
		const struct cost cost = predict_square(machine, family, n, true);
		if (find_ns(&cost) > cost.cpu.whole_ns)
			break;
	}
	return (double)n;
}

/*
 * gesv: the inverse as NumPy computes it, with n right-hand sides. The estimate is that of in,
 * solve, out; copies that overlap lower the order by up to a fifth.
 */
Test(cost_lapack, break_even_orders_are_those_of_the_estimate)
{
	static const struct {
		const char *name;
		enum family family;
		double order[HOSTS];
	} rows[] = {{"getrf", FAMILY_GETRF, {1400, 3000}},
	            {"potrf", FAMILY_POTRF, {1400, 3000}},
	            {"gesv", FAMILY_GESV, {800, 1600}},
	            {"syevd", FAMILY_SYEVD, {700, 1400}},
	            {"gesdd", FAMILY_GESDD, {850, 1700}}};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
		for (int host = 0; host < HOSTS; host++) {
			const struct machine *machine = &hosts[host];
			const double order = find_break_even(machine, rows[i].family, find_whole);
			expect_within(find_break_even(machine, rows[i].family, find_sum),
			              rows[i].order[host], 0.1, rows[i].name, machine->cpu_threads);
			cr_expect(order > 0.8 * rows[i].order[host] &&
			                  order < 1.1 * rows[i].order[host],
			          "%s: %g", rows[i].name, order);
		}
}

/* One core: 50 Gflop/s of dgemm, 20 GB/s. Units of a dgemm of the same order, OpenBLAS 0.3.21. */
static const struct machine core = {.cpu_threads = 1,
                                    .cpu_gemm_flops = {100e9, 50e9, 100e9, 50e9},
                                    .cpu_memory_bytes = 20e9,
                                    H200};

Test(cost_lapack, units_of_a_dgemm_are_those_measured)
{
	static const struct {
		const char *name;
		enum family family;
		int64_t n;
		bool vectors;
		double units;
	} rows[] = {
		{"getrf", FAMILY_GETRF, 2000, false, .45},
		{"getrs", FAMILY_GETRS, 2000, false, 1.1},
		{"gesv", FAMILY_GESV, 2000, false, 1.5},
		{"getri", FAMILY_GETRI, 2000, false, .9},
		{"potrf", FAMILY_POTRF, 2000, false, .2},
		{"potri", FAMILY_POTRI, 2000, false, .5},
		{"trtri", FAMILY_TRTRI, 2000, false, .3},
		{"geqrf", FAMILY_GEQRF, 2000, false, 1},
		{"orgqr", FAMILY_ORGQR, 2000, false, 1},
		{"ormqr", FAMILY_ORMQR, 2000, false, 1.45},
		{"gels", FAMILY_GELS, 2000, false, 3},
		{"syevd N", FAMILY_SYEVD, 2000, false, 2.2},
		{"syevd V", FAMILY_SYEVD, 2000, true, 4.6},
		{"syevr V", FAMILY_SYEVR, 2000, true, 4.6},
		{"sygvd V", FAMILY_SYGVD, 2000, true, 5.9},
		{"gesdd N", FAMILY_GESDD, 2000, false, 7.5},
		{"gesdd S", FAMILY_GESDD, 2000, true, 12},
		{"geev N", FAMILY_GEEV, 2000, false, 11},
		{"geev V", FAMILY_GEEV, 2000, true, 19},
		{"syev V", FAMILY_SYEV, 1000, true, 21},
		{"syevx V", FAMILY_SYEVX, 1000, true, 19},
		{"sygv V", FAMILY_SYGV, 1000, true, 21},
		{"sygvx V", FAMILY_SYGVX, 1000, true, 22},
		{"gesvd S", FAMILY_GESVD, 1000, true, 44},
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		const double n = (double)rows[i].n;
		const double ns = predict_square(&core, rows[i].family, rows[i].n, rows[i].vectors)
		                          .cpu.whole_ns;
		expect_within(ns / (2 * n * n * n / 50), rows[i].units, 0.15, rows[i].name, n);
	}
}

Test(cost_lapack, every_family_has_a_time_on_either_side)
{
	for (int family = FAMILY_GETRF; family < FAMILY_FFT_C2C; family++)
		for (int vectors = 0; vectors < 2; vectors++) {
			const struct call call =
				cost_lapack_square((enum family)family, 1000, vectors != 0);
			const struct cost cost = predict(&hosts[0], &call);
			cr_expect(cost.cpu.whole_ns > 1e5 && cost.cpu.whole_ns < 1e10, "%s: %g",
			          family_name((enum family)family), cost.cpu.whole_ns);
			cr_expect(cost.gpu.whole_ns > 1e5 && cost.gpu.whole_ns < 1e10, "%s: %g",
			          family_name((enum family)family), cost.gpu.whole_ns);
		}
}

Test(cost_lapack, vectors_are_dearer_than_values)
{
	static const enum family families[] = {
		FAMILY_SYEV,  FAMILY_HEEV,  FAMILY_SYEVD, FAMILY_HEEVD, FAMILY_SYEVR, FAMILY_HEEVR,
		FAMILY_SYEVX, FAMILY_HEEVX, FAMILY_SYGV,  FAMILY_HEGV,  FAMILY_SYGVD, FAMILY_HEGVD,
		FAMILY_SYGVX, FAMILY_HEGVX, FAMILY_GESDD, FAMILY_GESVD, FAMILY_GEEV};
	for (size_t i = 0; i < sizeof families / sizeof families[0]; i++)
		for (int64_t n = 10; n < 50000; n *= 2)
			for (int host = 0; host < HOSTS; host++) {
				const struct call none = cost_lapack_square(families[i], n, false),
						  all = cost_lapack_square(families[i], n, true);
				const struct cost values = predict(&hosts[host], &none),
						  vectors = predict(&hosts[host], &all);
				cr_expect_gt(vectors.cpu.whole_ns, values.cpu.whole_ns, "%s",
				             family_name(families[i]));
				cr_expect_gt(vectors.gpu.whole_ns, values.gpu.whole_ns, "%s",
				             family_name(families[i]));
			}
}

/* Of the conjugate transpose the left vectors are the right ones. */
Test(cost_lapack, singular_values_of_a_wide_matrix_take_as_long_as_of_a_tall_one)
{
	static const char jobs[][2] = {{'N', 'N'}, {'S', 'S'}, {'A', 'A'}, {'S', 'N'},
	                               {'A', 'N'}, {'N', 'A'}, {'A', 'S'}};
	for (size_t i = 0; i < sizeof jobs / sizeof jobs[0]; i++) {
		struct call tall = {.family = FAMILY_GESVD,
		                    .element = ELEMENT_Z,
		                    .lapack = {.jobs = {jobs[i][0], jobs[i][1]},
		                               .range = 'A',
		                               .m = 3000,
		                               .n = 1100,
		                               .lda = 3000,
		                               .ldu = 3000,
		                               .ldvt = 3000}};
		struct call wide = tall;
		wide.lapack.m = tall.lapack.n;
		wide.lapack.n = tall.lapack.m;
		wide.lapack.jobs[0] = jobs[i][1];
		wide.lapack.jobs[1] = jobs[i][0];
		tall.work_flops = lapack_flops_count(&tall);
		wide.work_flops = lapack_flops_count(&wide);
		cr_expect(tall.work_flops > 0, "%d", (int)i);
		cr_expect_float_eq(tall.work_flops, wide.work_flops, 1e-9 * tall.work_flops, "%d",
		                   (int)i);
		const struct cost long_one = predict(&hosts[0], &tall),
				  short_one = predict(&hosts[0], &wide);
		expect_within(short_one.cpu.whole_ns, long_one.cpu.whole_ns, 1e-9, "CPU",
		              (double)i);
		expect_within(short_one.gpu.whole_ns, long_one.gpu.whole_ns, 1e-9, "GPU",
		              (double)i);
	}
}

/* 8 n^2 bytes cross the link for 2 n^2 flops. */
Test(cost_lapack, few_right_hand_sides_stay_on_the_cpu)
{
	static const enum family families[] = {FAMILY_GETRS, FAMILY_POTRS};
	for (int64_t n = 100; n <= 40000; n += n / 3)
		for (int i = 0; i < 2; i++)
			for (int host = 0; host < HOSTS; host++) {
				const struct call call = cost_lapack_call(
					&(struct cost_solution){.family = families[i],
				                                .element = ELEMENT_D,
				                                .m = n,
				                                .n = n,
				                                .r = 1});
				const struct cost cost = predict(&hosts[host], &call);
				cr_expect_gt(cost.gpu.whole_ns, cost.cpu.whole_ns, "%ld", (long)n);
			}
}

Test(cost_lapack, the_size_of_a_square_call_is_its_order)
{
	for (int family = FAMILY_GETRF; family < FAMILY_FFT_C2C; family++)
		for (int vectors = 0; vectors < 2; vectors++) {
			const struct call call =
				cost_lapack_square((enum family)family, 777, vectors != 0);
			cr_expect_float_eq(cost_find_size(&call), 777, 1e-6, "%s",
			                   family_name((enum family)family));
		}
}

/* What results overwrite: triangles are a half, B of getrs, none where other arrays are written. */
Test(cost_lapack, shadows)
{
	const double square = 8.0 * 500 * 500;
	static const struct {
		enum family family;
		bool vectors;
		double squares;
	} rows[] = {{FAMILY_GETRF, false, 1},  {FAMILY_GESV, false, 2},  {FAMILY_GETRS, false, 1},
	            {FAMILY_POTRF, false, .5}, {FAMILY_SYEVD, true, .5}, {FAMILY_SYEVD, false, 0},
	            {FAMILY_SYGVD, true, 1},   {FAMILY_SYEVR, true, 0},  {FAMILY_GESDD, true, 0},
	            {FAMILY_GEEV, true, 0},    {FAMILY_GEQRF, false, 1}};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		const struct call call = cost_lapack_square(rows[i].family, 500, rows[i].vectors);
		cr_expect_float_eq(lapack_cost_count_shadow(&call), rows[i].squares * square, 1,
		                   "%s", family_name(rows[i].family));
	}
}

/* A slow host is slower at keeping the copy than the link is at sending it: 3 bytes for each. */
Test(cost_lapack, a_copy_of_the_input_may_take_longer_than_the_link)
{
	struct machine slow = hosts[0];
	slow.cpu_memory_bytes = 12e9;
	const struct cost in_place = predict_square(&slow, FAMILY_GETRF, 4000, false),
			  apart = predict_square(&slow, FAMILY_GESDD, 4000, false);
	expect_within(in_place.gpu.in_ns, 8.0 * 4000 * 4000 / 4 + 8000, 1e-6, "getrf", 4000);
	expect_within(apart.gpu.in_ns, 8.0 * 4000 * 4000 / 44 + 8000, 1e-6, "gesdd", 4000);
}

static struct machine with_curve(const struct machine *machine, const char *line)
{
	struct machine changed = *machine;
	char message[MACHINE_MESSAGE_BYTES];
	cr_assert(machine_parse_line(&changed, line, message), "%s", message);
	return changed;
}

/* 14/3 n^3 flops at a measured rate, and other routines in proportion to it. */
Test(cost_lapack, measured_rates_count)
{
	const double n = 3000, flops = 14.0 / 3 * n * n * n;
	const struct machine measured =
		with_curve(&hosts[0], "cpu_dsyevd_t16 = 1000:50e9 3000:90e9");
	const double before[] = {predict_square(&hosts[0], FAMILY_SYEVD, 3000, true).cpu.whole_ns,
	                         predict_square(&hosts[0], FAMILY_SYEVD, 2000, false).cpu.whole_ns,
	                         predict_square(&hosts[0], FAMILY_GESDD, 3000, true).cpu.whole_ns};
	const double all_ns = predict_square(&measured, FAMILY_SYEVD, 3000, true).cpu.whole_ns;
	expect_within(all_ns, flops / 90, 1e-9, "syevd", n);
	/* Values take the share of the model: 2.5 of 4.6 units. */
	const double values_ns = predict_square(&measured, FAMILY_SYEVD, 3000, false).cpu.whole_ns;
	expect_within(values_ns / all_ns,
	              before[1] / predict_square(&hosts[0], FAMILY_SYEVD, 2000, true).cpu.whole_ns,
	              1e-9, "values", n);
	/* heevd too, whose flops are four times as many and whose elements are twice as long. */
	const struct call complex = cost_lapack_square(FAMILY_HEEVD, 3000, true);
	const double complex_ns = predict(&measured, &complex).cpu.whole_ns;
	cr_expect(complex_ns > 2 * all_ns && complex_ns < 4 * all_ns, "%g", complex_ns / all_ns);
	/* gesdd is measured by itself. */
	cr_expect_eq(predict_square(&measured, FAMILY_GESDD, 3000, true).cpu.whole_ns, before[2]);
}

/* On the GPU a measured rate has the latency in it. */
Test(cost_lapack, measured_rates_of_the_gpu_count)
{
	const struct machine measured = with_curve(&hosts[0], "gpu_dgetrf = 1000:1e12 8000:10e12");
	const double n = 8000, work_ns = 2.0 / 3 * n * n * n / 10e3;
	expect_within(predict_square(&measured, FAMILY_GETRF, 8000, false).gpu.work_ns,
	              work_ns + 8000, 1e-9, "getrf", n);
	cr_expect_neq(predict_square(&measured, FAMILY_GEQRF, 8000, false).gpu.work_ns,
	              predict_square(&hosts[0], FAMILY_GEQRF, 8000, false).gpu.work_ns);
}

/* A routine that was measured itself tells of its other elements, rather than another routine. */
Test(cost_lapack, other_elements_follow_the_routine_itself)
{
	const struct machine lu = with_curve(&hosts[0], "gpu_dgetrf = 1000:1e12 8000:10e12"),
			     both = with_curve(&lu, "gpu_dgeqrf = 1000:0.1e12 8000:1e12");
	struct call single = cost_lapack_square(FAMILY_GEQRF, 8000, false);
	const double of_double_ns = predict(&both, &single).gpu.work_ns;
	single.element = ELEMENT_S;
	single.work_flops = lapack_flops_count(&single);
	cr_expect_lt(predict(&both, &single).gpu.work_ns, of_double_ns);
	cr_expect_gt(predict(&both, &single).gpu.work_ns, 4 * predict(&lu, &single).gpu.work_ns);
}

/* Twice the order takes less than eight times as long: columns are a smaller part of the time. */
Test(cost_lapack, larger_sizes_than_were_measured_grow_as_in_the_model)
{
	const struct machine measured = with_curve(&hosts[0], "gpu_dsyevd = 500:1e11 2000:5e11");
	const double at_end_ns = predict_square(&measured, FAMILY_SYEVD, 2000, true).gpu.work_ns,
		     beyond_ns = predict_square(&measured, FAMILY_SYEVD, 8000, true).gpu.work_ns,
		     model_end_ns = predict_square(&hosts[0], FAMILY_SYEVD, 2000, true).gpu.work_ns,
		     model_ns = predict_square(&hosts[0], FAMILY_SYEVD, 8000, true).gpu.work_ns;
	expect_within(at_end_ns, 14.0 / 3 * 8e9 / 500 + 8000, 1e-3, "syevd", 2000);
	expect_within(beyond_ns / at_end_ns, model_ns / model_end_ns, 1e-2, "syevd", 8000);
	cr_expect_lt(beyond_ns, 0.7 * 64 * at_end_ns);
}

/* 256 columns that take 5 us each, and their flops at the rate of gemm. */
Test(cost_lapack, the_latency_of_a_column_is_that_of_the_curve)
{
	const double n = 256, flops = 2.0 / 3 * n * n * n, ns = n * 5000 + flops / 55e12 * 1e9;
	char line[128];
	snprintf(line, sizeof line, "gpu_dgetrf = 64:1e9 256:%.9e 4096:9e12", flops / ns * 1e9);
	const struct machine measured = with_curve(&hosts[0], line),
			     faster = with_curve(&hosts[0], "gpu_dgetrf = 256:60e12");
	expect_within(lapack_cost_find_column(&measured, FAMILY_GETRF), 5000, 1e-6, "getrf", n);
	cr_expect_eq(lapack_cost_find_column(&faster, FAMILY_GETRF), 0);
	cr_expect_eq(lapack_cost_find_column(&measured, FAMILY_POTRF), 1000);
	cr_expect_eq(lapack_cost_find_column(NULL, FAMILY_GETRF), 2200);
}

Test(cost_lapack, nothing_is_known_without_a_rate)
{
	const struct machine bare = {.cpu_threads = 4};
	const struct cost cost = predict_square(&bare, FAMILY_GETRF, 1000, false);
	cr_expect_eq(cost.cpu.whole_ns, -1);
	cr_expect_eq(cost.gpu.whole_ns, -1);
	cr_expect_eq(lapack_cost_find_order(&bare, FAMILY_GETRF, ELEMENT_D, 4, 1e5), 0);
}

Test(cost_lapack, the_order_that_takes_so_long)
{
	static const double wished_ns[] = {1e5, 1e7, 1e9};
	for (int family = FAMILY_GETRF; family < FAMILY_FFT_C2C; family++)
		for (int i = 0; i < 3; i++) {
			const double order = lapack_cost_find_order(
				&hosts[1], (enum family)family,
				cost_lapack_element((enum family)family), 64, wished_ns[i]);
			const struct call call = cost_lapack_square((enum family)family,
			                                            (int64_t)(order + 0.5), true);
			cr_expect(order >= 1);
			expect_within(lapack_cost_predict(&hosts[1], MACHINE_CPU, &call, 64),
			              wished_ns[i], 0.1, family_name((enum family)family), order);
		}
}
