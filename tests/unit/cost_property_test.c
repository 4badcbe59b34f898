/* cost_property_test.c - properties of expected times for random machines, calls and settings */
/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>

#include "cost_call.h"

enum { ROUNDS = 20000 };

/* Relative rounding error of the cube root, and of sums in another order. */
static const double rounding = 1e-9;

static uint64_t seed;

static uint64_t draw(uint64_t count)
{
	seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (seed >> 33) % count;
}

/* Logarithmically uniform. */
static double draw_between(double least, double most)
{
	return least * pow(most / least, (double)draw(1 << 24) / (1 << 24));
}

static struct machine draw_machine(void)
{
	struct machine machine = {.cpu_threads = (double)(1 + draw(128)),
	                          .link_up_bytes = draw_between(1e8, 1e12),
	                          .link_down_bytes = draw_between(1e8, 1e12),
	                          .link_up_pageable_bytes = draw_between(1e8, 1e12),
	                          .link_down_pageable_bytes = draw_between(1e8, 1e12),
	                          .link_duplex = draw_between(0.1, 1),
	                          .operation_ns = draw_between(1, 1e5),
	                          .call_fixed_ns = draw_between(1, 1e6),
	                          .cpu_memory_bytes = draw_between(1e9, 1e12),
	                          .gpu_memory_bytes = draw_between(1e10, 1e13),
	                          .gpu_fft_floor_ns = {draw_between(1, 1e6), draw_between(1, 1e6),
	                                               draw_between(1, 1e6)},
	                          .gpu_trsm_row_ns = draw_between(1, 1e4)};
	machine.link_up_pinned_bytes =
		draw(2) == 0 ? 0 : machine.link_up_bytes * draw_between(1, 10);
	for (int element = 0; element < ELEMENT_COUNT; element++) {
		machine.cpu_gemm_flops[element] = draw_between(1e8, 1e14);
		machine.gpu_gemm_flops[element] = draw_between(1e10, 1e16);
		machine.cpu_fft_flops[element] = draw_between(1e8, 1e13);
		machine.gpu_fft_flops[element] = draw_between(1e10, 1e15);
	}
	for (int i = 0; i < 4; i++) {
		struct machine_curve curve = {.side = i % 2 == 0 ? MACHINE_CPU : MACHINE_GPU,
		                              .family = i < 2 ? FAMILY_GEMM : FAMILY_FFT_C2C,
		                              .element = i < 2 ? ELEMENT_D : ELEMENT_Z,
		                              .threads = i % 2 == 0 ? 1 + (int)draw(16) : 0,
		                              .count = (int)draw(MACHINE_POINTS)};
		for (int point = 0; point < curve.count; point++) {
			curve.point[point].size = (point == 0 ? 1 : curve.point[point - 1].size) *
			                          draw_between(2, 20);
			curve.point[point].rate = draw_between(1e9, 1e14);
		}
		machine_add_curve(&machine, &curve); /* refuses only a curve without points */
	}
	return machine;
}

static struct cost_setting draw_setting(void)
{
	struct cost_setting setting = {.cpu_threads = (int)draw(64),
	                               .gpu_sharers = (int)draw(5),
	                               .queue_ns = draw(2) == 0 ? 0 : draw_between(1, 1e9)};
	for (int name = 0; name < OPERAND_COUNT; name++)
		setting.place[name] = draw(2) == 0 ? COST_PAGEABLE : (enum cost_place)draw(3);
	return setting;
}

/* m = n of a rank update; k is the side of a square A. */
static struct call make_blas(enum family family, enum side side, int64_t m, int64_t n, int64_t k)
{
	const struct call triangle = {.family = family};
	if (operand_is_triangle(triangle.family))
		m = n;
	else if (family != FAMILY_GEMM && family != FAMILY_GEMM3M)
		k = side == SIDE_LEFT ? m : n;
	struct call call = cost_call_blas(family, m, n, k);
	call.blas.side = side;
	return call;
}

static int64_t draw_size(int bits)
{
	return (int64_t)draw_between(1, ldexp(1, bits));
}

static struct call draw_blas(int bits)
{
	const enum side side = draw(2) == 0 ? SIDE_LEFT : SIDE_RIGHT;
	const int64_t m = draw_size(bits), n = draw_size(bits), k = draw_size(bits);
	struct call call = make_blas((enum family)draw(FAMILY_GEMM_BATCH), side, m, n, k);
	call.blas.beta[0] = (double)draw(2);
	call.blas.transa = (enum transpose)draw(2);
	return call;
}

static struct fft_problem problem;

/* A transform, or a call of which only bytes and flops are known. */
static struct call draw_plain(int bits)
{
	struct call call = cost_call_bytes(0);
	problem = (struct fft_problem){
		.family = (enum family)(FAMILY_FFT_C2C + draw(3)), .element = ELEMENT_Z, .rank = 1};
	problem.dims[0].n = draw_size(bits);
	problem.howmany = draw_size(bits);
	if (draw(3) > 0)
		call = cost_call_fft(&problem, 0, 0);
	call.input_bytes = (uint64_t)draw_size(bits);
	call.output_bytes = (uint64_t)draw_size(bits);
	call.work_flops = draw_between(1, ldexp(1, 3 * bits / 2));
	return call;
}

static struct call draw_call(int bits)
{
	return draw(3) > 0 ? draw_blas(bits) : draw_plain(bits);
}

static struct cost predict(const struct machine *machine, const struct cost_setting *setting,
                           const struct call *call)
{
	struct cost cost = {.cpu = {.whole_ns = NAN}, .gpu = {.whole_ns = NAN}};
	cost_predict(machine, setting, call, &cost);
	return cost;
}

/* The state at the beginning of a round. */
static struct {
	struct machine machine;
	struct cost_setting setting;
	struct call call;
	struct cost cost;
} base;

static void draw_round(int round, struct call draw_one(int bits), int bits)
{
	seed = (uint64_t)round;
	base.machine = draw_machine();
	base.setting = draw_setting();
	base.call = draw_one(bits);
	base.cost = predict(&base.machine, &base.setting, &base.call);
}

/* Expects the same call on the GPU in other circumstances to take no less, or no more, time. */
static void expect_order(double shorter_ns, double longer_ns, int round, const char *what)
{
	cr_assert(shorter_ns >= 0 && longer_ns >= 0, "round %d, %s: %g and %g", round, what,
	          shorter_ns, longer_ns);
	cr_assert_leq(shorter_ns, longer_ns * (1 + rounding), "round %d, %s", round, what);
}

Test(cost_property, more_to_move_or_to_do_takes_no_less)
{
	for (int round = 0; round < ROUNDS; round++) {
		draw_round(round, draw_plain, 40);
		struct call more = base.call;
		more.input_bytes += (uint64_t)draw_size(40);
		expect_order(base.cost.gpu.whole_ns,
		             predict(&base.machine, &base.setting, &more).gpu.whole_ns, round,
		             "input");
		more = base.call;
		more.output_bytes += (uint64_t)draw_size(40);
		expect_order(base.cost.gpu.whole_ns,
		             predict(&base.machine, &base.setting, &more).gpu.whole_ns, round,
		             "output");
		more = base.call;
		more.work_flops *= draw_between(1, 10);
		expect_order(base.cost.gpu.whole_ns,
		             predict(&base.machine, &base.setting, &more).gpu.whole_ns, round,
		             "flops");
		expect_order(base.cost.cpu.whole_ns,
		             predict(&base.machine, &base.setting, &more).cpu.whole_ns, round,
		             "flops");
	}
}

/*
 * If rates rise with the size, a call of another shape may be faster, but not one that is larger in
 * all dimensions.
 */
Test(cost_property, larger_matrices_take_no_less)
{
	for (int round = 0; round < ROUNDS; round++) {
		draw_round(round, draw_blas, 20);
		const struct blas_call *blas = &base.call.blas;
		struct call more =
			make_blas(base.call.family, blas->side, blas->m + draw_size(20) - 1,
		                  blas->n + draw_size(20) - 1, blas->k + draw_size(20) - 1);
		more.blas.beta[0] = blas->beta[0];
		more.blas.transa = blas->transa;
		const struct cost other = predict(&base.machine, &base.setting, &more);
		expect_order(base.cost.gpu.whole_ns, other.gpu.whole_ns, round, "GPU");
		expect_order(base.cost.cpu.whole_ns, other.cpu.whole_ns, round, "CPU");
	}
}

Test(cost_property, better_machines_take_no_more)
{
	for (int round = 0; round < ROUNDS; round++) {
		draw_round(round, draw_call, 24);
		struct machine better = base.machine;
		double *const raised[] = {&better.link_up_bytes,
		                          &better.link_down_bytes,
		                          &better.link_up_pinned_bytes,
		                          &better.gpu_gemm_flops[base.call.element],
		                          &better.gpu_fft_flops[base.call.element],
		                          &better.cpu_gemm_flops[base.call.element],
		                          &better.cpu_fft_flops[base.call.element],
		                          &better.cpu_memory_bytes,
		                          &better.gpu_memory_bytes};
		double *const lowered[] = {&better.operation_ns, &better.call_fixed_ns,
		                           &better.gpu_fft_floor_ns[0], &better.gpu_trsm_row_ns};
		for (size_t i = 0; i < sizeof raised / sizeof raised[0]; i++) {
			better = base.machine;
			*raised[i] *= draw_between(1, 10);
			const struct cost other = predict(&better, &base.setting, &base.call);
			expect_order(other.gpu.whole_ns, base.cost.gpu.whole_ns, round, "rates");
			expect_order(other.cpu.whole_ns, base.cost.cpu.whole_ns, round, "rates");
		}
		for (size_t i = 0; i < sizeof lowered / sizeof lowered[0]; i++) {
			better = base.machine;
			*lowered[i] /= draw_between(1, 10);
			expect_order(predict(&better, &base.setting, &base.call).gpu.whole_ns,
			             base.cost.gpu.whole_ns, round, "costs");
		}
		better = base.machine;
		better.link_duplex = fmin(1, base.machine.link_duplex * draw_between(1, 2));
		expect_order(predict(&better, &base.setting, &base.call).gpu.whole_ns,
		             base.cost.gpu.whole_ns, round, "duplex");
	}
}

Test(cost_property, surroundings)
{
	for (int round = 0; round < ROUNDS; round++) {
		draw_round(round, draw_call, 24);
		struct cost_setting other = base.setting;
		other.gpu_sharers += 1 + (int)draw(9);
		expect_order(base.cost.gpu.whole_ns,
		             predict(&base.machine, &other, &base.call).gpu.whole_ns, round,
		             "sharers");
		other = base.setting;
		other.queue_ns += draw_between(1, 1e9);
		expect_order(base.cost.gpu.whole_ns,
		             predict(&base.machine, &other, &base.call).gpu.whole_ns, round,
		             "queue");
		other = base.setting;
		other.cpu_threads += 1 + (int)draw(64);
		expect_order(predict(&base.machine, &other, &base.call).cpu.whole_ns,
		             base.cost.cpu.whole_ns, round, "threads");
	}
}

/*
 * From pageable to page-locked to device memory. draw_machine makes page-locked memory the faster
 * one.
 */
Test(cost_property, places)
{
	for (int round = 0; round < ROUNDS; round++) {
		draw_round(round, draw_call, 24);
		for (int name = 0; name < OPERAND_COUNT; name++) {
			double before_ns = INFINITY;
			for (int place = COST_PAGEABLE; place <= COST_DEVICE; place++) {
				struct cost_setting other = base.setting;
				other.place[name] = (enum cost_place)place;
				const double gpu_ns =
					predict(&base.machine, &other, &base.call).gpu.whole_ns;
				expect_order(gpu_ns, before_ns, round, "place");
				before_ns = gpu_ns;
			}
		}
	}
}

static void expect_sound(const struct cost_time *time, int round)
{
	const double parts[] = {time->whole_ns, time->fixed_ns, time->in_ns, time->work_ns,
	                        time->out_ns};
	for (int i = 0; i < 5; i++)
		cr_assert(parts[i] == -1 || (parts[i] >= 0 && isfinite(parts[i])),
		          "round %d, part %d: %g", round, i, parts[i]);
}

/* Numbers that are allowed in a profile, most of them far from any real machine. */
static void draw_profile(struct machine *machine)
{
	static const char *const key[] = {"link_up_bytes",
	                                  "link_down_bytes",
	                                  "link_up_pinned_bytes",
	                                  "link_up_pageable_bytes",
	                                  "link_down_pageable_bytes",
	                                  "link_duplex",
	                                  "operation_ns",
	                                  "call_fixed_ns",
	                                  "cpu_threads",
	                                  "gpu_gemm_flops_d",
	                                  "cpu_gemm_flops_d",
	                                  "gpu_fft_flops_z",
	                                  "cpu_fft_flops_z",
	                                  "gpu_multiprocessors",
	                                  "cpu_memory_bytes",
	                                  "gpu_memory_bytes",
	                                  "gpu_fft_floor_1d_ns",
	                                  "gpu_fft_floor_3d_ns",
	                                  "gpu_trsm_row_ns",
	                                  "cpu_fft_estimate_flops_z",
	                                  "fft_plan_ns"};
	char line[256], message[MACHINE_MESSAGE_BYTES];
	for (size_t i = 0; i < sizeof key / sizeof key[0]; i++) {
		snprintf(line, sizeof line, "%s = %llue%d", key[i], (unsigned long long)draw(10),
		         (int)draw(2) == 0 ? (int)draw(14) : (int)draw(617) - 308);
		/* a line that it refuses changes nothing */
		machine_parse_line(machine, line, message);
	}
	snprintf(line, sizeof line, "gpu_dgemm = 1:%llue%d 1e9:1e%d",
	         (unsigned long long)(1 + draw(9)), (int)draw(300), (int)draw(300));
	if (draw(2) == 0)
		machine_parse_line(machine, line, message);
}

Test(cost_property, no_overflow_up_to_2_to_the_62)
{
	for (int round = 0; round < ROUNDS; round++) {
		seed = (uint64_t)round;
		struct machine machine = {.link_up_bytes = 0};
		draw_profile(&machine);
		struct cost_setting setting = draw_setting();
		setting.queue_ns = draw(2) == 0 ? 0 : draw_between(1, 1e300);
		struct call call = draw_call(62);
		call.element = draw(2) == 0 ? ELEMENT_D : ELEMENT_Z;
		const struct cost cost = predict(&machine, &setting, &call);
		expect_sound(&cost.cpu, round);
		expect_sound(&cost.gpu, round);
		const double intensity = cost_find_intensity(&setting, &call);
		cr_assert(intensity >= 0 && isfinite(intensity), "round %d: %g", round, intensity);
		const double even =
			cost_break_even(machine.link_up_bytes, machine.cpu_gemm_flops[ELEMENT_D],
		                        machine.gpu_gemm_flops[ELEMENT_D]);
		cr_assert(even >= 0 && isfinite(even), "round %d: %g", round, even);
	}
}
