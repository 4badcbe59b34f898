/* route_nest_test.c - calls of LAPACK inside a call of LAPACK, and marks that a jump left behind */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/route/route_nest.h"

#include <criterion/criterion.h>
#include <dlfcn.h>
#include <string.h>

/* The stack: the last element is the outermost frame. */
enum { DEEPEST, DEEPER, DEEP, OUTER, HIGHER, FRAMES };
static struct visit frames[FRAMES];

/* Addresses in two objects of which none is the shim, which is the program here. */
static const void *library, *other;

static void find_objects(void)
{
	library = dlsym(RTLD_DEFAULT, "getppid");
	other = dlsym(RTLD_DEFAULT, "cr_asprintf");
	cr_assert(library != NULL && other != NULL);
	memset(frames, 0xa5, sizeof frames);
}

static struct visit *enter(int frame, const void *caller)
{
	struct visit *visit = &frames[frame];
	visit->caller = caller;
	visit->code = (void *)(uintptr_t)library;
	visit->decision.target = TARGET_CPU;
	route_nest_enter(visit);
	return visit;
}

TestSuite(route_nest, .init = find_objects);

Test(route_nest, plain_calls_are_not_nested)
{
	for (int frame = DEEPEST; frame < FRAMES; frame++) {
		struct visit *visit = enter(frame, other);
		cr_assert(!visit->nested && !visit->below_fallback);
		route_nest_begin(visit, false);
		route_nest_end(visit);
	}
	for (int frame = HIGHER; frame >= DEEPEST; frame--) {
		struct visit *visit = enter(frame, other);
		cr_assert(!visit->nested);
		route_nest_begin(visit, true);
		route_nest_end(visit);
	}
}

Test(route_nest, an_inner_call_is_marked_and_its_time_is_told_once)
{
	struct visit *outer = enter(OUTER, other);
	route_nest_begin(outer, false);
	struct visit *inner = enter(DEEP, library);
	cr_assert(inner->nested && !inner->below_fallback);
	route_nest_begin(inner, false);
	struct visit *innermost = enter(DEEPER, library);
	cr_assert(innermost->nested);
	route_nest_end(innermost);
	route_nest_note(innermost, 7);
	route_nest_end(inner);
	cr_expect_eq(inner->inner.elapsed_ns, 7);
	route_nest_note(inner, 100);
	inner = enter(DEEP, library);
	cr_assert(inner->nested);
	route_nest_note(inner, 20);
	route_nest_end(outer);
	cr_expect_eq(outer->inner.elapsed_ns, 120);
	cr_expect(!outer->inner.used_gpu);
	route_nest_note(outer, 500);
	cr_expect(!enter(DEEP, library)->nested);
}

Test(route_nest, what_ran_on_the_gpu_is_told_to_all_calls_around_it)
{
	struct visit *outer = enter(OUTER, other);
	route_nest_begin(outer, false);
	struct visit *inner = enter(DEEP, library);
	route_nest_begin(inner, false);
	struct visit *innermost = enter(DEEPER, library);
	innermost->decision.target = TARGET_GPU;
	route_nest_note(innermost, 7);
	route_nest_end(inner);
	route_nest_end(outer);
	cr_expect(inner->inner.used_gpu);
	cr_expect(outer->inner.used_gpu);
}

Test(route_nest, calls_inside_one_that_came_back_stay_on_the_cpu)
{
	struct visit *outer = enter(OUTER, other);
	route_nest_begin(outer, true);
	struct visit *inner = enter(DEEP, library);
	cr_assert(inner->nested && inner->below_fallback);
	route_nest_begin(inner, false);
	cr_expect(enter(DEEPER, library)->below_fallback);
	route_nest_end(inner);
	route_nest_end(outer);
	cr_expect(!enter(DEEP, library)->below_fallback);
}

/* The next call has its frame where the outer one's was, above it, or deeper than it. */
Test(route_nest, a_jump_out_of_a_call_leaves_no_mark)
{
	static const int next[] = {OUTER, HIGHER, DEEP, DEEPEST};
	for (size_t i = 0; i < sizeof next / sizeof next[0]; i++) {
		route_nest_begin(enter(OUTER, other), true);
		struct visit *plain = enter(next[i], other);
		cr_assert(!plain->nested && !plain->below_fallback, "frame %d", next[i]);
		route_nest_begin(plain, false);
		cr_expect(plain->outer.frame == NULL);
		route_nest_end(plain);
		cr_expect(!enter(DEEPEST, library)->nested);
	}
}

Test(route_nest, a_jump_out_of_an_inner_call_leaves_no_mark)
{
	route_nest_begin(enter(OUTER, other), true);
	route_nest_begin(enter(DEEP, library), false);
	cr_expect(!enter(OUTER, other)->nested);
}

/* Where the program has the library in itself, the caller tells nothing. */
Test(route_nest, a_library_in_the_callers_object_has_inner_calls_too)
{
	struct visit *outer = enter(OUTER, library);
	route_nest_begin(outer, false);
	cr_expect(enter(DEEP, library)->nested);
	route_nest_end(outer);
	cr_expect(!enter(DEEP, library)->nested);
}

/* A routine that ends in a jump to the next one leaves the shim's return address to it. */
Test(route_nest, a_call_by_a_jump_has_inner_calls_too)
{
	struct visit *outer = enter(OUTER, other);
	route_nest_begin(outer, false);
	struct visit *jumped = enter(DEEP, (const void *)(uintptr_t)find_objects);
	cr_assert(jumped->nested);
	route_nest_begin(jumped, false);
	cr_expect(enter(DEEPER, (const void *)(uintptr_t)find_objects)->nested);
	cr_expect(enter(DEEPER, library)->nested);
	route_nest_end(jumped);
	route_nest_end(outer);
}
