/* flow_tail_test.c - each step of a program is the flow's or another thread's, never both */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/engine/flow_tail.h"

#include <criterion/criterion.h>
#include <pthread.h>

enum { STEPS = 1000, ROUNDS = 200, PANEL = 3 };

Test(flow_tail, steps_that_have_begun_are_not_taken)
{
	struct flow_tail tail;
	flow_tail_open(&tail, 2, 10);
	cr_assert_not(flow_tail_take(&tail, 1));
	cr_assert_not(flow_tail_take(&tail, 10));
	cr_assert(flow_tail_begin(&tail, 4));
	cr_assert(flow_tail_begin(&tail, 4));
	cr_assert_not(flow_tail_take(&tail, 4));
	cr_assert(flow_tail_take(&tail, 8));
	cr_assert_not(flow_tail_take(&tail, 8));
	cr_assert_not(flow_tail_begin(&tail, 8));
	cr_assert(flow_tail_begin(&tail, 7));
	cr_assert(flow_tail_take(&tail, 8) == false);
	const struct flow_tail_range range = flow_tail_read(&tail);
	cr_assert_eq(range.begun, 8);
	cr_assert_eq(range.end, 8);
}

static struct flow_tail shared;
static int owner[STEPS]; /* 1: the flow's */

static void *conduct(void *unused)
{
	(void)unused;
	for (uint32_t i = 0; i < STEPS && flow_tail_begin(&shared, i); i++)
		owner[i] += 1;
	return NULL;
}

Test(flow_tail, two_threads_share_all_steps)
{
	for (int round = 0; round < ROUNDS; round++) {
		pthread_t thread;
		flow_tail_open(&shared, 0, STEPS);
		for (int i = 0; i < STEPS; i++)
			owner[i] = 0;
		cr_assert_eq(pthread_create(&thread, NULL, conduct, NULL), 0);
		uint32_t end = STEPS;
		while (end >= PANEL && flow_tail_take(&shared, end - PANEL))
			for (int i = 0; i < PANEL; i++)
				owner[--end] += 2;
		pthread_join(thread, NULL);
		for (uint32_t i = 0; i < STEPS; i++)
			cr_assert(owner[i] == 1 + (i >= end), "step %u", i);
	}
}
