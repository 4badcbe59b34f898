/* copy_queue_test.c - scatters come first, the others in the order in which they were put */
/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>

#include "shim/execute/gpu/copy/copy_queue.h"

enum { JOBS = 7 };

static struct copy_bell bells[2];
static struct copy_job jobs[JOBS];
static struct copy_queue queue;

/* Gathers, scatters, a population and a question; bells take turns. */
static void put_all(void)
{
	static const enum copy_kind kinds[JOBS] = {COPY_GATHER,  COPY_SCATTER, COPY_GATHER,
	                                           COPY_SCATTER, COPY_ASK,     COPY_POPULATE,
	                                           COPY_GATHER};
	copy_queue_clear(&queue);
	for (int i = 0; i < JOBS; i++) {
		jobs[i] = (struct copy_job){.kind = kinds[i], .bell = &bells[i % 2]};
		copy_queue_put(&queue, &jobs[i]);
	}
	cr_assert_eq(queue.count, JOBS);
}

static void expect_order(const int *order, int count)
{
	for (int i = 0; i < count; i++)
		cr_expect_eq(copy_queue_take(&queue), &jobs[order[i]], "job %d", i);
	cr_expect_null(copy_queue_take(&queue));
	cr_expect_eq(queue.count, 0);
}

Test(copy_queue, scatters_come_first_and_questions_last)
{
	put_all();
	expect_order((const int[]){1, 3, 0, 2, 5, 6, 4}, JOBS);
	put_all();
	expect_order((const int[]){1, 3, 0, 2, 5, 6, 4}, JOBS);
}

/* Whoever takes copies alone leaves it to the others. */
Test(copy_queue, urgent_questions_come_first)
{
	const uint64_t most_bytes = 1;
	struct copy_job urgent = {.kind = COPY_ASK, .is_urgent = true}, second = urgent;
	for (int before = 0; before <= JOBS; before++) {
		put_all();
		for (int i = 0; i < before; i++)
			copy_queue_take(&queue);
		copy_queue_put(&queue, &urgent);
		copy_queue_put(&queue, &second);
		const struct copy_job *copy = copy_queue_take_copy(&queue, most_bytes);
		cr_expect_eq(copy != NULL, before < JOBS - 1, "after %d", before);
		cr_expect(copy != &urgent && copy != &second);
		cr_expect_eq(copy_queue_take(&queue), &urgent, "after %d", before);
		cr_expect_eq(copy_queue_take(&queue), &second, "after %d", before);
		cr_expect_eq(queue.count, JOBS - before - (copy != NULL));
	}
}

/* What is put later finds its place, whatever was taken before. */
Test(copy_queue, takes_more_between)
{
	for (int before = 0; before <= JOBS; before++) {
		struct copy_job scatter = {.kind = COPY_SCATTER}, gather = {.kind = COPY_GATHER};
		struct copy_job *last = NULL, *last_but_one = NULL;
		put_all();
		for (int i = 0; i < before; i++)
			copy_queue_take(&queue);
		copy_queue_put(&queue, &gather);
		copy_queue_put(&queue, &scatter);
		if (before < 2)
			for (int i = before; i < 2; i++)
				copy_queue_take(&queue);
		cr_expect_eq(copy_queue_take(&queue), &scatter, "after %d", before);
		for (struct copy_job *job; (job = copy_queue_take(&queue)) != NULL;) {
			last_but_one = last;
			last = job;
		}
		const bool asked = before == JOBS;
		cr_expect_eq(asked ? last : last_but_one, &gather, "after %d", before);
		cr_expect(asked || last == &jobs[4], "after %d", before);
	}
}

Test(copy_queue, jobs_of_a_bell_are_withdrawn)
{
	int count = 0;
	put_all();
	for (struct copy_job *job = copy_queue_take_all(&queue, &bells[1]); job != NULL;
	     job = job->next, count++)
		cr_expect_eq(job->bell, &bells[1]);
	cr_expect_eq(count, JOBS / 2);
	copy_queue_put(&queue, &jobs[1]);
	copy_queue_put(&queue, &jobs[5]);
	expect_order((const int[]){1, 0, 2, 6, 5, 4}, 6);
}

Test(copy_queue, what_is_kept_waits_for_what_is_sent)
{
	struct copy_job keep = {.kind = COPY_KEEP}, gather = {.kind = COPY_GATHER};
	put_all();
	copy_queue_put(&queue, &keep);
	copy_queue_put(&queue, &gather);
	for (int i = 0; i < JOBS - 1; i++)
		cr_expect_neq(copy_queue_take_copy(&queue, UINT64_MAX), &keep);
	cr_expect_eq(copy_queue_take_copy(&queue, UINT64_MAX), &gather);
	cr_expect_eq(copy_queue_take_copy(&queue, UINT64_MAX), &keep);
	expect_order((const int[]){4}, 1);
}

Test(copy_queue, questions_are_left_to_others)
{
	put_all();
	for (int i = 0; i < JOBS - 1; i++)
		cr_expect_not_null(copy_queue_take_copy(&queue, UINT64_MAX));
	cr_expect_null(copy_queue_take_copy(&queue, UINT64_MAX));
	cr_expect_eq(copy_queue_take(&queue), &jobs[4]);
}

Test(copy_queue, long_copies_are_left_to_others)
{
	enum { SCATTERS = 2, BYTES = 100 };
	put_all();
	for (int i = 0; i < JOBS; i++)
		jobs[i].area = (struct pack_area){.run_bytes = BYTES / 2, .count = 2};
	jobs[0].area.run_bytes++;
	for (int i = 0; i < SCATTERS; i++)
		cr_expect_not_null(copy_queue_take_copy(&queue, BYTES));
	cr_expect_null(copy_queue_take_copy(&queue, BYTES));
	cr_expect_eq(copy_queue_take_copy(&queue, BYTES + 2), &jobs[0]);
	cr_expect_eq(copy_queue_take_copy(&queue, BYTES), &jobs[2]);
}

Test(copy_queue, is_empty_in_the_end)
{
	put_all();
	cr_expect_not_null(copy_queue_take_all(&queue, &bells[0]));
	cr_expect_not_null(copy_queue_take_all(&queue, &bells[1]));
	expect_order(NULL, 0);
	copy_queue_put(&queue, &jobs[0]);
	expect_order((const int[]){0}, 1);
}
