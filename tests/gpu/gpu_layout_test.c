/* gpu_layout_test.c - transforms of any layout: loops, strides, orders, odd and single lengths */
/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu_check.h"
#include "shim/execute/gpu/fft/gpu_fft.h"

static int device;
static bool counts_executions = true;

/* Of the family's own: c2r executes others before them. */
static unsigned long count_executions(enum family family)
{
	if (family == FAMILY_FFT_C2R)
		return gpu_check_count("cufftExecZ2D") + gpu_check_count("cufftExecC2R");
	return gpu_check_count("cufftExecZ2Z") + gpu_check_count("cufftExecC2C") +
	       gpu_check_count("cufftExecD2Z") + gpu_check_count("cufftExecR2C");
}

/* A transform of `rank` dimensions, then loops; a length of 0 ends the list. */
struct layout {
	enum family family;
	int rank;
	bool in_place;
	struct fft_dim axis[FFT_GPU_RANK + FFT_LOOPS_MAX];
	unsigned long executions; /* on the device, 0: one */
};

static void run_layout(const struct layout *layout, enum element element, int sign,
                       int offset_bytes)
{
	struct fft_problem problem = {.family = layout->family,
	                              .element = element,
	                              .rank = layout->rank,
	                              .howmany = 1,
	                              .sign = sign,
	                              .in_place = layout->in_place};
	for (int i = 0; i < layout->rank; i++)
		problem.dims[i] = layout->axis[i];
	for (int i = layout->rank; layout->axis[i].n != 0; i++) {
		problem.loop[problem.loops++] = layout->axis[i];
		problem.howmany *= layout->axis[i].n;
	}
	const unsigned long before = count_executions(layout->family),
			    expected = layout->executions == 0 ? 1 : layout->executions;
	const enum reason reason = gpu_check_run_problem(&problem, offset_bytes, NULL, device);
	EXPECT(reason == REASON_NONE, "family %d: %s", (int)layout->family, reason_name(reason));
	EXPECT(!gpu_check_is_simulated() || !counts_executions ||
	               count_executions(layout->family) - before == expected,
	       "%lu executions, not %lu", count_executions(layout->family) - before, expected);
}

static void run_layouts(const struct layout *layouts, size_t count)
{
	for (size_t i = 0; i < count; i++)
		for (int element = ELEMENT_C; element <= ELEMENT_Z; element++) {
			const bool complex_both = layouts[i].family == FAMILY_FFT_C2C;
			const int sign = layouts[i].family == FAMILY_FFT_C2R ? 1 : -1;
			run_layout(&layouts[i], (enum element)element, sign, 0);
			run_layout(&layouts[i], (enum element)element, complex_both ? 1 : sign, 4);
		}
}

/* The same in groups of one, two and three iterations of a loop, where a loop can be cut. */
static void run_groups(const struct layout *layouts, size_t count)
{
	for (int64_t group = 1; group <= 3; group++) {
		gpu_fft_set_group(group);
		counts_executions = false;
		run_layouts(layouts, count);
	}
	gpu_fft_set_group(INT64_MAX);
	counts_executions = true;
}

static void run_all(const struct layout *layouts, size_t count)
{
	run_layouts(layouts, count);
	run_groups(layouts, count);
}

#define RUN(layouts) run_all(layouts, sizeof(layouts) / sizeof(layouts)[0])

static void test_complex(void)
{
	static const struct layout layouts[] = {
		{FAMILY_FFT_C2C, 1, false, {{15, 7, 1}, {7, 1, 15}}, 0},
		{FAMILY_FFT_C2C, 1, true, {{15, 7, 7}, {7, 1, 1}}, 0},
		{FAMILY_FFT_C2C, 2, false, {{6, 1, 1}, {9, 6, 6}}, 0},
		{FAMILY_FFT_C2C, 2, false, {{6, 9, 1}, {9, 1, 6}, {3, 54, 60}}, 0},
		{FAMILY_FFT_C2C, 3, false, {{3, 1, 20}, {4, 3, 5}, {5, 12, 1}}, 0},
		{FAMILY_FFT_C2C, 3, false, {{1, 8, 9}, {5, 7, 7}, {7, 1, 1}, {2, 35, 35}}, 0},
		{FAMILY_FFT_C2C, 2, false, {{5, 1, 7}, {1, 0, 0}, {4, 5, 40}}, 0},
		{FAMILY_FFT_C2C, 1, false, {{9, -1, 1}, {4, 9, 9}}, 0},
		{FAMILY_FFT_C2C, 1, false, {{9, 1, -2}, {4, -9, 18}}, 0},
		{FAMILY_FFT_C2C, 2, false, {{4, -5, 5}, {5, -1, -1}, {3, -20, -20}}, 0},
		{FAMILY_FFT_C2C, 1, false, {{6, 8, 8}, {10, 48, 48}, {8, 1, 1}}, 0},
		{FAMILY_FFT_C2C, 1, false, {{4, 30, 1}, {2, 1, 4}, {3, 2, 8}, {5, 6, 24}}, 0},
		{FAMILY_FFT_C2C, 1, false, {{4, 1, 31}, {2, 60, 1}, {3, 20, 2}, {5, 4, 6}}, 0},
		{FAMILY_FFT_C2C, 1, false, {{4, 3, 1}, {2, 97, 4}, {3, 13, 9}, {5, -400, 40}}, 0},
	};
	RUN(layouts);
}

/*
 * in == out: all input must be read before any output is written, whatever the signs of the
 * strides.
 */
static void test_in_place(void)
{
	static const struct layout layouts[] = {
		{FAMILY_FFT_C2C, 1, true, {{8, 8, 1}, {8, 1, 8}}, 0},
		{FAMILY_FFT_C2C, 1, true, {{6, 9, 1}, {9, 1, 6}}, 0},
		{FAMILY_FFT_C2C, 2, true, {{6, 9, 1}, {9, 1, 6}}, 0},
		{FAMILY_FFT_C2C, 2, true, {{4, 5, 5}, {5, 1, 1}, {3, 20, 24}}, 0},
		{FAMILY_FFT_C2C, 1, true, {{9, -1, 1}, {4, 9, -9}}, 0},
		{FAMILY_FFT_R2C, 1, true, {{7, 1, 1}, {5, 8, 4}}, 0},
		{FAMILY_FFT_R2C, 1, true, {{8, 5, 5}, {5, 1, 1}}, 0},
		{FAMILY_FFT_C2R, 2, true, {{4, 4, 8}, {7, 1, 1}, {2, 16, 32}}, 0},
		{FAMILY_FFT_C2R, 1, true, {{10, 3, 1}, {3, 1, 10}}, 0},
	};
	RUN(layouts);
}

static void test_real(void)
{
	static const struct layout layouts[] = {
		{FAMILY_FFT_R2C, 1, false, {{15, 4, 1}, {4, 1, 8}}, 0},
		{FAMILY_FFT_R2C, 1, false, {{15, 4, 4}, {4, 1, 1}}, 0},
		{FAMILY_FFT_R2C, 2, false, {{5, 1, 1}, {8, 5, 5}}, 0},
		{FAMILY_FFT_R2C, 3, false, {{4, 6, 4}, {5, 24, 16}, {6, 1, 1}}, 0},
		{FAMILY_FFT_R2C, 2, false, {{4, 1, 4}, {6, 4, 1}, {2, 24, 16}}, 0},
		{FAMILY_FFT_R2C, 1, false, {{9, -2, 1}, {3, 30, -5}}, 0},
		{FAMILY_FFT_R2C, 1, false, {{6, 8, 8}, {3, 48, 32}, {8, 1, 1}}, 0},
		{FAMILY_FFT_C2R, 1, false, {{15, 4, 1}, {4, 1, 15}}, 0},
		{FAMILY_FFT_C2R, 2, false, {{5, 1, 1}, {8, 5, 5}}, 0},
		{FAMILY_FFT_C2R, 3, false, {{4, 4, 6}, {5, 16, 24}, {6, 1, 1}}, 0},
		{FAMILY_FFT_C2R, 2, false, {{3, 9, 20}, {5, -2, 3}, {4, 40, -80}}, 0},
	};
	RUN(layouts);
}

/* The halved dimension has one or two elements, and so have the others. */
static void test_short(void)
{
	for (int family = FAMILY_FFT_R2C; family <= FAMILY_FFT_C2R; family++)
		for (int64_t last = 1; last <= 3; last++) {
			const int64_t in = family == FAMILY_FFT_R2C ? last : last / 2 + 1;
			const int64_t out = family == FAMILY_FFT_R2C ? last / 2 + 1 : last;
			const struct layout layouts[] = {
				{(enum family)family, 2, false, {{6, in, out}, {last, 1, 1}}, 0},
				{(enum family)family,
			         2,
			         false,
			         {{6, 1, 1}, {last, 6, 6}, {2, 18, 18}},
			         0},
				{(enum family)family,
			         3,
			         false,
			         {{2, in, 3 * out}, {3, 2 * in, out}, {last, 1, 1}},
			         0},
				{(enum family)family,
			         1,
			         false,
			         {{last, 3, 4}, {3, 1, 1}, {2, 9, 12}},
			         0},
				{(enum family)family,
			         2,
			         false,
			         {{1, 1, 1}, {last, 1, 1}, {5, in, out}},
			         0},
			};
			RUN(layouts);
		}
}

/*
 * The middle one of three axes, large enough to be executed once per outer iteration; two such
 * loops, also exchanged.
 */
static void test_steps(void)
{
	static const struct layout layouts[] = {
		{FAMILY_FFT_C2C, 1, true, {{63, 70, 70}, {3, 4410, 4410}, {70, 1, 1}}, 3},
		{FAMILY_FFT_C2C, 1, false, {{63, 70, 1}, {3, 4410, 4410}, {70, 1, 63}}, 3},
		{FAMILY_FFT_C2C,
	         1,
	         false,
	         {{8, 80, 80}, {3, 25600, 25600}, {80, 1, 1}, {40, 640, 640}},
	         1},
		{FAMILY_FFT_C2C,
	         2,
	         true,
	         {{8, 1920, 1920}, {8, 80, 80}, {2, 15360, 15360}, {3, 640, 640}, {80, 1, 1}},
	         6},
		{FAMILY_FFT_C2C,
	         2,
	         false,
	         {{8, 1280, 1280}, {8, 80, 80}, {2, 10240, 640}, {2, 640, 10240}, {80, 1, 1}},
	         4},
		{FAMILY_FFT_C2C,
	         2,
	         true,
	         {{8, 1280, 1280}, {8, 80, 80}, {2, 10240, 640}, {2, 640, 10240}, {80, 1, 1}},
	         4},
		{FAMILY_FFT_R2C, 1, false, {{64, 140, 140}, {2, 8960, 4620}, {140, 1, 1}}, 2},
		{FAMILY_FFT_C2R, 1, false, {{64, 140, 140}, {2, 4620, 8960}, {140, 1, 1}}, 2},
		{FAMILY_FFT_R2C, 1, false, {{63, 141, 141}, {2, 8883, 4512}, {141, 1, 1}}, 1},
	};
	RUN(layouts);
}

/* Sizes that overflow, and sizes beyond the device's memory: no byte is touched. */
static void test_refusals(void)
{
	const int64_t huge = INT64_C(1) << 40;
	struct fft_problem problem = {.family = FAMILY_FFT_C2C,
	                              .element = ELEMENT_Z,
	                              .rank = 2,
	                              .dims = {{huge, huge, huge}, {huge, 1, 1}},
	                              .howmany = 1,
	                              .sign = 1};
	const struct call call = {.family = FAMILY_FFT_C2C,
	                          .element = ELEMENT_Z,
	                          .fft = {&problem, NULL, NULL, .plan_key = NULL}};
	EXPECT(gpu_fft_run(&call, device) == REASON_UNSUPPORTED_LAYOUT, "beyond 63 bits");
	problem.rank = 1;
	problem.dims[0] = (struct fft_dim){huge, 1, huge};
	const enum reason reason = gpu_fft_run(&call, device);
	EXPECT(reason == REASON_DEVICE_MEMORY || reason == REASON_HOST_MEMORY, "%s",
	       reason_name(reason));
}

int main(void)
{
	device = gpu_check_start(0);
	gpu_fft_set_group(INT64_MAX);
	test_refusals();
	test_complex();
	test_in_place();
	test_real();
	test_short();
	test_steps();
	return gpu_check_end("gpu_layout");
}
