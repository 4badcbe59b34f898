/* plans_test.c - the table of plans: kept, found, forgotten, reused */
/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>

#include "shim/describe/plans.h"

static const void *plan_at(uintptr_t number)
{
	return (const void *)(0x10000 + number * 48);
}

static struct fft_request request_of(int64_t n, enum element element)
{
	return (struct fft_request){.problem = {.rank = 1, .dims = {{.n = n}}, .element = element}};
}

Test(plans, kept_found_forgotten)
{
	const struct fft_request request = request_of(17, ELEMENT_Z);
	cr_assert_null(plans_find(plan_at(1)));
	cr_assert(plans_keep(plan_at(1), &request));
	cr_assert_eq(plans_find(plan_at(1))->problem.dims[0].n, 17);
	cr_assert_null(plans_find(plan_at(2)));
	cr_assert(plans_forget(plan_at(1)));
	cr_assert_null(plans_find(plan_at(1)));
	cr_assert_not(plans_forget(plan_at(1)), "a second time");
	cr_assert_not(plans_forget(NULL));
}

/* Executing NULL is the program's mistake, but it must not run a plan that is gone. */
Test(plans, null_is_no_plan)
{
	const struct fft_request request = request_of(17, ELEMENT_Z);
	for (uintptr_t i = 0; i < 4000; i++)
		cr_assert(plans_keep(plan_at(i), &request));
	for (uintptr_t i = 1; i < 4000; i++)
		cr_assert(plans_forget(plan_at(i)));
	cr_assert_null(plans_find(NULL));
	for (uint32_t i = 0; i < PLANS_SLOTS; i++)
		cr_assert(plans_table[i].key > PLANS_GONE || plans_table[i].entry == NULL);
}

Test(plans, an_address_in_use_again_means_the_new_plan)
{
	const struct fft_request first = request_of(1, ELEMENT_Z), second = request_of(2, ELEMENT_Z);
	cr_assert(plans_keep(plan_at(5), &first));
	cr_assert(plans_keep(plan_at(5), &second));
	cr_assert_eq(plans_find(plan_at(5))->problem.dims[0].n, 2);
	cr_assert(plans_forget(plan_at(5)));
	cr_assert_null(plans_find(plan_at(5)));
}

Test(plans, many_come_and_go)
{
	enum { LIVE = 8000, ROUNDS = 200000 };
	static int64_t expected[LIVE];
	uint64_t random = 1;
	for (int round = 0; round < ROUNDS; round++) {
		random = random * 6364136223846793005u + 1442695040888963407u;
		const size_t at = (random >> 33) % LIVE;
		if (expected[at] != 0) {
			cr_assert_eq(plans_find(plan_at(at))->problem.dims[0].n, expected[at]);
			cr_assert(plans_forget(plan_at(at)));
			expected[at] = 0;
		} else {
			const struct fft_request request = request_of(round + 1, ELEMENT_C);
			if (plans_keep(plan_at(at), &request))
				expected[at] = round + 1;
		}
	}
	size_t live = 0;
	for (size_t at = 0; at < LIVE; at++) {
		const struct fft_request *entry = plans_find(plan_at(at));
		cr_assert_eq(entry != NULL, expected[at] != 0);
		live += entry != NULL;
	}
	cr_assert_eq(plans_kept, live);
	cr_assert_gt(live, LIVE / 4, "there was room for nearly all");
}

static int dropped;

static void count_dropped(const void *plan)
{
	cr_assert_not_null(plan);
	dropped++;
}

Test(plans, cleanup_forgets_one_precision)
{
	const struct fft_request single = request_of(3, ELEMENT_C), twice = request_of(4, ELEMENT_Z);
	for (uintptr_t i = 0; i < 20; i++)
		cr_assert(plans_keep(plan_at(i), i % 2 != 0 ? &single : &twice));
	plans_forget_all(ELEMENT_C, count_dropped);
	cr_assert_eq(dropped, 10);
	cr_assert_null(plans_find(plan_at(1)));
	cr_assert_not_null(plans_find(plan_at(2)));
}
