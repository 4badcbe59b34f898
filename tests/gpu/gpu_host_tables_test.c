/* gpu_host_tables_test.c - a device that reads ordinary memory: loads without staging */
/* SPDX-License-Identifier: Apache-2.0 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "gpu_check.h"
#include "gpu_scenarios.h"
#include "shim/execute/gpu/blas/gpu_blas.h"
#include "shim/execute/gpu/engine/staging.h"
#include "shim/execute/gpu/session/quick_look.h"

/* The simulation's trace: copies to the device, and those of them that read the rings. */
static char trace_path[] = "/tmp/gpu_host_tables_XXXXXX";
static long trace_read; /* bytes of the trace that were looked at */
static int device, copies, staged;

static void trace_begin(void)
{
	close(mkstemp(trace_path));
	setenv("SIMCUDA_TRACE", trace_path, 1);
}

static bool is_staged(uintptr_t host)
{
	struct staging rings;
	EXPECT(staging_take(&rings) == REASON_NONE, "no call holds a part");
	const uintptr_t begin = (uintptr_t)rings.base[STAGING_UP];
	const bool inside = host >= begin && host < begin + rings.size_bytes[STAGING_UP];
	staging_give(&rings, true);
	return inside;
}

/* Counts what was traced since the last time. */
static void trace_count(void)
{
	FILE *trace = fopen(trace_path, "r");
	char line[1024];
	copies = staged = 0;
	if (trace == NULL)
		return;
	fseek(trace, trace_read, SEEK_SET);
	while (fgets(line, sizeof line, trace) != NULL) {
		const char *host = strstr(line, " host=");
		if (strstr(line, " kind=h2d ") == NULL || host == NULL)
			continue;
		copies++;
		staged += is_staged(strtoull(host + strlen(" host="), NULL, 16));
	}
	trace_read = ftell(trace);
	fclose(trace);
}

static int trace_end(void)
{
	unlink(trace_path);
	return gpu_check_end("gpu_host_tables");
}

static void run_gemm(enum element element, double beta)
{
	const struct gpu_check_gemm gemm = {.element = element,
	                                    .transa = TRANSPOSE_T,
	                                    .m = 211,
	                                    .n = 157,
	                                    .k = 83,
	                                    .gap = 3,
	                                    .alpha = 0.5,
	                                    .beta = beta};
	EXPECT(gpu_check_run_gemm(&gemm, device) == REASON_NONE, "beta %g", beta);
}

static void run_transform(bool in_place)
{
	const struct gpu_check_fft fft = {.family = FAMILY_FFT_C2C,
	                                  .element = ELEMENT_Z,
	                                  .rank = 2,
	                                  .n = {48, 40},
	                                  .howmany = 5,
	                                  .sign = -1,
	                                  .in_place = in_place};
	EXPECT(gpu_check_run_fft(&fft, device) == REASON_NONE, "in place: %d", in_place);
}

/* Every operand goes straight from the program's memory to the device. */
static int scenario_direct(void)
{
	trace_begin();
	device = gpu_check_start(0);
	trace_count();
	run_gemm(ELEMENT_D, 0);
	run_gemm(ELEMENT_Z, -2);
	run_transform(false);
	trace_count();
	EXPECT(copies >= 5, "%d copies", copies);
	EXPECT(staged == 0, "%d of %d copies read the rings", staged, copies);
	return trace_end();
}

/* Input that results will overwrite is kept, and goes through the ring for that. */
static int scenario_in_place(void)
{
	trace_begin();
	device = gpu_check_start(0);
	trace_count();
	run_transform(true);
	trace_count();
	EXPECT(copies > 0 && staged == copies, "%d of %d copies read the rings", staged, copies);
	return trace_end();
}

/* Without the attribute the device cannot: this is what the other scenarios are compared with. */
static int scenario_ordinary(void)
{
	trace_begin();
	device = gpu_check_start(0);
	trace_count();
	run_gemm(ELEMENT_D, 0);
	trace_count();
	EXPECT(copies > 0 && staged == copies, "%d of %d copies read the rings", staged, copies);
	return trace_end();
}

/* Columns further apart than CUDA's largest pitch. */
static int scenario_wide(void)
{
	enum { M = 8, N = 2, K = 3 };
	const int64_t ld = ((int64_t)1 << 28) + 1;
	const size_t size_bytes = ((size_t)ld * (K - 1) + M) * sizeof(double);
	double b[K * N], c[M * N];
	trace_begin();
	device = gpu_check_start(0);
	double *a = mmap(NULL, size_bytes, PROT_READ | PROT_WRITE,
	                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	EXPECT(a != MAP_FAILED, "no address space");
	for (int k = 0; k < K; k++)
		for (int i = 0; i < M; i++)
			a[k * ld + i] = i + 10 * k;
	for (int i = 0; i < K * N; i++)
		b[i] = 1;
	const struct call call = {.family = FAMILY_GEMM,
	                          .element = ELEMENT_D,
	                          .blas = {.m = M,
	                                   .n = N,
	                                   .k = K,
	                                   .lda = ld,
	                                   .ldb = K,
	                                   .ldc = M,
	                                   .a = a,
	                                   .b = b,
	                                   .c = c,
	                                   .alpha = {1}}};
	bool finished;
	const enum reason reason = gpu_blas_run(&call, NULL, device, NULL, &finished);
	EXPECT(reason == REASON_NONE, "%s", reason_name(reason));
	for (int i = 0; i < M * N; i++)
		EXPECT(c[i] == 3 * (i % M) + 30, "element %d is %g", i, c[i]);
	return trace_end();
}

static pid_t handler_thread;
static char *hidden;

static void show_page(int number, siginfo_t *info, void *context)
{
	(void)number, (void)info, (void)context;
	handler_thread = (pid_t)syscall(SYS_gettid);
	mprotect(hidden, 4096, PROT_READ | PROT_WRITE);
}

/*
 * The program's handler makes a page accessible when it is touched: by the calling thread, since a
 * device that finds it inaccessible loses its context. Other operands are read without the rings.
 */
static int scenario_handled(void)
{
	enum { N = 512 };
	const size_t bytes = sizeof(double) * N * N;
	const struct sigaction action = {.sa_sigaction = show_page, .sa_flags = SA_SIGINFO};
	double *matrix[3];
	trace_begin();
	device = gpu_check_start(0);
	for (int i = 0; i < 3; i++) {
		matrix[i] = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
		                 -1, 0);
		EXPECT(matrix[i] != MAP_FAILED, "no memory");
		for (int j = 0; j < N * N; j++)
			matrix[i][j] = 1;
	}
	hidden = (char *)matrix[1] + bytes - 4096;
	sigaction(SIGSEGV, &action, NULL);
	const struct call call = gpu_check_square(ELEMENT_D, N, matrix[0], matrix[1], matrix[2]);
	for (int hide = 0; hide < 2; hide++) {
		bool finished;
		if (hide)
			mprotect(hidden, 4096, PROT_NONE);
		trace_count();
		const enum reason reason = gpu_blas_run(&call, NULL, device, NULL, &finished);
		EXPECT(reason == REASON_NONE, "%s", reason_name(reason));
		trace_count();
		EXPECT(hide || staged == 0, "%d of %d copies read the rings", staged, copies);
		EXPECT(handler_thread == (hide ? getpid() : 0), "thread %d", (int)handler_thread);
		for (int i = 0; i < N * N; i++)
			EXPECT(matrix[2][i] == N, "element %d is %g", i, matrix[2][i]);
	}
	return trace_end();
}

/* The start compares both ways, and calls take the faster one. */
static void look_and_call(void)
{
	trace_begin();
	quick_look_enable(true);
	quick_look_set_budget(INT64_C(60000000000));
	device = gpu_check_start(0);
	trace_count();
	run_gemm(ELEMENT_D, 0);
	trace_count();
	EXPECT(copies > 0, "%d copies", copies);
}

static int scenario_slow(void)
{
	look_and_call();
	EXPECT(staged == copies, "%d of %d copies read the rings", staged, copies);
	return trace_end();
}

static int scenario_fast(void)
{
	look_and_call();
	EXPECT(staged == 0, "%d of %d copies read the rings", staged, copies);
	return trace_end();
}

static const struct gpu_scenario scenarios[] = {
	{"direct", scenario_direct, {"SIMCUDA_HOST_TABLES=1"}, NULL},
	{"direct_at_call",
         scenario_direct,
         {"SIMCUDA_HOST_TABLES=1", "SIMCUDA_PAGEABLE=now"},
         NULL},
	{"in_place", scenario_in_place, {"SIMCUDA_HOST_TABLES=1"}, NULL},
	{"ordinary", scenario_ordinary, {NULL}, NULL},
	{"wide", scenario_wide, {"SIMCUDA_HOST_TABLES=1"}, NULL},
	{"handled", scenario_handled, {"SIMCUDA_HOST_TABLES=1"}, NULL},
	{"slow",
         scenario_slow,
         {"SIMCUDA_HOST_TABLES=1", "SIMCUDA_PAGEABLE_US_PER_MIB=20000"},
         NULL},
	{"fast", scenario_fast, {"SIMCUDA_HOST_TABLES=1", "SIMCUDA_PIN_US_PER_MIB=0"}, NULL},
};

int main(int argc, char **argv)
{
	return gpu_scenarios_run("gpu_host_tables", scenarios,
	                         sizeof scenarios / sizeof scenarios[0],
	                         argc == 2 ? argv[1] : NULL);
}
