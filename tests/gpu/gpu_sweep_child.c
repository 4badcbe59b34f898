/* gpu_sweep_child.c - a few calls of the fault sweep in a child, and the objects that they leave */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "gpu_sweep.h"
#include "shim/base/clock.h"
#include "shim/execute/gpu/blas/gpu_panels.h"
#include "shim/execute/gpu/copy/copiers.h"
#include "shim/execute/gpu/engine/flow.h"
#include "shim/execute/gpu/engine/staging.h"
#include "shim/execute/gpu/session/session.h"

/*
 * RING: many times smaller than the operands. LIMIT: longer than any child takes, also on a slow
 * machine.
 */
enum { RING_BYTES = 128 << 10, CHUNK_BYTES = 8 << 10, LIMIT_S = 240, SLOWNESS = 64 };

/* Virtual time: longer than any operation. */
static const int64_t patience_ns = INT64_C(50000000);

const char *const sweep_functions[] = {
#define CUDA(library, field, name, need, result, parameters) #name,
#include "shim/execute/gpu/cuda/cuda_api.def"
	"kernel", "copy"};
const int sweep_function_count = (int)(sizeof sweep_functions / sizeof sweep_functions[0]);
_Static_assert(sizeof sweep_functions / sizeof sweep_functions[0] <= SWEEP_FUNCTIONS,
               "room for all functions");

const char *const sweep_things[SWEEP_THINGS] = {
	[SWEEP_MEMORY] = "cudaMalloc",           [SWEEP_STREAMS] = "cudaStreamCreate",
	[SWEEP_EVENTS] = "cudaEventCreate",      [SWEEP_HOST] = "cudaHostAlloc",
	[SWEEP_REGISTERED] = "cudaHostRegister", [SWEEP_HANDLES] = "cublasCreate",
	[SWEEP_PLANS] = "cufftCreate",
};

static int64_t child_now_ns(void)
{
	static unsigned long long (*clock_ns)(void);
	if (clock_ns == NULL)
		clock_ns = (unsigned long long (*)(void))gpu_check_function("simcuda_clock_ns");
	return (int64_t)clock_ns();
}

/*
 * Slows time down, so that the conducting thread queries again at once instead of sleeping: virtual
 * time advances only by queries.
 */
static int64_t child_slow_ns(void)
{
	return clock_monotonic_ns() / SLOWNESS;
}

/* The device's free memory is queried whenever that is possible, the same way in each child. */
static int64_t child_long_ns(void)
{
	static _Atomic int64_t now_ns;
	const int64_t step_ns = patience_ns * SLOWNESS;
	return atomic_fetch_add(&now_ns, step_ns) + step_ns;
}

static void child_count(unsigned long counts[SWEEP_FUNCTIONS])
{
	for (int i = 0; i < sweep_function_count; i++)
		counts[i] = gpu_check_count(sweep_functions[i]);
}

/* Calls left to the CPU are computed by plain loops, whatever libraries this machine has. */
static void child_configure(const struct sweep_case *wanted)
{
	struct options *options = gpu_check_configure(wanted->memory_mb);
	snprintf(options->devices, sizeof options->devices, "%s", wanted->device > 0 ? "all" : "0");
	snprintf(options->cpu_blas, sizeof options->cpu_blas, "none");
}

static void child_start(const struct sweep_case *wanted, bool clock)
{
	staging_set_sizes(RING_BYTES, CHUNK_BYTES);
	copiers_set_count(wanted->copiers > 0 ? wanted->copiers : 1);
	if (wanted->choice.width > 0)
		gpu_panels_set_choice(&wanted->choice);
	memory_set_clock(child_long_ns);
	child_configure(wanted);
	gpu_check_start_configured();
	flow_set_clock(clock ? child_now_ns : child_slow_ns);
	if (clock)
		flow_set_patience(patience_ns);
}

static void child_call(const struct sweep_case *wanted, struct sweep_problem *problem, int count,
                       struct sweep_report *report)
{
	child_count(report->begin);
	while (report->calls < count && gpu_check_situation().gpu == GPU_READY) {
		const int i = report->calls++;
		report->call[i].reason =
			sweep_problem_run(problem, wanted->device, &report->call[i].finished);
		report->call[i].verdict = sweep_problem_judge(problem, report->call[i].finished);
		session_note_outcome(report->call[i].reason);
		if (i == 0)
			child_count(report->end);
	}
}

/* Records the program's view, before any other call changes it. */
static void child_look(const struct sweep_case *wanted, struct sweep_report *report)
{
	struct staging staging;
	report->error = ((int (*)(void))gpu_check_function("cudaPeekAtLastError"))();
	((int (*)(int *))gpu_check_function("cudaGetDevice"))(&report->device);
	child_count(report->uses);
	report->gpu = gpu_check_situation().gpu;
	report->off_reason = gpu_check_situation().off_reason;
	report->lost = lanes_context_lost();
	session_trim();
	for (int i = 0; i < SWEEP_THINGS; i++)
		report->alive[i] = ((unsigned long (*)(const char *))gpu_check_function(
			"simcuda_alive"))(sweep_things[i]);
	report->held_bytes =
		((size_t(*)(int))gpu_check_function("simcuda_memory_held"))(wanted->device);
	report->available_bytes = memory_available(wanted->device);
	if (staging_take(&staging) == REASON_NONE)
		report->staging_bytes =
			staging.size_bytes[STAGING_UP] + staging.size_bytes[STAGING_DOWN];
	report->ended = true;
}

static void child_become(int errors, const char *fail, bool clock, int devices)
{
	char text[1024];
	dup2(errors, STDERR_FILENO);
	alarm(LIMIT_S);
	snprintf(text, sizeof text, "%d", devices);
	setenv("SIMCUDA_DEVICES", text, 1);
	if (fail != NULL)
		setenv("SIMCUDA_FAIL", fail, 1);
	if (!clock)
		return;
	snprintf(text, sizeof text, "%s/h200.clock", getenv("EPOCHLY_GPU_CUDA_PATH"));
	setenv("SIMCUDA_CLOCK", text, 1);
	setenv("SIMCUDA_MEMORY", "4G", 1); /* the value without a clock */
}

static void child_read(int errors, char text[SWEEP_ERRORS_BYTES])
{
	size_t length = 0;
	char rest[256];
	for (;;) {
		const bool full = length == SWEEP_ERRORS_BYTES - 1;
		const ssize_t got =
			full ? read(errors, rest, sizeof rest)
			     : read(errors, text + length, SWEEP_ERRORS_BYTES - 1 - length);
		if (got <= 0)
			break;
		length += full ? 0 : (size_t)got;
	}
	text[length] = '\0';
}

/* In the child, which then ends as a program does. */
static void child_live(const struct sweep_case *wanted, struct sweep_problem *problem, bool clock,
                       int count, struct sweep_report *report)
{
	child_start(wanted, clock);
	child_call(wanted, problem, count, report);
	child_look(wanted, report);
	exit(0);
}

void sweep_child_run(const struct sweep_case *wanted, struct sweep_problem *problem,
                     const char *fail, bool clock, int count, struct sweep_report *report)
{
	struct sweep_report *shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE,
	                                   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int errors[2];
	*report = (struct sweep_report){.ended = false};
	if (shared == MAP_FAILED || pipe(errors) != 0)
		return;
	fflush(NULL);
	const pid_t process = fork();
	if (process == 0) {
		child_become(errors[1], fail, clock, wanted->device + 1);
		child_live(wanted, problem, clock, count, shared);
	}
	close(errors[1]);
	child_read(errors[0], shared->errors);
	close(errors[0]);
	waitpid(process, &shared->status, 0);
	*report = *shared;
	munmap(shared, sizeof *shared);
}
