/* lasting_test.c - lasting memory is zeros, and no part of the heap of malloc */
/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <malloc.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "shim/base/lasting.h"

enum { BYTES = 100000 };

/* Blocks of malloc in use, in any arena, and the end of the heap. */
static size_t count_used(void)
{
	const struct mallinfo2 info = mallinfo2();
	return info.uordblks + info.hblkhd;
}

Test(lasting, malloc_has_no_part_in_it)
{
	static const char zeros[BYTES];
	const size_t used = count_used();
	const void *end = sbrk(0);
	char *first = lasting_take(BYTES), *second = lasting_take(BYTES);
	cr_expect_eq(count_used(), used);
	cr_expect_eq(sbrk(0), end);
	cr_assert(first != NULL && second != NULL && first != second);
	cr_expect_eq(memcmp(first, zeros, BYTES), 0);
	memset(first, 1, BYTES);
	cr_expect_eq(memcmp(second, zeros, BYTES), 0);
}

Test(lasting, too_much_is_refused)
{
	cr_expect_null(lasting_take(SIZE_MAX / 2));
}
