/* cpu_planner_test.c - the shim's own plans: right results, on arrays of the same alignment only */
/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <dlfcn.h>
#include <math.h>
#include <pthread.h>
#include <string.h>

#include "shim/execute/cpu/cpu_planner.h"

enum { N = 12, ROOM = 1024, MIDDLE = ROOM / 2, MEASURE = 0 };

static const void *beside; /* a function in libfftw3 */
static _Alignas(64) double from[ROOM + 8], to[ROOM + 8], kept[ROOM + 8];

static void start(void)
{
	void *library = dlopen("libfftw3.so.3", RTLD_NOW);
	if (library == NULL)
		cr_skip("no libfftw3.so.3: %s", dlerror());
	beside = dlsym(library, "fftw_execute");
	for (int i = 0; i < ROOM + 8; i++)
		from[i] = to[i] = kept[i] = 1000 + i;
}

TestSuite(cpu_planner, .init = start);

static struct fft_problem problem_of(enum family family, int64_t stride, bool in_place)
{
	return (struct fft_problem){.family = family,
	                            .element = ELEMENT_Z,
	                            .rank = 1,
	                            .loops = 1,
	                            .dims = {{N, stride, stride}},
	                            .loop = {{2, N * 3, N * 3}},
	                            .howmany = 2,
	                            .sign = family == FAMILY_FFT_C2C ? -1 : 0,
	                            .in_place = in_place};
}

/* A constant input gives a peak of N at the start of both transforms; c2r the other way round. */
static void check_run(const struct cpu_plan *plan, const struct fft_problem *p, double *in,
                      double *out)
{
	const bool real_in = p->family == FAMILY_FFT_R2C, real_out = p->family == FAMILY_FFT_C2R;
	for (int l = 0; l < 2; l++)
		for (int k = 0; k < (real_out ? N / 2 + 1 : N); k++) {
			double *x =
				in + (l * p->loop[0].input_stride + k * p->dims[0].input_stride) *
					     (real_in ? 1 : 2);
			x[0] = !real_out || k == 0;
			if (!real_in)
				x[1] = 0;
		}
	cr_assert(cpu_planner_run(plan, &(struct fft_call){.problem = p, .in = in, .out = out}));
	for (int l = 0; l < 2; l++)
		for (int k = 0; k < (p->family == FAMILY_FFT_R2C ? N / 2 + 1 : N); k++) {
			const double *y = out + (l * p->loop[0].output_stride +
			                         k * p->dims[0].output_stride) *
			                                (real_out ? 1 : 2);
			cr_assert_float_eq(y[0],
			                   real_out ? 1
			                   : k == 0 ? N
			                            : 0,
			                   1e-12, "transform %d, element %d: %g", l, k, y[0]);
		}
}

/* The planner uses scratch arrays of its own; the execution uses the caller's. */
static void check_life(enum family family, int64_t stride, bool in_place, unsigned flags)
{
	const struct fft_problem p = problem_of(family, stride, in_place);
	double *in = from + MIDDLE, *out = in_place ? in : to + MIDDLE;
	start();
	struct cpu_plan *plan = cpu_planner_make(
		&(struct fft_call){.problem = &p, .in = in, .out = out}, flags, beside);
	cr_assert_not_null(plan, "family %d, stride %lld, in place %d", (int)family,
	                   (long long)stride, in_place);
	cr_assert(memcmp(from, kept, sizeof kept) == 0 && memcmp(to, kept, sizeof kept) == 0);
	check_run(plan, &p, in, out);
	cpu_planner_drop(plan);
}

Test(cpu_planner, makes_plans_on_other_arrays)
{
	static const enum family families[] = {FAMILY_FFT_C2C, FAMILY_FFT_R2C, FAMILY_FFT_C2R};
	for (int i = 0; i < 3; i++)
		for (int64_t stride = -3; stride <= 3; stride++)
			for (int in_place = 0; in_place < 2; in_place++)
				/*
				 * In place, strides of real and of complex elements have to be the
				 * same in bytes.
				 */
				if (stride != 0 && (!in_place || families[i] == FAMILY_FFT_C2C))
					check_life(families[i], stride, in_place, MEASURE);
	check_life(FAMILY_FFT_C2C, 1, true, CPU_PLANNER_PATIENT);
	check_life(FAMILY_FFT_R2C, 2, false, CPU_PLANNER_ESTIMATE);
}

Test(cpu_planner, runs_only_on_arrays_aligned_alike)
{
	const struct fft_problem p = problem_of(FAMILY_FFT_C2C, 1, false);
	struct cpu_plan *plan = cpu_planner_make(
		&(struct fft_call){.problem = &p, .in = from, .out = to}, MEASURE, beside);
	cr_assert_not_null(plan);
	cr_assert_not(cpu_planner_run(
		plan, &(struct fft_call){.problem = &p, .in = from + 1, .out = to}));
	cr_assert_not(cpu_planner_run(
		plan, &(struct fft_call){.problem = &p, .in = from, .out = to + 1}));
	cr_assert_not(cpu_planner_run(plan, &(struct fft_call){.problem = &p, .in = to, .out = to}),
	              "in place");
	cr_assert(memcmp(from, kept, sizeof kept) == 0 && memcmp(to, kept, sizeof kept) == 0,
	          "nothing was done");
	check_run(plan, &p, from, to);
	check_run(plan, &p, from + 8, to + 16);
	cpu_planner_drop(plan);

	plan = cpu_planner_make(&(struct fft_call){.problem = &p, .in = from + 1, .out = to + 3},
	                        MEASURE, beside);
	cr_assert_not_null(plan);
	cr_assert_not(
		cpu_planner_run(plan, &(struct fft_call){.problem = &p, .in = from, .out = to}));
	check_run(plan, &p, from + 9, to + 3);
	cpu_planner_drop(plan);
}

Test(cpu_planner, what_fftw_refuses_has_no_plan)
{
	struct fft_problem p = problem_of(FAMILY_FFT_C2C, 1, false);
	const struct fft_call call = {.problem = &p, .in = from, .out = to};
	cr_assert_null(cpu_planner_make(&call, MEASURE, &beside), "no library there");
	cr_assert_null(cpu_planner_make(&call, CPU_PLANNER_WISDOM_ONLY, beside), "no wisdom");
	p.element = ELEMENT_C;
	cr_assert_null(cpu_planner_make(&call, MEASURE, beside), "libfftw3 has no fftwf_ names");
}

static void *lock_and_go(void *unused)
{
	cpu_planner_lock();
	cpu_planner_unlock();
	return unused;
}

static void *try_and_go(void *locked)
{
	*(bool *)locked = cpu_planner_try_lock();
	if (*(bool *)locked)
		cpu_planner_unlock();
	return NULL;
}

/* Neither another thread's nor the own lock is waited for or shared. */
Test(cpu_planner, the_lock_is_tried)
{
	pthread_t thread;
	bool locked = true;
	cpu_planner_lock();
	cr_expect_not(cpu_planner_try_lock(), "the planner may be at work below this call");
	cr_assert_eq(pthread_create(&thread, NULL, try_and_go, &locked), 0);
	cr_assert_eq(pthread_join(thread, NULL), 0);
	cr_expect_not(locked);
	cpu_planner_unlock();
	cr_assert_eq(pthread_create(&thread, NULL, try_and_go, &locked), 0);
	cr_assert_eq(pthread_join(thread, NULL), 0);
	cr_expect(locked);
	cr_assert(cpu_planner_try_lock());
	cpu_planner_unlock();
}

Test(cpu_planner, the_lock_is_free_again_and_in_a_child_always)
{
	pthread_t thread;
	cpu_planner_lock();
	cpu_planner_lock();
	cpu_planner_unlock();
	cpu_planner_unlock();
	cr_assert_eq(pthread_create(&thread, NULL, lock_and_go, NULL), 0);
	cr_assert_eq(pthread_join(thread, NULL), 0);
	cpu_planner_lock();
	cpu_planner_after_fork_child();
	cr_assert_eq(pthread_create(&thread, NULL, lock_and_go, NULL), 0);
	cr_assert_eq(pthread_join(thread, NULL), 0);
}
