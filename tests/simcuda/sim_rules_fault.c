/* sim_rules_fault.c - the controls: failing, slowing and counting on command */
/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "sim_rules.h"

static int try_malloc(void)
{
	void *memory = NULL;
	return cuda.cudaMalloc(&memory, 16);
}

static void the_nth_use_fails(void)
{
	CHECK_IS(try_malloc(), 0);
	CHECK_IS(try_malloc(), SIM_cudaErrorMemoryAllocation);
	CHECK_IS(cuda.cudaGetLastError(), SIM_cudaErrorMemoryAllocation);
	CHECK_IS(try_malloc(), 0);
	CHECK_IS(try_malloc(), 46);
	CHECK_IS(try_malloc(), 46);
	int plan;
	for (int i = 0; i < 3; i++)
		CHECK_IS(cuda.cufftPlan1d(&plan, 8, SIM_CUFFT_C2C, 1), SIM_CUFFT_ALLOC_FAILED);
}

static void a_failed_call_has_no_effect(void)
{
	size_t before = 0, after = 0, total = 0;
	void *memory = &memory, *handle = &handle;
	CHECK_IS(cuda.cudaMemGetInfo(&before, &total), 0);
	CHECK_IS(cuda.cudaMalloc(&memory, 4096), SIM_cudaErrorMemoryAllocation);
	CHECK(memory == &memory);
	CHECK_IS(cuda.cublasCreate_v2(&handle), SIM_CUBLAS_STATUS_ALLOC_FAILED);
	CHECK(handle == &handle);
	CHECK_IS(cuda.cudaMemGetInfo(&after, &total), 0);
	CHECK(before == after);
}

static void an_injected_sticky_error_sticks(void)
{
	CHECK_IS(try_malloc(), 0);
	CHECK_IS(cuda.cudaStreamSynchronize(NULL), SIM_cudaErrorLaunchFailure);
	CHECK_IS(try_malloc(), SIM_cudaErrorLaunchFailure);
}

static void a_copy_fails_when_it_runs(void)
{
	double word = 1, *memory = rules_device_memory(64);
	CHECK_IS(cuda.cudaMemcpy(memory, &word, 8, SIM_COPY_H2D), 0);
	CHECK_IS(cuda.cudaMemcpyAsync(memory + 1, &word, 8, SIM_COPY_H2D, NULL), 0);
	CHECK_IS(cuda.cudaDeviceSynchronize(), SIM_cudaErrorIllegalAddress);
	CHECK_IS(try_malloc(), SIM_cudaErrorIllegalAddress);
}

static void a_kernel_fails_when_it_runs(void)
{
	int plan = 0;
	void *memory = rules_device_memory(64);
	CHECK_IS(cuda.cudaMemset(memory, 0, 64), 0);
	CHECK_IS(cuda.cufftPlan1d(&plan, 8, SIM_CUFFT_C2C, 1), 0);
	CHECK_IS(cuda.cufftExecC2C(plan, memory, memory, -1), 0);
	CHECK_IS(cuda.cudaStreamSynchronize(NULL), 0);
	CHECK_IS(cuda.cufftExecC2C(plan, memory, memory, -1), 0);
	CHECK_IS(cuda.cudaStreamSynchronize(NULL), SIM_cudaErrorECCUncorrectable);
	CHECK_IS(cuda.cudaGetLastError(), SIM_cudaErrorECCUncorrectable);
}

/* Matrices of ones: one element of the result is another power of two, and no error is reported. */
static void a_kernel_computes_wrongly(void)
{
	enum { ORDER = 5 };
	double ones[ORDER * ORDER], result[ORDER * ORDER],
		*memory = rules_device_memory(2 * sizeof ones);
	const double alpha = 1, beta = 0;
	void *handle = NULL;
	for (int i = 0; i < ORDER * ORDER; i++)
		ones[i] = 1;
	CHECK_IS(cuda.cublasCreate_v2(&handle), 0);
	CHECK_IS(cuda.cudaMemcpy(memory, ones, sizeof ones, SIM_COPY_H2D), 0);
	for (int run = 0; run < 3; run++) {
		CHECK_IS(cuda.cublasDgemm_v2(handle, 0, 0, ORDER, ORDER, ORDER, &alpha, memory,
		                             ORDER, memory, ORDER, &beta, memory + ORDER * ORDER,
		                             ORDER),
		         0);
		CHECK_IS(cuda.cudaMemcpy(result, memory + ORDER * ORDER, sizeof result,
		                         SIM_COPY_D2H),
		         0);
		for (int i = 0; i < ORDER * ORDER; i++)
			CHECK((result[i] == ORDER) == (run != 1 || i != ORDER * ORDER / 2));
	}
	CHECK_IS(cuda.cudaGetLastError(), 0);
}

static void calls_are_counted(void)
{
	unsigned long before = cuda.simcuda_count("cudaMalloc");
	try_malloc();
	try_malloc();
	CHECK_IS(cuda.simcuda_count("cudaMalloc") - before, 2);
	CHECK_IS(cuda.simcuda_count("cublasDgemm_v2"), 0);
	CHECK_IS(cuda.simcuda_count("noSuchCall"), 0);
}

static void slow_calls_take_their_time(void)
{
	struct timespec start, end;
	clock_gettime(CLOCK_MONOTONIC, &start);
	try_malloc();
	clock_gettime(CLOCK_MONOTONIC, &end);
	double seconds =
		(double)(end.tv_sec - start.tv_sec) + (double)(end.tv_nsec - start.tv_nsec) / 1e9;
	CHECK(seconds >= 0.1);
}

/*
 * Runs the first call in a child. Sets the text that it prints on stderr and returns its exit
 * status.
 */
static int first_call(char *text, size_t size)
{
	int ends[2], status = 0;
	CHECK(!pipe(ends));
	pid_t child = fork();
	if (!child) {
		dup2(ends[1], 2);
		_exit(try_malloc());
	}
	close(ends[1]);
	size_t used = 0;
	for (ssize_t got;
	     used < size - 1 && (got = read(ends[0], text + used, size - 1 - used)) > 0;)
		used += (size_t)got;
	text[used] = 0;
	CHECK(waitpid(child, &status, 0) == child);
	close(ends[0]);
	return WEXITSTATUS(status);
}

static void bad_controls_are_reported_once(void)
{
	char text[4096];
	CHECK_IS(first_call(text, sizeof text), 0);
	CHECK(strstr(text, "cudaMaloc:1") && strstr(text, "SIMCUDA_MEMORY") &&
	      strstr(text, "cudaFree:x"));
	int lines = 0;
	for (const char *c = text; *c; c++)
		lines += *c == '\n';
	CHECK_IS(lines, 3);
}

static void silence_without_controls(void)
{
	char text[64];
	CHECK_IS(first_call(text, sizeof text), 0);
	CHECK(!text[0]);
}

static void counts_are_written_at_exit(void)
{
	char line[256];
	int status = 0, found = 0;
	const char *path = getenv("SIMCUDA_COUNTS");
	unlink(path);
	/* The child counts its two calls, though they fail, and not the parent's call. */
	try_malloc();
	pid_t child = fork();
	if (!child) {
		try_malloc();
		try_malloc();
		exit(0);
	}
	CHECK(waitpid(child, &status, 0) == child);
	FILE *file = fopen(path, "r");
	while (file && fgets(line, sizeof line, file))
		found += !strcmp(line, "cudaMalloc 2\n");
	CHECK_IS(found, 1);
	if (file)
		fclose(file);
	unlink(path);
}

/* Each thread works on its own stream and its own memory; the engine's state is shared. */
static void *thread_work(void *failures)
{
	void *stream = rules_stream(SIM_STREAM_NON_BLOCKING), *event = rules_event();
	for (int round = 1; round <= 50; round++) {
		unsigned char value = 0, *memory = rules_device_memory(4096);
		bool fine = !cuda.cudaMemsetAsync(memory, round, 4096, stream) &&
		            !cuda.cudaEventRecord(event, stream) &&
		            !cuda.cudaEventSynchronize(event) &&
		            !cuda.cudaMemcpyAsync(&value, memory + 4095, 1, SIM_COPY_D2H, stream) &&
		            !cuda.cudaStreamSynchronize(stream) && value == round &&
		            !cuda.cudaFree(memory);
		*(int *)failures += !fine;
	}
	return NULL;
}

static void threads_do_not_disturb_each_other(void)
{
	enum { THREADS = 6 };
	pthread_t threads[THREADS];
	int failures[THREADS] = {0};
	for (int i = 0; i < THREADS; i++)
		CHECK(!pthread_create(&threads[i], NULL, thread_work, &failures[i]));
	for (int i = 0; i < THREADS; i++) {
		pthread_join(threads[i], NULL);
		CHECK_IS(failures[i], 0);
	}
}

const struct rule fault_rules[] = {
	{"control: the nth use fails", RULE_SIM_ONLY,
         "SIMCUDA_FAIL=cudaMalloc:2,cudaMalloc:4+:46,cufftPlan1d:*", the_nth_use_fails},
	{"control: a failed call has no effect", RULE_SIM_ONLY,
         "SIMCUDA_FAIL=cudaMalloc:1,cublasCreate_v2:1", a_failed_call_has_no_effect},
	{"control: sticky injected errors stick", RULE_SIM_ONLY,
         "SIMCUDA_FAIL=cudaStreamSynchronize:1:719", an_injected_sticky_error_sticks},
	{"control: a copy fails when it runs", RULE_SIM_ONLY, "SIMCUDA_FAIL=copy:2:700",
         a_copy_fails_when_it_runs},
	{"control: a kernel fails when it runs", RULE_SIM_ONLY, "SIMCUDA_FAIL=kernel:2:214",
         a_kernel_fails_when_it_runs},
	{"control: a kernel computes wrongly", RULE_SIM_ONLY, "SIMCUDA_FAIL=kernel:2:wrong",
         a_kernel_computes_wrongly},
	{"control: counting", RULE_SIM_ONLY, NULL, calls_are_counted},
	{"control: slowness", RULE_SIM_ONLY, "SIMCUDA_SLOW=cudaMalloc:100",
         slow_calls_take_their_time},
	{"control: bad values are reported", RULE_SIM_ONLY,
         "SIMCUDA_FAIL=cudaMaloc:1,cudaFree:x SIMCUDA_MEMORY=lots", bad_controls_are_reported_once},
	{"control: silence", RULE_SIM_ONLY, NULL, silence_without_controls},
	{"control: counts at exit", RULE_SIM_ONLY, "SIMCUDA_COUNTS=simcuda_counts_test.txt",
         counts_are_written_at_exit},
	{"control: threads", RULE_ANYWHERE, NULL, threads_do_not_disturb_each_other},
	{0},
};
