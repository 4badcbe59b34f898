/* plans_test.c - the table of plans: kept, found, removed, reused */
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

static void ignore(const void *plan, struct plan_entry *entry)
{
	cr_assert(plan != NULL && entry != NULL);
}

Test(plans, kept_found_forgotten)
{
	const struct fft_request request = request_of(17, ELEMENT_Z);
	cr_assert_null(plans_find(plan_at(1)));
	cr_assert(plans_keep(plan_at(1), &request, false));
	cr_assert_eq(plans_find(plan_at(1))->request.problem.dims[0].n, 17);
	cr_assert_null(plans_find(plan_at(2)));
	cr_assert(plans_forget(plan_at(1), ignore));
	cr_assert_null(plans_find(plan_at(1)));
	cr_assert_not(plans_forget(plan_at(1), ignore), "a second time");
	cr_assert_not(plans_forget(NULL, ignore));
}

/* Executing NULL is the program's mistake, but it must not run a removed plan. */
Test(plans, null_is_no_plan)
{
	const struct fft_request request = request_of(17, ELEMENT_Z);
	for (uintptr_t i = 0; i < 4000; i++)
		cr_assert(plans_keep(plan_at(i), &request, false));
	for (uintptr_t i = 1; i < 4000; i++)
		cr_assert(plans_forget(plan_at(i), ignore));
	cr_assert_null(plans_find(NULL));
	for (uint32_t i = 0; i < PLANS_SLOTS; i++)
		cr_assert(plans_table[i].key > PLANS_GONE || plans_table[i].entry == NULL);
}

Test(plans, an_address_in_use_again_means_the_new_plan)
{
	const struct fft_request first = request_of(1, ELEMENT_Z),
				 second = request_of(2, ELEMENT_Z);
	cr_assert(plans_keep(plan_at(5), &first, false));
	cr_assert(plans_keep(plan_at(5), &second, false));
	cr_assert_eq(plans_find(plan_at(5))->request.problem.dims[0].n, 2);
	cr_assert(plans_forget(plan_at(5), ignore));
	cr_assert_null(plans_find(plan_at(5)));
}

Test(plans, small_ones_are_told_apart)
{
	const struct fft_request request = request_of(17, ELEMENT_Z);
	cr_assert_not(plans_is_small(plan_at(7)), "unknown plans need a look");
	cr_assert(plans_is_small(NULL), "only its library can answer for NULL");
	cr_assert(plans_keep(plan_at(7), &request, true));
	cr_assert(plans_is_small(plan_at(7)) && plans_is_first(plan_at(7)));
	cr_assert_eq(plans_find(plan_at(7))->request.problem.dims[0].n, 17);
	cr_assert(plans_keep(plan_at(7), &request, false), "its address is in use again");
	cr_assert_not(plans_is_small(plan_at(7)) || plans_is_first(plan_at(7)));
	cr_assert(plans_keep(plan_at(7), &request, true));
	cr_assert(plans_forget(plan_at(7), ignore));
	cr_assert_not(plans_is_small(plan_at(7)));
}

/* Of small plans only the precision is kept, for all of them together. */
Test(plans, small_ones_cost_no_memory)
{
	const struct fft_request request = request_of(3, ELEMENT_C);
	for (uintptr_t i = 0; i < 10; i++)
		cr_assert(plans_keep_small(plan_at(i), i % 2 != 0 ? ELEMENT_C : ELEMENT_L));
	cr_assert_not(plans_keep_small(NULL, ELEMENT_Z));
	cr_assert(plans_is_small(plan_at(3)) && plans_find(plan_at(3)) == plans_find(plan_at(5)));
	cr_assert(plans_find(plan_at(3)) != plans_find(plan_at(4)));
	cr_assert_eq(plans_find(plan_at(4))->request.problem.element, ELEMENT_L);
	cr_assert(plans_keep(plan_at(3), &request, false), "its address is in use again");
	cr_assert(plans_keep_small(plan_at(3), ELEMENT_C), "and once more");
	cr_assert(plans_forget(plan_at(3), ignore) && plans_find(plan_at(5)) != NULL);
	plans_forget_all(ELEMENT_L, ignore);
	cr_assert(plans_find(plan_at(4)) == NULL && plans_find(plan_at(5)) != NULL);
}

/* Where their first places are taken, the short search fails and the long one finds them. */
Test(plans, small_ones_that_collide)
{
	enum { PLANS = 20000, APART_BYTES = 208 }; /* so many that some collide */
	static char memory[PLANS * APART_BYTES];
	const struct fft_request request = request_of(17, ELEMENT_Z);
	size_t displaced = 0;
	for (size_t i = 0; i < PLANS; i++)
		cr_assert(plans_keep(memory + i * APART_BYTES, &request, true));
	for (size_t i = 0; i < PLANS; i++) {
		cr_assert(plans_is_small(memory + i * APART_BYTES));
		displaced += !plans_is_first(memory + i * APART_BYTES);
	}
	cr_assert(displaced > 0 && displaced < PLANS, "%zu of %d", displaced, PLANS);
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
			cr_assert_eq(plans_find(plan_at(at))->request.problem.dims[0].n,
			             expected[at]);
			cr_assert(plans_forget(plan_at(at), ignore));
			expected[at] = 0;
		} else {
			const struct fft_request request = request_of(round + 1, ELEMENT_C);
			if (plans_keep(plan_at(at), &request, false))
				expected[at] = round + 1;
		}
	}
	size_t live = 0;
	for (size_t at = 0; at < LIVE; at++) {
		const struct plan_entry *entry = plans_find(plan_at(at));
		cr_assert_eq(entry != NULL, expected[at] != 0);
		live += entry != NULL;
	}
	cr_assert_gt(live, LIVE / 4, "there was room for nearly all");
}

static int dropped;

static void count_dropped(const void *plan, struct plan_entry *entry)
{
	cr_assert_null(plans_find(plan), "it is not found any more, and not freed yet");
	cr_assert_eq(entry->request.problem.dims[0].n, 3);
	dropped++;
}

Test(plans, cleanup_forgets_one_precision)
{
	const struct fft_request single = request_of(3, ELEMENT_C),
				 twice = request_of(4, ELEMENT_Z);
	for (uintptr_t i = 0; i < 20; i++)
		cr_assert(plans_keep(plan_at(i), i % 2 != 0 ? &single : &twice, i % 3 == 0));
	plans_forget_all(ELEMENT_C, count_dropped);
	cr_assert_eq(dropped, 10);
	cr_assert_null(plans_find(plan_at(1)));
	cr_assert_not_null(plans_find(plan_at(2)));
}
