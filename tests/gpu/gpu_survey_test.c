/* gpu_survey_test.c - facts about a call that are found before the decision on it */
/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "gpu_check.h"
#include "gpu_child.h"
#include "shim/execute/gpu/device/lanes.h"
#include "shim/execute/gpu/fft/gpu_fft.h"
#include "shim/execute/gpu/session/survey.h"

/* A function of the CUDA runtime: its parameters, then the arguments. */
#define CUDA_CALL(name, parameters, ...) ((int(*) parameters)gpu_check_function(name))(__VA_ARGS__)

enum { N = 300, N_FFT = 64, PAGE_BYTES = 4096, SET_ERROR = 101 };

static const uint64_t matrix_bytes = (uint64_t)N * N * sizeof(double);
static const double plan_ns = 123456;

static int current_device(void)
{
	int device = -1;
	CUDA_CALL("cudaGetDevice", (int *), &device);
	return device;
}

static int pending_error(void)
{
	return CUDA_CALL("cudaPeekAtLastError", (void));
}

static struct situation survey(const struct call *call)
{
	struct situation situation = gpu_check_situation();
	survey_peers(&situation);
	survey_call(call, plan_ns, &situation);
	return situation;
}

static struct call dgemm(const void *a, const void *b, void *c)
{
	return gpu_check_square(ELEMENT_D, N, a, b, c);
}

static void expect_place(const struct situation *situation, enum operand name,
                         enum cost_place wanted, const char *what)
{
	EXPECT(situation->setting.place[name] == wanted, "%s: %d", what,
	       (int)situation->setting.place[name]);
	EXPECT(current_device() == 0, "%s: the thread is on another device", what);
	EXPECT(pending_error() == 0, "%s: error %d is left", what, pending_error());
}

static void test_places(double *host)
{
	void *device = NULL, *managed = NULL, *locked = NULL;
	CUDA_CALL("cudaMalloc", (void **, size_t), &device, matrix_bytes);
	CUDA_CALL("cudaMallocManaged", (void **, size_t, unsigned), &managed, matrix_bytes, 1);
	CUDA_CALL("cudaHostAlloc", (void **, size_t, unsigned), &locked, matrix_bytes, 0);
	struct call call = dgemm(host, host, host);
	struct situation found = survey(&call);
	for (int name = OPERAND_A; name < OPERAND_COUNT; name++)
		expect_place(&found, (enum operand)name, COST_PAGEABLE, "ordinary");
	EXPECT(!found.device_only, "the CPU reads it");
	call = dgemm(locked, managed, host);
	found = survey(&call);
	expect_place(&found, OPERAND_A, COST_PINNED, "page-locked");
	expect_place(&found, OPERAND_B, COST_DEVICE, "managed");
	expect_place(&found, OPERAND_C, COST_PAGEABLE, "ordinary");
	EXPECT(!found.device_only, "the CPU reads managed memory");
	call = dgemm(host, host, device);
	found = survey(&call);
	expect_place(&found, OPERAND_C, COST_DEVICE, "on the device");
	EXPECT(found.device_only, "only the device reads it");
	CUDA_CALL("cudaFree", (void *), device);
	CUDA_CALL("cudaFree", (void *), managed);
	CUDA_CALL("cudaFreeHost", (void *), locked);
}

/* Half of a matrix is locked: the matrix does not count as page-locked. */
static void test_half(double *host)
{
	const uint64_t half_bytes = matrix_bytes / 2 / PAGE_BYTES * PAGE_BYTES;
	CUDA_CALL("cudaHostRegister", (void *, size_t, unsigned), host, half_bytes, 0);
	struct call call = dgemm(host, host, host);
	struct situation found = survey(&call);
	expect_place(&found, OPERAND_A, COST_PAGEABLE, "half of it is locked");
	call.blas.m = call.blas.n = call.blas.k = N / 4;
	call.blas.lda = N / 4;
	found = survey(&call);
	expect_place(&found, OPERAND_A, COST_PINNED, "all of it is locked");
	CUDA_CALL("cudaHostUnregister", (void *), host);
}

static struct fft_problem transform_problem(int64_t n)
{
	return (struct fft_problem){.family = FAMILY_FFT_C2C,
	                            .element = ELEMENT_Z,
	                            .rank = 1,
	                            .dims = {{n, 1, 1}},
	                            .howmany = 1,
	                            .sign = -1};
}

static double find_setup(const struct fft_problem *problem, double *array, void *key)
{
	const struct call call = {.family = FAMILY_FFT_C2C,
	                          .element = ELEMENT_Z,
	                          .fft = {problem, array, array + 4 * N_FFT, .plan_key = key}};
	const struct situation found = survey(&call);
	expect_place(&found, OPERAND_A, COST_PAGEABLE, "a transform's input");
	expect_place(&found, OPERAND_C, COST_PAGEABLE, "a transform's output");
	return found.setting.setup_ns;
}

static void test_setup(double *array, int device)
{
	const struct fft_problem problem = transform_problem(N_FFT),
				 other = transform_problem(N_FFT - 1);
	int first_key, second_key;
	const struct call call = {
		.family = FAMILY_FFT_C2C,
		.element = ELEMENT_Z,
		.fft = {&problem, array, array + 4 * N_FFT, .plan_key = &first_key}};
	memset(array, 0, 8 * N_FFT * sizeof *array);
	EXPECT(find_setup(&problem, array, &first_key) == plan_ns, "there is no plan yet");
	EXPECT(gpu_fft_run(&call, device) == REASON_NONE, "it runs");
	EXPECT(find_setup(&problem, array, &first_key) == 0, "it is kept");
	EXPECT(find_setup(&problem, array, &second_key) == 0,
	       "another FFTW plan of that shape has it too");
	EXPECT(find_setup(&other, array, &second_key) == plan_ns, "another shape");
	gpu_fft_forget(&first_key);
	EXPECT(find_setup(&problem, array, &first_key) == 0, "it is kept for the next one");
	const struct call blas = dgemm(array, array, array);
	EXPECT(survey(&blas).setting.setup_ns == 0, "products need no plan");
}

static void test_queue(double *host, int device)
{
	const struct call call = dgemm(host, host, host);
	EXPECT(survey(&call).setting.queue_ns == 0, "nothing to do");
	lanes_note_work(device, 3000000);
	EXPECT(survey(&call).setting.queue_ns == 1500000, "half of what is noted: %g",
	       survey(&call).setting.queue_ns);
	lanes_note_work(device, -3000000);
	EXPECT(survey(&call).setting.queue_ns == 0, "nothing again");
}

/* A thread that never used CUDA is on device 0, and stays there. */
static void *run_thread(void *host)
{
	const struct call call = dgemm(host, host, host);
	const struct situation found = survey(&call);
	expect_place(&found, OPERAND_A, COST_PAGEABLE, "in a new thread");
	return NULL;
}

static void test_thread(double *host)
{
	pthread_t thread;
	EXPECT(pthread_create(&thread, NULL, run_thread, host) == 0, "a thread");
	pthread_join(thread, NULL);
}

/* An error that the program has pending is not cleared. */
static void test_pending(double *host)
{
	const struct call call = dgemm(host, host, host);
	CUDA_CALL("cudaSetDevice", (int), 99);
	EXPECT(pending_error() == SET_ERROR, "there is no such device: %d", pending_error());
	survey(&call);
	EXPECT(pending_error() == SET_ERROR, "still pending: %d", pending_error());
	CUDA_CALL("cudaGetLastError", (void));
}

/* CUDA does not answer, or does not know the memory, which old releases report as an error. */
static int scenario_faults(void)
{
	gpu_check_start(0);
	double *host = aligned_alloc(PAGE_BYTES, 8 * PAGE_BYTES);
	const struct call call = dgemm(host, host, host);
	for (int i = 0; i < 4; i++) {
		const struct situation found = survey(&call);
		for (int name = OPERAND_A; name < OPERAND_COUNT; name++)
			expect_place(&found, (enum operand)name, COST_PAGEABLE,
			             "as if it were ordinary");
	}
	free(host);
	return gpu_check_end("gpu_survey faults");
}

/* The session has device 1 only; the thread is on device 0, whose context must not be needed. */
static int scenario_second(void)
{
	strcpy(gpu_check_configure(0)->devices, "1");
	gpu_check_start_configured();
	double *host = aligned_alloc(PAGE_BYTES, 8 * PAGE_BYTES);
	const struct call call = dgemm(host, host, host);
	const struct situation found = survey(&call);
	EXPECT(found.device == 1, "device %d", found.device);
	expect_place(&found, OPERAND_A, COST_PAGEABLE, "on the second device");
	EXPECT(found.gpu_peers == 4, "%d peers: those that start together", found.gpu_peers);
	EXPECT(found.setting.gpu_sharers <= 1, "peers multiply no time of the model");
	free(host);
	return gpu_check_end("gpu_survey second");
}

static int scenario_both(void)
{
	double memory[4] = {0};
	const struct call call = dgemm(memory, memory, memory);
	struct situation before = {.gpu = GPU_ASLEEP};
	survey_peers(&before);
	EXPECT(before.gpu_peers == 4, "%d peers of one", before.gpu_peers);
	strcpy(gpu_check_configure(0)->devices, "all");
	gpu_check_start_configured();
	EXPECT(survey(&call).gpu_peers == 2, "%d peers of two", survey(&call).gpu_peers);
	return gpu_check_end("gpu_survey both");
}

static void test_scenario(const char *name, const char *setting, const char *other)
{
	struct gpu_child child = {.scenario = name, .setting = {setting, other}};
	gpu_child_run(&child);
	EXPECT(gpu_child_exited(&child, 0), "%s: status %x: %s", name, (unsigned)child.status,
	       child.errors);
}

static void test_scenarios(void)
{
	static const char *const processes = "OMPI_COMM_WORLD_LOCAL_SIZE=4";
	if (!gpu_check_is_simulated()) {
		printf("not tried: two devices and faults need a simulated CUDA\n");
		return;
	}
	test_scenario("faults",
	              "SIMCUDA_FAIL=cudaPointerGetAttributes:1:1,cudaPointerGetAttributes:4:999",
	              NULL);
	test_scenario("second", "SIMCUDA_DEVICES=2", processes);
	test_scenario("both", "SIMCUDA_DEVICES=2", processes);
}

int main(int argc, char **argv)
{
	if (argc == 2 && strcmp(argv[1], "faults") == 0)
		return scenario_faults();
	if (argc == 2)
		return strcmp(argv[1], "second") == 0 ? scenario_second() : scenario_both();
	const int device = gpu_check_start(0);
	double *host = aligned_alloc(PAGE_BYTES, (matrix_bytes / PAGE_BYTES + 1) * PAGE_BYTES);
	test_places(host);
	test_half(host);
	test_setup(host, device);
	test_queue(host, device);
	test_thread(host);
	test_pending(host);
	test_scenarios();
	free(host);
	return gpu_check_end("gpu_survey");
}
