/* gpu_check_handlers.c - calls that handlers of signals interrupt, or leave by a jump */
/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu_check_handlers.h"

#include <dirent.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/time.h>

#include "gpu_check.h"
#include "shim/execute/gpu/device/lane_owner.h"
#include "shim/execute/gpu/device/lanes.h"
#include "shim/shield/shield.h"

enum { TICK_US = 300, THREADS = 20 };

static volatile sig_atomic_t ticks;
static sigjmp_buf back;
static bool jumps;

static void tick(int number)
{
	(void)number;
	ticks++;
	if (jumps)
		siglongjmp(back, 1);
}

static void begin_ticks(void)
{
	const struct sigaction action = {.sa_handler = tick};
	const struct itimerval timer = {{0, TICK_US}, {0, TICK_US}};
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &timer, NULL);
}

static void end_ticks(void)
{
	const struct itimerval none = {{0, 0}, {0, 0}};
	setitimer(ITIMER_REAL, &none, NULL);
}

/* As the route does, with one frame for all calls, as those of a loop have. */
static const void *frame;
static void run_shielded(const struct gpu_check_interrupted *call)
{
	struct shield shield;
	shield_begin(&shield);
	EXPECT(!lanes_is_inside(frame), "the call before has not ended");
	lane_owner_frame(frame);
	const enum reason reason = call->run(call->object, call->device);
	shield_end(&shield);
	EXPECT(reason == REASON_NONE, "%s", reason_name(reason));
}

void gpu_check_run_in_ticks(const struct gpu_check_interrupted *call)
{
	frame = __builtin_frame_address(0);
	begin_ticks();
	run_shielded(call);
	end_ticks();
}

int gpu_check_count_ticks(void)
{
	return ticks;
}

static int count_threads(void)
{
	int count = 0;
	DIR *tasks = opendir("/proc/self/task");
	while (tasks != NULL && readdir(tasks) != NULL)
		count++;
	if (tasks != NULL)
		closedir(tasks);
	return count;
}

void gpu_check_jump_out(const struct gpu_check_interrupted *wanted, int count)
{
	static struct gpu_check_interrupted call;
	static int left;
	call = *wanted;
	frame = __builtin_frame_address(0);
	run_shielded(&call);
	for (volatile int i = 0; i < count; i++) {
		jumps = true;
		if (sigsetjmp(back, 1) == 0) {
			begin_ticks();
			run_shielded(&call);
		} else {
			left++;
		}
		jumps = false;
		end_ticks();
		run_shielded(&call);
	}
	EXPECT(left > 0, "no handler jumped");
	EXPECT(count_threads() < THREADS, "%d threads", count_threads());
}
