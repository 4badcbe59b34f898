/* gpu_devices_test.c - several devices: which start, which takes a call, lanes of one thread */
/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "gpu_check.h"
#include "gpu_scenarios.h"
#include "shim/base/clock.h"
#include "shim/execute/gpu/device/lanes.h"
#include "shim/execute/gpu/engine/flow.h"
#include "shim/execute/gpu/session/session.h"

enum { DEVICES = 3, THREADS = 6, ROUNDS = 4 };

static atomic_long held, least_held;

static void observe(int64_t difference)
{
	const long now = atomic_fetch_add(&held, difference) + difference;
	if (now < atomic_load(&least_held))
		atomic_store(&least_held, now);
}

static enum reason run_gemm(int64_t n, int device)
{
	const struct gpu_check_gemm gemm = {
		.element = ELEMENT_D, .m = n, .n = n, .k = n, .alpha = 1, .beta = 0};
	return gpu_check_run_gemm(&gemm, device);
}

static enum reason run_fft(int device)
{
	const struct gpu_check_fft fft = {.family = FAMILY_FFT_C2C,
	                                  .element = ELEMENT_Z,
	                                  .rank = 1,
	                                  .n = {96},
	                                  .howmany = 2,
	                                  .sign = -1};
	return gpu_check_run_fft(&fft, device);
}

static void start(const char *devices)
{
	memory_set_observer(observe);
	snprintf(gpu_check_configure(0)->devices, OPTION_TEXT_BYTES, "%s", devices);
	gpu_check_start_configured();
}

static struct lane *take(int device)
{
	struct lane *lane = NULL;
	const enum reason reason = lanes_take(device, &lane);
	EXPECT(reason == REASON_NONE && lane->device == device, "a lane of device %d: %s", device,
	       reason_name(reason));
	return lane;
}

/* The calling thread's current device, as the program sees it. */
static int current_device(void)
{
	int (*get_device)(int *) = (int (*)(int *))gpu_check_function("cudaGetDevice");
	int device = -1;
	get_device(&device);
	return device;
}

static void test_each(void)
{
	for (int device = 0; device < DEVICES; device++) {
		EXPECT(run_gemm(20, device) == REASON_NONE, "gemm on device %d", device);
		EXPECT(run_fft(device) == REASON_NONE && run_fft(device) == REASON_NONE,
		       "fft on device %d", device);
	}
	EXPECT(gpu_check_count("cufftMakePlanMany64") == DEVICES, "a plan each");
	EXPECT(run_gemm(20, DEVICES) == REASON_DEVICE_FAILED, "there is no such device");
	EXPECT(run_gemm(20, -1) == REASON_DEVICE_FAILED &&
	               run_gemm(20, CUDA_DEVICES) == REASON_DEVICE_FAILED,
	       "nor it");
}

/* One thread takes a lane of each device; its own current device is restored. */
static void test_choice(void)
{
	struct lane *lane[DEVICES];
	EXPECT(gpu_check_situation().device == 0, "of equals the first");
	errno = EDOM;
	for (int device = 0; device < DEVICES; device++) {
		lane[device] = take(device);
		EXPECT(current_device() == device, "it is current");
		EXPECT(gpu_check_situation().device == (device + 1) % DEVICES,
		       "the next call goes where none is");
	}
	lanes_note_work(0, 2000);
	lanes_note_work(1, 1000);
	lanes_note_work(2, 3000);
	EXPECT(lanes_choose() == 1, "the least work: %d", lanes_choose());
	for (int device = DEVICES - 1; device >= 0; device--)
		lanes_give(lane[device]);
	EXPECT(errno == EDOM && current_device() == 0, "errno %d, device %d", errno,
	       current_device());
	EXPECT(lanes_choose() == 1, "still");
	lanes_note_work(0, -2000);
	lanes_note_work(1, -1000);
	lanes_note_work(2, -3000);
	EXPECT(lanes_choose() == 0, "all is done");
}

static int chosen_meanwhile;

static int64_t choose_meanwhile(void)
{
	chosen_meanwhile = lanes_choose();
	return clock_monotonic_ns();
}

/* A transform in progress counts more than the microsecond of work queued on the other devices. */
static void test_transform(void)
{
	for (int device = 1; device < DEVICES; device++)
		lanes_note_work(device, 1000);
	flow_set_clock(choose_meanwhile);
	EXPECT(run_fft(0) == REASON_NONE, "fft");
	flow_set_clock(clock_monotonic_ns);
	EXPECT(chosen_meanwhile == 1, "not its device, but %d", chosen_meanwhile);
	EXPECT(lanes_choose() == 0, "until it is done");
	for (int device = 1; device < DEVICES; device++)
		lanes_note_work(device, -1000);
}

static void *run_rounds(void *argument)
{
	(void)argument;
	for (int round = 0; round < ROUNDS; round++) {
		EXPECT(run_gemm(24, lanes_choose()) == REASON_NONE, "gemm");
		EXPECT(run_fft(lanes_choose()) == REASON_NONE, "fft");
	}
	return NULL;
}

static void test_threads(void)
{
	pthread_t thread[THREADS];
	for (int i = 0; i < THREADS; i++)
		pthread_create(&thread[i], NULL, run_rounds, NULL);
	for (int i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	EXPECT(lanes_choose() == 0, "nothing is counted any more");
}

static int scenario_all(void)
{
	start("all");
	EXPECT(session_device_count() == DEVICES, "%d devices", session_device_count());
	test_each();
	test_choice();
	test_transform();
	test_threads();
	return gpu_check_end("all");
}

/* The order of the option is the order of preference. */
static int scenario_order(void)
{
	start("2, 0,2");
	EXPECT(session_device_count() == 2, "%d devices", session_device_count());
	EXPECT(gpu_check_situation().device == 2, "the first named: %d",
	       gpu_check_situation().device);
	EXPECT(run_gemm(20, 1) == REASON_DEVICE_FAILED, "it was not named");
	return gpu_check_end("order");
}

/* One of three devices is not used, because of SIMCUDA_FAIL or the option. */
static int scenario_left_out(void)
{
	start(getenv("TEST_DEVICES"));
	EXPECT(session_device_count() == 2, "%d devices", session_device_count());
	EXPECT(run_gemm(20, gpu_check_situation().device) == REASON_NONE, "the others work");
	EXPECT(current_device() == 0, "device %d", current_device());
	return gpu_check_end("left_out");
}

static int scenario_none(void)
{
	snprintf(gpu_check_configure(0)->devices, OPTION_TEXT_BYTES, "all");
	session_wake();
	EXPECT(gpu_check_situation().off_reason == REASON_CUDA_START_FAILED, "none starts");
	EXPECT(session_device_count() == 0 && session_trim() == 0, "and there is nothing to free");
	return gpu_check_end("none");
}

/* In the background, calls may use the first device before the others have started. */
static int scenario_background(void)
{
	struct options *options = gpu_check_configure(0);
	snprintf(options->devices, OPTION_TEXT_BYTES, "all");
	options->warmup = WARMUP_BACKGROUND;
	session_wake();
	for (int i = 0; i < 4000 && session_device_count() < DEVICES; i++) {
		const int device = gpu_check_situation().device;
		EXPECT(gpu_check_situation().gpu != GPU_READY ||
		               run_gemm(20, device) == REASON_NONE,
		       "on %d", device);
		nanosleep(&(struct timespec){0, 5000000}, NULL);
	}
	EXPECT(session_device_count() == DEVICES, "%d devices", session_device_count());
	test_each();
	return gpu_check_end("background");
}

/*
 * A device that was given up: its lanes and their memory are lost one by one, and then it is not
 * used again.
 */
static int scenario_abandon(void)
{
	void *pointer;
	start("all");
	for (int i = 0; i < LANES_MAX; i++) {
		struct lane *lane = take(0);
		EXPECT(lanes_take_memory(lane, 1 << 20, &pointer) == REASON_NONE, "memory");
		lanes_abandon(lane);
		lanes_give(lane);
		EXPECT(memory_limit(0) - memory_available(0) >= (uint64_t)(i + 1) << 20,
		       "%d blocks stay", i + 1);
	}
	EXPECT(session_trim() == 0, "nothing of it is idle");
	EXPECT(run_gemm(20, 0) == REASON_DEVICE_FAILED, "no lane is left");
	EXPECT(lanes_choose() == 1 && run_gemm(20, 1) == REASON_NONE,
	       "another device takes the calls");
	return gpu_check_end("abandon");
}

/* Events are made at their first use and kept with the lane. */
static int scenario_events(void)
{
	void *event[LANE_EVENT_KINDS][LANE_EVENTS], *again = NULL;
	start("1");
	struct lane *lane = take(1);
	EXPECT(lanes_take_event(lane, 0, 0, &again) == REASON_DEVICE_FAILED && again == NULL,
	       "as ordered");
	for (int kind = 0; kind < LANE_EVENT_KINDS; kind++)
		for (int i = 0; i < LANE_EVENTS; i++)
			EXPECT(lanes_take_event(lane, kind, i, &event[kind][i]) == REASON_NONE,
			       "%d.%d", kind, i);
	EXPECT(event[0][0] != event[1][0] && event[0][0] != event[0][1], "each its own");
	lanes_give(lane);
	lane = take(1);
	const unsigned long before = gpu_check_count("cudaEventCreateWithFlags");
	EXPECT(lanes_take_event(lane, 2, 5, &again) == REASON_NONE && again == event[2][5], "kept");
	EXPECT(gpu_check_count("cudaEventCreateWithFlags") == before, "and not made again");
	EXPECT(lane->api->event_record(again, lane->up_stream) == CUDA_SUCCESS,
	       "of the lane's device");
	EXPECT(lane->api->stream_wait_event(lane->down_stream, again, 0) == CUDA_SUCCESS,
	       "on all streams");
	EXPECT(lane->api->stream_synchronize(lane->down_stream) == CUDA_SUCCESS, "and it comes");
	lanes_give(lane);
	return gpu_check_end("events");
}

/* Memory is given back when the program asks for it, or when an allocation of the program fails. */
static int scenario_trim(void)
{
	int (*allocate)(void **, size_t);
	void *programs;
	atomic_store(&least_held, INT64_MAX);
	start("all");
	const long workspaces = atomic_load(&held);
	for (int device = 0; device < DEVICES; device++)
		EXPECT(run_gemm(100, device) == REASON_NONE, "gemm on device %d", device);
	const long idle = atomic_load(&held) - workspaces;
	EXPECT(session_trim() == (uint64_t)idle && idle >= DEVICES * 240000, "%ld bytes were idle",
	       idle);
	EXPECT(session_trim() == 0 && current_device() == 0, "no more");
	EXPECT(run_gemm(100, 0) == REASON_NONE, "and it goes on");
	for (int i = 0; i < 10; i++)
		EXPECT(run_gemm(100, 0) == REASON_NONE, "again");
	EXPECT(atomic_load(&held) > workspaces, "nobody needs it");
	allocate = (int (*)(void **, size_t))gpu_check_function("cudaMalloc");
	EXPECT(allocate(&programs, (size_t)1900 << 20) == 0, "the program takes nearly all");
	atomic_store(&least_held, atomic_load(&held));
	for (int i = 0; i < 8; i++)
		EXPECT(run_gemm(100, 0) == REASON_NONE, "now");
	EXPECT(atomic_load(&least_held) == workspaces, "it was freed: %ld bytes",
	       atomic_load(&least_held) - workspaces);
	return gpu_check_end("trim");
}

/*
 * cudaFree waits for all work of the device, and would wait for ever for a kernel that hangs: no
 * memory is given back while another call is on the device.
 */
static int scenario_relief(void)
{
	void *programs;
	start("all");
	int (*allocate)(void **, size_t) =
		(int (*)(void **, size_t))gpu_check_function("cudaMalloc");
	struct lane *other = take(0);
	EXPECT(run_gemm(100, 0) == REASON_NONE, "gemm beside another call");
	EXPECT(allocate(&programs, (size_t)1900 << 20) == 0, "the program takes nearly all");
	const unsigned long before = gpu_check_count("cudaFree");
	for (int i = 0; i < 20; i++)
		EXPECT(run_gemm(100, 0) == REASON_NONE, "again");
	EXPECT(gpu_check_count("cudaFree") == before, "nothing is freed beside another call");
	lanes_give(other);
	EXPECT(gpu_check_count("cudaFree") > before, "the last call gives the memory back");
	return gpu_check_end("relief");
}

/* Errors of the shim's own calls, made for the thread's device and capture mode, do not stay. */
static int scenario_pending(void)
{
	int failed = 0;
	start("all");
	int (*peek)(void) = (int (*)(void))gpu_check_function("cudaPeekAtLastError");
	for (int i = 0; i < 8; i++) {
		failed += run_gemm(50, 0) != REASON_NONE;
		EXPECT(peek() == 0, "call %d leaves error %d", i, peek());
	}
	printf("pending: %d calls came back\n", failed);
	return gpu_check_end("pending");
}

/* In a fork child no CUDA function is called. */
static int scenario_fork(void)
{
	int status = -1;
	start("all");
	EXPECT(run_gemm(50, 0) == REASON_NONE, "gemm");
	pthread_atfork(session_before_fork, session_after_fork_parent, session_after_fork_child);
	const pid_t process = fork();
	if (process == 0)
		_exit(session_trim() == 0 && session_device_count() == 0 ? 0 : 1);
	EXPECT(waitpid(process, &status, 0) == process && status == 0, "the child ended with %x",
	       (unsigned)status);
	EXPECT(session_trim() > 0, "the parent can");
	return gpu_check_end("fork");
}

static const struct gpu_scenario scenarios[] = {
	{"all", scenario_all, {"SIMCUDA_DEVICES=3"}, NULL},
	{"order", scenario_order, {"SIMCUDA_DEVICES=3"}, NULL},
	{"left_out",
         scenario_left_out,
         {"SIMCUDA_DEVICES=3", "TEST_DEVICES=0,7,1"},
         "GPU 7 is in the option devices, and there are 3 GPUs"},
	{"left_out",
         scenario_left_out,
         {"SIMCUDA_DEVICES=3", "TEST_DEVICES=0,1,2", "SIMCUDA_FAIL=cudaDeviceGetAttribute:5:999"},
         "CUDA 13 does not tell what GPU 1 can do"},
	{"left_out",
         scenario_left_out,
         {"SIMCUDA_DEVICES=3", "TEST_DEVICES=all", "SIMCUDA_FAIL=cudaDeviceGetAttribute:5:999"},
         NULL},
	{"left_out",
         scenario_left_out,
         {"SIMCUDA_DEVICES=3", "TEST_DEVICES=all", "SIMCUDA_FAIL=cudaFree:1:999"},
         "does not start on GPU 0"},
	{"left_out",
         scenario_left_out,
         {"SIMCUDA_DEVICES=3", "TEST_DEVICES=all", "SIMCUDA_FAIL=cublasCreate_v2:2:3"},
         "GPU 1 does not take a stream or a cuBLAS handle; it is left out"},
	{"none",
         scenario_none,
         {"SIMCUDA_DEVICES=3", "SIMCUDA_FAIL=cudaFree:*:999"},
         "none of 3 GPUs starts; every call stays on the CPU"},
	{"background",
         scenario_background,
         {"SIMCUDA_DEVICES=3", "SIMCUDA_SLOW=cudaFree:100"},
         NULL},
	{"abandon", scenario_abandon, {"SIMCUDA_DEVICES=3"}, NULL},
	{"events",
         scenario_events,
         {"SIMCUDA_DEVICES=3", "SIMCUDA_FAIL=cudaEventCreateWithFlags:1"},
         NULL},
	{"trim", scenario_trim, {"SIMCUDA_DEVICES=3", "SIMCUDA_MEMORY=2G"}, NULL},
	{"relief", scenario_relief, {"SIMCUDA_DEVICES=3", "SIMCUDA_MEMORY=2G"}, NULL},
	{"pending",
         scenario_pending,
         {"SIMCUDA_DEVICES=3",
          "SIMCUDA_FAIL=cuCtxGetCurrent:*,cudaThreadExchangeStreamCaptureMode:4+"},
         NULL},
	{"pending",
         scenario_pending,
         {"SIMCUDA_DEVICES=3", "SIMCUDA_FAIL=cuCtxGetCurrent:*,cudaGetDevice:8+"},
         NULL},
	{"fork", scenario_fork, {"SIMCUDA_DEVICES=3"}, NULL},
};

int main(int argc, char **argv)
{
	if (argc == 1 && getenv("EPOCHLY_GPU_CUDA_PATH") == NULL) {
		printf("skipped: needs three devices of a simulated CUDA in "
		       "EPOCHLY_GPU_CUDA_PATH\n");
		return GPU_CHECK_SKIPPED;
	}
	return gpu_scenarios_run("gpu_devices", scenarios, sizeof scenarios / sizeof scenarios[0],
	                         argc == 2 ? argv[1] : NULL);
}
