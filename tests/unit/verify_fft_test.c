/* verify_fft_test.c - FFTW's plans beside the program's: rounding passes, wrong elements do not */
/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "shim/execute/cpu/cpu_planner.h"
#include "shim/execute/verify/verify_call.h"
#include "shim/table/symbol.h"

enum { ROOM = 1 << 15, ESTIMATE = CPU_PLANNER_ESTIMATE };

typedef void *plan_c2c(int rank, const struct fft_dim *dims, int loops, const struct fft_dim *loop,
                       void *in, void *out, int sign, unsigned flags);
typedef void *plan_real(int rank, const struct fft_dim *dims, int loops, const struct fft_dim *loop,
                        void *in, void *out, unsigned flags);

/*
 * A plan and its arrays: 8 bytes per number in either precision; they begin `offset` numbers into
 * the memory.
 */
struct fft_case {
	struct fft_problem problem;
	struct call call;
	void *code;
	void (*execute)(void *plan);
	int offset_bytes;
};

static struct fft_case test;
static _Alignas(64) char from[ROOM * 16], to[ROOM * 16], before[ROOM * 16], wanted[ROOM * 16];
static uint64_t seed = 5;

static double draw_unit(void)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (double)(int64_t)(seed >> 11) * 0x1p-52 - 1;
}

static bool is_single(void)
{
	return test.problem.element == ELEMENT_C;
}

static void *find(const char *stem)
{
	char name[48];
	void *library = dlopen(is_single() ? "libfftw3f.so.3" : "libfftw3.so.3", RTLD_NOW);
	if (library == NULL)
		cr_skip("no FFTW: %s", dlerror());
	snprintf(name, sizeof name, "%s%s", is_single() ? "fftwf_" : "fftw_", stem);
	return dlsym(library, name);
}

static double load(const void *base, int64_t index)
{
	return is_single() ? (double)((const float *)base)[index] : ((const double *)base)[index];
}

static void store(void *base, int64_t index, double value)
{
	if (is_single())
		((float *)base)[index] = (float)value;
	else
		((double *)base)[index] = value;
}

static void *plan(void *in, void *out)
{
	const struct fft_problem *p = &test.problem;
	void *made;
	if (p->family == FAMILY_FFT_C2C)
		made = (__extension__(plan_c2c *) find("plan_guru64_dft"))(
			p->rank, p->dims, p->loops, p->loop, in, out, p->sign, ESTIMATE);
	else
		made = (__extension__(plan_real *)
		                find(p->family == FAMILY_FFT_R2C ? "plan_guru64_dft_r2c"
		                                                 : "plan_guru64_dft_c2r"))(
			p->rank, p->dims, p->loops, p->loop, in, out, ESTIMATE);
	cr_assert_not_null(made);
	return made;
}

/* Numbers everywhere, also between the elements: all that is not an element must stay unchanged. */
static void start(const struct fft_problem *problem, int offset_bytes)
{
	test.problem = *problem;
	test.code = find("execute");
	memcpy(&test.execute, &test.code, sizeof test.code);
	char *in = from + offset_bytes, *out = problem->in_place ? in : to + offset_bytes;
	memset(from, 0, sizeof from);
	memset(to, 0, sizeof to);
	void *made = plan(in, out);
	for (int64_t i = 0; i < ROOM; i++) {
		store(from + offset_bytes, i, draw_unit());
		store(to + offset_bytes, i, draw_unit());
	}
	test.call = (struct call){.symbol = SYMBOL_fftw_execute,
	                          .family = problem->family,
	                          .element = problem->element,
	                          .fft = {&test.problem, in, out, .plan_key = made}};
}

static struct verify *begin(void)
{
	struct verify *verify =
		verify_call_start(&(struct verify_request){.call = &test.call, .code = test.code});
	cr_assert_not_null(verify);
	return verify;
}

static char *output_memory(void)
{
	return test.problem.in_place ? from : to;
}

/*
 * Stands for the GPU: FFTW's result with an error of a few roundings in each number; out of place
 * the input is unchanged.
 */
static void run(void)
{
	const double unit = is_single() ? 0x1p-23 : 0x1p-52;
	memcpy(before, from, sizeof before);
	memcpy(wanted, output_memory(), sizeof wanted);
	test.execute(test.call.fft.plan_key);
	if (!test.problem.in_place)
		memcpy(from, before, sizeof from);
	char *out = test.call.fft.out;
	for (int64_t i = 0; i < ROOM - 8; i++) {
		const double value = load(out, i);
		if (value != load(wanted + (out - output_memory()), i))
			store(out, i, value * (1 + unit * (double)(i % 3 - 1)));
	}
	memcpy(wanted, output_memory(), sizeof wanted);
}

/* A random element of the output, in numbers from out. */
static int64_t draw_output(void)
{
	const struct fft_problem *p = &test.problem;
	const bool real = p->family == FAMILY_FFT_C2R;
	int64_t at = 0;
	for (int d = 0; d < p->rank; d++) {
		const bool halved = p->family == FAMILY_FFT_R2C && d == p->rank - 1;
		const int64_t n = halved ? p->dims[d].n / 2 + 1 : p->dims[d].n;
		at += (int64_t)(fabs(draw_unit()) * (double)n) * p->dims[d].output_stride;
	}
	for (int l = 0; l < p->loops; l++)
		at += (int64_t)(fabs(draw_unit()) * (double)p->loop[l].n) *
		      p->loop[l].output_stride;
	return real ? at : 2 * at;
}

static void drop(void)
{
	void (*destroy)(void *);
	void *code = find("destroy_plan");
	memcpy(&destroy, &code, sizeof code);
	destroy(test.call.fft.plan_key);
}

static void expect_close(const char *what)
{
	const double tolerance = is_single() ? 1e-4 : 1e-12;
	const char *out = test.call.fft.out, *good = wanted + (out - output_memory());
	for (int64_t i = 0; i < ROOM; i++) {
		const double value = load(out, i), right = load(good, i);
		cr_assert(fabs(value - right) <= tolerance * (1 + fabs(right)) ||
		                  (isnan(value) && isnan(right)),
		          "%s: number %ld is %g, not %g", what, (long)i, value, right);
	}
	if (!test.problem.in_place)
		cr_assert_eq(memcmp(from, before, sizeof before), 0, "%s: the input was written",
		             what);
}

/* An error of a thousandth of a typical element is found and corrected; nothing else is written. */
static void check(const struct fft_problem *problem, int offset_bytes)
{
	start(problem, offset_bytes);
	struct verify *verify = begin();
	run();
	cr_assert_eq(verify_call_end(verify, NULL), REASON_NONE);
	cr_assert_eq(memcmp(output_memory(), wanted, sizeof wanted), 0, "the result was written");
	drop();
	start(problem, offset_bytes);
	verify = begin();
	run();
	const int64_t at = draw_output();
	const double size = is_single() ? 0.1 : 1e-3;
	store(test.call.fft.out, at, load(test.call.fft.out, at) + size);
	cr_assert_eq(verify_call_end(verify, NULL), REASON_VERIFY_FAILED, "family %d",
	             (int)problem->family);
	expect_close("restored");
	drop();
}

static const enum family families[] = {FAMILY_FFT_C2C, FAMILY_FFT_R2C, FAMILY_FFT_C2R};

Test(verify_fft, lines_tight_strided_and_backwards)
{
	static const int64_t lengths[] = {2, 3, 4, 7, 8, 12, 64, 101, 210};
	static const int64_t strides[] = {1, 2, 5};
	for (int f = 0; f < 3; f++)
		for (size_t n = 0; n < sizeof lengths / sizeof lengths[0]; n++)
			for (size_t s = 0; s < sizeof strides / sizeof strides[0]; s++)
				for (int single = 0; single < 2; single++)
					check(
						&(struct fft_problem){
							.family = families[f],
							.element = single ? ELEMENT_C : ELEMENT_Z,
							.rank = 1,
							.dims = {{lengths[n], strides[s],
					                          strides[2 - s]}},
							.howmany = 1,
							.sign = f == 0 ? (n % 2 ? 1 : -1) : 0},
						16 * (int)(n % 4));
}

Test(verify_fft, many_at_once_in_place_or_interleaved)
{
	for (int single = 0; single < 2; single++)
		for (int f = 0; f < 3; f++)
			for (int place = 0; place < 2; place++) {
				const int64_t in = place && f == 1 ? 12 : 6,
					      out = place && f == 2 ? 12 : 6;
				const struct fft_problem rows = {.family = families[f],
				                                 .element = single ? ELEMENT_C
				                                                   : ELEMENT_Z,
				                                 .rank = 2,
				                                 .dims = {{5, in, out}, {10, 1, 1}},
				                                 .loops = 1,
				                                 .loop = {{4, 5 * in, 5 * out}},
				                                 .howmany = 4,
				                                 .sign = f == 0 ? 1 : 0,
				                                 .in_place = place};
				struct fft_problem one = rows;
				if (f == 0) {
					one.dims[0] = (struct fft_dim){5, 30, 30};
					one.dims[1] = (struct fft_dim){10, 3, 3};
					one.loop[0] = (struct fft_dim){3, 1, 1};
					one.howmany = 3;
					one.dims[0].input_stride = one.dims[0].output_stride = 30;
				}
				check(&one, single ? 24 : 48);
			}
}

/* The padding of reals in place is no element, and is unchanged. */
Test(verify_fft, three_dimensions_in_place)
{
	for (int f = 1; f < 3; f++) {
		const int64_t real = 8, complex = 4;
		const int64_t in = f == 1 ? real : complex, out = f == 1 ? complex : real;
		check(&(struct fft_problem){.family = families[f],
		                            .element = ELEMENT_Z,
		                            .rank = 3,
		                            .dims = {{4, 5 * in, 5 * out}, {5, in, out}, {6, 1, 1}},
		                            .howmany = 1,
		                            .in_place = true},
		      0);
	}
}

static const struct fft_problem pair = {.family = FAMILY_FFT_C2C,
                                        .element = ELEMENT_Z,
                                        .rank = 1,
                                        .dims = {{16, 1, 1}},
                                        .loops = 1,
                                        .loop = {{2, 16, 16}},
                                        .howmany = 2,
                                        .sign = -1};

/* One of two transforms has an infinite input. */
static enum reason judge_spoilt(double value, int64_t at)
{
	start(&pair, 0);
	store(from, 0, INFINITY);
	struct verify *verify = begin();
	run();
	if (at >= 0)
		store(to, at, value);
	const enum reason reason = verify_call_end(verify, NULL);
	drop();
	return reason;
}

Test(verify_fft, what_is_not_finite)
{
	cr_expect_eq(judge_spoilt(0, -1), REASON_NONE);
	cr_expect_eq(judge_spoilt(7, 3), REASON_NONE, "the transform is lost on both sides");
	cr_expect_eq(judge_spoilt(7, 33), REASON_VERIFY_FAILED, "the other one is not");
	cr_expect_eq(judge_spoilt(NAN, 33), REASON_VERIFY_FAILED);
}

/* Measured together, a transform of large numbers would hide the error of one of small numbers. */
Test(verify_fft, a_small_transform_beside_a_large_one)
{
	start(&pair, 0);
	for (int64_t i = 0; i < 32; i++)
		store(from, i, 1e20 * draw_unit());
	struct verify *verify = begin();
	run();
	store(to, 40, load(to, 40) + 1e-3);
	cr_expect_eq(verify_call_end(verify, NULL), REASON_VERIFY_FAILED);
	drop();
}

/*
 * Two planes of 2 x 2; the input that belongs to no real signal cancels. The input of one is large,
 * and its output small.
 */
static enum reason judge_planes(bool in_place, int large, int wrong, double error)
{
	const int64_t real = in_place ? 4 : 2, at = 1 + wrong * 2 * real;
	const struct fft_problem p = {.family = FAMILY_FFT_C2R,
	                              .element = ELEMENT_Z,
	                              .rank = 2,
	                              .dims = {{2, 2, real}, {2, 1, 1}},
	                              .loops = 1,
	                              .loop = {{2, 4, 2 * real}},
	                              .howmany = 2,
	                              .in_place = in_place};
	start(&p, 0);
	for (int64_t i = 0; i < 16; i++)
		store(from, i, i / 8 != large ? 1e-6 : i % 4 == 1 ? 1e3 : i % 8 == 0 ? 1e-12 : 0);
	struct verify *verify = begin();
	run();
	store(test.call.fft.out, at, load(test.call.fft.out, at) + error);
	const enum reason reason = verify_call_end(verify, NULL);
	drop();
	return reason;
}

/* The rounding errors of the rest are those of the larger numbers that cancel. */
Test(verify_fft, an_input_that_is_no_spectrum)
{
	for (int in_place = 0; in_place < 2; in_place++) {
		for (int large = 0; large < 2; large++) {
			cr_expect_eq(judge_planes(in_place, large, large, 1e-13), REASON_NONE);
			cr_expect_eq(judge_planes(in_place, large, large, 1e-9),
			             REASON_VERIFY_FAILED);
			cr_expect_eq(judge_planes(in_place, large, 1 - large, 1e-13),
			             REASON_VERIFY_FAILED, "the other plane is large");
		}
	}
}

Test(verify_fft, a_library_without_the_functions_is_not_asked)
{
	start(&pair, 0);
	cr_expect_null(
		verify_call_start(&(struct verify_request){.call = &test.call, .code = &test}));
	cr_expect_null(verify_call_start(&(struct verify_request){.call = &test.call}));
	drop();
}
