/* host_view_test.c - rows of an operand, the pages that are its own, and sets of pages */
/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>

#include "shim/execute/gpu/pages/host_view.h"

/* Addresses only: nothing there is read. */
static struct host_view view_of(uintptr_t base, uint64_t width, uint64_t pitch, uint64_t rows)
{
	struct host_view view;
	cr_assert(host_view_make(&view, (const void *)base, width, pitch, rows));
	return view;
}

static void expect_span(struct pages_span found, uintptr_t start, uintptr_t end, const char *what)
{
	cr_expect(found.start == start && found.end == end, "%s: %zx to %zx", what,
	          (size_t)found.start, (size_t)found.end);
}

Test(host_view, nothing_and_what_does_not_fit_is_refused)
{
	struct host_view view;
	const void *base = (const void *)(uintptr_t)4096;
	cr_expect(!host_view_make(&view, NULL, 8, 8, 1));
	cr_expect(!host_view_make(&view, base, 0, 8, 1));
	cr_expect(!host_view_make(&view, base, 8, 8, 0));
	cr_expect(!host_view_make(&view, base, 8, 7, 2), "rows overlap");
	cr_expect(!host_view_make(&view, base, 8, UINT64_MAX / 2, 4), "an overflow");
	cr_expect(!host_view_make(&view, base, UINT64_MAX, UINT64_MAX, 1), "an overflow");
	cr_expect(!host_view_make(&view, base, UINT64_MAX - 8192, 8, 1), "the end of memory");
}

Test(host_view, rows_without_gaps_are_one)
{
	const struct host_view view = view_of(5000, 100, 100, 50);
	cr_expect_eq(view.rows, 1);
	cr_expect_eq(host_view_bytes(&view), 5000);
	expect_span(host_view_hull(&view), 5000, 10000, "hull");
}

Test(host_view, own_pages_hold_nothing_else)
{
	const uintptr_t page = pages_size();
	const struct host_view view = view_of(page + 8, 3 * page, 4 * page, 2);
	expect_span(host_view_own_pages(&view, 0), 2 * page, 4 * page, "first row");
	expect_span(host_view_own_pages(&view, 1), 6 * page, 8 * page, "second row");
	cr_expect_eq(host_view_count_own(&view), 4);
	const struct host_view exact = view_of(page, 2 * page, 2 * page, 1);
	cr_expect_eq(host_view_count_own(&exact), 2);
	const struct host_view small = view_of(page, page - 1, page, 100);
	cr_expect_eq(host_view_count_own(&small), 0);
}

/* Many rows are counted by the pattern of their first bytes, as one by one. */
Test(host_view, own_pages_of_many_rows)
{
	const uint64_t page = pages_size(),
		       pitches[] = {8192, 32800, 12296, 40001, 4096, 65536 + 64};
	for (size_t i = 0; i < sizeof pitches / sizeof *pitches; i++)
		for (uint64_t rows = 1; rows < 9000; rows = rows * 3 + 1) {
			const uint64_t width = pitches[i] - (i % 2) * 16;
			const struct host_view view = {5 * page + 24 * i, width, pitches[i], rows,
			                               0};
			uint64_t count = 0;
			for (uint64_t row = 0; row < rows; row++) {
				const struct pages_span own = host_view_own_pages(&view, row);
				count += pages_is_empty(own) ? 0 : pages_in(own);
			}
			cr_expect_eq(host_view_count_own(&view), count, "%lu rows, pitch %lu",
			             (unsigned long)rows, (unsigned long)pitches[i]);
		}
}

Test(host_view, rows_are_joined_where_no_page_lies_between_them)
{
	const uintptr_t page = pages_size();
	const struct host_view near = view_of(page + 8, 3 * page, 4 * page - 1, 5),
			       joined = host_view_join_rows(&near),
			       far = view_of(page + 8, 3 * page, 4 * page, 5),
			       apart = host_view_join_rows(&far);
	cr_expect_eq(joined.rows, 1);
	expect_span(host_view_hull(&joined), host_view_hull(&near).start, host_view_hull(&near).end,
	            "joined");
	cr_expect(host_view_equals(&apart, &far));
}

Test(host_view, touches_only_bytes_of_rows)
{
	const struct host_view view = view_of(10000, 100, 1000, 3);
	cr_expect(host_view_touches(&view, (struct pages_span){0, 10001}));
	cr_expect(!host_view_touches(&view, (struct pages_span){0, 10000}));
	cr_expect(!host_view_touches(&view, (struct pages_span){10100, 11000}), "a gap");
	cr_expect(host_view_touches(&view, (struct pages_span){10100, 11001}));
	cr_expect(host_view_touches(&view, (struct pages_span){12099, 90000}));
	cr_expect(!host_view_touches(&view, (struct pages_span){12100, 90000}), "behind the end");
	cr_expect(!host_view_touches(&view, (struct pages_span){11000, 11000}), "nothing");
}

/* 200 pages: more than three words of bits. */
Test(host_view, sets_of_pages)
{
	const uintptr_t page = pages_size(), first = 1000 * page;
	struct pages_set set, kept;
	cr_assert(pages_begin(&set, (struct pages_span){first, first + 200 * page}));
	pages_add(&set, (struct pages_span){first + 60 * page, first + 130 * page});
	cr_expect_eq(pages_count(&set, set.span), 70);
	cr_expect(!pages_has(&set, first + 60 * page - 1));
	cr_expect(pages_has(&set, first + 60 * page));
	cr_expect(pages_has(&set, first + 130 * page - 1));
	cr_expect(!pages_has(&set, first + 130 * page));
	cr_expect(!pages_has(&set, 0) && !pages_has(&set, first + 200 * page));
	pages_remove(&set, (struct pages_span){first + 64 * page, first + 128 * page});
	expect_span(pages_find_run(&set, set.span, false), first + 60 * page, first + 64 * page,
	            "present");
	expect_span(
		pages_find_run(&set, (struct pages_span){first + 61 * page, set.span.end}, true),
		first + 64 * page, first + 128 * page, "absent");
	/* One that begins elsewhere. */
	cr_assert(pages_begin(&kept, (struct pages_span){first + 62 * page, first + 129 * page}));
	pages_add(&kept, kept.span);
	cr_expect_eq(pages_keep(&set, &kept, (struct pages_span){first, first + 63 * page}), 2);
	cr_expect_eq(pages_count(&set, set.span), 4);
	cr_expect_eq(pages_keep(&set, &kept, set.span), 1, "page 129");
	cr_expect_eq(pages_count(&set, set.span), 3);
	pages_end(&set);
	pages_end(&kept);
}
