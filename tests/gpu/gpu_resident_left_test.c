/* gpu_resident_left_test.c - a handler jumps out of calls whose operands stay on the device */
/* SPDX-License-Identifier: Apache-2.0 */
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "gpu_check.h"
#include "gpu_check_observe.h"
#include "gpu_check_resident.h"
#include "shim/base/clock.h"
#include "shim/base/stack.h"
#include "shim/execute/gpu/blas/gpu_blas.h"
#include "shim/execute/gpu/copy/copiers.h"
#include "shim/execute/gpu/device/lane_owner.h"
#include "shim/execute/gpu/device/lanes.h"
#include "shim/execute/gpu/engine/staging.h"
#include "shim/execute/gpu/fft/gpu_fft.h"
#include "shim/execute/gpu/lapack/gpu_lapack.h"
#include "shim/execute/gpu/resident/resident.h"
#include "shim/shield/shield.h"

/* Matrices of 32 pages, in rings of a few. OPERATIONS: each of them is left once. */
enum {
	ORDER = 128,
	ELEMENTS = ORDER * ORDER,
	RING_BYTES = 64 << 10,
	OPERATIONS = 12,
	ROUNDS = 20,
	COPIERS = 2 /* on a machine with one processor, too */
};

static int gpu_device;
static sigjmp_buf jump;
static _Atomic int left_until; /* so many operations from now on; 0: never */

/* The signal is pending until the call lets handlers run. */
static void left_operate(const struct observe_operation *operation)
{
	(void)operation;
	if (atomic_load(&left_until) > 0 && atomic_fetch_sub(&left_until, 1) == 1)
		kill(getpid(), SIGUSR1);
}

static void left_jump(int number)
{
	(void)number;
	siglongjmp(jump, 1);
}

/* A copy thread asks, or arms, while the call is left: it waits for that, at most HELD_NS. */
enum { HELD_NS = 100000000 };
static atomic_bool holds;
static atomic_int held, held_arms;

static bool hold(void)
{
	const int64_t end_ns = clock_monotonic_ns() + HELD_NS;
	const bool waits = atomic_load(&holds) && gettid() != getpid();
	while (waits && atomic_load(&holds) && clock_monotonic_ns() < end_ns)
		sched_yield();
	return waits;
}

void __real_resident_arm(struct resident_operand *operand, uintptr_t stored_end);
void __wrap_resident_arm(struct resident_operand *operand, uintptr_t stored_end);
void __wrap_resident_arm(struct resident_operand *operand, uintptr_t stored_end)
{
	atomic_fetch_add(&held_arms, hold());
	__real_resident_arm(operand, stored_end);
}

void __real_resident_ask(struct resident_question *question);
void __wrap_resident_ask(struct resident_question *question);
void __wrap_resident_ask(struct resident_question *question)
{
	atomic_fetch_add(&held, hold());
	__real_resident_ask(question);
}

/* -- calls ------------------------------------------------------------------------------------- */

static enum reason run_lapack(enum family family, double *a, double *b)
{
	static int32_t pivots[ORDER], info;
	struct gpu_lapack_account account;
	bool finished;
	struct call call = {.family = family, .element = ELEMENT_D};
	call.lapack = (struct lapack_call){.m = ORDER,
	                                   .n = ORDER,
	                                   .nrhs = ORDER,
	                                   .a = a,
	                                   .b = b,
	                                   .lda = ORDER,
	                                   .ldb = ORDER,
	                                   .ipiv = pivots,
	                                   .info = &info};
	return gpu_lapack_run(&call, gpu_device, &account, &finished);
}

static enum reason solve(double *a, double *b)
{
	return run_lapack(FAMILY_GESV, a, b);
}

/* Any matrix is a pair of factors. Its pivots are those of the call before, or its own rows. */
static enum reason solve_again(double *a, double *b)
{
	return run_lapack(FAMILY_GETRS, a, b);
}

static enum reason transform(double *in, double *out)
{
	struct fft_problem problem = {.family = FAMILY_FFT_C2C,
	                              .element = ELEMENT_Z,
	                              .rank = 1,
	                              .loops = 1,
	                              .howmany = ORDER,
	                              .sign = -1,
	                              .in_place = in == out};
	problem.dims[0] = (struct fft_dim){ORDER / 2, 1, 1};
	problem.loop[0] = (struct fft_dim){ORDER, ORDER / 2, ORDER / 2};
	struct call call = {.family = FAMILY_FFT_C2C, .element = ELEMENT_Z};
	call.fft = (struct fft_call){.problem = &problem, .in = in, .out = out};
	return gpu_fft_run(&call, gpu_device);
}

static enum reason transform_in_place(double *a, double *b)
{
	(void)a;
	return transform(b, b);
}

/* B := A A. */
static enum reason multiply(double *a, double *b)
{
	const struct call call = gpu_check_square(ELEMENT_D, ORDER, a, a, b);
	bool finished = false;
	return gpu_blas_run(&call, NULL, gpu_device, NULL, &finished);
}

typedef enum reason left_call(double *a, double *b);

struct kind {
	const char *name;
	left_call *run; /* writes b, and maybe a */
};

static const struct kind kinds[] = {{"gesv", solve},
                                    {"getrs", solve_again},
                                    {"fft", transform},
                                    {"fft in place", transform_in_place},
                                    {"gemm", multiply}};

/* -- a call that is left, and what the next ones find ------------------------------------------ */

static void fill(double *matrix)
{
	for (int i = 0; i < ELEMENTS; i++)
		matrix[i] = gpu_check_random() + (i % (ORDER + 1) == 0 ? ORDER : 0);
}

/*
 * As the route does, but with one frame for all calls, as those of a loop have: a call that is made
 * deeper in the stack than the one that was left is not known to follow it.
 */
static const void *frame;
static enum reason run_shielded(left_call *run, double *a, double *b, int operations)
{
	struct shield shield;
	shield_begin(&shield);
	EXPECT(!lanes_is_inside(frame), "the call before has not ended");
	lane_owner_frame(frame);
	atomic_store(&left_until, operations);
	const enum reason reason = run(a, b);
	atomic_store(&left_until, 0);
	shield_end(&shield);
	return reason;
}

/* Whether the call was left. */
static bool leave(const struct kind *kind, double *a, double *b, int operations)
{
	if (sigsetjmp(jump, 1) != 0) {
		atomic_store(&left_until, 0);
		return true;
	}
	run_shielded(kind->run, a, b, operations);
	return false;
}

/* What is in the program's memory now, transformed with mirrors and without. */
static void expect_memory(const struct kind *kind, double *memory, double *with, double *without)
{
	EXPECT(run_shielded(transform, memory, with, 0) == REASON_NONE, "%s", kind->name);
	resident_close();
	EXPECT(run_shielded(transform, memory, without, 0) == REASON_NONE, "%s", kind->name);
	EXPECT(memcmp(with, without, ELEMENTS * sizeof *with) == 0, "%s: an old operand",
	       kind->name);
	gpu_check_open_tracking("gpu_resident_left");
}

static int test_left(const struct kind *kind)
{
	enum { ARRAYS = 6 };
	double *array[ARRAYS];
	int left = 0;
	frame = __builtin_frame_address(0);
	for (int i = 0; i < ARRAYS; i++)
		array[i] = gpu_check_make_memory(ELEMENTS);
	double *a = array[0], *b = array[1], *wanted_a = array[2], *wanted_b = array[3];
	for (int operations = 1; operations <= OPERATIONS; operations++) {
		/* Both are on the device. */
		fill(a);
		fill(b);
		memcpy(wanted_a, a, ELEMENTS * sizeof *a);
		memcpy(wanted_b, b, ELEMENTS * sizeof *b);
		run_shielded(transform, a, array[4], 0);
		run_shielded(transform, b, array[4], 0);
		left += leave(kind, a, b, operations);
		expect_memory(kind, b, array[4], array[5]);
		expect_memory(kind, a, array[4], array[5]);
		memcpy(a, wanted_a, ELEMENTS * sizeof *a);
		memcpy(b, wanted_b, ELEMENTS * sizeof *b);
		EXPECT(run_shielded(kind->run, a, b, 0) == REASON_NONE, "%s", kind->name);
		resident_close();
		EXPECT(run_shielded(kind->run, wanted_a, wanted_b, 0) == REASON_NONE, "%s",
		       kind->name);
		EXPECT(memcmp(b, wanted_b, ELEMENTS * sizeof *b) == 0, "%s: other digits",
		       kind->name);
		gpu_check_open_tracking("gpu_resident_left");
	}
	return left;
}

/*
 * Factors that the last calls have found unchanged: the kernel is asked while the device works, and
 * threads may still ask when the call is left. The program changes a page afterwards.
 */
static int test_left_unproven(void)
{
	enum { CALLS_BEFORE = 4, ARRAYS = 4 };
	static const struct kind *const solves = &kinds[1];
	double *array[ARRAYS];
	int left = 0;
	frame = __builtin_frame_address(0);
	for (int i = 0; i < ARRAYS; i++)
		array[i] = gpu_check_make_memory(ELEMENTS);
	double *a = array[0], *b = array[1], *same_a = array[2], *same_b = array[3];
	fill(a);
	for (int operations = 1; operations <= OPERATIONS; operations++) {
		for (int i = 0; i < CALLS_BEFORE; i++) {
			fill(b);
			EXPECT(run_shielded(solves->run, a, b, 0) == REASON_NONE, "a solve");
		}
		fill(b);
		atomic_store(&holds, true);
		left += leave(solves, a, b, operations);
		atomic_store(&holds, false);
		a[operations * (ELEMENTS / OPERATIONS) - 1] += 1;
		fill(b);
		memcpy(same_a, a, ELEMENTS * sizeof *a);
		memcpy(same_b, b, ELEMENTS * sizeof *b);
		EXPECT(run_shielded(solves->run, a, b, 0) == REASON_NONE, "a solve");
		EXPECT(run_shielded(solves->run, same_a, same_b, 0) == REASON_NONE, "a solve");
		EXPECT(memcmp(b, same_b, ELEMENTS * sizeof *b) == 0,
		       "other digits after a call that was left at operation %d", operations);
	}
	return left;
}

/*
 * Results of the call before are disarmed, and those of this one armed, by threads that may still
 * do so when the call is left. The program changes a page afterwards.
 */
static int test_left_armed(void)
{
	enum { ARRAYS = 4 };
	static const struct kind product = {"a product", multiply};
	double *array[ARRAYS];
	int left = 0;
	frame = __builtin_frame_address(0);
	for (int i = 0; i < ARRAYS; i++)
		array[i] = gpu_check_make_memory(ELEMENTS);
	double *a = array[0], *b = array[1];
	for (int operations = 1; operations <= OPERATIONS; operations++) {
		fill(a);
		EXPECT(run_shielded(multiply, a, b, 0) == REASON_NONE, "a product");
		atomic_store(&holds, true);
		left += leave(&product, a, b, operations);
		atomic_store(&holds, false);
		b[operations * (ELEMENTS / OPERATIONS) - 1] += 1;
		expect_memory(&product, b, array[2], array[3]);
	}
	return left;
}

static void left_nothing(void *argument)
{
	(void)argument;
}

int main(void)
{
	staging_set_sizes(RING_BYTES, RING_BYTES / 8);
	copiers_set_count(COPIERS);
	gpu_device = gpu_check_start(0);
	gpu_check_open_tracking("gpu_resident_left");
	stack_run(STACK_FOR_CPU, left_nothing, NULL); /* where the stack lies is known then */
	gpu_check_observe(left_operate);
	signal(SIGUSR1, left_jump);
	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
		const int left = test_left(&kinds[i]);
		EXPECT(left > 0, "%s was never left", kinds[i].name);
		printf("gpu_resident_left: %s was left %d times\n", kinds[i].name, left);
	}
	/* On a busy machine the thread that calls may do all jobs of some rounds itself. */
	int left = 0, armed = 0;
	for (int i = 0; i < ROUNDS && atomic_load(&held) == 0; i++)
		left += test_left_unproven();
	EXPECT(left > 0, "a solve with unproven factors was never left");
	EXPECT(atomic_load(&held) > 0, "no thread was asking then");
	printf("gpu_resident_left: solves with unproven factors were left %d times\n", left);
	for (int i = 0; i < ROUNDS && atomic_load(&held_arms) == 0; i++)
		armed += test_left_armed();
	EXPECT(armed > 0, "a product whose result is tracked was never left");
	EXPECT(atomic_load(&held_arms) > 0, "no thread was arming then");
	printf("gpu_resident_left: products with tracked results were left %d times\n", armed);
	const int status = gpu_check_end("gpu_resident_left");
	fflush(stdout);
	_exit(status); /* heap memory of calls that were left is lost */
}
