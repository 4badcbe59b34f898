/* gpu_left_lapack_test.c - planned factorizations that their thread leaves in the middle */
/* SPDX-License-Identifier: Apache-2.0 */
#include <malloc.h>
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include "gpu_check_lapack.h"
#include "gpu_check_observe.h"
#include "gpu_child.h"
#include "shim/base/one_off.h"
#include "shim/base/stack.h"
#include "shim/execute/gpu/device/lane_owner.h"
#include "shim/execute/gpu/engine/engine_rates.h"
#include "shim/execute/gpu/engine/staging.h"
#include "shim/execute/gpu/lapack/gpu_factor.h"
#include "shim/execute/gpu/session/session.h"
#include "shim/shield/shield.h"

enum { ENDED = 40, RING_BYTES = 64 << 10, LIMIT = 64 };

/* -- a call whose lane another thread takes, because its own is in a handler ------------------- */

static atomic_bool stored;
static sem_t asked, taken;

static void left_operate(const struct observe_operation *operation)
{
	if (operation->track == OBSERVE_COMMITS)
		atomic_store(&stored, true);
}

/* Once a part of the factors is in the program's memory. */
static void left_handle(int number)
{
	static atomic_bool done;
	(void)number;
	if (!atomic_load(&stored) || atomic_exchange(&done, true))
		return;
	sem_post(&asked);
	while (sem_wait(&taken) != 0)
		continue;
}

static sigjmp_buf jump;

static void left_jump(int number)
{
	static atomic_bool done;
	(void)number;
	if (atomic_load(&stored) && !atomic_exchange(&done, true))
		siglongjmp(jump, 1);
}

/* All lanes, the one of the call included. */
static void *left_take(void *argument)
{
	enum { LANES = 4 };
	struct lane *lane[LANES];
	int count = 0;
	while (sem_wait(&asked) != 0)
		continue;
	while (count < LANES && lanes_take(*(const int *)argument, &lane[count]) == REASON_NONE)
		count++;
	EXPECT(count == LANES, "%d lanes", count);
	while (count > 0)
		lanes_give(lane[--count]);
	sem_post(&taken);
	return NULL;
}

static const struct gpu_check_lapack left_wanted = {
	.family = FAMILY_GESV, .element = ELEMENT_D, .n = 600, .nrhs = 800};

/* Handlers run often while the planned call goes on. */
static int left_start(void (*handle)(int))
{
	static const struct machine slow = {.link_up_bytes = 1e7};
	const struct itimerval often = {{0, 5000}, {0, 5000}};
	const int device = gpu_check_start(LIMIT);
	gpu_check_observe(left_operate);
	engine_rates_set_machine(&slow);
	gpu_factor_choose(GPU_FACTOR_ALWAYS, left_wanted.n / 3, 0);
	signal(SIGALRM, handle);
	setitimer(ITIMER_REAL, &often, NULL);
	return device;
}

static void left_stop(void)
{
	const struct itimerval never = {{0, 0}, {0, 0}};
	setitimer(ITIMER_REAL, &never, NULL);
}

static int scenario_left(void)
{
	int device = left_start(left_handle);
	struct shield shield;
	pthread_t thread;
	sigset_t alarm;
	sigemptyset(&alarm);
	sigaddset(&alarm, SIGALRM);
	sem_init(&asked, 0, 0);
	sem_init(&taken, 0, 0);
	pthread_sigmask(SIG_BLOCK, &alarm, NULL);
	pthread_create(&thread, NULL, left_take, &device);
	pthread_sigmask(SIG_UNBLOCK, &alarm, NULL);
	shield_begin(&shield);
	const enum reason reason = gpu_check_run_lapack(&left_wanted, device);
	shield_end(&shield);
	left_stop();
	sem_post(&asked); /* should no handler have run */
	pthread_join(thread, NULL);
	EXPECT(reason == REASON_CALL_LEFT, "%s", reason_name(reason));
	session_note_outcome(reason);
	EXPECT(gpu_check_situation().gpu == GPU_READY, "the GPU was given up");
	return gpu_check_end("gpu_left_lapack left") == 0 ? ENDED : 1;
}

/* A handler jumps out of the first planned call: later ones are learnt from, and are right. */
static int scenario_jump(void)
{
	const int device = left_start(left_jump);
	struct shield shield;
	const bool jumped = sigsetjmp(jump, 1) != 0;
	if (!jumped) {
		shield_begin(&shield);
		gpu_check_run_lapack(&left_wanted, device);
		shield_end(&shield);
	}
	left_stop();
	EXPECT(jumped, "no handler ran");
	EXPECT(!one_off_since(one_off_mark()), "work of the first call never ends");
	const enum reason reason = gpu_check_run_lapack(
		&(struct gpu_check_lapack){
			.family = FAMILY_GESV, .element = ELEMENT_D, .n = 40, .nrhs = 2},
		device);
	EXPECT(reason == REASON_NONE, "%s", reason_name(reason));
	const int status = gpu_check_end("gpu_left_lapack jump") == 0 ? ENDED : 1;
	fflush(stdout);
	_exit(status); /* heap memory of the first call is lost */
}

/* -- jumps that leave the heap as it was ------------------------------------------------------- */

/* LEAVE_LIST_BYTES: less than the list of steps of such a plan has. */
enum { JUMPS = 9, JUMPS_BEFORE = 3, LEAVE_ORDER = 320, LEAVE_WIDTH = 8, LEAVE_LIST_BYTES = 30000 };

static atomic_bool may_jump;

static void leave_nothing(void *argument)
{
	(void)argument;
}

static void leave_jump(int number)
{
	(void)number;
	if (atomic_load(&stored) && atomic_exchange(&may_jump, false))
		siglongjmp(jump, 1);
}

/* A planned LU of one's own memory, which a handler leaves. */
static void leave_call(const struct call *call, int device)
{
	struct gpu_lapack_account account;
	struct shield shield;
	bool finished;
	double *a = call->lapack.a;
	for (int j = 0; j < LEAVE_ORDER; j++)
		for (int i = 0; i < LEAVE_ORDER; i++)
			a[i + j * LEAVE_ORDER] = i == j ? LEAVE_ORDER : (i + 3 * j) % 7;
	atomic_store(&stored, false);
	if (sigsetjmp(jump, 1) != 0)
		return;
	atomic_store(&may_jump, true);
	shield_begin(&shield);
	EXPECT(!lanes_is_inside(&account), "the call before has not ended");
	lane_owner_frame(&account);
	gpu_lapack_run(call, device, &account, &finished);
	shield_end(&shield);
	EXPECT(atomic_exchange(&may_jump, false) == false, "no handler ran");
}

/* What a call that was left had on the heap is freed when its lane is taken again. */
static int scenario_leaves(void)
{
	static double a[LEAVE_ORDER * LEAVE_ORDER];
	static int32_t ipiv[LEAVE_ORDER], info;
	const struct call call = {.family = FAMILY_GETRF,
	                          .element = ELEMENT_D,
	                          .lapack = {.m = LEAVE_ORDER,
	                                     .n = LEAVE_ORDER,
	                                     .lda = LEAVE_ORDER,
	                                     .a = a,
	                                     .ipiv = ipiv,
	                                     .info = &info}};
	const int device = left_start(leave_jump);
	size_t used = 0;
	stack_run(STACK_FOR_CPU, leave_nothing, NULL); /* where the stack lies is known then */
	gpu_factor_choose(GPU_FACTOR_ALWAYS, LEAVE_WIDTH, 0);
	for (int i = 0; i < JUMPS; i++) {
		leave_call(&call, device);
		/* The first ones make what lanes keep. */
		if (i == JUMPS_BEFORE)
			used = mallinfo2().uordblks;
	}
	left_stop();
	const int64_t more = (int64_t)(mallinfo2().uordblks - used);
	EXPECT(more < (JUMPS - 1 - JUMPS_BEFORE) * LEAVE_LIST_BYTES,
	       "%lld bytes more after %d jumps", (long long)more, JUMPS - 1 - JUMPS_BEFORE);
	const int status = gpu_check_end("gpu_left_lapack leaves") == 0 ? ENDED : 1;
	fflush(stdout);
	_exit(status);
}

static const struct {
	const char *name;
	int (*run)(void);
} scenarios[] = {{"left", scenario_left}, {"jump", scenario_jump}, {"leaves", scenario_leaves}};

/* Copies are slow, so that handlers run in the middle of calls. */
static void run_child(const char *scenario)
{
	struct gpu_child child = {.scenario = scenario,
	                          .setting = {"SIMCUDA_SLOW=cudaMemcpyAsync:4"}};
	gpu_child_run(&child);
	EXPECT(gpu_child_exited(&child, ENDED), "%s: status %x: %s", scenario,
	       (unsigned)child.status, child.errors);
	EXPECT(gpu_child_messages(&child) <= 1, "%s: %s", scenario, child.errors);
}

int main(int argc, char **argv)
{
	staging_set_sizes(RING_BYTES, RING_BYTES / 4);
	for (size_t i = 0; i < sizeof scenarios / sizeof scenarios[0]; i++)
		if (argc == 2 && strcmp(argv[1], scenarios[i].name) == 0)
			return scenarios[i].run();
	if (getenv("EPOCHLY_GPU_CUDA_PATH") == NULL) {
		printf("skipped: slow copies need a simulated CUDA in EPOCHLY_GPU_CUDA_PATH\n");
		return GPU_CHECK_SKIPPED;
	}
	for (size_t i = 0; i < sizeof scenarios / sizeof scenarios[0]; i++)
		run_child(scenarios[i].name);
	return gpu_check_end("gpu_left_lapack");
}
