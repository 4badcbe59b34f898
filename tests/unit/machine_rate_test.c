/* machine_rate_test.c - rates between the points of curves; properties of all valid profiles */
/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>

#include "tests/unit/machine_random.h"

static struct machine machine;

static void start(void)
{
	memset(&machine, 0, sizeof machine);
}

TestSuite(machine_rate, .init = start, .timeout = 60);

static void add_curve(const char *line)
{
	char message[MACHINE_MESSAGE_BYTES];
	cr_assert(machine_parse_line(&machine, line, message), "%s: %s", line, message);
}

static double cpu_rate(enum family family, enum element element, double size, int threads)
{
	return machine_find_rate(&machine, MACHINE_CPU, family, element, size, threads);
}

static double dgemm_rate(double size, int threads)
{
	return cpu_rate(FAMILY_GEMM, ELEMENT_D, size, threads);
}

static void expect_near(double value, double wanted)
{
	cr_expect_float_eq(value, wanted, 1e-12 * wanted, "%.17g instead of %.17g", value, wanted);
}

Test(machine_rate, is_unknown_where_nothing_is_known)
{
	cr_expect_eq(dgemm_rate(1000, 1), 0);
	cr_expect_eq(machine_find_rate(&machine, MACHINE_GPU, FAMILY_FFT_R2C, ELEMENT_C, 1000, 1),
	             0);
	machine.cpu_gemm_flops[ELEMENT_S] = 1e9;
	cr_expect_eq(dgemm_rate(1000, 1), 0, "of another element");
	machine.gpu_gemm_flops[ELEMENT_D] = 1e9;
	cr_expect_eq(dgemm_rate(1000, 1), 0, "of the other side");
	cr_expect_eq(cpu_rate(FAMILY_GEMM, ELEMENT_Q, 1000, 1), 0);
}

Test(machine_rate, flat_rates_are_in_proportion_to_threads)
{
	machine.cpu_gemm_flops[ELEMENT_D] = 64e9;
	machine.cpu_fft_flops[ELEMENT_Z] = 64e9;
	expect_near(dgemm_rate(10, 1), 64e9);
	machine.cpu_threads = 64;
	expect_near(dgemm_rate(10, 1), 1e9);
	expect_near(dgemm_rate(1e6, 16), 16e9);
	expect_near(dgemm_rate(10, 64), 64e9);
	expect_near(dgemm_rate(10, 1000), 64e9);
	expect_near(dgemm_rate(10, -1), 1e9);
	expect_near(cpu_rate(FAMILY_SYRK, ELEMENT_D, 10, 1), 1e9);
	expect_near(cpu_rate(FAMILY_TRSM, ELEMENT_D, 10, 1), 0.8e9);
	expect_near(cpu_rate(FAMILY_FFT_R2C, ELEMENT_Z, 10, 64), 64e9);
	expect_near(cpu_rate(FAMILY_FFT_R2C, ELEMENT_Z, 10, 1),
	            64e9 / 19); /* 64 threads are 4 + 60 / 4 */
	machine.gpu_gemm_flops[ELEMENT_D] = 5e12;
	expect_near(machine_find_rate(&machine, MACHINE_GPU, FAMILY_SYRK, ELEMENT_D, 10, 1), 5e12);
}

/* Half of the work above the smaller point: its time is the mean of both. */
Test(machine_rate, between_sizes_time_grows_with_work)
{
	add_curve("cpu_dgemm_t1 = 100:1e9 200:4e9");
	expect_near(dgemm_rate(100, 1), 1e9);
	expect_near(dgemm_rate(200, 1), 4e9);
	expect_near(dgemm_rate(2, 1), 1e9);
	expect_near(dgemm_rate(2e18, 1), 4e9);
	const double between = cbrt((1e6 + 8e6) / 2);
	expect_near(dgemm_rate(between, 1), 4.5e6 / ((1e6 / 1e9 + 8e6 / 4e9) / 2));
	add_curve("gpu_fftw_c2c = 1000:1e9 3000:2e9");
	expect_near(machine_find_rate(&machine, MACHINE_GPU, FAMILY_FFT_C2C, ELEMENT_Z, 2000, 7),
	            2000 / ((1000 / 1e9 + 3000 / 2e9) / 2));
}

Test(machine_rate, beyond_all_sizes_and_rates_stays_finite)
{
	add_curve("cpu_dgemm_t1 = 100:1e9 200:4e9");
	add_curve("cpu_sgemm_t1 = 1:1.7e308 1e19:1");
	add_curve("cpu_sgemm_t4 = 1:1.7e308 1e19:1.7e308");
	machine.cpu_gemm_flops[ELEMENT_C] = 1e300;
	machine.cpu_gemm_flops[ELEMENT_Z] = 1e-300;
	static const double small[] = {1, 0, -1e300, -INFINITY, 1e-300},
			    large[] = {1e19, 1e300, INFINITY, NAN};
	for (size_t i = 0; i < sizeof small / sizeof small[0]; i++)
		expect_near(dgemm_rate(small[i], 1), 1e9);
	for (size_t i = 0; i < sizeof large / sizeof large[0]; i++)
		expect_near(dgemm_rate(large[i], 1), 4e9);
	for (int threads = 1; threads < 5; threads++) {
		expect_near(cpu_rate(FAMILY_GEMM, ELEMENT_S, 1, threads), 1e60);
		cr_expect_geq(cpu_rate(FAMILY_GEMM, ELEMENT_S, 1e300, threads), 1);
	}
	cr_expect_eq(cpu_rate(FAMILY_GEMM, ELEMENT_C, 10, 1), 1e60);
	cr_expect_eq(cpu_rate(FAMILY_GEMM, ELEMENT_Z, 10, 1), 1);
}

Test(machine_rate, a_larger_problem_takes_no_less_time)
{
	add_curve("cpu_dgemm_t1 = 100:1e6 101:1e12 1000:1e12");
	expect_near(dgemm_rate(100, 1), 1e6);
	expect_near(dgemm_rate(101, 1), 101.0 * 101 * 101); /* in the second that 100 takes */
	expect_near(dgemm_rate(1000, 1), 1e9);
	expect_near(dgemm_rate(1e5, 1), 1e12); /* from here on as measured */
}

Test(machine_rate, between_threads_linearly)
{
	add_curve("cpu_dgemm_t2 = 100:2e9");
	add_curve("cpu_dgemm_t10 = 100:6e9");
	expect_near(dgemm_rate(100, 1), 1e9);
	expect_near(dgemm_rate(100, 2), 2e9);
	expect_near(dgemm_rate(100, 4), 3e9);
	expect_near(dgemm_rate(100, 10), 6e9);
	expect_near(dgemm_rate(100, 1000), 6e9);
	add_curve("cpu_dgemm_t20 = 100:1e9");
	expect_near(dgemm_rate(100, 15), 6e9);
	expect_near(dgemm_rate(100, 20), 6e9);
}

Test(machine_rate, others_have_the_curves_of_gemm)
{
	machine.cpu_gemm_flops[ELEMENT_D] = 5e9;
	machine.cpu_fft_flops[ELEMENT_Z] = 5e9;
	add_curve("cpu_dgemm_t1 = 100:1e9");
	add_curve("cpu_fftw_c2c_t1 = 100:2e9");
	expect_near(cpu_rate(FAMILY_TRMM, ELEMENT_D, 100, 1), 1e9);
	expect_near(cpu_rate(FAMILY_TRSM, ELEMENT_D, 100, 1), 0.8e9);
	expect_near(cpu_rate(FAMILY_FFT_C2R, ELEMENT_Z, 100, 1), 2e9);
	add_curve("cpu_dtrsm_t1 = 100:3e9");
	add_curve("cpu_fftw_c2r_t4 = 100:4e9");
	expect_near(cpu_rate(FAMILY_TRSM, ELEMENT_D, 100, 1), 3e9);
	expect_near(cpu_rate(FAMILY_FFT_C2R, ELEMENT_Z, 100, 4), 4e9);
	expect_near(dgemm_rate(100, 1), 1e9);
	machine.cpu_gemm_flops[ELEMENT_S] = 7e9;
	expect_near(cpu_rate(FAMILY_TRMM, ELEMENT_S, 100, 1), 7e9);
	cr_expect(machine_borrows_rate(&machine, FAMILY_TRSM, ELEMENT_D));
	add_curve("gpu_dtrsm = 100:3e9");
	cr_expect_not(machine_borrows_rate(&machine, FAMILY_TRSM, ELEMENT_D));
	cr_expect_not(machine_borrows_rate(&machine, FAMILY_GEMM, ELEMENT_D));
}

static double fft_rate(enum fft_rigour rigour, enum family family, int threads)
{
	return machine_find_fft_rate(&machine, rigour, family, ELEMENT_Z, 100, threads);
}

/* Rates without rigour are those of measured plans, and of all where there are no others. */
Test(machine_rate, transforms_by_rigour)
{
	machine.cpu_fft_flops[ELEMENT_Z] = 5e9;
	expect_near(fft_rate(FFT_MEASURED, FAMILY_FFT_R2C, 1), 5e9);
	expect_near(fft_rate(FFT_ESTIMATED, FAMILY_FFT_R2C, 1), 5e9);
	machine.cpu_fft_estimate_flops[ELEMENT_Z] = 2e9;
	expect_near(fft_rate(FFT_ESTIMATED, FAMILY_FFT_R2C, 1), 2e9);
	add_curve("cpu_fftw_c2c_t1 = 100:6e9");
	expect_near(fft_rate(FFT_ESTIMATED, FAMILY_FFT_R2C, 1), 2e9);
	add_curve("cpu_fftw_c2c_estimate_t1 = 100:3e9");
	add_curve("cpu_fftw_c2c_estimate_t3 = 100:5e9");
	expect_near(fft_rate(FFT_ESTIMATED, FAMILY_FFT_R2C, 1), 3e9);
	expect_near(fft_rate(FFT_ESTIMATED, FAMILY_FFT_C2C, 2), 4e9);
	expect_near(fft_rate(FFT_MEASURED, FAMILY_FFT_C2C, 2), 6e9);
	add_curve("cpu_fftw_r2c_estimate_t1 = 100:1e9");
	expect_near(fft_rate(FFT_ESTIMATED, FAMILY_FFT_R2C, 1), 1e9);
	machine_drop_curves(&machine, MACHINE_CPU);
	expect_near(fft_rate(FFT_ESTIMATED, FAMILY_FFT_R2C, 1), 2e9);
}

/* A routine's curves are found by their threads, in any order in the profile. */
Test(machine_rate, does_not_ask_for_an_order_of_curves)
{
	static const char *const lines[] = {"cpu_dgemm_t16 = 100:9e9", "cpu_dtrsm_t4 = 100:7e9",
	                                    "gpu_dgemm = 100:5e12",    "cpu_dgemm_t1 = 100:1e9",
	                                    "cpu_dgemm_t4 = 100:3e9",  "cpu_sgemm_t1 = 100:2e9"};
	enum { LINES = sizeof lines / sizeof lines[0] };
	for (int first = 0; first < LINES; first++) {
		memset(&machine, 0, sizeof machine);
		for (int i = 0; i < LINES; i++)
			add_curve(lines[(first + i) % LINES]);
		expect_near(dgemm_rate(100, 1), 1e9);
		expect_near(dgemm_rate(100, 4), 3e9);
		expect_near(dgemm_rate(100, 10), 6e9);
		expect_near(dgemm_rate(100, 99), 9e9);
		expect_near(cpu_rate(FAMILY_TRSM, ELEMENT_D, 100, 2), 3.5e9);
		expect_near(cpu_rate(FAMILY_GEMM, ELEMENT_S, 100, 2), 2e9);
		machine_drop_curves(&machine, MACHINE_GPU);
		cr_assert_eq(machine.curve_count, LINES - 1);
		expect_near(dgemm_rate(100, 10), 6e9);
		cr_expect_eq(
			machine_find_rate(&machine, MACHINE_GPU, FAMILY_GEMM, ELEMENT_D, 100, 0),
			0);
	}
}

Test(machine_rate, has_room_for_so_many_curves)
{
	struct machine_curve curve = {
		.side = MACHINE_CPU, .family = FAMILY_GEMM, .element = ELEMENT_D};
	cr_expect_not(machine_add_curve(&machine, &curve), "without points");
	curve.point[curve.count++] = (struct machine_point){.size = 100, .rate = 1e9};
	for (curve.threads = 1; curve.threads <= MACHINE_CURVES; curve.threads++)
		cr_assert(machine_add_curve(&machine, &curve));
	cr_expect_not(machine_add_curve(&machine, &curve));
	cr_expect_eq(machine.curve_count, MACHINE_CURVES);
	expect_near(dgemm_rate(100, MACHINE_CURVES), 1e9);
}

/* A query of a profile, and its answer. */
struct question {
	enum machine_side side;
	enum family family;
	enum element element;
	double size;
	int threads;
};

static struct question ask_by_chance(struct machine_random *random)
{
	static const enum family families[] = {FAMILY_GEMM, FAMILY_TRSM, FAMILY_SYRK,
	                                       FAMILY_FFT_C2C, FAMILY_FFT_R2C};
	return (struct question){(enum machine_side)machine_random_below(random, MACHINE_SIDES),
	                         families[machine_random_below(random, 5)],
	                         (enum element)(ELEMENT_C + machine_random_below(random, 2)),
	                         machine_random_real(random, 1, ldexp(1, 62)),
	                         (int)machine_random_real(random, 1, 1024)};
}

static double answer(const struct question *question)
{
	return machine_find_rate(&machine, question->side, question->family, question->element,
	                         question->size, question->threads);
}

static double answer_time(const struct question *question)
{
	const double size = question->size;
	return (family_is_fft(question->family) ? 5 * size * log2(size) : 2 * size * size * size) /
	       answer(question);
}

/* Except for rounding. */
static bool is_no_less(double value, double than)
{
	return value >= than * (1 - 1e-9);
}

enum { PROFILES = 400, QUESTIONS = 200 };

static void for_profiles(uint64_t seed,
                         void (*check)(struct machine_random *random, struct question *question))
{
	struct machine_random random = {seed};
	for (int i = 0; i < PROFILES; i++) {
		machine_random_make(&random, &machine);
		for (int j = 0; j < QUESTIONS; j++) {
			struct question question = ask_by_chance(&random);
			check(&random, &question);
		}
	}
}

static void check_time(struct machine_random *random, struct question *question)
{
	const double before = answer_time(question);
	cr_assert(isfinite(before) && before >= 0);
	cr_assert(answer(question) >= 1 && answer(question) <= 1e60);
	question->size = fmin(ldexp(1, 62), question->size * machine_random_real(random, 1, 4));
	cr_assert(is_no_less(answer_time(question), before), "%g then %g", before,
	          answer_time(question));
}

Test(machine_rate, time_never_falls_with_size)
{
	for_profiles(UINT64_C(0x9e3779b97f4a7c15), check_time);
}

static void check_threads(struct machine_random *random, struct question *question)
{
	const double before = answer(question);
	question->threads += (int)machine_random_below(random, 100);
	cr_assert(is_no_less(answer(question), before));
}

Test(machine_rate, never_falls_with_threads)
{
	for_profiles(UINT64_C(0x2545f4914f6cdd1d), check_threads);
}

/* After a change to the added curves: rebuilds the profile's curves. */
static void add_curves_again(void)
{
	machine_drop_curves(&machine, MACHINE_SIDES);
}

/* One rate of the profile grows: a flat one, or one of a point. */
static void check_rates(struct machine_random *random, struct question *question)
{
	const double before = answer(question), times = machine_random_real(random, 1, 1e6);
	double *rates[ELEMENT_COUNT * 4];
	for (int element = 0; element < ELEMENT_COUNT; element++) {
		rates[4 * element] = &machine.cpu_gemm_flops[element];
		rates[4 * element + 1] = &machine.gpu_gemm_flops[element];
		rates[4 * element + 2] = &machine.cpu_fft_flops[element];
		rates[4 * element + 3] = &machine.gpu_fft_flops[element];
	}
	double *rate = rates[machine_random_below(random, ELEMENT_COUNT * 4)];
	if (machine.curve_count > 0 && machine_random_below(random, 8) != 0) {
		struct machine_curve *curve =
			&machine.curve[machine_random_below(random, (uint64_t)machine.curve_count)];
		rate = &curve->point[machine_random_below(random, (uint64_t)curve->count)].rate;
	}
	*rate = fmin(1e300, *rate * times);
	add_curves_again();
	cr_assert(is_no_less(answer(question), before), "%g, then %g", before, answer(question));
}

Test(machine_rate, never_falls_with_rates)
{
	for_profiles(UINT64_C(0xd1342543de82ef95), check_rates);
}
