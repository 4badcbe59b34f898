/* sightings_test.c - operands of one call do not take each other's place, wherever they are */
/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>

#include "shim/execute/gpu/resident/sightings.h"

enum { OPERANDS = 40, PLACES = 2000, MATRIX_BYTES = 8000000 };

static struct host_view make_view(uintptr_t base)
{
	struct host_view view;
	cr_assert(host_view_make(&view, (void *)base, MATRIX_BYTES, MATRIX_BYTES, 1));
	return view;
}

/* The operands of a program, one after the other in memory, as malloc places them. */
static struct host_view find_operand(uintptr_t start, int operand)
{
	return make_view(start + (uintptr_t)operand * (MATRIX_BYTES + 4096));
}

static uintptr_t find_start(int place)
{
	return UINT64_C(0x7f0000000000) + (uintptr_t)place * 0x1235000;
}

static void ask_for_all(uintptr_t start, uint64_t change)
{
	for (int i = 0; i < OPERANDS; i++) {
		const struct host_view view = find_operand(start, i);
		sightings_find(&view)->sample = (uint64_t)i + change;
	}
}

/* In each of many address spaces a loop over three operands finds what it has left. */
Test(sightings, operands_of_a_call_are_all_known)
{
	for (int place = 0; place < PLACES; place++) {
		const uintptr_t start = find_start(place);
		struct host_view view[3];
		for (int i = 0; i < 3; i++) {
			view[i] = find_operand(start, i);
			sightings_find(&view[i])->sample = (uint64_t)i + 1;
		}
		for (int i = 0; i < 3; i++)
			cr_expect_eq(sightings_find(&view[i])->sample, (uint64_t)i + 1,
			             "operand %d in address space %d", i, place);
	}
}

/* Forty operands in turn: nearly all are known. */
Test(sightings, many_operands_are_known)
{
	int known = 0;
	for (int place = 0; place < PLACES / 10; place++) {
		ask_for_all(find_start(place), 1);
		for (int i = 0; i < OPERANDS; i++) {
			const struct host_view view = find_operand(find_start(place), i);
			known += sightings_find(&view)->sample == (uint64_t)i + 1;
		}
	}
	cr_expect_gt(known, OPERANDS * PLACES / 10 * 99 / 100, "%d", known);
}

/* The entry that is given for seven others is still the operand's own. */
Test(sightings, an_operand_keeps_its_entry_for_seven_others)
{
	const struct host_view view = make_view(find_start(0));
	for (int place = 1; place < PLACES; place += 7) {
		struct admission *admission = sightings_find(&view);
		admission->sample = (uint64_t)place;
		for (int other = 0; other < 7; other++) {
			const struct host_view next = make_view(find_start(place + other));
			sightings_find(&next)->sample = 0;
		}
		cr_expect_eq(admission, sightings_find(&view));
		cr_expect_eq(admission->sample, (uint64_t)place);
	}
}

Test(sightings, nothing_is_known_after_clear)
{
	const struct host_view view = make_view(find_start(0));
	sightings_find(&view)->sample = 5;
	sightings_clear();
	cr_expect_eq(sightings_find(&view)->sample, 0);
	cr_expect_eq(sightings_find(&view)->state, ADMISSION_NEW);
}
