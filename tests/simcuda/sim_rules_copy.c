/* sim_rules_copy.c - the rules of copies: when host memory is read or written */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "sim_rules.h"

enum { COUNT = 1000, BYTES = COUNT * sizeof(double) };

static double *pinned_memory(double value)
{
	void *made = NULL;
	CHECK_IS(cuda.cudaMallocHost(&made, BYTES), 0);
	for (int i = 0; i < COUNT; i++)
		((double *)made)[i] = value;
	return made;
}

static void fill(double *to, double value)
{
	for (int i = 0; i < COUNT; i++)
		to[i] = value;
}

/* After the call the program may reuse pageable memory. */
static void pageable_upload_is_staged(void)
{
	double *host = malloc(BYTES), *device = rules_device_memory(BYTES);
	void *stream = rules_stream(SIM_STREAM_NON_BLOCKING);
	fill(host, 5);
	CHECK_IS(cuda.cudaMemcpyAsync(device, host, BYTES, SIM_COPY_H2D, stream), 0);
	fill(host, 6);
	CHECK_IS(cuda.cudaStreamSynchronize(stream), 0);
	rules_read_back(host, device, BYTES);
	CHECK(host[0] == 5 && host[COUNT - 1] == 5);
	free(host);
}

static void pageable_download_is_done_at_return(void)
{
	double *host = malloc(BYTES), *source = malloc(BYTES);
	void *stream = rules_stream(SIM_STREAM_NON_BLOCKING);
	fill(source, 5);
	double *device = rules_device_copy(source, BYTES);
	fill(host, 0);
	CHECK_IS(cuda.cudaMemcpyAsync(host, device, BYTES, SIM_COPY_D2H, stream), 0);
	CHECK(host[0] == 5 && host[COUNT - 1] == 5);
	free(host);
	free(source);
}

/* From major 12 on the vendor only says that such copies might be synchronous. */
static void pageable_copies_may_be_late(void)
{
	double *host = malloc(BYTES), *device = rules_device_memory(BYTES);
	void *stream = rules_stream(SIM_STREAM_NON_BLOCKING);
	fill(host, 5);
	CHECK_IS(cuda.cudaMemcpyAsync(device, host, BYTES, SIM_COPY_H2D, stream), 0);
	fill(host, 6);
	CHECK_IS(cuda.cudaStreamSynchronize(stream), 0);
	fill(host, 0);
	CHECK_IS(cuda.cudaMemcpyAsync(host, device, BYTES, SIM_COPY_D2H, stream), 0);
	CHECK(host[0] == 0);
	CHECK_IS(cuda.cudaStreamSynchronize(stream), 0);
	CHECK(host[0] == 6);
	CHECK_IS(cuda.cudaMemcpy(host, device, BYTES, SIM_COPY_D2H), 0);
	free(host);
}

/* A device with the host's page tables: copies and kernels use ordinary memory when they run. */
static void host_tables_reach_ordinary_memory(void)
{
	int value = 0;
	float one = 1, zero = 0, number[2] = {3, 0};
	void *handle = rules_handle(), *stream = rules_stream(SIM_STREAM_NON_BLOCKING);
	CHECK_IS(cuda.cudaDeviceGetAttribute(&value, 88, 0), 0);
	CHECK_IS(value, 1);
	CHECK_IS(cuda.cudaDeviceGetAttribute(&value, 100, 0), 0);
	CHECK_IS(value, 1);
	pageable_copies_may_be_late();
	CHECK_IS(cuda.cublasSetStream_v2(handle, stream), 0);
	CHECK_IS(cuda.cublasSgemm_v2(handle, 0, 0, 1, 1, 1, &one, number, 1, number, 1, &zero,
	                             number + 1, 1),
	         0);
	CHECK(number[1] == 0);
	CHECK_IS(cuda.cudaStreamSynchronize(stream), 0);
	CHECK(number[1] == 9);
}

static void host_tables_fault_without_pages(void)
{
	char *host = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	void *device = rules_device_memory(8192), *stream = rules_stream(SIM_STREAM_NON_BLOCKING);
	CHECK_IS(cuda.cudaMemcpyAsync(device, host, 8192, SIM_COPY_H2D, stream), 0);
	munmap(host, 8192);
	CHECK_IS(cuda.cudaStreamSynchronize(stream), SIM_cudaErrorIllegalAddress);
}

static void pinned_upload_reads_late(void)
{
	double *host = pinned_memory(5), *device = rules_device_memory(BYTES), check = 0;
	CHECK_IS(cuda.cudaMemcpyAsync(device, host, BYTES, SIM_COPY_H2D, rules_stream(0)), 0);
	fill(host, 6);
	rules_read_back(&check, device, sizeof check);
	CHECK(check == 6);
}

static void pinned_download_writes_late(void)
{
	double *host = pinned_memory(5), *device = rules_device_copy(host, BYTES);
	void *stream = rules_stream(SIM_STREAM_NON_BLOCKING);
	fill(host, 0);
	CHECK_IS(cuda.cudaMemcpyAsync(host, device, BYTES, SIM_COPY_D2H, stream), 0);
	CHECK(host[0] == 0);
	CHECK_IS(cuda.cudaStreamSynchronize(stream), 0);
	CHECK(host[0] == 5);
}

/*
 * A synchronous copy from pageable memory may return before the data are on the device, so a stream
 * that does not synchronise with the default stream may overtake it.
 */
static void plain_upload_may_be_overtaken(void)
{
	double *source = malloc(BYTES), result = 0;
	double *host = pinned_memory(0);
	int overtaken = 0;
	fill(source, 5);
	for (int round = 0; round < 40; round++) {
		double *device = rules_device_memory(BYTES);
		void *stream = rules_stream(SIM_STREAM_NON_BLOCKING);
		CHECK_IS(cuda.cudaMemcpy(device, source, BYTES, SIM_COPY_H2D), 0);
		CHECK_IS(cuda.cudaMemcpyAsync(host, device, sizeof result, SIM_COPY_D2H, stream),
		         0);
		CHECK_IS(cuda.cudaStreamSynchronize(stream), 0);
		overtaken += host[0] != 5;
	}
	CHECK(overtaken > 0 && overtaken < 40);
	free(source);
}

static void rectangles_leave_the_gap(void)
{
	double host[4][8], back[4][8];
	memset(back, 0, sizeof back);
	for (int i = 0; i < 32; i++)
		host[i / 8][i % 8] = i;
	double *device = rules_device_copy(back, sizeof back);
	CHECK_IS(cuda.cudaMemcpy2D(device, 64, host, 64, 40, 3, SIM_COPY_H2D), 0);
	rules_read_back(back, device, sizeof back);
	CHECK(back[2][4] == 20 && back[2][5] == 0 && back[3][0] == 0 && back[0][1] == 1);
	memset(back, 0, sizeof back);
	CHECK_IS(cuda.cudaMemcpy2DAsync(back, 64, device, 64, 16, 2, SIM_COPY_D2H, NULL), 0);
	CHECK_IS(cuda.cudaStreamSynchronize(NULL), 0);
	CHECK(back[1][1] == 9 && back[1][2] == 0 && back[2][0] == 0);
	CHECK_IS(cuda.cudaMemcpy2D(device, 32, host, 64, 40, 3, SIM_COPY_H2D),
	         SIM_cudaErrorInvalidPitchValue);
	CHECK_IS(cuda.cudaMemcpy2D(device, 64, host, (size_t)1 << 31, 40, 1, SIM_COPY_H2D),
	         SIM_cudaErrorInvalidPitchValue);
	CHECK_IS(cuda.cudaMemcpy2D(device, 64, host, 64, 40, 0, SIM_COPY_H2D), 0);
}

static void rectangles_move_on_the_device(void)
{
	double host[4][8], back[4][8];
	memset(back, 0, sizeof back);
	for (int i = 0; i < 32; i++)
		host[i / 8][i % 8] = i;
	char *from = rules_device_copy(host, sizeof host),
	     *to = rules_device_copy(back, sizeof back);
	CHECK_IS(cuda.cudaMemcpy2D(to, 64, from, 64, 24, 2, SIM_COPY_D2D), 0);
	CHECK_IS(cuda.cudaMemcpy2DAsync(to + 128, 32, from + 8, 64, 16, 2, SIM_COPY_DEFAULT, NULL),
	         0);
	rules_read_back(back, to, sizeof back);
	CHECK(back[1][2] == 10 && back[1][3] == 0 && back[0][0] == 0 && back[0][2] == 2);
	CHECK(back[2][0] == 1 && back[2][1] == 2 && back[2][2] == 0 && back[2][4] == 9 &&
	      back[2][5] == 10);
}

/*
 * Managed memory counts as host or device memory, by the kind of the copy or by the other address.
 */
static void managed_memory_is_either_side(void)
{
	double local = 3, *device = rules_device_memory(sizeof local);
	void *made = NULL;
	CHECK_IS(cuda.cudaMallocManaged(&made, 2 * sizeof local, SIM_ATTACH_GLOBAL), 0);
	double *managed = made;
	CHECK_IS(cuda.cudaMemcpy(managed, &local, sizeof local, SIM_COPY_H2D), 0);
	CHECK_IS(cuda.cudaMemcpy(device, managed, sizeof local, SIM_COPY_D2D), 0);
	CHECK_IS(cuda.cudaMemcpy(managed + 1, device, sizeof local, SIM_COPY_D2H), 0);
	CHECK_IS(cuda.cudaDeviceSynchronize(), 0);
	CHECK(managed[0] == 3 && managed[1] == 3);
	managed[0] = 4;
	CHECK_IS(cuda.cudaMemcpy(device, managed, sizeof local, SIM_COPY_DEFAULT), 0);
	CHECK_IS(cuda.cudaMemcpy2D(managed + 1, 8, device, 8, 8, 1, SIM_COPY_DEFAULT), 0);
	CHECK_IS(cuda.cudaMemcpyAsync(&local, managed + 1, sizeof local, SIM_COPY_DEFAULT, NULL),
	         0);
	CHECK_IS(cuda.cudaDeviceSynchronize(), 0);
	CHECK(local == 4);
}

/*
 * With cudaMemcpyDefault managed memory counts as device memory: such copies do not hold the host.
 */
static void managed_memory_counts_as_the_device(void)
{
	const double three = 3;
	double *device = rules_device_copy(&three, sizeof three), *pinned = pinned_memory(0);
	void *made = NULL;
	CHECK_IS(cuda.cudaMallocManaged(&made, sizeof three, SIM_ATTACH_GLOBAL), 0);
	double *managed = made;
	*managed = 0;
	CHECK_IS(cuda.cudaMemcpy(managed, device, sizeof three, SIM_COPY_DEFAULT), 0);
	CHECK(*managed == 0);
	CHECK_IS(cuda.cudaMemcpyAsync(pinned, managed, sizeof three, SIM_COPY_DEFAULT, NULL), 0);
	CHECK(*managed == 0 && *pinned == 0);
	CHECK_IS(cuda.cudaDeviceSynchronize(), 0);
	CHECK(*managed == 3 && *pinned == 3);
}

/* The last row has no gap: the allocation may end with it. */
static void last_row_ends_early(void)
{
	char host[3 * 64 + 40] = {0}, *device = rules_device_memory(3 * 64 + 40);
	CHECK_IS(cuda.cudaMemcpy2D(device, 64, host, 64, 40, 4, SIM_COPY_H2D), 0);
	CHECK_IS(cuda.cudaDeviceSynchronize(), 0);
	CHECK_IS(cuda.cudaMemcpy2D(device, 64, host, 40, 41, 4, SIM_COPY_H2D),
	         SIM_cudaErrorInvalidPitchValue);
}

static void bad_directions_are_refused(void)
{
	double word = 1, *device = rules_device_memory(64);
	CHECK_IS(cuda.cudaMemcpy(device, &word, 8, 9), SIM_cudaErrorInvalidMemcpyDirection);
	CHECK_IS(cuda.cudaGetLastError(), SIM_cudaErrorInvalidMemcpyDirection);
	CHECK_IS(cuda.cudaMemcpy(device, NULL, 8, SIM_COPY_H2D), SIM_cudaErrorInvalidValue);
	CHECK_IS(cuda.cudaMemcpy(NULL, &word, 8, SIM_COPY_H2D), SIM_cudaErrorInvalidValue);
	CHECK_IS(cuda.cudaMemcpy(device, &word, 0, SIM_COPY_H2D), 0);
	CHECK_IS(cuda.cudaMemcpy(device, &word, 8, SIM_COPY_DEFAULT), 0);
	word = 0;
	CHECK_IS(cuda.cudaMemcpy(&word, device, 8, SIM_COPY_DEFAULT), 0);
	CHECK(word == 1);
}

static void host_side_must_be_host(void)
{
	double *a = rules_device_memory(64), *b = rules_device_memory(64);
	CHECK_IS(cuda.cudaMemcpy(a, b, 64, SIM_COPY_H2D), SIM_cudaErrorInvalidValue);
	CHECK_IS(cuda.cudaMemcpy(a, b, 64, SIM_COPY_D2H), SIM_cudaErrorInvalidValue);
	CHECK_IS(cuda.cudaMemcpy(a, b, 64, SIM_COPY_D2D), 0);
	CHECK_IS(cuda.cudaDeviceSynchronize(), 0);
}

static void device_side_must_be_live(void)
{
	double word = 1, *device = rules_device_memory(64);
	CHECK_IS(cuda.cudaMemcpy(&word, device + 8, 8, SIM_COPY_D2H), SIM_cudaErrorIllegalAddress);
	CHECK(word == 1);
	CHECK_IS(cuda.cudaMemcpy(&word, device, 8, SIM_COPY_D2H), SIM_cudaErrorIllegalAddress);
}

static void host_pointer_is_no_device_pointer(void)
{
	double word = 1, other = 2;
	CHECK_IS(cuda.cudaMemcpy(&word, &other, 8, SIM_COPY_D2H), SIM_cudaErrorIllegalAddress);
	CHECK(word == 1);
}

static void partly_pinned_is_refused(void)
{
	char *memory = aligned_alloc(4096, 8192), *device = rules_device_memory(8192);
	memset(memory, 1, 8192);
	CHECK_IS(cuda.cudaHostRegister(memory, 4096, 0), 0);
	CHECK_IS(cuda.cudaMemcpy(device, memory, 8192, SIM_COPY_H2D), SIM_cudaErrorInvalidValue);
	CHECK_IS(cuda.cudaMemcpy(device, memory, 4096, SIM_COPY_H2D), 0);
	CHECK_IS(cuda.cudaHostUnregister(memory), 0);
	free(memory);
}

static void freed_pinned_memory_is_not_copied(void)
{
	double *host = pinned_memory(5), *device = rules_device_memory(BYTES);
	CHECK_IS(cuda.cudaMemcpyAsync(device, host, BYTES, SIM_COPY_H2D, rules_stream(0)), 0);
	CHECK_IS(cuda.cudaFreeHost(host), 0);
	CHECK_IS(cuda.cudaDeviceSynchronize(), SIM_cudaErrorIllegalAddress);
}

static void devices_exchange_copies(void)
{
	double word = 7;
	double *first = rules_device_copy(&word, sizeof word);
	CHECK_IS(cuda.cudaSetDevice(1), 0);
	double *second = rules_device_memory(sizeof word);
	CHECK_IS(cuda.cudaMemcpy(second, first, sizeof word, SIM_COPY_D2D), 0);
	word = 0;
	rules_read_back(&word, second, sizeof word);
	CHECK(word == 7);
}

static void fills_leave_the_gap(void)
{
	unsigned char back[40];
	memset(back, 7, sizeof back);
	unsigned char *device = rules_device_copy(back, sizeof back);
	CHECK_IS(cuda.cudaMemset2DAsync(device + 1, 10, 0, 3, 4, NULL), 0);
	CHECK_IS(cuda.cudaMemset2DAsync(device, 10, 9, 0, 4, NULL), 0);
	rules_read_back(back, device, sizeof back);
	for (int i = 0; i < 40; i++)
		CHECK_IS(back[i], i % 10 >= 1 && i % 10 < 4 ? 0 : 7);
}

static void upload_and_wait(char *device, const char *host, int times, unsigned long end_ns)
{
	void *stream = rules_stream(SIM_STREAM_NON_BLOCKING);
	for (int i = 0; i < times; i++)
		CHECK_IS(cuda.cudaMemcpyAsync(device, host, 100000, SIM_COPY_H2D, stream), 0);
	CHECK_IS(cuda.cudaStreamSynchronize(stream), 0);
	CHECK_IS((unsigned long)cuda.simcuda_clock_ns(), end_ns);
}

/* What is issued while its engine is idle has the whole latency, 8 us beside 10 for the bytes. */
static void copies_in_a_row_have_a_shorter_latency(void)
{
	rules_use_profile("SIMCUDA_CLOCK", "up_gbytes_s = 10\noperation_us = 8\ncopy_us = 3\n");
	char *host = rules_pinned(100000), *device = rules_device_memory(100000);
	upload_and_wait(device, host, 2, 31000);
	upload_and_wait(device, host, 1, 49000);
}

const struct rule copy_rules[] = {
	{"copy: pageable upload is staged", RULE_SIM_ONLY, "SIMCUDA_PAGEABLE=now",
         pageable_upload_is_staged},
	{"copy: pageable download done at return", RULE_SIM_ONLY, "SIMCUDA_PAGEABLE=now",
         pageable_download_is_done_at_return},
	{"copy: host's page tables", RULE_SIM_ONLY, "SIMCUDA_HOST_TABLES=1",
         host_tables_reach_ordinary_memory},
	{"copy: host's page tables without the page", RULE_SIM_ONLY, "SIMCUDA_HOST_TABLES=1",
         host_tables_fault_without_pages},
	{"copy: pageable copies may be late", RULE_SIM_ONLY, "SIMCUDA_PAGEABLE=late",
         pageable_copies_may_be_late},
	{"copy: pinned upload reads late", RULE_SIM_ONLY, NULL, pinned_upload_reads_late},
	{"copy: pinned download writes late", RULE_SIM_ONLY, NULL, pinned_download_writes_late},
	{"copy: plain upload may be overtaken", RULE_SIM_ONLY, NULL, plain_upload_may_be_overtaken},
	{"copy: rectangles leave the gap", RULE_ANYWHERE, NULL, rectangles_leave_the_gap},
	{"copy: fills of rectangles", RULE_ANYWHERE, NULL, fills_leave_the_gap},
	{"copy: rectangles on the device", RULE_ANYWHERE, NULL, rectangles_move_on_the_device},
	{"copy: managed memory is either side", RULE_ANYWHERE, NULL, managed_memory_is_either_side},
	{"copy: managed memory counts as the device", RULE_SIM_ONLY, NULL,
         managed_memory_counts_as_the_device},
	{"copy: last row ends early", RULE_ANYWHERE, NULL, last_row_ends_early},
	{"copy: directions", RULE_ANYWHERE, NULL, bad_directions_are_refused},
	{"copy: host side must be host", RULE_SIM_ONLY, NULL, host_side_must_be_host},
	{"copy: device side must be live", RULE_SIM_ONLY, NULL, device_side_must_be_live},
	{"copy: host pointer as device pointer", RULE_SIM_ONLY, NULL,
         host_pointer_is_no_device_pointer},
	{"copy: partly pinned", RULE_SIM_ONLY, NULL, partly_pinned_is_refused},
	{"copy: pinned memory is freed too early", RULE_SIM_ONLY, NULL,
         freed_pinned_memory_is_not_copied},
	{"copy: between devices", RULE_SIM_ONLY, "SIMCUDA_DEVICES=2", devices_exchange_copies},
	{"copy: in a row", RULE_SIM_ONLY, NULL, copies_in_a_row_have_a_shorter_latency},
	{0},
};
