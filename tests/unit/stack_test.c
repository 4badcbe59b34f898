/* stack_test.c - work on the thread's stack and on one of the shim's */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/base/stack.h"

#include <criterion/criterion.h>
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <sys/resource.h>
#include <ucontext.h>

#include "shim/base/aside.h"

#if defined(__SANITIZE_ADDRESS__)
#define STAYS true /* on the thread's stack, the only one that a sanitizer knows */
#else
#define STAYS false
#endif

enum { SMALL_BYTES = 1 << 15, FRAMES = 64 };

struct visit_of_stack {
	uintptr_t address;
	size_t left;
	int frames;
	void *frame[FRAMES];
	struct visit_of_stack *inner;
	enum stack_need inner_need;
};

static void look(void *context)
{
	struct visit_of_stack *visit = context;
	visit->address = (uintptr_t)__builtin_frame_address(0);
	visit->left = stack_find_left();
	visit->frames = backtrace(visit->frame, FRAMES);
	if (visit->inner != NULL)
		cr_expect(stack_run(visit->inner_need, look, visit->inner));
}

static bool is_near(uintptr_t address)
{
	const uintptr_t here = (uintptr_t)__builtin_frame_address(0);
	return address < here && here - address < SMALL_BYTES;
}

Test(stack, an_ample_stack_is_used)
{
	struct visit_of_stack visit = {0};
	cr_expect(stack_run(STACK_FOR_CPU, look, &visit));
	cr_expect(is_near(visit.address));
	cr_expect_gt(visit.left, (size_t)1 << 20);
	cr_expect_leq(visit.left, (size_t)8 << 20);
}

/* Counts the frames of this test's program from the outer end: main, the thread, the coroutine. */
static void *visit_small(void *context)
{
	struct visit_of_stack *visit = context, inner = {0}, larger = {0};
	visit->inner = &inner;
	visit->inner_need = STACK_FOR_CPU;
	inner.inner = &larger;
	inner.inner_need = STACK_FOR_GPU;
	cr_expect(stack_run(STACK_FOR_CPU, look, visit));
	if (STAYS)
		return NULL;
	cr_expect_not(is_near(visit->address));
	cr_expect_gt(visit->left, (size_t)1 << 17);
	cr_expect_lt(visit->address - inner.address, 4096u, "the inner work stays");
	cr_expect_gt(larger.left, (size_t)1 << 19);
	cr_expect_geq(larger.frames, visit->frames + 4, "the stacks are unwound");
	cr_expect_eq(stack_find_left() < SMALL_BYTES, true);
	return NULL;
}

static void run_small_thread(struct visit_of_stack *visit)
{
	static char stack[SMALL_BYTES] __attribute__((aligned(4096)));
	pthread_attr_t attributes;
	pthread_t thread;
	void *frame[FRAMES];
	backtrace(frame, FRAMES); /* loads libgcc here */
	pthread_attr_init(&attributes);
	cr_assert_eq(pthread_attr_setstack(&attributes, stack, sizeof stack), 0);
	cr_assert_eq(pthread_create(&thread, &attributes, visit_small, visit), 0);
	pthread_join(thread, NULL);
	pthread_attr_destroy(&attributes);
}

Test(stack, a_small_stack_is_left)
{
	struct visit_of_stack first = {0}, second = {0};
	if (STAYS)
		cr_skip_test("sanitizers need more than a small stack");
	run_small_thread(&first);
	run_small_thread(&second);
	cr_expect_eq(first.address, second.address, "the stack is kept for the next");
}

static struct visit_of_stack coroutine_visit;

static void run_coroutine(void)
{
	visit_small(&coroutine_visit);
}

static void run_with_coroutine(void)
{
	static char stack[SMALL_BYTES];
	ucontext_t here, there;
	struct visit_of_stack visit = {0};
	if (STAYS)
		cr_skip_test("sanitizers stay on the stack that they are on");
	cr_expect(stack_run(STACK_FOR_CPU, look, &visit));
	getcontext(&there);
	there.uc_stack.ss_sp = stack;
	there.uc_stack.ss_size = sizeof stack;
	there.uc_link = &here;
	makecontext(&there, run_coroutine, 0);
	swapcontext(&here, &there);
	cr_expect_neq(coroutine_visit.address, 0);
	cr_expect(stack_run(STACK_FOR_CPU, look, &visit));
	cr_expect(is_near(visit.address));
}

Test(stack, a_coroutines_stack_is_left)
{
	run_with_coroutine();
}

/* Then all memory could be the first thread's stack. */
Test(stack, a_coroutines_stack_is_left_without_a_limit)
{
	struct rlimit limit;
	getrlimit(RLIMIT_STACK, &limit);
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_STACK, &limit);
	run_with_coroutine();
}

static void *visit_without_memory(void *context)
{
	const struct rlimit none = {0, 0};
	struct visit_of_stack visit = {0}, inner = {0};
	(void)context;
	setrlimit(RLIMIT_AS, &none);
	cr_expect(stack_run(STACK_FOR_CPU, look, &visit), "there is a spare one");
	cr_expect_geq(visit.left, (size_t)SMALL_BYTES);
	cr_expect_not(stack_run(STACK_FOR_GPU, look, &inner));
	cr_expect_eq(inner.address, 0, "nothing was called");
	return NULL;
}

Test(stack, memory_is_short)
{
	static char stack[SMALL_BYTES] __attribute__((aligned(4096)));
	pthread_attr_t attributes;
	pthread_t thread;
	if (STAYS)
		cr_skip_test("sanitizers stay on the stack that they are on");
	pthread_attr_init(&attributes);
	cr_assert_eq(pthread_attr_setstack(&attributes, stack, sizeof stack), 0);
	cr_assert_eq(pthread_create(&thread, &attributes, visit_without_memory, NULL), 0);
	pthread_join(thread, NULL);
}

static void leave_traces(void *context)
{
	int state;
	*(bool *)context = true;
	errno = 5;
	dlopen("the-shim-s-own", RTLD_LAZY);
	pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &state);
	cr_expect_eq(state, PTHREAD_CANCEL_DISABLE);
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
}

Test(aside, leaves_no_trace)
{
	bool called = false;
	int state;
	dlopen("the-program-s", RTLD_LAZY);
	errno = 77;
	cr_expect(aside_run(STACK_FOR_CPU, leave_traces, &called));
	cr_expect(called);
	cr_expect_eq(errno, 77);
	cr_expect_not_null(strstr(dlerror(), "the-program-s"));
	pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &state);
	cr_expect_eq(state, PTHREAD_CANCEL_ENABLE);
}
