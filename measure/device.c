/* device.c - the GPU for measurements: the shim's CUDA libraries, memory, kernels, waiting */
/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/device.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure/random.h"
#include "shim/base/clock.h"
#include "shim/execute/gpu/cuda/cuda_name.h"

void device_check(const struct device *device, int error, const char *what)
{
	if (error == CUDA_SUCCESS)
		return;
	/* get_error_string knows the numbers of cudart, not those of cuBLAS and cuFFT. */
	const bool runtime = strncmp(what, "cuda", 4) == 0;
	fprintf(stderr, "%s: %s: %s %d\n", program_invocation_short_name, what,
	        runtime ? device->set.api.get_error_string(error) : "status", error);
	exit(1);
}

double device_seconds(void)
{
	return (double)clock_monotonic_ns() / 1e9;
}

void *device_find_runtime(const struct cuda_set *set, const char *name)
{
	return dlsym(set->library[CUDA_LIBRARY_CUDART], name);
}

bool device_is_simulated(const struct cuda_set *set)
{
	return device_find_runtime(set, "simcuda_version") != NULL;
}

static void device_read_name(struct device *device)
{
	cuda_name_read(&device->set, device->set.devices[0].number, device->name,
	               sizeof device->name);
	if (device->name[0] == '\0')
		strcpy(device->name, device->simulated ? "simulated GPU" : "unnamed GPU");
}

static void device_start(struct device *device)
{
	const struct cuda_api *api = &device->set.api;
	device_check(device, api->set_device(device->set.devices[0].number), "cudaSetDevice");
	for (int i = 0; i < DEVICE_STREAMS; i++)
		device_check(device,
		             api->stream_create(&device->stream[i], CUDA_STREAM_NON_BLOCKING),
		             "cudaStreamCreateWithFlags");
	device_check(device, api->blas_create(&device->blas), "cublasCreate");
	device_check(device, api->blas_set_stream(device->blas, device->stream[0]),
	             "cublasSetStream");
}

bool device_open_chosen(struct device *device, const char *cuda_path, const char *devices,
                        char sentence[CUDA_SENTENCE_BYTES])
{
	memset(device, 0, sizeof *device);
	if (cuda_open(cuda_path, devices, NULL, &device->set, &device->search) == REASON_NONE) {
		device->simulated = device_is_simulated(&device->set);
		device_read_name(device);
		device_start(device);
		return true;
	}
	const struct cuda_refusal *refusal = cuda_find_refusal(&device->search);
	snprintf(sentence, CUDA_SENTENCE_BYTES, "%s",
	         refusal == NULL ? "there are no CUDA libraries" : refusal->sentence);
	return false;
}

bool device_open(struct device *device, char sentence[CUDA_SENTENCE_BYTES])
{
	const char *cuda_path = getenv("EPOCHLY_GPU_CUDA_PATH");
	return device_open_chosen(device, cuda_path == NULL ? "" : cuda_path, "all", sentence);
}

void *device_take(const struct device *device, size_t size_bytes)
{
	void *memory = NULL;
	device_check(device, device->set.api.malloc(&memory, size_bytes), "cudaMalloc");
	return memory;
}

void device_free(const struct device *device, void *memory)
{
	device_check(device, device->set.api.free(memory), "cudaFree");
}

void *device_take_pinned(const struct device *device, size_t size_bytes)
{
	void *memory = NULL;
	device_check(device, device->set.api.host_alloc(&memory, size_bytes, CUDA_HOST_FOR_ALL),
	             "cudaHostAlloc");
	return memory;
}

void device_free_pinned(const struct device *device, void *memory)
{
	device_check(device, device->set.api.free_host(memory), "cudaFreeHost");
}

size_t device_free_bytes(const struct device *device)
{
	size_t free_bytes = 0, total_bytes = 0;
	device_check(device, device->set.api.mem_get_info(&free_bytes, &total_bytes),
	             "cudaMemGetInfo");
	return free_bytes;
}

void device_copy(const struct device *device, void *to, const void *from, size_t size_bytes,
                 void *stream)
{
	device_check(
		device,
		device->set.api.memcpy_async(to, from, size_bytes, CUDA_COPY_BY_ADDRESS, stream),
		"cudaMemcpyAsync");
}

void device_wait(const struct device *device, void *stream)
{
	device_check(device, device->set.api.stream_synchronize(stream), "cudaStreamSynchronize");
}

void device_fill(const struct device *device, void *memory, size_t size_bytes, enum element element,
                 uint64_t seed)
{
	enum { BLOCK_BYTES = 1 << 22 };
	const size_t block_bytes = size_bytes < BLOCK_BYTES ? size_bytes : BLOCK_BYTES;
	const bool is_single = element == ELEMENT_S || element == ELEMENT_C;
	char *block = malloc(BLOCK_BYTES);
	if (block == NULL) {
		fprintf(stderr, "%s: no memory\n", program_invocation_short_name);
		exit(1);
	}
	random_fill(block, block_bytes / (is_single ? sizeof(float) : sizeof(double)), is_single,
	            seed, 0);
	for (size_t done = 0; done < size_bytes; done += block_bytes) {
		const size_t part =
			size_bytes - done < block_bytes ? size_bytes - done : block_bytes;
		device_copy(device, (char *)memory + done, block, part, device->stream[0]);
	}
	device_wait(device, device->stream[0]);
	free(block);
}

void device_multiply(const struct device *device, enum element element, int64_t m, int64_t n,
                     int64_t k, const void *a, const void *b, void *c)
{
	static const float single[2][2] = {{0, 0}, {1, 0}};
	static const double two[2][2] = {{0, 0}, {1, 0}};
	const struct cuda_api *api = &device->set.api;
	int(*const product[ELEMENT_COUNT]) CUDA_GEMM_PARAMETERS(int) = {[ELEMENT_S] = api->sgemm,
	                                                                [ELEMENT_D] = api->dgemm,
	                                                                [ELEMENT_C] = api->cgemm,
	                                                                [ELEMENT_Z] = api->zgemm};
	const bool is_single = element == ELEMENT_S || element == ELEMENT_C;
	const void *zero = is_single ? (const void *)single[0] : two[0],
		   *one = is_single ? (const void *)single[1] : two[1];
	device_check(device,
	             product[element](device->blas, CUBLAS_OPERATION_N, CUBLAS_OPERATION_N, (int)m,
	                              (int)n, (int)k, one, a, (int)m, b, (int)k, zero, c, (int)m),
	             "cublas?gemm");
}

int device_plan(const struct device *device, int type, int rank, const int64_t *n, int64_t batch)
{
	const struct cuda_api *api = &device->set.api;
	long long length[3] = {1, 1, 1}, total = 1;
	int plan = -1;
	size_t work_bytes = 0;
	for (int i = 0; i < rank; i++)
		total *= length[i] = n[i];
	device_check(device, api->fft_create(&plan), "cufftCreate");
	if (api->fft_make_plan_many(plan, rank, length, length, 1, total, length, 1, total, type,
	                            batch, &work_bytes) == CUFFT_FINE &&
	    api->fft_set_stream(plan, device->stream[0]) == CUFFT_FINE)
		return plan;
	api->fft_destroy(plan);
	return -1;
}
