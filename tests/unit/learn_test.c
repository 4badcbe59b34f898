/* learn_test.c - corrections of a bucket, its neighbours, a routine; bounds; threads */
/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <math.h>

#include "policy/decide/learn.h"

static struct learn learn;
static struct learn_guess guess;
static const struct cost thousand = {.cpu = {.whole_ns = 1000}, .gpu = {.whole_ns = 1000}};
static const double doubt = 10;

static struct call work(enum family family, double flops)
{
	return (struct call){.family = family, .element = ELEMENT_D, .work_flops = flops};
}

static void note(enum family family, double flops, enum target target, double elapsed_ns)
{
	const struct call call = work(family, flops);
	const struct decision decision = {.target = target,
	                                  .predicted_cpu_ns = 1000,
	                                  .predicted_gpu_ns = 1000,
	                                  .model_cpu_ns = 1000,
	                                  .model_gpu_ns = 1000};
	learn_note(&learn, &call, &decision, elapsed_ns);
}

static void correct(enum family family, double flops)
{
	const struct call call = work(family, flops);
	learn_correct(&learn, &call, &thousand, doubt, &guess);
}

static void start(void)
{
	learn = (struct learn){0};
}

TestSuite(learn, .init = start);

Test(learn, without_experience_the_model_holds)
{
	correct(FAMILY_GEMM, 1e9);
	cr_expect(guess.time_ns[TARGET_CPU] == 1000 && guess.time_ns[TARGET_GPU] == 1000);
	cr_expect(guess.doubt[TARGET_CPU] == doubt && guess.doubt[TARGET_GPU] == doubt);
	const struct call call = work(FAMILY_GEMM, 1e9);
	learn_correct(NULL, &call, &thousand, doubt, &guess);
	cr_expect(guess.time_ns[TARGET_CPU] == 1000 && guess.doubt[TARGET_CPU] == doubt);
}

Test(learn, one_call_tells_of_its_side_and_bucket)
{
	note(FAMILY_GEMM, 1e9, TARGET_GPU, 3000);
	correct(FAMILY_GEMM, 1e9);
	cr_expect(guess.time_ns[TARGET_GPU] == 3000 && guess.doubt[TARGET_GPU] > 1,
	          "it may have been held up");
	note(FAMILY_GEMM, 1e9, TARGET_GPU, 3000);
	note(FAMILY_GEMM, 1e9, TARGET_GPU, 3000);
	correct(FAMILY_GEMM, 1e9);
	cr_expect(guess.time_ns[TARGET_GPU] == 3000 && guess.doubt[TARGET_GPU] == 1);
	cr_expect(guess.time_ns[TARGET_CPU] == 1000 && guess.doubt[TARGET_CPU] == doubt);
	cr_expect_eq(guess.last, TARGET_GPU);
}

Test(learn, the_farther_away_the_more_doubt)
{
	for (int i = 0; i < 3; i++)
		note(FAMILY_GEMM, 1e9, TARGET_GPU, 3000);
	double before = 1;
	for (double flops = 1e9; flops < 1e12; flops *= 4) {
		correct(FAMILY_GEMM, flops);
		const bool own = flops == 1e9;
		cr_expect(own ? guess.time_ns[TARGET_GPU] == 3000
		              : guess.time_ns[TARGET_GPU] > 1000 &&
		                          guess.time_ns[TARGET_GPU] < 3000);
		cr_expect_geq(guess.doubt[TARGET_GPU], before);
		before = guess.doubt[TARGET_GPU];
	}
	cr_expect_gt(before, 1);
	correct(FAMILY_TRSM, 1e9);
	cr_expect_gt(guess.time_ns[TARGET_GPU], 1000, "all routines share a link");
	cr_expect_geq(guess.doubt[TARGET_GPU], before);
	cr_expect_lt(guess.doubt[TARGET_GPU], doubt);
}

Test(learn, the_nearest_bucket_is_asked)
{
	for (int i = 0; i < 1000; i++) {
		note(FAMILY_GEMM, 1e9, TARGET_CPU, 2000);
		note(FAMILY_GEMM, 1e9 * 64, TARGET_CPU, 8000);
	}
	correct(FAMILY_GEMM, 4e9);
	cr_expect(fabs(guess.time_ns[TARGET_CPU] - 2000) < 20);
	correct(FAMILY_GEMM, 16e9);
	cr_expect(fabs(guess.time_ns[TARGET_CPU] - 8000) < 80);
}

Test(learn, a_mean_follows_and_an_accident_does_not_move_it_far)
{
	for (int i = 0; i < 50; i++)
		note(FAMILY_GEMM, 1e9, TARGET_CPU, 2000);
	note(FAMILY_GEMM, 1e9, TARGET_CPU, 2e9);
	correct(FAMILY_GEMM, 1e9);
	cr_expect_leq(guess.time_ns[TARGET_CPU], 6000);
	for (int i = 0; i < 400; i++)
		note(FAMILY_GEMM, 1e9, TARGET_CPU, 6000);
	correct(FAMILY_GEMM, 1e9);
	cr_expect(fabs(guess.time_ns[TARGET_CPU] - 6000) < 10);
	cr_expect_gt(guess.low_ns[TARGET_CPU], 5900, "such calls are not disturbed any more");
}

/*
 * Fifty calls that take six times as long are a burst: what a call takes without it is not
 * forgotten, and the first one after it counts.
 */
Test(learn, a_burst_is_over_when_a_call_says_so)
{
	for (int i = 0; i < 50; i++)
		note(FAMILY_GEMM, 1e9, TARGET_CPU, 1000);
	for (int i = 0; i < 50; i++)
		note(FAMILY_GEMM, 1e9, TARGET_CPU, 6000);
	correct(FAMILY_GEMM, 1e9);
	cr_expect_gt(guess.time_ns[TARGET_CPU], 4000);
	cr_expect_lt(guess.low_ns[TARGET_CPU], 2000);
	note(FAMILY_GEMM, 1e9, TARGET_CPU, 1000);
	correct(FAMILY_GEMM, 1e9);
	cr_expect(guess.time_ns[TARGET_CPU] == 1000 && guess.low_ns[TARGET_CPU] == 1000);
}

/* One call in twenty takes ten times as long: the mean is theirs too, the level is not. */
Test(learn, tails_are_part_of_the_mean)
{
	double sum_ns = 0;
	enum { TAILS = 20 };
	for (int i = 1; i <= 100 * TAILS; i++) {
		note(FAMILY_GEMM, 1e9, TARGET_GPU, i % TAILS == 0 ? 10000 : 1000);
		correct(FAMILY_GEMM, 1e9);
		sum_ns += guess.time_ns[TARGET_GPU] / (100 * TAILS);
		cr_assert_lt(guess.low_ns[TARGET_GPU], 1100);
	}
	cr_expect(sum_ns > 1200 && sum_ns < 1500, "%g", sum_ns);
}

/* What takes a hundred times as long again and again is no accident. */
Test(learn, a_lasting_change)
{
	for (int i = 0; i < 50; i++)
		note(FAMILY_GEMM, 1e9, TARGET_GPU, 1000);
	for (int i = 0; i < 5; i++)
		note(FAMILY_GEMM, 1e9, TARGET_GPU, 100000);
	correct(FAMILY_GEMM, 1e9);
	cr_expect_gt(guess.time_ns[TARGET_GPU], 50000);
}

/* A call with costs that arise once teaches only that such calls take less than it did. */
Test(learn, a_first_call)
{
	const struct call call = work(FAMILY_GEMM, 1e9);
	const struct decision decision = {.target = TARGET_GPU,
	                                  .predicted_gpu_ns = 1000,
	                                  .model_cpu_ns = 1000,
	                                  .model_gpu_ns = 1000};
	learn_note_first(&learn, &call, &decision, 60000);
	correct(FAMILY_GEMM, 1e9);
	cr_expect(guess.time_ns[TARGET_GPU] == 1000 && guess.seen[TARGET_GPU] == 0);
	learn_note_first(&learn, &call, &decision, 400);
	correct(FAMILY_GEMM, 1e9);
	cr_expect(guess.time_ns[TARGET_GPU] == 400 && guess.seen[TARGET_GPU] == 1);
}

/* Transforms of another rank, and those whose CPU plan was made with less effort, learn apart. */
Test(learn, transforms_by_rank_and_rigour)
{
	struct fft_problem problem = {.rank = 1, .howmany = 1};
	struct call call = work(FAMILY_FFT_C2C, 1e9);
	const struct decision decision = {
		.target = TARGET_CPU, .model_cpu_ns = 1000, .model_gpu_ns = 1000};
	call.element = ELEMENT_Z;
	call.fft.problem = &problem;
	call.fft.rigour = FFT_ESTIMATED;
	for (int i = 0; i < 3; i++)
		learn_note(&learn, &call, &decision, 5000);
	learn_correct(&learn, &call, &thousand, doubt, &guess);
	cr_expect(guess.seen[TARGET_CPU] == 3 && guess.time_ns[TARGET_CPU] == 5000);
	call.fft.rigour = FFT_MEASURED;
	learn_correct(&learn, &call, &thousand, doubt, &guess);
	cr_expect_eq(guess.seen[TARGET_CPU], 0, "another rigour");
	call.fft.rigour = FFT_ESTIMATED;
	problem.rank = 2;
	learn_correct(&learn, &call, &thousand, doubt, &guess);
	cr_expect_eq(guess.seen[TARGET_CPU], 0, "another rank");
}

/* LAPACK's calls by vectors or values, all or a range, few right-hand sides. */
Test(learn, solutions_by_what_is_asked_for)
{
	static const struct lapack_call others[] = {
		{.jobs = "N", .range = 'A', .m = 1000, .n = 1000},
		{.jobs = "V", .range = 'I', .m = 1000, .n = 1000, .il = 1, .iu = 1000},
		{.jobs = "V", .range = 'A', .m = 10000, .n = 100},
		{.jobs = "V", .range = 'A', .m = 1000, .n = 1000, .nrhs = 1}};
	struct call call = work(FAMILY_SYEVR, 1e9);
	const struct decision decision = {
		.target = TARGET_GPU, .model_cpu_ns = 1000, .model_gpu_ns = 1000};
	call.lapack = (struct lapack_call){.jobs = "V", .range = 'A', .m = 1000, .n = 1000};
	for (int i = 0; i < 3; i++)
		learn_note(&learn, &call, &decision, 5000);
	learn_correct(&learn, &call, &thousand, doubt, &guess);
	cr_expect(guess.seen[TARGET_GPU] == 3 && guess.time_ns[TARGET_GPU] == 5000);
	for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
		call.lapack = others[i];
		learn_correct(&learn, &call, &thousand, doubt, &guess);
		cr_expect_eq(guess.seen[TARGET_GPU], 0, "%zu", i);
	}
	call.lapack = (struct lapack_call){.jobs = "V", .range = 'A', .m = 990, .n = 1010};
	learn_correct(&learn, &call, &thousand, doubt, &guess);
	cr_expect_eq(guess.seen[TARGET_GPU], 3, "of about the same shape");
}

Test(learn, what_is_no_time_is_left_out)
{
	const double bad[] = {0, -1, NAN, INFINITY, -INFINITY};
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
		note(FAMILY_GEMM, 1e9, TARGET_CPU, bad[i]);
	struct call call = work(FAMILY_GEMM, 1e9);
	const struct decision unknown = {.model_cpu_ns = -1, .model_gpu_ns = -1};
	learn_note(&learn, &call, &unknown, 5);
	correct(FAMILY_GEMM, 1e9);
	cr_expect(guess.time_ns[TARGET_CPU] == 1000);
	const struct cost nothing = {.cpu = {.whole_ns = -1}, .gpu = {.whole_ns = -1}};
	note(FAMILY_GEMM, 1e9, TARGET_CPU, 3000);
	learn_correct(&learn, &call, &nothing, doubt, &guess);
	cr_expect(guess.time_ns[TARGET_CPU] == -1 && guess.time_ns[TARGET_GPU] == -1);
}

/*
 * More routines and sizes than cells: a size without a cell still teaches its routine, and nothing
 * breaks.
 */
Test(learn, memory_is_bounded)
{
	for (int family = 0; family < FAMILY_COUNT; family++)
		for (double flops = 1; flops < 1e300; flops *= 4)
			note((enum family)family, flops, TARGET_GPU, 2000);
	correct(FAMILY_FFT_R2R, 1e200);
	cr_expect_gt(guess.time_ns[TARGET_GPU], 1900);
	cr_expect_lt(guess.doubt[TARGET_GPU], doubt);
}

/*
 * The first call takes 500 times as long as such calls do: it counts as four at most, and is soon
 * outweighed.
 */
Test(learn, a_slow_beginning)
{
	note(FAMILY_GEMM, 1e9, TARGET_CPU, 500000);
	correct(FAMILY_GEMM, 1e9);
	cr_expect_leq(guess.time_ns[TARGET_CPU], 8000);
	note(FAMILY_GEMM, 1e9, TARGET_CPU, 1000);
	correct(FAMILY_GEMM, 1e9);
	cr_expect_eq(guess.time_ns[TARGET_CPU], 1000);
}

/* One odd call says little about other kinds of calls, and does not keep them from being tried. */
Test(learn, one_call_does_not_speak_for_others)
{
	note(FAMILY_SYRK, 1e9, TARGET_GPU, 6300);
	correct(FAMILY_GEMM, 1e12);
	cr_expect_lt(guess.time_ns[TARGET_GPU] / guess.doubt[TARGET_GPU], 1000);
}

/* A product of two numbers takes as long as its overhead; this does not teach larger ones. */
Test(learn, overhead_stays_where_it_is)
{
	for (int i = 0; i < 5; i++)
		note(FAMILY_GEMM, 10, TARGET_CPU, 400000);
	correct(FAMILY_GEMM, 10);
	cr_expect_gt(guess.time_ns[TARGET_CPU], 5000);
	correct(FAMILY_GEMM, 1e9);
	cr_expect_eq(guess.time_ns[TARGET_CPU], 1000);
}

/* Thin products have corrections of their own. */
Test(learn, shapes)
{
	struct call call = work(FAMILY_GEMM, 2e9);
	const struct decision decision = {
		.target = TARGET_GPU, .model_cpu_ns = 1000, .model_gpu_ns = 1000};
	call.blas = (struct blas_call){.m = 100, .n = 100, .k = 100000};
	for (int i = 0; i < 3; i++)
		learn_note(&learn, &call, &decision, 5000);
	learn_correct(&learn, &call, &thousand, doubt, &guess);
	cr_expect(guess.time_ns[TARGET_GPU] == 5000 && guess.doubt[TARGET_GPU] == 1);
	call.blas = (struct blas_call){.m = 1000, .n = 1000, .k = 1000};
	learn_correct(&learn, &call, &thousand, doubt, &guess);
	cr_expect(guess.time_ns[TARGET_GPU] < 5000 && guess.doubt[TARGET_GPU] > 1);
}

/* Borders of buckets: a factor of four, over the range of a double. */
Test(learn, buckets)
{
	const struct call none = work(FAMILY_GEMM, 0), huge = work(FAMILY_GEMM, 1.7e308);
	cr_expect_eq(learn_find_bucket(&none), 0);
	cr_expect_lt(learn_find_bucket(&huge), 512);
	for (double flops = 1; flops < 1e300; flops *= 4) {
		const struct call call = work(FAMILY_GEMM, flops),
				  next = work(FAMILY_GEMM, flops * 3.99),
				  other = work(FAMILY_GEMM, flops * 4);
		cr_expect_eq(learn_find_bucket(&call), learn_find_bucket(&next));
		cr_expect_eq(learn_find_bucket(&call) + 1, learn_find_bucket(&other));
	}
}

Test(learn, totals)
{
	struct call call = work(FAMILY_GEMM, 1e9);
	struct decision gained = {.target = TARGET_GPU,
	                          .predicted_cpu_ns = 5000,
	                          .predicted_gpu_ns = 1000,
	                          .model_cpu_ns = 5000,
	                          .model_gpu_ns = 1000};
	learn_note(&learn, &call, &gained, 1500);
	struct decision looked = gained;
	looked.looks = true;
	learn_note(&learn, &call, &looked, 7000);
	cr_expect_eq(atomic_load(&learn.totals.offloads), 2);
	cr_expect_eq(atomic_load(&learn.totals.looks), 1);
	cr_expect(atomic_load(&learn.totals.gain_ns) == 3500 - 2000);
	cr_expect(atomic_load(&learn.totals.look_loss_ns) == 2000);
	cr_expect(atomic_load(&learn.totals.regret_ns) == 2000);
}

/* Sums are exact in any order; invalid times change nothing. */
Test(learn, savings)
{
	learn_note_saving(&learn, 5);
	learn_note_saving(&learn, -5);
	learn_note_saving(&learn, NAN);
	learn_note_saving(&learn, 7);
	learn_note_solver_saving(&learn, 3);
	learn_note_solver_saving(&learn, -3);
	cr_expect(atomic_load(&learn.savings_ns) == 12);
	cr_expect(atomic_load(&learn.solver_savings_ns) == 3);
}
