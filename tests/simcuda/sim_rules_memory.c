/* sim_rules_memory.c - the rules of device and page-locked memory */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "sim_rules.h"

static void memory_is_aligned(void)
{
	for (size_t size = 1; size < 100000; size = size * 3 + 1)
		CHECK_IS((uintptr_t)rules_device_memory(size) % 256, 0);
	void *nothing = &nothing;
	CHECK_IS(cuda.cudaMalloc(&nothing, 0), 0);
	CHECK(!nothing);
	CHECK_IS(cuda.cudaMalloc(NULL, 16), SIM_cudaErrorInvalidValue);
}

/* write(2) returns EFAULT where a load would fault. */
static bool host_can_read(const void *pointer)
{
	int ends[2];
	CHECK(!pipe(ends));
	bool readable = write(ends[1], pointer, 1) == 1;
	close(ends[0]);
	close(ends[1]);
	return readable;
}

static void host_cannot_touch_device_memory(void)
{
	char *memory = rules_device_memory(4096);
	CHECK(!host_can_read(memory));
	CHECK_IS(cuda.cudaMemset(memory, 0, 4096), 0);
	CHECK_IS(cuda.cudaDeviceSynchronize(), 0);
	CHECK(!host_can_read(memory));
	CHECK(host_can_read(&memory));
}

static void new_memory_is_poisoned(void)
{
	double words[4] = {0};
	double *memory = rules_device_memory(1 << 20);
	rules_read_back(words, memory + 70000, sizeof words);
	for (int i = 0; i < 4; i++)
		CHECK(rules_is_poison(words[i]));
	CHECK_IS(cuda.cudaMemset(memory, 0, 1 << 20), 0);
	rules_read_back(words, memory + 70000, sizeof words);
	CHECK(words[0] == 0);
	CHECK_IS(cuda.cudaFree(memory), 0);
	memory = rules_device_memory(1 << 20);
	rules_read_back(words, memory + 70000, sizeof words);
	CHECK(rules_is_poison(words[0]));
}

static void free_takes_what_malloc_gave(void)
{
	char *memory = rules_device_memory(4096);
	int local = 0;
	CHECK_IS(cuda.cudaFree(NULL), 0);
	CHECK_IS(cuda.cudaFree(memory + 256), SIM_cudaErrorInvalidValue);
	CHECK_IS(cuda.cudaFree(&local), SIM_cudaErrorInvalidValue);
	CHECK_IS(cuda.cudaFree(memory), 0);
	CHECK_IS(cuda.cudaFree(memory), SIM_cudaErrorInvalidValue);
}

static void freed_memory_faults(void)
{
	char *memory = rules_device_memory(4096);
	CHECK_IS(cuda.cudaFree(memory), 0);
	CHECK_IS(cuda.cudaMemset(memory, 0, 16), 0);
	CHECK_IS(cuda.cudaDeviceSynchronize(), SIM_cudaErrorIllegalAddress);
}

static void memory_is_accounted(void)
{
	size_t before = 0, during = 0, after = 0, total = 0;
	CHECK_IS(cuda.cudaMemGetInfo(&before, &total), 0);
	CHECK(before < total);
	void *memory = rules_device_memory((size_t)64 << 20);
	CHECK_IS(cuda.cudaMemGetInfo(&during, &total), 0);
	CHECK(during + ((size_t)64 << 20) <= before);
	CHECK_IS(cuda.cudaFree(memory), 0);
	CHECK_IS(cuda.cudaMemGetInfo(&after, &total), 0);
	CHECK(after >= before);
}

static void out_of_memory_is_not_sticky(void)
{
	size_t free_bytes = 0, total = 0;
	void *memory = &memory, *handle = NULL;
	CHECK_IS(cuda.cudaMemGetInfo(&free_bytes, &total), 0);
	CHECK_IS(cuda.cudaMalloc(&memory, total + 1), SIM_cudaErrorMemoryAllocation);
	CHECK(memory == &memory);
	CHECK_IS(cuda.cudaMalloc(&memory, (size_t)-1), SIM_cudaErrorMemoryAllocation);
	CHECK_IS(cuda.cudaGetLastError(), SIM_cudaErrorMemoryAllocation);
	CHECK_IS(cuda.cudaGetLastError(), 0);
	CHECK_IS(cuda.cudaMalloc(&memory, 16), 0);
	CHECK_IS(cuda.cublasCreate_v2(&handle), 0);
}

static void memory_has_a_limit(void)
{
	size_t free_bytes = 0, total = 0;
	void *memory, *handle = &handle;
	CHECK_IS(cuda.cudaMemGetInfo(&free_bytes, &total), 0);
	CHECK_IS(total, 64 << 20);
	CHECK_IS(cuda.cudaMalloc(&memory, 60 << 20), 0);
	CHECK_IS(cuda.cudaMalloc(&memory, 4 << 20), SIM_cudaErrorMemoryAllocation);
	while (!cuda.cudaMalloc(&memory, 1 << 16))
		;
	CHECK_IS(cuda.cublasCreate_v2(&handle), SIM_CUBLAS_STATUS_ALLOC_FAILED);
	CHECK(handle == &handle);
	int plan = -7;
	CHECK_IS(cuda.cufftPlan1d(&plan, 1 << 16, SIM_CUFFT_Z2Z, 1), SIM_CUFFT_ALLOC_FAILED);
	CHECK_IS(plan, -7);
}

/* Room for the longest layout, and a canary after it: only major 13 fills the reserved words. */
struct attribute_room {
	struct sim_pointer_attributes attributes;
	char canary[64];
};

static int attributes_of(const void *pointer, struct sim_pointer_attributes *result)
{
	struct attribute_room room;
	memset(&room, 0x55, sizeof room);
	CHECK_IS(cuda.cudaPointerGetAttributes(&room.attributes, pointer), 0);
	const unsigned char *reserved = (const unsigned char *)&room + 24;
	CHECK_IS(*reserved, cuda.major >= 13 ? 0 : 0x55);
	CHECK_IS(room.canary[0], 0x55);
	*result = room.attributes;
	return room.attributes.type;
}

static void pointers_have_attributes(void)
{
	struct sim_pointer_attributes attributes;
	char *device = rules_device_memory(4096), local;
	void *pinned = NULL;
	CHECK_IS(cuda.cudaMallocHost(&pinned, 4096), 0);
	CHECK_IS(attributes_of(device + 100, &attributes), SIM_MEMORY_DEVICE);
	CHECK(attributes.device == 0 && attributes.device_pointer == device + 100 &&
	      !attributes.host_pointer);
	CHECK_IS(attributes_of((char *)pinned + 8, &attributes), SIM_MEMORY_HOST);
	CHECK(attributes.host_pointer == (char *)pinned + 8);
	CHECK_IS(attributes_of(&local, &attributes), SIM_MEMORY_UNREGISTERED);
	CHECK_IS(attributes.device, SIM_INVALID_DEVICE);
	CHECK_IS(cuda.cudaFreeHost(pinned), 0);
	CHECK_IS(attributes_of(pinned, &attributes), SIM_MEMORY_UNREGISTERED);
}

static void managed_memory_is_everybodys(void)
{
	struct sim_pointer_attributes attributes;
	const float two = 2, zero = 0;
	void *made = NULL, *handle = rules_handle();
	CHECK_IS(cuda.cudaMallocManaged(&made, 3 * sizeof(float), SIM_ATTACH_GLOBAL), 0);
	float *memory = made;
	memory[0] = memory[1] = 3;
	CHECK_IS(cuda.cublasSgemm_v2(handle, 0, 0, 1, 1, 1, &two, memory, 1, memory + 1, 1, &zero,
	                             memory + 2, 1),
	         0);
	CHECK_IS(cuda.cudaDeviceSynchronize(), 0);
	CHECK(memory[2] == 18);
	CHECK_IS(attributes_of(memory + 1, &attributes), SIM_MEMORY_MANAGED);
	CHECK(attributes.device == 0 && attributes.device_pointer == memory + 1);
	CHECK(attributes.host_pointer == memory + 1);
	CHECK_IS(cuda.cudaFreeHost(made), SIM_cudaErrorInvalidValue);
	CHECK_IS(cuda.cudaFree(made), 0);
	CHECK_IS(attributes_of(made, &attributes), SIM_MEMORY_UNREGISTERED);
	CHECK_IS(cuda.cudaFree(made), SIM_cudaErrorInvalidValue);
}

static void managed_memory_is_asked_for_rightly(void)
{
	void *made = &made;
	CHECK_IS(cuda.cudaMallocManaged(NULL, 16, SIM_ATTACH_GLOBAL), SIM_cudaErrorInvalidValue);
	CHECK_IS(cuda.cudaMallocManaged(&made, 0, SIM_ATTACH_GLOBAL), SIM_cudaErrorInvalidValue);
	CHECK_IS(cuda.cudaMallocManaged(&made, 16, 0), SIM_cudaErrorInvalidValue);
	CHECK_IS(cuda.cudaMallocManaged(&made, 16, 4), SIM_cudaErrorInvalidValue);
	CHECK(made == &made);
	CHECK_IS(cuda.cudaMallocManaged(&made, 16, SIM_ATTACH_HOST), 0);
	CHECK_IS(cuda.cudaFree(made), 0);
}

static void managed_memory_counts(void)
{
	size_t before = 0, during = 0, after = 0, total = 0;
	void *made = NULL, *other = &other;
	CHECK_IS(cuda.cudaMemGetInfo(&before, &total), 0);
	CHECK_IS(cuda.cudaMallocManaged(&made, (size_t)8 << 20, SIM_ATTACH_GLOBAL), 0);
	CHECK_IS(cuda.cudaMemGetInfo(&during, &total), 0);
	CHECK(before - during == (size_t)8 << 20);
	CHECK_IS(cuda.cudaMallocManaged(&other, during + 1, SIM_ATTACH_GLOBAL),
	         SIM_cudaErrorMemoryAllocation);
	CHECK(other == &other);
	CHECK_IS(cuda.cudaFree(made), 0);
	CHECK_IS(cuda.cudaMallocManaged(&made, (size_t)8 << 20, SIM_ATTACH_GLOBAL), 0);
	CHECK_IS(cuda.cudaDeviceReset(), 0);
	CHECK_IS(cuda.cudaMemGetInfo(&after, &total), 0);
	CHECK(after == before);
}

static void freeing_managed_memory_waits(void)
{
	const double five = 5;
	double *device = rules_device_copy(&five, sizeof five);
	void *made = NULL, *pinned = NULL;
	CHECK_IS(cuda.cudaMallocManaged(&made, sizeof five, SIM_ATTACH_GLOBAL), 0);
	CHECK_IS(cuda.cudaMallocHost(&pinned, sizeof five), 0);
	*(double *)pinned = 0;
	void *stream = rules_stream(SIM_STREAM_NON_BLOCKING);
	CHECK_IS(cuda.cudaMemcpyAsync(pinned, device, sizeof five, SIM_COPY_D2H, stream), 0);
	CHECK_IS(cuda.cudaFree(made), 0);
	CHECK(*(double *)pinned == 5);
}

static void registration_is_exclusive(void)
{
	struct sim_pointer_attributes attributes;
	char *memory = aligned_alloc(4096, 16384);
	memset(memory, 1, 16384);
	CHECK_IS(cuda.cudaHostRegister(memory, 8192, 0), 0);
	CHECK_IS(attributes_of(memory + 4000, &attributes), SIM_MEMORY_HOST);
	CHECK_IS(cuda.cudaHostRegister(memory, 8192, 0), SIM_cudaErrorHostMemoryAlreadyRegistered);
	CHECK_IS(cuda.cudaHostRegister(memory + 4096, 8192, 0),
	         SIM_cudaErrorHostMemoryAlreadyRegistered);
	CHECK_IS(cuda.cudaHostUnregister(memory + 8192), SIM_cudaErrorHostMemoryNotRegistered);
	CHECK_IS(cuda.cudaHostUnregister(memory), 0);
	CHECK_IS(cuda.cudaHostUnregister(memory), SIM_cudaErrorHostMemoryNotRegistered);
	CHECK_IS(cuda.cudaHostRegister(memory, 0, 0), SIM_cudaErrorInvalidValue);
	CHECK_IS(cuda.cudaHostRegister(NULL, 16, 0), SIM_cudaErrorInvalidValue);
	free(memory);
}

static void registration_is_by_page(void)
{
	char *memory = aligned_alloc(4096, 8192);
	memset(memory, 1, 8192);
	CHECK_IS(cuda.cudaHostRegister(memory, 100, 0), 0);
	CHECK_IS(cuda.cudaHostRegister(memory + 200, 100, 0),
	         SIM_cudaErrorHostMemoryAlreadyRegistered);
	CHECK_IS(cuda.cudaHostRegister(memory + 4096, 100, 0), 0);
	char *hole = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	munmap(hole + 4096, 4096);
	CHECK_IS(cuda.cudaHostRegister(hole, 8192, 0), SIM_cudaErrorInvalidValue);
	CHECK_IS(cuda.cudaHostUnregister(memory), 0);
	CHECK_IS(cuda.cudaHostUnregister(memory + 4096), 0);
	free(memory);
}

static void a_device_reaches_its_own_memory_only(void)
{
	float one = 1;
	void *handle = NULL, *memory = rules_device_memory(4096);
	CHECK_IS(cuda.cudaSetDevice(1), 0);
	CHECK_IS(cuda.cublasCreate_v2(&handle), 0);
	CHECK_IS(cuda.cublasSgemm_v2(handle, 0, 0, 1, 1, 1, &one, memory, 1, memory, 1, &one,
	                             memory, 1),
	         0);
	CHECK_IS(cuda.cudaDeviceSynchronize(), SIM_cudaErrorIllegalAddress);
	CHECK_IS(cuda.cudaSetDevice(0), 0);
	CHECK_IS(cuda.cudaDeviceSynchronize(), 0);
}

static double seconds(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void page_locking_takes_time(void)
{
	void *first = NULL, *second = malloc(1 << 20);
	double begin = seconds();
	CHECK_IS(cuda.cudaHostAlloc(&first, 2 << 20, 0), 0);
	double middle = seconds();
	CHECK_IS(cuda.cudaHostRegister(second, 1 << 20, 0), 0);
	double end = seconds();
	CHECK(middle - begin >= 0.04 && end - middle >= 0.02);
	CHECK_IS(cuda.cudaHostUnregister(second), 0);
	free(second);
}

const struct rule memory_rules[] = {
	{"memory: aligned", RULE_ANYWHERE, NULL, memory_is_aligned},
	{"memory: out of the host's reach", RULE_SIM_ONLY, NULL, host_cannot_touch_device_memory},
	{"memory: poisoned when new", RULE_SIM_ONLY, NULL, new_memory_is_poisoned},
	{"memory: free", RULE_ANYWHERE, NULL, free_takes_what_malloc_gave},
	{"memory: faults when freed", RULE_SIM_ONLY, NULL, freed_memory_faults},
	{"memory: accounted", RULE_ANYWHERE, NULL, memory_is_accounted},
	{"memory: running out is not sticky", RULE_ANYWHERE, NULL, out_of_memory_is_not_sticky},
	{"memory: limit", RULE_SIM_ONLY, "SIMCUDA_MEMORY=64M", memory_has_a_limit},
	{"memory: attributes of pointers", RULE_ANYWHERE, NULL, pointers_have_attributes},
	{"memory: managed is everybody's", RULE_ANYWHERE, NULL, managed_memory_is_everybodys},
	{"memory: managed, arguments", RULE_ANYWHERE, NULL, managed_memory_is_asked_for_rightly},
	{"memory: managed counts", RULE_SIM_ONLY, NULL, managed_memory_counts},
	{"memory: freeing managed waits", RULE_ANYWHERE, NULL, freeing_managed_memory_waits},
	{"memory: page-locking takes time", RULE_SIM_ONLY, "SIMCUDA_PIN_US_PER_MIB=20000",
         page_locking_takes_time},
	{"memory: registration is exclusive", RULE_ANYWHERE, NULL, registration_is_exclusive},
	{"memory: registration is by page", RULE_SIM_ONLY, NULL, registration_is_by_page},
	{"memory: of another device", RULE_SIM_ONLY, "SIMCUDA_DEVICES=2",
         a_device_reaches_its_own_memory_only},
	{0},
};
