/* gpu_crowd_test.c - 32 threads on three unequal devices: right results, limits, no leaks */
/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "gpu_child.h"
#include "gpu_crowd.h"
#include "shim/base/clock.h"
#include "shim/execute/gpu/copy/copiers.h"
#include "shim/execute/gpu/device/lanes.h"
#include "shim/execute/gpu/engine/flow.h"
#include "shim/execute/gpu/engine/staging.h"
#include "shim/execute/gpu/resident/resident.h"
#include "shim/execute/gpu/session/session.h"

enum { DEVICES = 3, THREADS = 32, GUESTS = 4, COPIERS = 4, RING_BYTES = 65536, CHUNK_BYTES = 4096 };
enum { STEADY_CALLS = 60, STEADY_ROUNDS = 4, SECONDS = 3, CROWDS = 3, NS_PER_MS = 1000000 };
/* Constants of the simulated CUDA: a handle's fraction of a device, and rounding of blocks. */
enum { HANDLE_PART = 256, STEPS_BYTES = 65536, SMALL_MB = 6, PLANS_MAX = 128 };
/*
 * From so many shortages on, one at least must have been helped: other threads may take freed
 * memory first.
 */
enum { SHORT_OFTEN = 4 };

/*
 * Each scenario runs in its own process. memory_mb: of the devices. limit_mb: memory_limit, 0: most
 * of a device's memory. guest_part: fraction of a device that a guest allocates, 0: hardly any.
 */
struct scenario {
	const char *name;
	int (*run)(void);
	int memory_mb[DEVICES], limit_mb, guest_part;
	const char *fail;
};

static const struct scenario *scenario;
static struct crowd_census before;
static int64_t end_ns;

static size_t device_bytes(int device)
{
	return (size_t)scenario->memory_mb[device] << 20;
}

static void sleep_ms(int ms)
{
	nanosleep(&(struct timespec){ms / 1000, ms % 1000 * (long)NS_PER_MS}, NULL);
}

static void *do_nothing(void *argument)
{
	return argument;
}

/* Counts the threads at the start: the thread sanitizer adds one of its own. */
static void note_before(void)
{
	pthread_t thread;
	if (pthread_create(&thread, NULL, do_nothing, NULL) == 0)
		pthread_join(thread, NULL);
	before = crowd_take_census();
}

/* Small rings, which most calls fill several times, and copy threads on any machine. */
static void start(void)
{
	note_before();
	staging_set_sizes(RING_BYTES, CHUNK_BYTES);
	snprintf(gpu_check_configure((uint64_t)scenario->limit_mb)->devices, OPTION_TEXT_BYTES,
	         "all");
	pthread_atfork(session_before_fork, session_after_fork_parent, session_after_fork_child);
	gpu_check_start_configured();
	copiers_set_count(COPIERS);
	EXPECT(session_device_count() == DEVICES, "%d devices", session_device_count());
}

/* Steady state: nothing is allocated again */

static const char *const makers[] = {
	"cudaMalloc",       "cudaHostAlloc",       "cudaStreamCreateWithFlags",
	"cublasCreate_v2",  "cufftMakePlanMany64", "cudaEventCreateWithFlags",
	"cudaHostRegister", "cufftCreate",         "cudaFree",
};
enum { MAKERS = sizeof makers / sizeof makers[0] };

static void run_same_calls(void)
{
	uint64_t state = 1;
	for (int i = 0; i < STEADY_CALLS; i++)
		crowd_run_call(&state, i % DEVICES);
}

static int scenario_steady(void)
{
	unsigned long count[MAKERS] = {0};
	start();
	for (int round = 0; round < STEADY_ROUNDS; round++) {
		run_same_calls();
		for (int i = 0; i < MAKERS; i++) {
			const unsigned long now = gpu_check_count(makers[i]);
			EXPECT(round == 0 || now == count[i], "round %d: %lu times %s", round,
			       now - count[i], makers[i]);
			count[i] = now;
		}
	}
	EXPECT(count[0] > 0 && count[1] == 1 && count[5] > 0,
	       "they are the names of what is called");
	return gpu_check_end("steady");
}

/* Waiting uses little processor time */

/*
 * A kernel that never ends: the thread that waits for it sleeps most of the time. Builds for
 * sanitizers need a quarter of a second of processor time for the call itself.
 */
enum { CROWD_PATIENCE_MS = 1000 };

static int scenario_patience(void)
{
	const struct gpu_check_gemm gemm = {
		.element = ELEMENT_D, .m = 40, .n = 40, .k = 40, .alpha = 1};
	start();
	flow_set_patience(INT64_C(1) * CROWD_PATIENCE_MS * NS_PER_MS);
	const int64_t begin_ns = clock_monotonic_ns(),
		      begin_cpu_ns = clock_read_ns(CLOCK_PROCESS_CPUTIME_ID);
	EXPECT(gpu_check_run_gemm(&gemm, 0) == REASON_DEVICE_SILENT, "it is given up");
	const int64_t wall_ns = clock_monotonic_ns() - begin_ns;
	const int64_t cpu_ns = clock_read_ns(CLOCK_PROCESS_CPUTIME_ID) - begin_cpu_ns;
	EXPECT(wall_ns > INT64_C(1) * CROWD_PATIENCE_MS * NS_PER_MS, "not before %ld ms",
	       (long)(wall_ns / NS_PER_MS));
	EXPECT(cpu_ns < wall_ns / 2, "%ld ms of processor time in %ld ms",
	       (long)(cpu_ns / NS_PER_MS), (long)(wall_ns / NS_PER_MS));
	printf("patience: %ld ms of processor time in %ld ms\n", (long)(cpu_ns / NS_PER_MS),
	       (long)(wall_ns / NS_PER_MS));
	return gpu_check_end("patience");
}

/*
 * A process that is stopped for longer than patience. A child sees that it is, waits and lets it go
 * on.
 */
enum { STOPPED_PATIENCE_MS = 200, STOPPED_MS = 300, STOPPED_TIMES = 4 };

static bool is_stopped(pid_t process)
{
	char path[64], text[512] = "";
	snprintf(path, sizeof path, "/proc/%d/stat", (int)process);
	FILE *file = fopen(path, "r");
	const size_t length = file == NULL ? 0 : fread(text, 1, sizeof text - 1, file);
	if (file != NULL)
		fclose(file);
	text[length] = '\0';
	const char *name_end = strrchr(text, ')');
	return name_end != NULL && name_end[2] == 'T';
}

static pid_t start_continuing(void)
{
	const pid_t parent = getpid(), child = fork();
	if (child != 0)
		return child;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (;;) {
		sleep_ms(2);
		if (!is_stopped(parent))
			continue;
		sleep_ms(STOPPED_MS);
		kill(parent, SIGCONT);
	}
}

static atomic_int stopped_times;
static atomic_bool stopped_in_vain;
static int (*stopped_query)(void *event);

/* Nothing ends before the process was stopped often enough. */
static int answer_after_stops(void *event)
{
	if (atomic_load(&stopped_times) == STOPPED_TIMES)
		return stopped_query(event);
	atomic_store(&stopped_in_vain, true);
	return CUDA_ERROR_NOT_READY;
}

/* The flow reads the clock after each look. */
static int64_t stop_and_read_ns(void)
{
	if (atomic_exchange(&stopped_in_vain, false)) {
		kill(getpid(), SIGSTOP);
		atomic_fetch_add(&stopped_times, 1);
	}
	return clock_monotonic_ns();
}

static void replace_query(void)
{
	struct lane *lane = NULL;
	EXPECT(lanes_take(0, &lane) == REASON_NONE, "a lane");
	struct cuda_api *api = (struct cuda_api *)(uintptr_t)lane->api;
	stopped_query = api->event_query;
	api->event_query = answer_after_stops;
	lanes_give(lane);
}

static int scenario_stopped(void)
{
	const struct gpu_check_gemm gemm = {
		.element = ELEMENT_D, .m = 40, .n = 40, .k = 40, .alpha = 1};
	const pid_t helper = start_continuing();
	start();
	replace_query();
	flow_set_patience(INT64_C(1) * STOPPED_PATIENCE_MS * NS_PER_MS);
	flow_set_clock(stop_and_read_ns);
	const enum reason reason = gpu_check_run_gemm(&gemm, 0);
	EXPECT(reason == REASON_NONE, "the GPU is not given up: %s", reason_name(reason));
	EXPECT(atomic_load(&stopped_times) == STOPPED_TIMES, "the process was stopped");
	kill(helper, SIGKILL);
	waitpid(helper, NULL, 0);
	return gpu_check_end("stopped");
}

/* Little staging memory */

/* Columns longer than a chunk, in results that must not be stored in parts of a column. */
static int scenario_tall(void)
{
	struct gpu_check_blas w = {.element = ELEMENT_Z, .m = 700, .n = 20, .alpha = 1};
	start();
	flow_set_patience(INT64_C(2000) * NS_PER_MS);
	for (int i = 0; i < 4; i++) {
		w.family = i % 2 == 0 ? FAMILY_TRMM : FAMILY_TRSM;
		w.side = i / 2 == 0 ? SIDE_RIGHT : SIDE_LEFT;
		const enum reason reason = crowd_run_blas(&w, 1);
		EXPECT(reason == REASON_NONE, "%s, side %d: %s", i % 2 == 0 ? "trmm" : "trsm",
		       (int)w.side, reason_name(reason));
	}
	return gpu_check_end("tall");
}

/*
 * The device is lost while such a result comes back: a column that has begun is finished by the
 * CPU.
 */
static int scenario_torn(void)
{
	struct gpu_check_blas w = {
		.family = FAMILY_TRSM, .element = ELEMENT_Z, .side = SIDE_RIGHT, .alpha = 1};
	start();
	w.m = 700;
	w.n = 20;
	const enum reason reason = crowd_run_blas(&w, 1);
	EXPECT(reason == REASON_DEVICE_FAILED, "%s", reason_name(reason));
	return gpu_check_end("torn");
}

/* The crowd */

static struct crowd_guest guests[GUESTS];

static void begin_guest(int number)
{
	const int device = number % DEVICES;
	const size_t part_bytes =
		scenario->guest_part == 0 ? 0 : device_bytes(device) / (size_t)scenario->guest_part;
	crowd_begin_guest(&guests[number], device,
	                  part_bytes > CROWD_GUEST_BYTES ? part_bytes : CROWD_GUEST_BYTES);
}

/* The first few threads use CUDA themselves; the next one forks sometimes. */
static void *run(void *argument)
{
	const intptr_t number = (intptr_t)argument;
	uint64_t state = (uint64_t)number + 1;
	if (number < GUESTS)
		begin_guest((int)number);
	for (int round = 0; clock_monotonic_ns() < end_ns; round++)
		if (number < GUESTS)
			crowd_run_guest(&guests[number], &state);
		else if (number == GUESTS && round % 4 == 0)
			crowd_run_child(&state);
		else
			crowd_run_call(&state, lanes_choose());
	if (number < GUESTS)
		crowd_end_guest(&guests[number]);
	return NULL;
}

static void run_all(int64_t run_ns)
{
	pthread_t thread[THREADS];
	end_ns = clock_monotonic_ns() + run_ns;
	for (intptr_t i = 0; i < THREADS; i++)
		pthread_create(&thread[i], NULL, run, (void *)i);
	for (int i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
}

/* Idle helper threads sleep and use no processor time. */
static void expect_rest(void)
{
	struct crowd_census now = crowd_take_census();
	for (int i = 0; i < 1000 && now.awake > 0; i++) {
		sleep_ms(2);
		now = crowd_take_census();
	}
	EXPECT(now.helpers > 0 && now.helpers < COPIERS, "%d helpers", now.helpers);
	EXPECT(now.threads == before.threads + now.helpers, "%d threads before, %d now",
	       before.threads, now.threads);
	EXPECT(now.awake == 0, "%d helpers do not sleep", now.awake);
	sleep_ms(50);
	const struct crowd_census later = crowd_take_census();
	EXPECT(later.helpers_ns - now.helpers_ns < NS_PER_MS, "idle helpers used %ld ns",
	       (long)(later.helpers_ns - now.helpers_ns));
}

static size_t ask_device(const char *function, int device)
{
	return ((size_t(*)(int))gpu_check_function(function))(device);
}

static unsigned long alive(const char *name)
{
	return ((unsigned long (*)(const char *))gpu_check_function("simcuda_alive"))(name);
}

/*
 * The limit applies to the shim's own allocations. Beside it there are cuBLAS's memory for handles,
 * the guests' memory, and the simulated device's rounding of blocks; for large blocks its step is
 * as large as a small device.
 */
static void expect_limits(void)
{
	for (int device = 0; device < DEVICES; device++) {
		size_t beside_bytes = LANES_MAX * device_bytes(device) / HANDLE_PART + STEPS_BYTES;
		for (int i = 0; i < GUESTS; i++)
			beside_bytes += guests[i].device == device ? guests[i].size_bytes : 0;
		const size_t high_bytes = ask_device("simcuda_memory_high", device);
		const bool holds = high_bytes <= memory_limit(device) + beside_bytes;
		EXPECT(holds || scenario->memory_mb[device] <= SMALL_MB,
		       "device %d: %zu bytes, limit %lu, beside it %zu", device, high_bytes,
		       (unsigned long)memory_limit(device), beside_bytes);
		EXPECT(high_bytes > memory_limit(device) / 2 || scenario->limit_mb == 0,
		       "the limit of device %d is not felt", device);
	}
}

/* Live objects are those kept for the next call, and their number is bounded. */
static void expect_nothing_lost(void)
{
	const unsigned long lanes = alive("cublasCreate");
	EXPECT(lanes >= DEVICES && lanes <= (unsigned long)DEVICES * LANES_MAX, "%lu lanes", lanes);
	EXPECT(alive("cudaStreamCreate") == 3 * lanes, "%lu streams of %lu lanes",
	       alive("cudaStreamCreate"), lanes);
	EXPECT(alive("cudaEventCreate") <= LANE_EVENT_KINDS * LANE_EVENTS * lanes, "%lu events",
	       alive("cudaEventCreate"));
	EXPECT(alive("cudaHostAlloc") == 1 && alive("cudaHostRegister") == 0,
	       "page-locked memory is made once");
	EXPECT(alive("cufftCreate") <= PLANS_MAX, "%lu plans", alive("cufftCreate"));
	session_trim();
	EXPECT(alive("cudaMalloc") == lanes, "%lu blocks, and %lu workspaces", alive("cudaMalloc"),
	       lanes);
	EXPECT(lanes_choose() == 0, "no work is noted any more");
}

static void judge_guests(void)
{
	long short_of = 0, helped = 0;
	for (int i = 0; i < GUESTS; i++) {
		short_of += guests[i].short_of;
		helped += guests[i].helped;
	}
	printf("%s: %ld calls on a GPU, %ld came back, "
	       "guests short of memory %ld times and helped %ld times\n",
	       scenario->name, atomic_load(&crowd_tally.done), atomic_load(&crowd_tally.back),
	       short_of, helped);
	EXPECT(short_of < SHORT_OFTEN || helped > 0, "what the shim gives up is of use");
}

static int scenario_crowd(void)
{
	start();
	run_all(strtol(getenv("CROWD_MS"), NULL, 10) * NS_PER_MS);
	judge_guests();
	EXPECT(atomic_load(&crowd_tally.done) > atomic_load(&crowd_tally.back),
	       "most calls find memory");
	EXPECT(atomic_load(&crowd_tally.back) == 0 || scenario->memory_mb[0] < 256,
	       "there is room for all");
	EXPECT(gpu_check_situation().gpu == GPU_READY, "and the GPU goes on");
	expect_rest();
	expect_limits();
	expect_nothing_lost();
	/* The tracking of operands holds five: faults, page map, pins, mappings, descriptors. */
	const int tracking = resident_reason() == TRACK_REASON_NONE ? 5 : 0;
	EXPECT(crowd_take_census().descriptors == before.descriptors + tracking,
	       "%d descriptors before, %d of the tracking, %d now", before.descriptors, tracking,
	       crowd_take_census().descriptors);
	return gpu_check_end(scenario->name);
}

static const struct scenario scenarios[] = {
	{"steady", scenario_steady, {256, 512, 1024}, 0, 0, NULL},
	{"patience", scenario_patience, {256, 512, 1024}, 0, 0, "SIMCUDA_FAIL=kernel:1:hang"},
	{"stopped", scenario_stopped, {256, 512, 1024}, 0, 0, NULL},
	{"tall", scenario_tall, {256, 512, 1024}, 0, 0, NULL},
	{"torn", scenario_torn, {256, 512, 1024}, 0, 0, "SIMCUDA_FAIL=copy:15:700"},
	{"roomy", scenario_crowd, {256, 512, 1024}, 0, 0, NULL},
	{"limited", scenario_crowd, {8, 16, 32}, 1, 0, NULL},
	{"full", scenario_crowd, {3, 6, 24}, 0, 4, NULL},
};
enum { SCENARIOS = sizeof scenarios / sizeof scenarios[0] };

static int run_scenario(const char *name)
{
	for (size_t i = 0; i < SCENARIOS; i++)
		if (strcmp(scenarios[i].name, name) == 0) {
			scenario = &scenarios[i];
			return scenario->run();
		}
	return 1;
}

/* The devices differ in every property. */
static void write_profile(const char *path, const struct scenario *of)
{
	FILE *file = fopen(path, "w");
	EXPECT(file != NULL, "%s cannot be written", path);
	if (file == NULL)
		return;
	for (int device = 0; device < DEVICES; device++)
		fprintf(file,
		        "[device %d]\nmemory = %dM\nmultiprocessors = %d\n"
		        "up_gbytes_s = %d\ndgemm_tflops_s = %d\n",
		        device, of->memory_mb[device], 40 * (device + 1), 12 * (device + 1),
		        9 - 4 * device);
	fclose(file);
}

static void run_child(const struct scenario *of, const char *folder, long run_ms)
{
	char path[64], profile[96], time[32];
	snprintf(path, sizeof path, "%s/profile", folder);
	snprintf(profile, sizeof profile, "SIMCUDA_PROFILE=%s", path);
	snprintf(time, sizeof time, "CROWD_MS=%ld", run_ms);
	write_profile(path, of);
	struct gpu_child child = {.scenario = of->name,
	                          .setting = {"SIMCUDA_DEVICES=3", profile, time, of->fail}};
	gpu_child_run(&child);
	EXPECT(gpu_child_exited(&child, 0), "%s: status %x: %s", of->name, (unsigned)child.status,
	       child.errors);
	EXPECT(gpu_child_messages(&child) == 0, "%s: %s", of->name, child.errors);
	unlink(path);
}

/* Argument: how many seconds the crowds run, in total. */
int main(int argc, char **argv)
{
	char folder[] = "/tmp/gpu_crowd.XXXXXX";
	const long run_s = argc == 2 ? strtol(argv[1], NULL, 10) : SECONDS;
	if (argc == 2 && run_s == 0)
		return run_scenario(argv[1]);
	if (getenv("EPOCHLY_GPU_CUDA_PATH") == NULL) {
		printf("skipped: needs three devices of a simulated CUDA in "
		       "EPOCHLY_GPU_CUDA_PATH\n");
		return GPU_CHECK_SKIPPED;
	}
	if (mkdtemp(folder) == NULL)
		return 1;
	for (size_t i = 0; i < SCENARIOS; i++)
		run_child(&scenarios[i], folder, run_s * 1000 / CROWDS);
	rmdir(folder);
	return gpu_check_end("gpu_crowd");
}
