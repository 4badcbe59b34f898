/* panel_time_test.c - the time of plans, by hand: links, operations, duplex, tiles, waits */
/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <math.h>

#include "policy/plan/panel_time.h"
#include "policy/plan/panels.h"

/* Up 1 byte per ns, down 2; half of that while both move; 1 flop per ns. */
static const struct panel_rates plain = {
	.up_bytes_s = 1e9, .down_bytes_s = 2e9, .duplex = 0.5, .work_flops_s = 1e9};
static const struct panel_problem gemm = {.family = FAMILY_GEMM, .element = ELEMENT_D};

/* rows x 1 of doubles: 8 rows bytes. */
static struct panel_step copy(enum panel_kind kind, int64_t rows, uint32_t loads, uint32_t works,
                              uint32_t stores)
{
	return (struct panel_step){.kind = kind,
	                           .after = {loads, works, stores},
	                           .block = {.operand = kind == PANEL_STORE ? OPERAND_C : OPERAND_A,
	                                     .row = {0, rows},
	                                     .column = {0, 1},
	                                     .ld = rows}};
}

static struct panel_work product(int64_t m, int64_t n, int64_t k)
{
	return (struct panel_work){.family = FAMILY_GEMM,
	                           .has_y = true,
	                           .x = {OPERAND_A, {0, m}, {0, k}, 0, m},
	                           .y = {OPERAND_B, {0, k}, {0, n}, 0, k},
	                           .z = {OPERAND_C, {0, m}, {0, n}, 0, m}};
}

static struct panel_step kernel(int64_t k, uint32_t loads, uint32_t stores)
{
	return (struct panel_step){
		.kind = PANEL_WORK, .after = {loads, 0, stores}, .work = product(10, 10, k)};
}

static void expect_time(const struct panel_rates *rates, struct panel_step *steps, uint32_t count,
                        double wanted)
{
	const struct panel_plan plan = {.count = count, .steps = steps};
	const double got = panel_time_find(&gemm, rates, &plan);
	cr_expect(fabs(got - wanted) <= 1e-9 * wanted, "%.17g is not %.17g", got, wanted);
}
#define EXPECT_TIME(rates, wanted, ...)                                                            \
	do {                                                                                       \
		struct panel_step steps[] = {__VA_ARGS__};                                         \
		expect_time(rates, steps, sizeof steps / sizeof steps[0], wanted);                 \
	} while (0)

Test(panel_time, one_after_the_other)
{
	EXPECT_TIME(&plain, 800, copy(PANEL_LOAD, 100, 0, 0, 0));
	EXPECT_TIME(&plain, 400, copy(PANEL_STORE, 100, 0, 0, 0));
	EXPECT_TIME(&plain, 2000, kernel(10, 0, 0));
	EXPECT_TIME(&plain, 800 + 2000 + 400, copy(PANEL_LOAD, 100, 0, 0, 0), kernel(10, 1, 0),
	            copy(PANEL_STORE, 100, 0, 1, 0));
	EXPECT_TIME(&plain, 2400, copy(PANEL_LOAD, 100, 0, 0, 0), copy(PANEL_LOAD, 200, 0, 0, 0));
}

/*
 * The second kernel waits for the second load (800 to 1600) without delay; the kernels take 1000
 * each.
 */
Test(panel_time, kernels_beside_loads)
{
	EXPECT_TIME(&plain, 800 + 1000 + 1000, copy(PANEL_LOAD, 100, 0, 0, 0), kernel(5, 1, 0),
	            copy(PANEL_LOAD, 100, 0, 0, 0), kernel(5, 2, 0));
	EXPECT_TIME(&plain, 1600 + 200, copy(PANEL_LOAD, 100, 0, 0, 0), kernel(1, 1, 0),
	            copy(PANEL_LOAD, 100, 0, 0, 0), kernel(1, 2, 0));
}

/* A buffer is used again: the load waits for the kernel that reads it. */
Test(panel_time, loads_wait_for_kernels)
{
	EXPECT_TIME(&plain, 800 + 1000 + 800 + 1000, copy(PANEL_LOAD, 100, 0, 0, 0),
	            kernel(5, 1, 0), copy(PANEL_LOAD, 100, 0, 1, 0), kernel(5, 2, 0));
}

/*
 * Up 800 bytes, down 1600: at half their rates 800 bytes down take 800 ns, in which 400 go up; so
 * both end after 1600. And of 400 bytes up and 1600 down the former end at 800, and the other 800
 * follow in 400.
 */
Test(panel_time, links_share)
{
	EXPECT_TIME(&plain, 1600, copy(PANEL_LOAD, 100, 0, 0, 0), copy(PANEL_STORE, 200, 0, 0, 0));
	EXPECT_TIME(&plain, 1200, copy(PANEL_LOAD, 50, 0, 0, 0), copy(PANEL_STORE, 200, 0, 0, 0));
}

/*
 * 1000 bytes are operations of 400, 400 and 200. An operation costs 10 ns, during which the link
 * moves nothing.
 */
Test(panel_time, operations_cost)
{
	struct panel_rates rates = plain;
	rates.operation_ns = rates.copy_ns = 10;
	EXPECT_TIME(&rates, 1010, copy(PANEL_LOAD, 125, 0, 0, 0));
	EXPECT_TIME(&rates, 2010, kernel(10, 0, 0));
	rates.copy_bytes = 400;
	EXPECT_TIME(&rates, 1030, copy(PANEL_LOAD, 125, 0, 0, 0));
	/*
	 * Up 400 in one operation, down 400 and 200. From 10 to 410 both move: 200 up, 400 down. To
	 * 420 only the one up does: 210. To 620 both: 310 up, all down. The last 90 go up alone.
	 */
	EXPECT_TIME(&rates, 10 + 400 + 10 + 200 + 90, copy(PANEL_LOAD, 50, 0, 0, 0),
	            copy(PANEL_STORE, 75, 0, 0, 0));
}

/*
 * An operation costs 10 ns, a copy at once behind another one 4. The second load waits for the
 * kernel, so it is none of these; the store has a link of its own.
 */
Test(panel_time, copies_in_a_row_cost_less)
{
	struct panel_rates rates = plain;
	rates.operation_ns = 10;
	rates.copy_ns = 4;
	rates.copy_bytes = 400;
	EXPECT_TIME(&rates, 10 + 4 + 4 + 1000, copy(PANEL_LOAD, 125, 0, 0, 0));
	EXPECT_TIME(&rates, 10 + 400 + 4 + 400, copy(PANEL_LOAD, 50, 0, 0, 0),
	            copy(PANEL_LOAD, 50, 0, 0, 0));
	EXPECT_TIME(&rates, 10 + 400 + 2010 + 10 + 400, copy(PANEL_LOAD, 50, 0, 0, 0),
	            kernel(10, 1, 0), copy(PANEL_LOAD, 50, 0, 1, 0));
}

/*
 * 4 units, tiles of 16 x 16: 20 x 16 is 2 tiles, one wave, as long as 4; 80 x 16 is 5 tiles, 2
 * waves.
 */
Test(panel_time, whole_waves)
{
	struct panel_rates rates = plain;
	rates.tile = 16;
	rates.units = 4;
	const double wave_ns = 4 * 16 * 16 * 2.0 * 7;
	const struct panel_work small = product(20, 16, 7), four = product(64, 16, 7),
				five = product(80, 16, 7);
	cr_expect_float_eq(panel_time_find_work(&gemm, &rates, &small), wave_ns, 1e-6);
	cr_expect_float_eq(panel_time_find_work(&gemm, &rates, &four), wave_ns, 1e-6);
	cr_expect_float_eq(panel_time_find_work(&gemm, &rates, &five), 2 * wave_ns, 1e-6);
	cr_expect_float_eq(panel_time_find_work(&gemm, &plain, &small), 20 * 16 * 2.0 * 7, 1e-6);
}

/*
 * Half the tiles of a triangle, half the flops of a triangular factor, four times as many for
 * complex elements.
 */
Test(panel_time, families_differ)
{
	const struct panel_problem complex_gemm = {.family = FAMILY_GEMM, .element = ELEMENT_Z};
	struct panel_work work = product(10, 10, 10);
	const double one = panel_time_find_work(&gemm, &plain, &work);
	cr_expect_float_eq(panel_time_find_work(&complex_gemm, &plain, &work), 4 * one, 1e-6);
	work.family = FAMILY_TRMM;
	cr_expect_float_eq(panel_time_find_work(&gemm, &plain, &work), one / 2, 1e-6);
	work.family = FAMILY_SYRK;
	cr_expect_float_eq(panel_time_find_work(&gemm, &plain, &work), one * 11 / 20, 1e-6);
	work.family = FAMILY_SYR2K;
	work.transx = TRANSPOSE_T;
	work.x.row.count = 5;
	cr_expect_float_eq(panel_time_find_work(&gemm, &plain, &work), one * 11 / 20, 1e-6);
}

Test(panel_time, rates_of_a_profile)
{
	const struct machine machine = {.link_up_bytes = 1e9,
	                                .link_down_bytes = 2e9,
	                                .link_duplex = 0.7,
	                                .operation_ns = 5,
	                                .gpu_multiprocessors = 20,
	                                .gpu_gemm_flops = {[ELEMENT_D] = 3e12}};
	const struct panel_rates rates = panel_rates_find(&machine, ELEMENT_D, 90, 132);
	cr_expect(rates.up_bytes_s == 1e9 && rates.down_bytes_s == 2e9 && rates.duplex == 0.7);
	cr_expect(rates.operation_ns == 5 && rates.units == 20 && rates.work_flops_s == 3e12);
	cr_expect_eq(rates.copy_ns, 5, "an assumed copy_ns is no more than operation_ns");
}

/* Unknown rates are derived from the card, each larger for the better card. */
Test(panel_time, rates_of_a_card)
{
	const struct panel_rates v100 = panel_rates_find(NULL, ELEMENT_D, 70, 80),
				 a100 = panel_rates_find(NULL, ELEMENT_D, 80, 108),
				 h200 = panel_rates_find(NULL, ELEMENT_D, 90, 132),
				 rtx4090 = panel_rates_find(NULL, ELEMENT_D, 89, 128),
				 unknown = panel_rates_find(NULL, ELEMENT_S, 0, 0);
	cr_expect(h200.work_flops_s > 50e12 && h200.work_flops_s < 60e12, "%g", h200.work_flops_s);
	cr_expect(a100.work_flops_s > 14e12 && a100.work_flops_s < 19.5e12, "%g",
	          a100.work_flops_s);
	cr_expect(v100.work_flops_s > 5e12 && v100.work_flops_s < 7.8e12, "%g", v100.work_flops_s);
	cr_expect(rtx4090.work_flops_s < 1.3e12, "%g", rtx4090.work_flops_s);
	cr_expect(h200.up_bytes_s > a100.up_bytes_s && a100.up_bytes_s > v100.up_bytes_s);
	cr_expect(h200.duplex > 0 && h200.duplex <= 1 && h200.operation_ns > 0 &&
	          h200.units == 132);
	cr_expect(unknown.work_flops_s > 0 && unknown.up_bytes_s > 0 && unknown.down_bytes_s > 0);
	cr_expect_eq(unknown.units, 0, "without a number of units kernels are reckoned smoothly");
}
