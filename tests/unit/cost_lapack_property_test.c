/* cost_lapack_property_test.c - larger LAPACK calls, and slower machines, take no less time */
/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <math.h>

#include "cost_lapack.h"
#include "policy/decide/lapack_cost.h"

enum { ROUNDS = 20000, FAMILIES = FAMILY_FFT_C2C - FAMILY_GETRF };

/* Relative error of the cube root. */
static const double rounding = 1e-9;

static uint64_t seed;

static uint64_t draw(uint64_t count)
{
	seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (seed >> 33) % count;
}

static double draw_between(double least, double most)
{
	return least * pow(most / least, (double)draw(1 << 24) / (1 << 24));
}

static void draw_curve(struct machine *machine, enum machine_side side, enum family family)
{
	struct machine_curve curve = {.side = side,
	                              .family = family,
	                              .element = ELEMENT_D,
	                              .threads = side == MACHINE_CPU ? 1 + (int)draw(16) : 0,
	                              .count = (int)draw(MACHINE_POINTS)};
	for (int point = 0; point < curve.count; point++) {
		curve.point[point].size =
			(point == 0 ? 1 : curve.point[point - 1].size) * draw_between(2, 20);
		curve.point[point].rate = draw_between(1e9, 1e14);
	}
	machine_add_curve(machine, &curve); /* refuses only a curve without points */
}

static struct machine draw_machine(void)
{
	static const enum family measured[] = {FAMILY_GEMM,  FAMILY_GETRF, FAMILY_POTRF,
	                                       FAMILY_SYEVD, FAMILY_GESDD, FAMILY_GEQRF,
	                                       FAMILY_GEEV};
	struct machine machine = {.cpu_threads = (double)(1 + draw(128)),
	                          .link_up_bytes = draw_between(1e8, 1e12),
	                          .link_down_bytes = draw_between(1e8, 1e12),
	                          .operation_ns = draw_between(1, 1e5),
	                          .call_fixed_ns = draw_between(1, 1e6),
	                          .cpu_memory_bytes = draw_between(1e9, 1e12),
	                          .gpu_memory_bytes = draw_between(1e10, 1e13)};
	for (int element = 0; element < ELEMENT_BLAS_COUNT; element++) {
		machine.cpu_gemm_flops[element] = draw_between(1e8, 1e14);
		machine.gpu_gemm_flops[element] = draw_between(1e10, 1e16);
	}
	for (size_t i = 0; i < sizeof measured / sizeof measured[0]; i++)
		for (int side = MACHINE_CPU; side < MACHINE_SIDES; side++)
			if (draw(3) == 0)
				draw_curve(&machine, (enum machine_side)side, measured[i]);
	return machine;
}

static int64_t draw_size(void)
{
	return (int64_t)draw_between(1, 1 << 20);
}

/* Matrices of Q have no more columns than rows, and no more reflectors than columns. */
static struct cost_solution draw_solution(void)
{
	static const char jobs[] = "NSA";
	const enum family family = (enum family)(FAMILY_GETRF + draw(FAMILIES));
	struct cost_solution what = {.family = family,
	                             .element = draw(2) == 0 ? ELEMENT_D : ELEMENT_Z,
	                             .n = draw_size(),
	                             .r = draw_size(),
	                             .range = draw(3) == 0 ? 'I' : 'A'};
	const char *sizes = family_sizes(family);
	const bool singular = family == FAMILY_GESDD || family == FAMILY_GESVD;
	if (family_prefix(family, what.element) == NULL)
		what.element = cost_lapack_element(family);
	what.m = strchr(sizes, 'm') != NULL ? draw_size() : what.n;
	what.vectors = 1 + (int64_t)draw((uint64_t)what.n);
	for (int i = 0; i < 2; i++)
		what.jobs[i] = singular ? jobs[draw(3)] : draw(2) == 0 ? 'V' : 'N';
	if (strchr(sizes, 'k') == NULL)
		return what;
	what.m = what.m > what.n ? what.m : what.n;
	what.k = 1 + (int64_t)draw((uint64_t)what.n);
	return what;
}

static struct cost predict(const struct machine *machine, const struct cost_setting *setting,
                           const struct cost_solution *what)
{
	const struct call call = cost_lapack_call(what);
	struct cost cost = {.cpu = {.whole_ns = NAN}, .gpu = {.whole_ns = NAN}};
	cost_predict(machine, setting, &call, &cost);
	return cost;
}

static void expect_order(const struct cost *shorter, const struct cost *longer, int round,
                         const struct cost_solution *what)
{
	const double less_ns[] = {shorter->cpu.whole_ns, shorter->gpu.whole_ns},
		     more_ns[] = {longer->cpu.whole_ns, longer->gpu.whole_ns};
	for (int side = 0; side < 2; side++) {
		cr_assert(less_ns[side] >= 0 && isfinite(less_ns[side]), "round %d: %g", round,
		          less_ns[side]);
		cr_assert_leq(less_ns[side], more_ns[side] * (1 + rounding),
		              "round %d, %s, side %d", round, family_name(what->family), side);
	}
}

/* All sizes grow, or one does. */
static struct cost_solution grow(const struct cost_solution *what)
{
	struct cost_solution more = *what;
	const uint64_t which = draw(6);
	const bool square = strchr(family_sizes(what->family), 'm') == NULL;
	more.m += which == 0 || which == 5 ? draw_size() - 1 : 0;
	more.n += which == 1 || which == 5 ? draw_size() - 1 : 0;
	more.r += which == 2 || which == 5 ? draw_size() - 1 : 0;
	more.vectors += which == 3 || which == 5 ? draw_size() - 1 : 0;
	more.k += which == 4 || which == 5 ? draw_size() - 1 : 0;
	if (square)
		more.m = more.n;
	more.vectors = more.vectors < more.n ? more.vectors : more.n;
	if (what->k > 0) {
		more.m = more.m > more.n ? more.m : more.n;
		more.k = more.k < more.n ? more.k : more.n;
	} else {
		more.k = 0;
	}
	return more;
}

Test(cost_lapack_property, larger_calls_take_no_less)
{
	for (int round = 0; round < ROUNDS; round++) {
		seed = (uint64_t)round;
		const struct machine machine = draw_machine();
		const struct cost_setting setting = {.cpu_threads = (int)draw(64)};
		const struct cost_solution what = draw_solution(), more = grow(&what);
		const struct cost cost = predict(&machine, &setting, &what),
				  other = predict(&machine, &setting, &more);
		expect_order(&cost, &other, round, &what);
	}
}

/* Without measured rates of LAPACK: those of other routines follow from a proportion. */
Test(cost_lapack_property, better_machines_take_no_more)
{
	for (int round = 0; round < ROUNDS; round++) {
		seed = (uint64_t)round;
		struct machine machine = draw_machine();
		machine_drop_curves(&machine, MACHINE_CPU);
		machine_drop_curves(&machine, MACHINE_GPU);
		const struct cost_setting setting = {.cpu_threads = (int)draw(64)};
		struct cost_setting slower = setting;
		const struct cost_solution what = draw_solution();
		const struct cost cost = predict(&machine, &setting, &what);
		struct machine better;
		double *const raised[] = {&better.link_up_bytes,
		                          &better.link_down_bytes,
		                          &better.cpu_memory_bytes,
		                          &better.gpu_memory_bytes,
		                          &better.cpu_gemm_flops[what.element],
		                          &better.gpu_gemm_flops[what.element]};
		for (size_t i = 0; i < sizeof raised / sizeof raised[0]; i++) {
			better = machine;
			*raised[i] *= draw_between(1, 10);
			const struct cost other = predict(&better, &setting, &what);
			expect_order(&other, &cost, round, &what);
		}
		slower.cpu_threads /= 2;
		slower.gpu_sharers = 2;
		const struct cost shared = predict(&machine, &slower, &what);
		expect_order(&cost, &shared, round, &what);
	}
}
