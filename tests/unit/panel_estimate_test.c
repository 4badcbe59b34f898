/* panel_estimate_test.c - the estimated time of a call beside its plan's; their properties */
/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <math.h>

#include "panel_call.h"

/* Their ratio, from square to flat shapes, from waiting for a link to waiting for the device. */
Test(panel_estimate, is_near_the_plan)
{
	static const struct {
		enum family family;
		int64_t m, n, k;
	} cases[] = {
		{FAMILY_GEMM, 1000, 1000, 1000},     {FAMILY_GEMM, 2000, 2000, 2000},
		{FAMILY_GEMM, 4000, 4000, 4000},     {FAMILY_GEMM, 8000, 8000, 8000},
		{FAMILY_GEMM, 10000, 10000, 10000},  {FAMILY_GEMM, 20000, 20000, 20000},
		{FAMILY_GEMM, 40000, 40000, 40000},  {FAMILY_GEMM, 200000, 2000, 2000},
		{FAMILY_GEMM, 2000, 200000, 2000},   {FAMILY_GEMM, 2000, 2000, 200000},
		{FAMILY_GEMM, 10000, 32, 10000},     {FAMILY_GEMM, 100, 20000, 5000},
		{FAMILY_GEMM, 5000, 200, 5000},      {FAMILY_GEMM, 40000, 64, 10000},
		{FAMILY_GEMM, 20000, 20000, 512},    {FAMILY_SYRK, 10000, 10000, 10000},
		{FAMILY_SYRK, 20000, 20000, 20000},  {FAMILY_GEMMT, 10000, 10000, 10000},
		{FAMILY_SYR2K, 10000, 10000, 10000}, {FAMILY_SYMM, 10000, 10000, 10000},
		{FAMILY_TRMM, 10000, 10000, 10000},  {FAMILY_TRSM, 10000, 10000, 10000},
		{FAMILY_TRSM, 10000, 500, 10000},    {FAMILY_SYMM, 10000, 2000, 10000},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		const struct panel_problem problem =
			panel_call(cases[i].family, cases[i].m, cases[i].n, cases[i].k);
		struct panel_plan plan;
		cr_assert(panels_plan(&problem, &h200, &plan));
		const double quotient = panels_estimate(&problem, &h200) / plan.time_ns;
		cr_expect(quotient > 0.8 && quotient < 1.1, "family %d, %ld x %ld x %ld: %.3f",
		          problem.family, (long)cases[i].m, (long)cases[i].n, (long)cases[i].k,
		          quotient);
		panel_plan_free(&plan);
	}
}

/* The same where an operand is on the device already, or both are. */
Test(panel_estimate, is_near_the_plan_of_held_operands)
{
	for (unsigned held = 1; held < 4; held++)
		for (int64_t n = 2000; n <= 16000; n *= 2) {
			struct panel_problem problem = panel_call(FAMILY_GEMM, n, n, n);
			struct panel_plan plan;
			problem.held[OPERAND_A] = (held & 1) != 0;
			problem.held[OPERAND_B] = (held & 2) != 0;
			cr_assert(panels_plan(&problem, &h200, &plan));
			const double quotient = panels_estimate(&problem, &h200) / plan.time_ns;
			cr_expect(quotient > 0.8 && quotient < 1.1, "%ld, held %u: %.3f", (long)n,
			          held, quotient);
			panel_plan_free(&plan);
		}
}

/* Not less than the time of any engine alone, and not more than their sum; for all flags. */
Test(panel_estimate, is_between_the_longest_and_all)
{
	struct panel_rates rates = h200;
	rates.duplex = 1;
	rates.operation_ns = rates.copy_ns = 0;
	rates.tile = 0;
	for (int flags = 0; flags < 8; flags++)
		for (int64_t n = 64; n <= 65536; n *= 2) {
			struct panel_problem problem =
				panel_call(FAMILY_GEMM, n, flags & 4 ? n : n / 8, n);
			problem.blas.transa = flags & 1 ? TRANSPOSE_T : TRANSPOSE_N;
			problem.blas.transb = flags & 2 ? TRANSPOSE_T : TRANSPOSE_N;
			const double m = (double)n, width = (double)problem.blas.n;
			const double up_ns = 8 * (m * m + m * width) / 55.3,
				     down_ns = 8 * m * width / 53;
			const double work_ns = 2 * m * m * width / 55e3,
				     time_ns = panels_estimate(&problem, &rates);
			cr_expect_gt(time_ns, fmax(up_ns, fmax(down_ns, work_ns)), "%ld", (long)n);
			cr_expect_leq(time_ns, 1.05 * (up_ns + down_ns + work_ns), "%ld", (long)n);
		}
}

static struct panel_times draw_times(uint64_t *seed)
{
	double part[6];
	for (int i = 0; i < 6; i++) {
		*seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
		part[i] = exp2((double)(*seed >> 40) / (double)(1 << 24) * 50 - 10);
	}
	return (struct panel_times){
		part[0], part[1], part[2], part[3], 0.3 + 0.01 * fmod(part[4], 70), part[5]};
}

/* If any dimension grows the time does not fall; also where the links slow each other down. */
Test(panel_estimate, rises_with_each_part)
{
	uint64_t seed = 5;
	for (int round = 0; round < 100000; round++) {
		const enum family family = (enum family)(round % FAMILY_GEMM_BATCH);
		const struct panel_problem problem = {.family = family};
		const struct panel_times times = draw_times(&seed);
		const double time_ns = panels_estimate_times(&problem, &times);
		cr_assert(isfinite(time_ns) && time_ns > 0);
		for (int part = 0; part < 6; part++) {
			struct panel_times more = times;
			double *const field[] = {&more.up_a_ns, &more.up_b_ns, &more.down_ns,
			                         &more.work_ns, &more.duplex,  &more.operation_ns};
			*field[part] *= part == 4 ? 0.9 : 1.1;
			cr_assert_geq(panels_estimate_times(&problem, &more), time_ns * (1 - 1e-12),
			              "round %d, part %d", round, part);
		}
	}
}

/* Sizes of 2^62 in each direction cause no overflow. */
Test(panel_estimate, endless_sizes)
{
	const int64_t size = INT64_C(1) << 62;
	for (int family = 0; family < FAMILY_GEMM_BATCH; family++)
		for (int at = 1; at < 8; at++) {
			const struct panel_problem problem =
				panel_call((enum family)family, at & 1 ? size : 1,
			                   at & 2 ? size : 1, at & 4 ? size : 1);
			const double time_ns = panels_estimate(&problem, &h200);
			cr_expect(isfinite(time_ns) && time_ns >= 0, "family %d: %g", family,
			          time_ns);
		}
}
