/* admission_test.c - rewritten operands are seldom tracked, unchanged ones at the second call */
/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>

#include "policy/resident/admission.h"

enum { OPERAND_BYTES = 1000000 };

/* A call that reads the operand, of which so many bytes are clean if it is tracked. */
static bool read_once(struct admission *admission, uint64_t sample, uint64_t clean_bytes)
{
	switch (admission_next(admission)) {
	case ADMISSION_SAMPLE:
		return admission_judge_sample(admission, sample) &&
		       admission_judge_cost(admission, true);
	case ADMISSION_LOOK: return admission_judge_look(admission, clean_bytes, OPERAND_BYTES);
	default: return false;
	}
}

Test(admission, unchanged_is_tracked_at_the_second_call)
{
	struct admission admission = {.state = ADMISSION_NEW, .pays_input = true};
	cr_expect(!read_once(&admission, 7, 0));
	cr_expect(read_once(&admission, 7, 0));
	for (int i = 0; i < 1000; i++)
		cr_expect(read_once(&admission, 7, OPERAND_BYTES * 9 / 10));
}

Test(admission, another_sample_is_never_tracked)
{
	struct admission admission = {.state = ADMISSION_NEW, .pays_input = true};
	for (uint64_t i = 0; i < 1000; i++)
		cr_expect(!read_once(&admission, i, 0));
}

/* Only bytes that no sample has are rewritten: the worst case. */
Test(admission, wrong_guesses_grow_with_the_logarithm)
{
	struct admission admission = {.state = ADMISSION_NEW, .pays_input = true};
	int tracked = 0;
	for (int i = 0; i < 1000000; i++)
		tracked += read_once(&admission, 7, 0);
	cr_expect_leq(tracked, 20, "%d times", tracked);
	cr_expect_geq(tracked, 10, "%d times", tracked);
}

Test(admission, a_tenth_may_change)
{
	struct admission admission = {.state = ADMISSION_TRACKED, .pays_input = true};
	cr_expect(admission_judge_look(&admission, OPERAND_BYTES / 10 * 9, OPERAND_BYTES));
	cr_expect(!admission_judge_look(&admission, OPERAND_BYTES / 10 * 9 - 1, OPERAND_BYTES));
	cr_expect_eq(admission.state, ADMISSION_RESTING);
}

/* Hits that have paid for a rewriting make the next rest a short one. */
Test(admission, hits_shorten_the_rest)
{
	struct admission admission = {.state = ADMISSION_TRACKED, .exponent = 9};
	for (int i = 0; i < 10; i++)
		cr_expect(read_once(&admission, 7, OPERAND_BYTES));
	cr_expect(!read_once(&admission, 7, 0));
	cr_expect_eq(admission.rest, 1);
	admission = (struct admission){.state = ADMISSION_TRACKED, .exponent = 9};
	cr_expect(read_once(&admission, 7, OPERAND_BYTES));
	cr_expect(!read_once(&admission, 7, 0));
	cr_expect_eq(admission.rest, 512);
}

Test(admission, a_result_is_kept_once_it_was_read_unchanged)
{
	struct admission admission = {
		.state = ADMISSION_NEW, .pays_input = true, .pays_result = true};
	cr_expect(!admission_keeps_result(&admission));
	admission_note_result(&admission, 5);
	cr_expect(!admission_keeps_result(&admission));
	cr_expect(read_once(&admission, 5, 0));
	cr_expect(admission_keeps_result(&admission));
	admission_note_result(&admission, 6);
	cr_expect_eq(admission_next(&admission), ADMISSION_LOOK);
	cr_expect(!admission_judge_look(&admission, 0, OPERAND_BYTES));
	cr_expect(!admission_keeps_result(&admission));
}

/* It costs arming and disarming at each call. One that is read now and then is kept. */
Test(admission, a_kept_result_that_eight_calls_make_and_none_reads_is_kept_no_more)
{
	struct admission admission = {.state = ADMISSION_TRACKED,
	                              .is_reused = true,
	                              .pays_input = true,
	                              .pays_result = true};
	for (int i = 0; i < 100; i++) {
		admission_note_kept(&admission);
		cr_assert(admission_keeps_result(&admission), "after %d results", i);
		if (i % 8 == 7)
			cr_assert(read_once(&admission, 0, OPERAND_BYTES));
	}
	for (int i = 0; i < 5; i++) {
		cr_expect(admission_keeps_result(&admission));
		admission_note_kept(&admission);
	}
	cr_expect(!admission_keeps_result(&admission));
}

/* LU, some solves, or none. */
static bool factor_once(struct admission *admission, struct admission_announced *announced,
                        bool is_read)
{
	admission_announce(admission, announced, true);
	const bool keeps = admission_keeps_result(admission);
	if (keeps)
		admission_note_kept(admission);
	if (is_read && admission_next(admission) == ADMISSION_LOOK &&
	    admission_judge_look(admission, OPERAND_BYTES, OPERAND_BYTES))
		admission_note_read(admission, announced);
	return keeps;
}

Test(admission, announced_results_are_kept_as_long_as_every_second_one_is_read)
{
	struct admission_announced announced = {0, 0};
	for (int i = 0; i < 100; i++) {
		struct admission admission = {.pays_input = true, .pays_result = true};
		cr_assert(factor_once(&admission, &announced, i % 2 == 0), "result %d", i);
	}
	int kept = 0;
	for (int i = 0; i < 100; i++) {
		struct admission admission = {.pays_input = true, .pays_result = true};
		kept += factor_once(&admission, &announced, false);
	}
	cr_expect_eq(kept, 2);
}

Test(admission, an_announced_result_that_nobody_read_is_not_kept_for_long)
{
	struct admission_announced announced = {0, 0};
	struct admission admission = {.pays_input = true, .pays_result = true};
	cr_expect(factor_once(&admission, &announced, false));
	cr_expect(factor_once(&admission, &announced, false));
	cr_expect(!factor_once(&admission, &announced, false));
}

Test(admission, results_are_announced_in_vain_where_they_may_not_be_tracked)
{
	const struct admission never[] = {
		{.pays_result = false},
		{.pays_result = true, .was_rewritten = true},
		{.pays_result = true, .state = ADMISSION_RESTING, .rest = 1},
	};
	struct admission_announced announced = {0, 0};
	struct admission costly = {.pays_result = true};
	for (size_t i = 0; i < sizeof never / sizeof *never; i++) {
		struct admission admission = never[i];
		admission_announce(&admission, &announced, true);
		cr_expect(!admission_keeps_result(&admission), "%zu", i);
	}
	admission_announce(&costly, &announced, false);
	cr_expect(!admission_keeps_result(&costly));
	cr_expect_eq(announced.kept, 0);
}

/* In place: the sample before a call is that of the last call's result. */
static bool update_once(struct admission *admission, uint64_t before, uint64_t after)
{
	const bool keeps =
		(admission_takes_update(admission) && admission_judge_update(admission, before)) ||
		admission_keeps_result(admission);
	admission_note_overwritten(admission);
	if (admission_takes_result(admission))
		admission_note_result(admission, after);
	return keeps;
}

Test(admission, what_is_overwritten_is_kept_once_its_result_was_read_unchanged)
{
	struct admission admission = {
		.state = ADMISSION_NEW, .pays_input = true, .pays_result = true};
	cr_expect(!update_once(&admission, 1, 2));
	cr_expect(update_once(&admission, 2, 3));
	cr_expect(update_once(&admission, 3, 4));
	/* The program has rewritten it, too soon; so it rests for one call. */
	admission_note_update(&admission, 0, OPERAND_BYTES, true);
	cr_expect_eq(admission.state, ADMISSION_RESTING);
	cr_expect(!update_once(&admission, 4, 5));
	cr_expect(update_once(&admission, 5, 6));
	cr_expect(update_once(&admission, 6, 7));
	/* One that was read often may be rewritten. */
	for (int i = 0; i < 10; i++)
		admission_note_update(&admission, OPERAND_BYTES, OPERAND_BYTES, true);
	admission_note_update(&admission, 0, OPERAND_BYTES, true);
	cr_expect(update_once(&admission, 7, 8));
}

/* Its writes are no page faults where pages are hashed. */
Test(admission, four_hits_pay_for_a_change_that_is_no_page_fault)
{
	for (int faults = 0; faults < 2; faults++) {
		struct admission admission = {.state = ADMISSION_TRACKED, .hits = 4};
		admission_note_update(&admission, 0, OPERAND_BYTES, faults != 0);
		cr_expect_eq(admission.state == ADMISSION_RESTING, faults != 0);
	}
}

/*
 * Newton's method: a call makes a result, another one reads it, and the program rewrites its memory
 * before the first one makes the next. Returns whether the result is kept.
 */
static bool step_once(struct admission *admission, uint64_t rewritten, uint64_t result,
                      bool may_risk, bool *tracked)
{
	if (admission_takes_overwritten(admission))
		admission_judge_overwritten(admission, rewritten);
	admission_note_overwritten(admission);
	const bool keeps = admission_keeps_result(admission);
	if (admission_takes_result(admission))
		admission_note_result(admission, result);
	*tracked = admission_next(admission) == ADMISSION_SAMPLE &&
	           admission_judge_sample(admission, result) &&
	           admission_judge_cost(admission, may_risk);
	return keeps;
}

Test(admission, a_result_that_the_program_rewrites_after_it_was_read_is_not_kept)
{
	struct admission admission = {.pays_input = true, .pays_result = true};
	bool tracked;
	for (uint64_t i = 0; i < 1000; i++) {
		cr_assert_not(step_once(&admission, 2 * i, 2 * i + 1, false, &tracked));
		cr_assert_not(tracked);
	}
	/* It is noticed at once that the program rewrites it no more. */
	cr_expect_not(step_once(&admission, 0, 3001, false, &tracked));
	cr_expect(step_once(&admission, 3001, 3002, false, &tracked));
}

Test(admission, a_result_is_tracked_when_it_is_read_first_if_its_faults_would_be_few)
{
	struct admission admission = {.pays_input = true, .pays_result = true};
	bool tracked;
	cr_expect_not(step_once(&admission, 0, 1, true, &tracked));
	cr_expect(tracked);
}

Test(admission, a_kept_result_that_is_rewritten_too_soon_rests)
{
	/* Ten at least. */
	for (uint32_t paid = 0; paid <= 17; paid += 17) {
		const uint32_t enough = paid > 10 ? paid : 10;
		for (uint32_t hits = enough - 1; hits <= enough; hits++) {
			struct admission admission = {.state = ADMISSION_TRACKED,
			                              .is_reused = true,
			                              .hits = hits,
			                              .paid_hits = paid};
			admission.pays_input = admission.pays_result = true;
			cr_expect_eq(admission_is_paid(&admission), hits == enough);
			admission_note_rewritten(&admission);
			cr_expect_eq(admission_keeps_result(&admission), hits == enough);
			cr_expect_eq(admission.was_rewritten, hits < enough);
		}
	}
}

Test(admission, what_is_rewritten_before_it_is_overwritten_is_sampled_less_and_less_often)
{
	struct admission admission = {.pays_input = true, .pays_result = true};
	int samples = 0;
	for (uint64_t i = 0; i < 6400; i++) {
		samples += admission_takes_update(&admission) ? 1 : 0;
		cr_expect(!update_once(&admission, 2 * i, 2 * i + 1));
	}
	cr_expect_leq(samples, 110);
}

Test(admission, what_is_dearer_to_track_than_to_send_is_left_alone)
{
	struct admission admission = {.state = ADMISSION_NEW};
	for (int i = 0; i < 1000; i++)
		cr_expect(!read_once(&admission, 7, 0));
}

/* A result that is dearer to keep than to send is read once after each writing. */
Test(admission, a_result_that_is_read_once_is_not_tracked_if_keeping_it_does_not_pay)
{
	struct admission admission = {.state = ADMISSION_NEW, .pays_input = true};
	int tracked = 0;
	for (uint64_t i = 0; i < 100000; i++) {
		admission_note_overwritten(&admission);
		admission_note_result(&admission, i);
		tracked += read_once(&admission, i, OPERAND_BYTES);
	}
	cr_expect_eq(tracked, 0, "%d times", tracked);
}

Test(admission, an_input_that_is_read_often_may_be_overwritten)
{
	struct admission admission = {.state = ADMISSION_NEW, .pays_input = true};
	for (uint64_t i = 0; i < 100; i++) {
		int hits = 0;
		for (int j = 0; j < 10; j++)
			hits += read_once(&admission, i, OPERAND_BYTES);
		cr_expect_geq(hits, 8);
		admission_note_overwritten(&admission);
		admission_note_result(&admission, i + 1);
	}
}

Test(admission, a_result_that_is_changed_is_not_kept)
{
	struct admission admission = {.state = ADMISSION_NEW, .pays_input = true};
	admission_note_result(&admission, 5);
	cr_expect(!read_once(&admission, 6, 0));
	cr_expect(!admission_keeps_result(&admission));
}

Test(admission, memory_that_cannot_be_tracked_is_left_alone_longer_and_longer)
{
	struct admission admission = {.state = ADMISSION_NEW, .pays_input = true};
	int tries = 0;
	for (int i = 0; i < 100000; i++)
		if (read_once(&admission, 7, 0)) {
			admission_note_refused(&admission);
			tries++;
		}
	cr_expect_leq(tries, 17, "%d times", tries);
}

Test(admission, a_copy_that_went_for_others_is_a_new_operand)
{
	struct admission admission = {.state = ADMISSION_TRACKED, .sample = 7, .pays_input = true};
	admission_note_disarmed(&admission);
	cr_expect(!read_once(&admission, 7, 0));
	cr_expect(read_once(&admission, 7, 0));
}

Test(admission, faults_may_take_a_hundredth_of_the_time)
{
	const uint64_t second = 1000000000;
	cr_expect(!admission_is_costly(0, 0));
	cr_expect(!admission_is_costly(5000000, 0), "a few milliseconds never matter");
	cr_expect(admission_is_costly(5000001, second / 10));
	cr_expect(!admission_is_costly(second / 100, second));
	cr_expect(admission_is_costly(second / 100 + 1, second));
}

/* How many of so many calls take a sample, where each finds another one. */
static int count_samples(struct admission *admission, int calls)
{
	int samples = 0;
	for (int i = 0; i < calls; i++)
		if (admission_next(admission) == ADMISSION_SAMPLE) {
			samples++;
			cr_assert_not(admission_judge_sample(admission, (uint64_t)i + 100));
		}
	return samples;
}

Test(admission, what_always_changes_is_sampled_less_and_less_often)
{
	struct admission admission = {.state = ADMISSION_NEW};
	cr_expect(count_samples(&admission, 5) == 5);
	cr_expect(count_samples(&admission, 995) < 50);
	/* It is noticed within 66 calls that it does not change any more. */
	bool tracked = false;
	int calls = 0;
	for (; calls < 100 && !tracked; calls++)
		tracked = admission_next(&admission) == ADMISSION_SAMPLE &&
		          admission_judge_sample(&admission, 7);
	cr_expect(tracked && calls <= 67, "%d calls", calls);
}

Test(admission, a_result_that_nobody_reads_is_sampled_less_and_less_often)
{
	struct admission admission = {.state = ADMISSION_NEW};
	int samples = 0;
	for (uint64_t i = 0; i < 1000; i++)
		if (admission_takes_result(&admission)) {
			admission_note_result(&admission, i);
			samples++;
		}
	cr_expect(samples >= 4 && samples < 40, "%d samples", samples);
	/* One that is read each time is sampled each time. */
	admission = (struct admission){.state = ADMISSION_NEW};
	for (uint64_t i = 0; i < 100; i++) {
		cr_assert(admission_takes_result(&admission), "result %d", (int)i);
		admission_note_result(&admission, i);
		cr_assert(admission_next(&admission) == ADMISSION_SAMPLE);
		cr_assert(admission_judge_sample(&admission, i));
		admission.state = ADMISSION_SEEN; /* it does not pay to keep it */
	}
}

/* A call that reads its operand and overwrites it (a solve); samples before and after. */
static bool solve_once(struct admission *admission, uint64_t before, uint64_t after, int *samples)
{
	bool tracked = false;
	if (admission_next(admission) == ADMISSION_SAMPLE) {
		++*samples;
		tracked = admission_judge_sample(admission, before);
	}
	admission_note_overwritten(admission);
	if (admission_takes_result(admission)) {
		++*samples;
		admission_note_result(admission, after);
	}
	return tracked;
}

Test(admission, a_result_that_is_rewritten_before_it_is_read_is_sampled_less_and_less_often)
{
	struct admission admission = {
		.state = ADMISSION_NEW, .pays_input = true, .pays_result = true};
	int samples = 0, calls = 0;
	bool tracked = false;
	for (uint64_t i = 0; i < 6400; i++)
		cr_assert(!solve_once(&admission, 2 * i, 2 * i + 1, &samples));
	cr_expect_leq(samples, 300, "%d samples", samples);
	/* It is noticed that the program rewrites it no more. */
	for (; calls < 1000 && !tracked; calls++)
		tracked = solve_once(&admission, 20000 + (uint64_t)calls, 20001 + (uint64_t)calls,
		                     &samples);
	cr_expect(tracked && calls < 200, "%d calls", calls);
}
