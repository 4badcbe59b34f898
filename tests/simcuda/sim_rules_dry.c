/* sim_rules_dry.c - the rules of SIMCUDA_DRY (time without data) and of the trace */
/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "sim_rules.h"

static const char *const profile_text =
	"up_gbytes_s = 50\ndown_gbytes_s = 50\ndgemm_tflops_s = 50\nmemory = 141G\n";

static void *alone(void)
{
	return rules_stream(SIM_STREAM_NON_BLOCKING);
}

static void *handle_on(void *stream)
{
	void *handle = rules_handle();
	CHECK_IS(cuda.cublasSetStream_v2(handle, stream), 0);
	return handle;
}

/*
 * Far more than this machine's memory: 3 matrices of 12.8 GB on the device, one page-locked and one
 * without access.
 */
static void large_calls_take_no_memory(void)
{
	enum { N = 40000 };
	const size_t bytes = (size_t)N * N * sizeof(double);
	double one = 1, zero = 0, *locked, *a, *b, *c;
	rules_use_profile("SIMCUDA_CLOCK", profile_text);
	void *stream = alone(), *handle = handle_on(stream);
	void *pageable =
		mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	CHECK(pageable != MAP_FAILED);
	locked = rules_pinned(bytes);
	a = rules_device_memory(bytes);
	b = rules_device_memory(bytes);
	c = rules_device_memory(bytes);
	CHECK_IS(cuda.cudaMemcpyAsync(a, locked, bytes, SIM_COPY_H2D, stream), 0);
	CHECK_IS(cuda.cudaMemcpyAsync(b, pageable, bytes, SIM_COPY_H2D, stream), 0);
	CHECK_IS(cuda.cublasDgemm_v2(handle, 0, 0, N, N, N, &one, a, N, b, N, &zero, c, N), 0);
	CHECK_IS(cuda.cudaMemcpyAsync(locked, c, bytes, SIM_COPY_D2H, stream), 0);
	CHECK_IS(cuda.cudaStreamSynchronize(stream), 0);
	double expected_ns = 3 * (double)bytes / 50 + 2.0 * N * N * N / 50e3;
	CHECK(fabs((double)cuda.simcuda_clock_ns() - expected_ns) <= 2);
	CHECK(locked[0] == 0 && locked[(size_t)N * N - 1] == 0);
	CHECK_IS(cuda.cudaFree(a), 0);
	CHECK_IS(cuda.cudaFreeHost(locked), 0);
	munmap(pageable, bytes);
}

/* What a program reads to go on: small copies, and the info and the pivots of a factorization. */
static void control_data_arrive(void)
{
	enum { N = 512 };
	const size_t bytes = (size_t)N * N * sizeof(double);
	size_t device_bytes = 0, host_bytes = 0;
	int64_t rows[N] = {0};
	int sent = 7, info = -1;
	rules_use_profile("SIMCUDA_CLOCK", profile_text);
	double *a = rules_device_memory(bytes), *locked = rules_pinned(bytes);
	int64_t *pivots = rules_device_memory(sizeof rows);
	int *word = rules_device_memory(sizeof info);
	void *handle, *params;
	CHECK_IS(cuda.cusolverDnCreate(&handle), 0);
	CHECK_IS(cuda.cusolverDnCreateParams(&params), 0);
	locked[0] = 1;
	CHECK_IS(cuda.cudaMemcpy(a, locked, bytes, SIM_COPY_H2D), 0);
	locked[0] = 2;
	CHECK_IS(cuda.cudaMemcpy(locked, a, bytes, SIM_COPY_D2H), 0);
	CHECK(locked[0] == 2);
	CHECK_IS(cuda.cudaMemcpy(word, &sent, sizeof sent, SIM_COPY_H2D), 0);
	CHECK_IS(cuda.cudaMemcpy(&info, word, sizeof info, SIM_COPY_D2H), 0);
	CHECK_IS(info, 7);
	CHECK_IS(cuda.cusolverDnXgetrf_bufferSize(handle, params, N, N, SIM_TYPE_D, a, N,
	                                          SIM_TYPE_D, &device_bytes, &host_bytes),
	         0);
	void *work = rules_device_memory(device_bytes), *room = malloc(host_bytes + 1);
	CHECK_IS(cuda.cusolverDnXgetrf(handle, params, N, N, SIM_TYPE_D, a, N, pivots, SIM_TYPE_D,
	                               work, device_bytes, room, host_bytes, word),
	         0);
	CHECK_IS(cuda.cudaMemcpy(&info, word, sizeof info, SIM_COPY_D2H), 0);
	CHECK_IS(cuda.cudaMemcpy(rows, pivots, sizeof rows, SIM_COPY_D2H), 0);
	CHECK_IS(info, 0);
	CHECK(rows[0] == 1 && rows[N - 1] == N);
	free(room);
	CHECK_IS(cuda.cusolverDnDestroyParams(params), 0);
	CHECK_IS(cuda.cusolverDnDestroy(handle), 0);
}

static void addresses_are_still_checked_copy(void)
{
	rules_use_profile("SIMCUDA_CLOCK", profile_text);
	char *memory = rules_device_memory(1 << 21), *host = rules_pinned(1 << 22);
	CHECK_IS(cuda.cudaMemcpyAsync(memory, host, 1 << 21, SIM_COPY_H2D, NULL), 0);
	CHECK_IS(cuda.cudaDeviceSynchronize(), 0);
	CHECK_IS(cuda.cudaMemcpyAsync(memory, host, (1 << 21) + 1, SIM_COPY_H2D, NULL), 0);
	CHECK_IS(cuda.cudaDeviceSynchronize(), SIM_cudaErrorIllegalAddress);
}

/* The last column of the second operand ends with the allocation, or one row after it. */
static void addresses_are_still_checked_kernel(void)
{
	enum { N = 512 };
	double one = 1, zero = 0;
	rules_use_profile("SIMCUDA_CLOCK", profile_text);
	double *a = rules_device_memory(N * N * sizeof(double)),
	       *b = rules_device_memory(N * N * sizeof(double));
	double *c = rules_device_memory(N * N * sizeof(double));
	void *handle = handle_on(NULL);
	CHECK_IS(cuda.cublasDgemm_v2(handle, 0, 0, N, N, N, &one, a, N, b, N, &zero, c, N), 0);
	CHECK_IS(cuda.cudaDeviceSynchronize(), 0);
	CHECK_IS(cuda.cublasDgemm_v2(handle, 0, 0, N, N, N, &one, a, N, b + 1, N, &zero, c, N), 0);
	CHECK_IS(cuda.cudaDeviceSynchronize(), SIM_cudaErrorIllegalAddress);
}

static void without_a_clock_data_are_touched(void)
{
	unsigned char value = 0, *memory = rules_device_memory(64);
	CHECK_IS(cuda.cudaMemset(memory, 5, 64), 0);
	CHECK_IS(cuda.cudaMemcpy(&value, memory, 1, SIM_COPY_D2H), 0);
	CHECK_IS(value, 5);
}

/* Reads the trace without the fields that differ from run to run: the sequence and the stream. */
static int read_trace(char lines[][512], int most)
{
	const char *path = getenv("SIMCUDA_TRACE");
	FILE *file = fopen(path, "r");
	int count = 0;
	while (file && count < most && fgets(lines[count], 512, file)) {
		char *kind = strstr(lines[count], "kind="),
		     *stream = strstr(lines[count], " stream=");
		CHECK(!strncmp(lines[count], "op=", 3) && kind && stream);
		if (!kind || !stream)
			break;
		char *after = strchr(stream + 1, ' ');
		memmove(stream, after, strlen(after) + 1);
		memmove(lines[count], kind, strlen(kind) + 1);
		lines[count][strcspn(lines[count], "\n")] = 0;
		count++;
	}
	CHECK(file && !fclose(file) && !unlink(path));
	return count;
}

static bool line_is(const char *line, const char *expected)
{
	bool same = !strcmp(line, expected);
	if (!same)
		printf("    trace: '%s'\n      not: '%s'\n", line, expected);
	return CHECK(same);
}

static void a_trace_tells_copies_and_kernels(void)
{
	enum { M = 3, N = 2, K = 4 };
	static char lines[16][512];
	char expected[512];
	double one = 1, zero = 0;
	unlink(getenv("SIMCUDA_TRACE"));
	rules_use_profile(
		"SIMCUDA_CLOCK",
		"operation_us = 1\nup_gbytes_s = 1\ndown_gbytes_s = 1\ndgemm_tflops_s = 1\n");
	double *host = rules_pinned(4096), *a = rules_device_memory(4096), *b = a + 128,
	       *c = a + 256;
	void *stream = alone(), *other = alone(), *event = rules_event(),
	     *handle = handle_on(other);
	CHECK_IS(cuda.cudaMemcpy2DAsync(a, 512, host, 1000, 24, 4, SIM_COPY_H2D, stream), 0);
	CHECK_IS(cuda.cudaEventRecord(event, stream), 0);
	CHECK_IS(cuda.cudaStreamWaitEvent(other, event, 0), 0);
	CHECK_IS(cuda.cublasDgemm_v2(handle, 0, 0, M, N, K, &one, a, 64, b, 5, &zero, c, 3), 0);
	CHECK_IS(cuda.cudaMemcpyAsync(host, c, 48, SIM_COPY_D2H, other), 0);
	CHECK_IS(cuda.cudaStreamSynchronize(other), 0);
	CHECK_IS(read_trace(lines, 16), 5);
	snprintf(expected, sizeof expected,
	         "kind=h2d device=0 engine=up issue_ns=0 start_ns=0 end_ns=1096 bytes=96 "
	         "writes=%lx:512:24:4 "
	         "host=%lx:1000:24:4",
	         (unsigned long)a, (unsigned long)host);
	line_is(lines[0], expected);
	line_is(lines[1],
	        "kind=record device=0 engine=none issue_ns=0 start_ns=1096 end_ns=1096 mark=1");
	line_is(lines[2],
	        "kind=wait device=0 engine=none issue_ns=0 start_ns=1096 end_ns=1096 mark=1");
	snprintf(expected, sizeof expected,
	         "kind=kernel device=0 engine=work issue_ns=0 start_ns=1096 end_ns=2096 "
	         "flops=48 area=6 "
	         "name=cublasDgemm_v2 reads=%lx:512:24:4,%lx:40:32:2 writes=%lx:24:24:2",
	         (unsigned long)a, (unsigned long)b, (unsigned long)c);
	line_is(lines[3], expected);
	snprintf(expected, sizeof expected,
	         "kind=d2h device=0 engine=down issue_ns=0 start_ns=2096 end_ns=3144 bytes=48 "
	         "reads=%lx:48:48:1 "
	         "host=%lx:48:48:1",
	         (unsigned long)c, (unsigned long)host);
	line_is(lines[4], expected);
}

/*
 * Areas that are read and written in place and of a triangle, and the error of a failed operation.
 */
static void a_trace_tells_what_is_read(void)
{
	static char lines[16][512];
	char expected[64];
	double one = 1, *a = rules_device_memory(4096), *c = a + 256;
	void *handle = handle_on(NULL);
	unlink(getenv("SIMCUDA_TRACE"));
	CHECK_IS(cuda.cudaMemset(a, 0, 4096), 0);
	CHECK_IS(cuda.cublasDtrsm_v2(handle, 0, 0, 0, 1, 4, 2, &one, a, 4, c, 8), 0);
	CHECK_IS(cuda.cublasDsyrk_v2(handle, 0, 0, 4, 2, &one, a, 4, &one, c, 8), 0);
	CHECK_IS(cuda.cudaMemsetAsync(c, 0, 16, NULL), 0);
	CHECK_IS(cuda.cudaDeviceSynchronize(), SIM_cudaErrorECCUncorrectable);
	CHECK_IS(read_trace(lines, 16), 4);
	CHECK(strstr(lines[0], "kind=fill ") && !strstr(lines[0], "reads="));
	snprintf(expected, sizeof expected, "reads=%lx:32:32:4,%lx:64:32:2 ", (unsigned long)a,
	         (unsigned long)c);
	CHECK(strstr(lines[1], "name=cublasDtrsm_v2") && strstr(lines[1], expected));
	snprintf(expected, sizeof expected, "reads=%lx:32:32:2,%lx:64:32:4 ", (unsigned long)a,
	         (unsigned long)c);
	CHECK(strstr(lines[2], "area=10 ") && strstr(lines[2], expected) &&
	      !strstr(lines[2], "error="));
	CHECK(strstr(lines[3], " error=214"));
}

const struct rule dry_rules[] = {
	{"dry: large calls", RULE_SIM_ONLY, "SIMCUDA_DRY=1", large_calls_take_no_memory},
	{"dry: control data", RULE_SIM_ONLY, "SIMCUDA_DRY=1", control_data_arrive},
	{"dry: addresses of copies", RULE_SIM_ONLY, "SIMCUDA_DRY=1",
         addresses_are_still_checked_copy},
	{"dry: addresses of kernels", RULE_SIM_ONLY, "SIMCUDA_DRY=1",
         addresses_are_still_checked_kernel},
	{"dry: not without a clock", RULE_SIM_ONLY, "SIMCUDA_DRY=1",
         without_a_clock_data_are_touched},
	{"trace: copies and kernels", RULE_SIM_ONLY, "SIMCUDA_TRACE=simcuda_trace_test.txt",
         a_trace_tells_copies_and_kernels},
	{"trace: operands", RULE_SIM_ONLY,
         "SIMCUDA_TRACE=simcuda_trace_test.txt SIMCUDA_FAIL=copy:2:214",
         a_trace_tells_what_is_read},
	{0},
};
