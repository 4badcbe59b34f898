/* gpu_fault_test.c - every CUDA function fails at its 1st, 2nd, 3rd use, or from some use on */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "gpu_check.h"
#include "gpu_child.h"
#include "shim/execute/gpu/engine/staging.h"
#include "shim/execute/gpu/session/session.h"
#include "tests/driver/fewer.h"

/* Small, because each of many children has its own: bytes of staging, and MB of the device. */
enum { RING_BYTES = 64 << 10, LIMIT = 16 };

static const char *const functions[] = {
#define CUDA(library, field, name, need, result, parameters) #name,
#include "shim/execute/gpu/cuda/cuda_api.def"
};

/*
 * As a program: makes calls while the GPU is ready and reports them to the session, none
 * afterwards. The exit status says how it ended.
 */
enum { ENDED_READY = 40, ENDED_OFF = 60 };

static bool scenario_note(enum reason reason, int *failures)
{
	session_note_outcome(reason);
	*failures += reason != REASON_NONE;
	EXPECT(reason == REASON_NONE || reason_outcome(reason) == OUTCOME_BACK, "%s is no way back",
	       reason_name(reason));
	return gpu_check_situation().gpu == GPU_READY;
}

static int scenario_calls(void)
{
	int failures = 0;
	gpu_check_configure(LIMIT);
	session_wake();
	for (int round = 0; round < 8 && gpu_check_situation().gpu == GPU_READY; round++) {
		const int device = gpu_check_situation().device;
		const struct gpu_check_gemm gemm = {
			.element = (enum element)(round % ELEMENT_BLAS_COUNT),
			.m = 9,
			.n = 8,
			.k = 7,
			.gap = round % 2,
			.alpha = 1,
			.beta = round % 3};
		const struct gpu_check_fft fft = {
			.family = (enum family)(FAMILY_FFT_C2C + round % 3),
			.element = round % 2 == 0 ? ELEMENT_Z : ELEMENT_C,
			.rank = 1,
			.n = {12 + round / 4},
			.howmany = 2,
			.sign = round % 3 == 2 ? 1 : -1,
			.order = round % 2 == 0 ? ORDER_TIGHT : ORDER_STRIDED};
		if (scenario_note(gpu_check_run_gemm(&gemm, device), &failures))
			scenario_note(gpu_check_run_fft(&fft, device), &failures);
	}
	const struct situation end = gpu_check_situation();
	const char *expected = getenv("TEST_CAME_BACK");
	EXPECT(expected == NULL || failures == expected[0] - '0', "%d calls came back", failures);
	printf("%s, %d calls came back\n",
	       end.gpu == GPU_OFF ? reason_name(end.off_reason) : "ready", failures);
	if (gpu_check_end("gpu_fault scenario") != 0)
		return 1;
	return end.gpu == GPU_OFF ? ENDED_OFF + (end.off_reason == REASON_BREAKER_OPEN)
	                          : ENDED_READY + failures;
}

/*
 * Runs with SIMCUDA_FAIL = fail. In every case memory must be right and there must be one message
 * at most.
 */
static int run_fault(const char *fail)
{
	char setting[128];
	snprintf(setting, sizeof setting, "SIMCUDA_FAIL=%s", fail);
	struct gpu_child child = {.scenario = "calls", .setting = {setting}};
	gpu_child_run(&child);
	const int status = (child.status & 0x7f) == 0 ? child.status >> 8 : -1;
	EXPECT(status >= ENDED_READY, "%s: status %x: %s", fail, (unsigned)child.status,
	       child.errors);
	EXPECT(gpu_child_messages(&child) <= 1, "%s: %s", fail, child.errors);
	EXPECT(status < ENDED_OFF || gpu_child_messages(&child) == 1 ||
	               strstr(fail, "cudaGetDeviceCount") != NULL,
	       "%s: the GPU was given up without a word", fail);
	return status;
}

/* By day each function fails at one of its uses. */
static void test_every_function(void)
{
	static const char *const when[] = {"1", "2", "3", "5+"};
	char fail[96];
	for (size_t f = 0; f < sizeof functions / sizeof functions[0]; f++)
		for (size_t i = 0; i < sizeof when / sizeof when[0]; i++) {
			if (fewer_share() > 1 && i != f % (sizeof when / sizeof when[0]))
				continue;
			snprintf(fail, sizeof fail, "%s:%s", functions[f], when[i]);
			run_fault(fail);
		}
}

/*
 * A query of the device's progress fails: the call comes back; its streams finish and are used
 * again.
 */
static void test_wait(void)
{
	struct gpu_child child = {.scenario = "wait", .setting = {"SIMCUDA_FAIL=cudaEventQuery:1"}};
	gpu_child_run(&child);
	EXPECT(gpu_child_exited(&child, 0), "status %x: %s", (unsigned)child.status, child.errors);
}

static int scenario_wait(void)
{
	const int device = gpu_check_start(LIMIT);
	const struct gpu_check_gemm gemm = {
		.element = ELEMENT_D, .m = 9, .n = 8, .k = 7, .alpha = 1};
	EXPECT(gpu_check_run_gemm(&gemm, device) == REASON_DEVICE_FAILED, "not confirmed");
	EXPECT(gpu_check_run_gemm(&gemm, device) == REASON_NONE, "the next call");
	EXPECT(gpu_check_count("cudaStreamCreateWithFlags") == 3, "no new streams");
	return gpu_check_end("gpu_fault wait");
}

/* As run_fault, for a breaker that must open after exactly this many calls, with these words. */
static void expect_breaker(const char *fail, int calls, const char *words)
{
	char setting[128], sentence[64];
	snprintf(setting, sizeof setting, "SIMCUDA_FAIL=%s", fail);
	snprintf(sentence, sizeof sentence, "TEST_CAME_BACK=%d", calls);
	struct gpu_child child = {.scenario = "calls", .setting = {setting, sentence}};
	gpu_child_run(&child);
	EXPECT(gpu_child_exited(&child, ENDED_OFF + 1), "%s: status %x: %s", fail,
	       (unsigned)child.status, child.errors);
	EXPECT(strstr(child.errors, words) != NULL, "%s: '%s' in: %s", fail, words, child.errors);
}

static void test_breaker(void)
{
	expect_breaker("cublasSgemm_v2:*,cufftExecZ2Z:*,cublasDgemm_v2:*", 3,
	               "3 calls in a row failed");
	expect_breaker("kernel:1", 1, "context is lost");
	expect_breaker("copy:3:700", 1, "context is lost");
	expect_breaker("cudaMemcpyAsync:2+:719", 1, "context is lost");
	expect_breaker("cudaMemcpyAsync:2:226", 1, "context is lost");
	expect_breaker("cudaMemcpyAsync:2:721", 1, "context is lost");
	expect_breaker("cudaMemcpyAsync:2:810", 1, "context is lost");
	expect_breaker("cudaMemcpyAsync:2:911", 1, "context is lost");
	EXPECT(run_fault("cublasSgemm_v2:1,cublasDgemm_v2:1,cublasCgemm_v2:1,cublasZgemm_v2:1") ==
	               ENDED_READY + 4,
	       "failures with successes between");
	const int status = run_fault("cudaMalloc:4+");
	EXPECT(status >= ENDED_READY + 6 && status < ENDED_OFF, "lack of memory does not count: %d",
	       status);
}

int main(int argc, char **argv)
{
	staging_set_sizes(RING_BYTES, RING_BYTES / 4);
	if (argc == 2)
		return strcmp(argv[1], "wait") == 0 ? scenario_wait() : scenario_calls();
	if (getenv("EPOCHLY_GPU_CUDA_PATH") == NULL) {
		printf("skipped: faults need a simulated CUDA in EPOCHLY_GPU_CUDA_PATH\n");
		return GPU_CHECK_SKIPPED;
	}
	EXPECT(run_fault("cudaMalloc:100") == ENDED_READY, "no fault");
	test_every_function();
	test_breaker();
	test_wait();
	return gpu_check_end("gpu_fault");
}
