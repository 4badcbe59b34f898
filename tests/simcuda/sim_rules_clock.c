/* sim_rules_clock.c - the rules of virtual time: durations, waits, and when time advances */
/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sim_rules.h"

static unsigned long now_ns(void)
{
	return (unsigned long)cuda.simcuda_clock_ns();
}

/* Virtual times are exact except for the rounding of what is reported. */
static bool is_near(double actual_ns, double expected_ns)
{
	return fabs(actual_ns - expected_ns) <= 2;
}

static void *alone(void)
{
	return rules_stream(SIM_STREAM_NON_BLOCKING);
}

static void upload(void *device, const void *host, size_t size_bytes, void *stream)
{
	CHECK_IS(cuda.cudaMemcpyAsync(device, host, size_bytes, SIM_COPY_H2D, stream), 0);
}

static void download(void *host, const void *device, size_t size_bytes, void *stream)
{
	CHECK_IS(cuda.cudaMemcpyAsync(host, device, size_bytes, SIM_COPY_D2H, stream), 0);
}

static void *recorded(void *stream)
{
	void *event = rules_event();
	CHECK_IS(cuda.cudaEventRecord(event, stream), 0);
	return event;
}

static double between_ns(void *start, void *end)
{
	float elapsed_ms = -1;
	CHECK_IS(cuda.cudaEventElapsedTime(&elapsed_ms, start, end), 0);
	return (double)elapsed_ms * 1e6;
}

static void time_is_for_waiters(void)
{
	rules_use_profile("SIMCUDA_CLOCK", "up_gbytes_s = 10\noperation_us = 5 # each\n");
	char *host = rules_pinned(1000000), *device = rules_device_memory(1000000);
	void *stream = alone(), *start = recorded(stream);
	upload(device, host, 1000000, stream);
	CHECK_IS(now_ns(), 0);
	CHECK_IS(cuda.cudaStreamSynchronize(stream), 0);
	CHECK_IS(now_ns(), 105000);
	/* An operation does not start before it was issued, even if the engine was idle. */
	void *middle = recorded(stream);
	upload(device, host, 500000, stream);
	void *end = recorded(stream);
	CHECK_IS(cuda.cudaEventSynchronize(end), 0);
	CHECK_IS(now_ns(), 160000);
	CHECK(fabs(between_ns(start, middle) - 105000) < 1 &&
	      fabs(between_ns(middle, end) - 55000) < 1);
}

static void an_engine_does_one_thing_at_a_time(void)
{
	rules_use_profile("SIMCUDA_CLOCK", "up_gbytes_s = 10\n");
	char *host = rules_pinned(1000000), *device = rules_device_memory(1000000);
	void *first = alone(), *second = alone();
	upload(device, host, 400000, first);
	upload(device, host, 600000, second);
	CHECK_IS(cuda.cudaStreamSynchronize(first), 0);
	CHECK_IS(now_ns(), 40000);
	CHECK_IS(cuda.cudaStreamSynchronize(second), 0);
	CHECK_IS(now_ns(), 100000);
}

/* The operation that became ready first runs first, even if it was issued last. */
static void engines_serve_in_the_order_of_readiness(void)
{
	rules_use_profile("SIMCUDA_CLOCK", "up_gbytes_s = 10\ndown_gbytes_s = 1\n");
	char *host = rules_pinned(1000000), *device = rules_device_memory(1000000);
	void *patient = alone(), *source = alone(), *prompt = alone(), *next = alone();
	download(host, device, 10000, source);
	void *awaited = recorded(source);
	CHECK_IS(cuda.cudaStreamWaitEvent(patient, awaited, 0), 0);
	upload(device, host, 100000, patient); /* ready at 10 us */
	void *patient_end = recorded(patient);
	upload(device, host, 200000, prompt); /* ready at 0, done at 20 us */
	upload(device, host, 300000, next);   /* ready at 0 too, done at 50 us */
	void *prompt_end = recorded(prompt), *next_end = recorded(next);
	CHECK_IS(cuda.cudaEventSynchronize(prompt_end), 0);
	CHECK_IS(now_ns(), 20000);
	CHECK_IS(cuda.cudaEventSynchronize(next_end), 0);
	CHECK_IS(now_ns(), 50000);
	CHECK_IS(cuda.cudaEventSynchronize(patient_end), 0);
	CHECK_IS(now_ns(), 60000);
}

static void directions_slow_each_other_while_both_move(void)
{
	rules_use_profile("SIMCUDA_CLOCK", "up_gbytes_s = 10\ndown_gbytes_s = 10\nduplex = 0.5\n");
	char *host = rules_pinned(4000000), *device = rules_device_memory(4000000);
	void *up = alone(), *down = alone();
	upload(device, host, 2000000, up);
	download(host + 2000000, device + 2000000, 1000000, down);
	CHECK_IS(cuda.cudaStreamSynchronize(down), 0);
	CHECK_IS(now_ns(), 200000);
	/* 1 MB is left, and the upload has the link for itself. */
	CHECK_IS(cuda.cudaStreamSynchronize(up), 0);
	CHECK_IS(now_ns(), 300000);
}

static void directions_are_disturbed_by_bytes_only(void)
{
	rules_use_profile(
		"SIMCUDA_CLOCK",
		"up_gbytes_s = 10\ndown_gbytes_s = 10\nduplex = 0.5\noperation_us = 10\n");
	char *host = rules_pinned(4000000), *device = rules_device_memory(4000000);
	void *up = alone(), *down = alone(), *between = alone();
	upload(device, host, 100000, between); /* 0 to 20 us */
	upload(device, host, 2000000, up);     /* moves from 30 us on */
	download(host + 2000000, device + 2000000, 300000, down);
	/* From 10 us on: 10 us beside the first upload, 10 us alone, 30 us beside the second. */
	CHECK_IS(cuda.cudaStreamSynchronize(between), 0);
	CHECK_IS(now_ns(), 30000);
	CHECK_IS(cuda.cudaStreamSynchronize(down), 0);
	CHECK_IS(now_ns(), 60000);
}

/* The time of a product of these sizes, from the event before it to the event after it. */
static double product_ns(char element, int m, int n, int k, int batch)
{
	void *stream = alone(), *handle = rules_handle(), *memory = rules_device_memory(1 << 24);
	double one[2] = {1, 0}, zero[2] = {0, 0};
	float narrow[2] = {1, 0};
	CHECK_IS(cuda.cublasSetStream_v2(handle, stream), 0);
	CHECK_IS(cuda.cudaMemset(memory, 0, 1 << 24), 0);
	CHECK_IS(cuda.cudaDeviceSynchronize(), 0);
	unsigned long start = now_ns();
	if (element == 'S')
		CHECK_IS(cuda.cublasSgemm_v2(handle, 0, 0, m, n, k, narrow, memory, m, memory, k,
		                             zero, memory, m),
		         0);
	else if (element == 'Z')
		CHECK_IS(cuda.cublasZgemm_v2(handle, 0, 0, m, n, k, one, memory, m, memory, k, zero,
		                             memory, m),
		         0);
	else
		CHECK_IS(cuda.cublasDgemmStridedBatched(handle, 0, 0, m, n, k, one, memory, m,
		                                        m * k, memory, k, k * n, zero, memory, m,
		                                        m * n, batch),
		         0);
	CHECK_IS(cuda.cudaStreamSynchronize(stream), 0);
	return (double)(now_ns() - start);
}

static void work_comes_in_waves_of_tiles(void)
{
	rules_use_profile("SIMCUDA_CLOCK",
	                  "operation_us = 3\nsgemm_tflops_s = 2\ndgemm_tflops_s = 1\n"
	                  "zgemm_tflops_s = 4\ntile = 128\nunits = 4\n");
	const double tile = 128.0 * 128;
	/* 9 tiles: 3 waves of 4, of which each computes 2 * 10 operations per element */
	double area = 3 * 4 * tile;
	CHECK(is_near(product_ns('D', 300, 300, 10, 1), 3000 + area * 20 / 1000));
	CHECK(is_near(product_ns('S', 300, 300, 10, 1), 3000 + area * 20 / 2000));
	CHECK(is_near(product_ns('Z', 300, 300, 10, 1), 3000 + area * 80 / 4000));
	/* 3 problems of one tile each share a wave, 5 do not. */
	CHECK(is_near(product_ns('D', 100, 100, 10, 3), 3000 + 4 * tile * 20 / 1000));
	CHECK(is_near(product_ns('D', 100, 100, 10, 5), 3000 + 8 * tile * 20 / 1000));
}

static double triangle_ns(int n, int k)
{
	void *handle = rules_handle(), *memory = rules_device_memory(1 << 24);
	double one = 1, zero = 0;
	CHECK_IS(cuda.cudaMemset(memory, 0, 1 << 24), 0);
	CHECK_IS(cuda.cudaDeviceSynchronize(), 0);
	unsigned long start = now_ns();
	CHECK_IS(cuda.cublasDsyrk_v2(handle, 0, 0, n, k, &one, memory, n, &zero, memory, n), 0);
	CHECK_IS(cuda.cudaDeviceSynchronize(), 0);
	return (double)(now_ns() - start);
}

static void a_triangle_has_half_the_tiles(void)
{
	rules_use_profile("SIMCUDA_CLOCK", "dgemm_tflops_s = 1\ntile = 128\nunits = 4\n");
	/* 6 tiles: 2 waves of 4, of which each computes 2 * 10 operations per element */
	CHECK(is_near(triangle_ns(300, 10), 2 * 4 * 128.0 * 128 * 20 / 1000));
}

static void without_tiles_work_runs_smoothly(void)
{
	rules_use_profile("SIMCUDA_CLOCK", "dgemm_tflops_s = 1\n");
	CHECK(is_near(product_ns('D', 300, 200, 10, 1), 2.0 * 300 * 200 * 10 / 1000));
	CHECK(is_near(triangle_ns(300, 10), 300.0 * 301 * 10 / 1000));
}

/* Of each function on its own; the second use is as fast as it ever is. */
static void the_first_use_of_a_kernel_loads_it(void)
{
	rules_use_profile("SIMCUDA_CLOCK", "dgemm_tflops_s = 1\nzgemm_tflops_s = 1\n");
	const double once_ns = 2.0 * 300 * 200 * 10 / 1000, load_ns = 20e6;
	CHECK(is_near(product_ns('D', 300, 200, 10, 1), load_ns + once_ns));
	CHECK(is_near(product_ns('D', 300, 200, 10, 1), once_ns));
	CHECK(is_near(product_ns('Z', 300, 200, 10, 1), load_ns + 4 * once_ns));
	CHECK(is_near(product_ns('Z', 300, 200, 10, 1), 4 * once_ns));
}

static void transforms_move_their_data(void)
{
	rules_use_profile("SIMCUDA_CLOCK", "memory_gbytes_s = 100\nfft_passes = 3\n");
	int plan = 0;
	void *memory = rules_device_memory(1 << 20), *other = rules_device_memory(1 << 20);
	CHECK_IS(cuda.cudaMemset(memory, 0, 1 << 20), 0);
	CHECK_IS(cuda.cufftPlan1d(&plan, 256, SIM_CUFFT_Z2Z, 256), 0);
	CHECK_IS(cuda.cudaDeviceSynchronize(), 0);
	unsigned long start = now_ns();
	CHECK_IS(cuda.cufftExecZ2Z(plan, memory, other, -1), 0);
	CHECK_IS(cuda.cudaDeviceSynchronize(), 0);
	CHECK(is_near((double)(now_ns() - start), 3.0 * 2 * (1 << 20) / 100));
	/* Copies on the device read and write once; fills write once. */
	start = now_ns();
	CHECK_IS(cuda.cudaMemcpyAsync(memory, other, 1 << 20, SIM_COPY_D2D, NULL), 0);
	CHECK_IS(cuda.cudaDeviceSynchronize(), 0);
	CHECK(is_near((double)(now_ns() - start), 2.0 * (1 << 20) / 100));
}

static double transform_ns(int rank, int n)
{
	int plan = 0, sizes[3] = {n, n, n};
	void *memory = rules_device_memory(1 << 20);
	CHECK_IS(cuda.cudaMemset(memory, 0, 1 << 20), 0);
	CHECK_IS(cuda.cufftPlanMany(&plan, rank, sizes, NULL, 1, 0, NULL, 1, 0, SIM_CUFFT_Z2Z, 1),
	         0);
	CHECK_IS(cuda.cudaDeviceSynchronize(), 0);
	unsigned long start = now_ns();
	CHECK_IS(cuda.cufftExecZ2Z(plan, memory, memory, -1), 0);
	CHECK_IS(cuda.cudaDeviceSynchronize(), 0);
	return (double)(now_ns() - start);
}

static void transforms_have_a_floor(void)
{
	rules_use_profile("SIMCUDA_CLOCK",
	                  "memory_gbytes_s = 1000000\noperation_us = 1\nfft_floor_1d_us = 42\n"
	                  "fft_floor_2d_us = 50\nfft_floor_3d_us = 85\n");
	CHECK(is_near(transform_ns(1, 16), 43000));
	CHECK(is_near(transform_ns(2, 16), 51000));
	CHECK(is_near(transform_ns(3, 16), 86000));
}

/* 300 rows of the triangle, of 2 us each; 20 columns. */
static void trsm_goes_row_by_row(void)
{
	rules_use_profile("SIMCUDA_CLOCK", "dgemm_tflops_s = 1\ntrsm_row_us = 2\n");
	void *handle = rules_handle(), *memory = rules_device_memory(1 << 24);
	double one = 1;
	CHECK_IS(cuda.cudaMemset(memory, 0, 1 << 24), 0);
	CHECK_IS(cuda.cudaDeviceSynchronize(), 0);
	unsigned long start = now_ns();
	CHECK_IS(cuda.cublasDtrsm_v2(handle, 0, 0, 0, 1, 300, 20, &one, memory, 300,
	                             (char *)memory + (1 << 23), 300),
	         0);
	CHECK_IS(cuda.cudaDeviceSynchronize(), 0);
	CHECK(is_near((double)(now_ns() - start), 300.0 * 300 * 20 / 1000 + 600000));
}

/* 1000 x 1 x 1000 reads A, B and writes C: 8016000 bytes. */
static void thin_products_wait_for_memory(void)
{
	rules_use_profile("SIMCUDA_CLOCK", "dgemm_tflops_s = 10\nlevel3_gbytes_s = 100\n");
	CHECK(is_near(product_ns('D', 1000, 1, 1000, 1), 80160));
	CHECK(is_near(product_ns('D', 500, 500, 1000, 1), 100000));
}

/* 1.2 us at the sustained rate, four times as fast for the first microsecond. */
static void a_boost_ends(void)
{
	rules_use_profile("SIMCUDA_CLOCK", "dgemm_tflops_s = 1\nboost = 4\nboost_ms = 0.001\n"
	                                   "memory_gbytes_s = 1000000\n");
	CHECK(is_near(product_ns('D', 300, 200, 10, 1), 300));
	CHECK(is_near(product_ns('D', 300, 200, 10, 1), 300));
	CHECK(is_near(product_ns('D', 300, 200, 10, 1), 300));
	CHECK(is_near(product_ns('D', 300, 200, 10, 1), 100 + 800));
	CHECK(is_near(product_ns('D', 300, 200, 10, 1), 1200));
}

static void polling_in_vain_lets_time_pass(void)
{
	rules_use_profile("SIMCUDA_CLOCK", "up_gbytes_s = 10\n");
	char *host = rules_pinned(1000000), *device = rules_device_memory(1000000);
	void *stream = alone(), *other = alone();
	upload(device, host, 100000, stream);
	void *first = recorded(stream);
	upload(device, host, 200000, stream);
	void *last = recorded(stream);
	CHECK_IS(cuda.cudaEventQuery(last), SIM_cudaErrorNotReady);
	CHECK_IS(now_ns(), 10000);
	/* A query of finished work takes no time. */
	CHECK_IS(cuda.cudaEventQuery(first), 0);
	CHECK_IS(now_ns(), 10000);
	CHECK_IS(cuda.cudaStreamQuery(stream), 0);
	CHECK_IS(now_ns(), 30000);
	/*
	 * An unsuccessful poll takes a microsecond at least, in which several operations may end.
	 */
	for (int i = 0; i < 5; i++)
		upload(device, host, 1000, other);
	CHECK_IS(cuda.cudaStreamQuery(other), 0);
	CHECK_IS(now_ns(), 31000);
}

static void data_move_when_the_copy_ends(void)
{
	rules_use_profile("SIMCUDA_CLOCK", "up_gbytes_s = 10\ndown_gbytes_s = 10\n");
	char *host = rules_pinned(200000), *device = rules_device_memory(200000);
	void *stream = alone(), *other = alone();
	host[0] = 1;
	host[100000] = 0;
	upload(device, host, 100000, stream);
	/* A small operation that ends earlier ends the poll in the middle of the upload. */
	CHECK_IS(cuda.cudaMemsetAsync(device + 150000, 0, 16, other), 0);
	CHECK_IS(cuda.cudaStreamQuery(stream), SIM_cudaErrorNotReady);
	CHECK_IS(now_ns(), 1000);
	host[0] = 2;
	download(host + 100000, device, 100000, stream);
	CHECK_IS(cuda.cudaStreamQuery(stream), SIM_cudaErrorNotReady);
	CHECK_IS(host[100000], 0);
	CHECK_IS(cuda.cudaStreamSynchronize(stream), 0);
	CHECK_IS(host[100000], 2);
}

static void pageable_memory_has_its_own_rate(void)
{
	static char host[100000];
	rules_use_profile("SIMCUDA_CLOCK",
	                  "up_gbytes_s = 10\ndown_gbytes_s = 10\n"
	                  "pageable_up_gbytes_s = 1\npageable_down_gbytes_s = 2\n");
	char *device = rules_device_memory(100000);
	CHECK_IS(cuda.cudaMemcpy(device, host, 100000, SIM_COPY_H2D), 0);
	CHECK_IS(cuda.cudaDeviceSynchronize(), 0);
	CHECK_IS(now_ns(), 100000);
	CHECK_IS(cuda.cudaMemcpy(host, device, 100000, SIM_COPY_D2H), 0);
	CHECK_IS(now_ns(), 150000);
}

/* A kernel may refuse policies; the memory's node is unknown then, and the rate the full one. */
static void memory_of_another_node_is_slow(void)
{
	enum { PREFERRED = 1 };
	unsigned long first = 1;
	unsigned long long nodes = 0;
	rules_use_profile("SIMCUDA_CLOCK", "up_gbytes_s = 10\nnode = 1\nother_node_share = 0.25\n");
	char *near = rules_pinned(100000), *device = rules_device_memory(100000);
	void *stream = alone();
	upload(device, near, 100000, stream);
	CHECK_IS(cuda.cudaStreamSynchronize(stream), 0);
	CHECK_IS(now_ns(), 10000);
	bool refused = syscall(SYS_set_mempolicy, PREFERRED, &first, 64) != 0;
	upload(device, rules_pinned(100000), 100000, stream);
	CHECK_IS(cuda.cudaStreamSynchronize(stream), 0);
	CHECK_IS(now_ns(), refused ? 20000 : 50000);
	CHECK(refused || (cuda.simcuda_host_policy(&nodes) == PREFERRED && nodes == 1));
}

static void devices_do_not_wait_for_each_other(void)
{
	rules_use_profile("SIMCUDA_CLOCK", "up_gbytes_s = 10\n[device 1]\nup_gbytes_s = 5\n");
	char *host = rules_pinned(100000), *device = rules_device_memory(100000);
	void *stream = alone();
	CHECK_IS(cuda.cudaSetDevice(1), 0);
	char *other_device = rules_device_memory(100000);
	void *other_stream = alone();
	upload(device, host, 100000, stream);
	upload(other_device, host, 100000, other_stream);
	CHECK_IS(cuda.cudaStreamSynchronize(stream), 0);
	CHECK_IS(now_ns(), 10000);
	CHECK_IS(cuda.cudaStreamSynchronize(other_stream), 0);
	CHECK_IS(now_ns(), 20000);
	CHECK(cuda.simcuda_profile_value(0, "up_gbytes_s") == 10 &&
	      cuda.simcuda_profile_value(1, "up_gbytes_s") == 5);
	CHECK(cuda.simcuda_profile_value(0, "no_such_key") < 0 &&
	      cuda.simcuda_profile_value(99, "duplex") < 0);
}

static void without_a_clock_there_is_no_time(void)
{
	char *device = rules_device_memory(1000);
	CHECK_IS(cuda.cudaMemset(device, 0, 1000), 0);
	CHECK_IS(cuda.cudaDeviceSynchronize(), 0);
	CHECK_IS(now_ns(), 0);
}

static unsigned long alarm_ns[4];
static int alarms;

/* The first alarm sets another one. */
static void ring(void *data)
{
	alarm_ns[alarms++] = now_ns();
	if (data)
		CHECK(cuda.simcuda_host_alarm(5000, ring, NULL));
}

static void host_threads_work_beside_devices(void)
{
	rules_use_profile("SIMCUDA_CLOCK", "up_gbytes_s = 10\n");
	char *host = rules_pinned(1000000), *device = rules_device_memory(1000000);
	void *stream = alone();
	upload(device, host, 1000000, stream);
	void *end = recorded(stream);
	CHECK(cuda.simcuda_host_alarm(30000, ring, host));
	CHECK(cuda.simcuda_host_alarm(20000, ring, NULL));
	CHECK_IS(alarms, 0);
	/* A poll in vain ends with the first alarm. */
	CHECK_IS(cuda.cudaEventQuery(end), SIM_cudaErrorNotReady);
	CHECK_IS(now_ns(), 20000);
	CHECK_IS(alarms, 1);
	/* A thread that computes is not interrupted. */
	cuda.simcuda_host_work(30000);
	CHECK_IS(now_ns(), 50000);
	CHECK(alarms == 3 && alarm_ns[0] == 20000 && alarm_ns[1] == 30000 && alarm_ns[2] == 35000);
	/* A host that has other things to do says what a poll in vain takes. */
	cuda.simcuda_host_poll(700);
	CHECK_IS(cuda.cudaEventQuery(end), SIM_cudaErrorNotReady);
	CHECK_IS(now_ns(), 50700);
	cuda.simcuda_host_work(0);
	CHECK_IS(now_ns(), 100000);
	CHECK_IS(cuda.cudaEventQuery(end), 0);
}

/* A host that has found something done has something to do, and polls in vain no more. */
static void a_poll_that_succeeds_stops_the_time(void)
{
	rules_use_profile("SIMCUDA_CLOCK",
	                  "up_gbytes_s = 10\ndown_gbytes_s = 10\nfree_polls = 16\n");
	void *up = rules_stream(SIM_STREAM_NON_BLOCKING),
	     *down = rules_stream(SIM_STREAM_NON_BLOCKING);
	char *memory = rules_device_memory(1 << 20), *host = rules_pinned(1 << 20);
	CHECK_IS(cuda.cudaMemcpyAsync(memory, host, 10000, SIM_COPY_H2D, up), 0);
	CHECK_IS(cuda.cudaMemcpyAsync(host, memory + 20000, 100000, SIM_COPY_D2H, down), 0);
	CHECK_IS(cuda.cudaStreamQuery(down), SIM_cudaErrorNotReady);
	CHECK(now_ns() == 0);
	CHECK_IS(cuda.cudaStreamQuery(down), SIM_cudaErrorNotReady);
	CHECK(now_ns() == 1000);
	CHECK_IS(cuda.cudaStreamQuery(down), SIM_cudaErrorNotReady);
	CHECK_IS(cuda.cudaStreamQuery(up), 0);
	CHECK_IS(cuda.cudaStreamQuery(down), SIM_cudaErrorNotReady);
	CHECK(now_ns() == 1000);
	/* Asking for it once more is nothing new. */
	CHECK_IS(cuda.cudaStreamQuery(up), 0);
	CHECK_IS(cuda.cudaStreamQuery(down), 0);
	CHECK(now_ns() == 10000);
}

static void host_threads_alone_let_time_pass(void)
{
	rules_use_profile("SIMCUDA_CLOCK", "up_gbytes_s = 10\n");
	CHECK(cuda.simcuda_host_alarm(7000, ring, NULL));
	cuda.simcuda_host_work(0);
	CHECK(alarms == 1 && now_ns() == 7000);
	for (int i = 0; i < 64; i++)
		CHECK(cuda.simcuda_host_alarm(1000000, ring, NULL));
	CHECK(!cuda.simcuda_host_alarm(1000000, ring, NULL));
}

const struct rule clock_rules[] = {
	{"clock: time is for waiters", RULE_SIM_ONLY, NULL, time_is_for_waiters},
	{"clock: one thing at a time", RULE_SIM_ONLY, NULL, an_engine_does_one_thing_at_a_time},
	{"clock: order of readiness", RULE_SIM_ONLY, NULL, engines_serve_in_the_order_of_readiness},
	{"clock: duplex", RULE_SIM_ONLY, NULL, directions_slow_each_other_while_both_move},
	{"clock: duplex is for bytes", RULE_SIM_ONLY, NULL, directions_are_disturbed_by_bytes_only},
	{"clock: waves", RULE_SIM_ONLY, NULL, work_comes_in_waves_of_tiles},
	{"clock: waves of a triangle", RULE_SIM_ONLY, NULL, a_triangle_has_half_the_tiles},
	{"clock: no waves", RULE_SIM_ONLY, NULL, without_tiles_work_runs_smoothly},
	{"clock: first use", RULE_SIM_ONLY, "SIMCUDA_FIRST_MS=20",
         the_first_use_of_a_kernel_loads_it},
	{"clock: transforms", RULE_SIM_ONLY, NULL, transforms_move_their_data},
	{"clock: floor of transforms", RULE_SIM_ONLY, NULL, transforms_have_a_floor},
	{"clock: trsm", RULE_SIM_ONLY, NULL, trsm_goes_row_by_row},
	{"clock: thin products", RULE_SIM_ONLY, NULL, thin_products_wait_for_memory},
	{"clock: boost", RULE_SIM_ONLY, NULL, a_boost_ends},
	{"clock: polling", RULE_SIM_ONLY, NULL, polling_in_vain_lets_time_pass},
	{"clock: polls that succeed", RULE_SIM_ONLY, NULL, a_poll_that_succeeds_stops_the_time},
	{"clock: data", RULE_SIM_ONLY, NULL, data_move_when_the_copy_ends},
	{"clock: pageable memory", RULE_SIM_ONLY, NULL, pageable_memory_has_its_own_rate},
	{"clock: NUMA nodes", RULE_SIM_ONLY, NULL, memory_of_another_node_is_slow},
	{"clock: devices", RULE_SIM_ONLY, "SIMCUDA_DEVICES=2", devices_do_not_wait_for_each_other},
	{"clock: host threads", RULE_SIM_ONLY, NULL, host_threads_work_beside_devices},
	{"clock: host alone", RULE_SIM_ONLY, NULL, host_threads_alone_let_time_pass},
	{"clock: none", RULE_SIM_ONLY, NULL, without_a_clock_there_is_no_time},
	{0},
};
