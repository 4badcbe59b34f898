/* sim_memory.c - device memory: allocated, accounted, poisoned, and out of the program's reach */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "sim_node.h"
#include "sim_profile.h"
#include "sim_visible.h"

/*
 * The program gets addresses in a range without access; the engine works on a second range, at the
 * same offsets. Pages are allocated on first use, and the poison is written granule by granule on
 * first use too.
 */
enum { GRANULE = 64 * 1024, SMALL_STEP = 512, LARGE_STEP = 2 << 20 };

struct sim_allocation {
	struct sim_allocation *next;
	size_t offset, size_bytes, span_bytes;
	bool by_program;
	unsigned char poisoned[];
};

/* Address space is plentiful, and fragmentation must not be why an allocation fails. */
enum { ADDRESSES_PER_BYTE = 4 };

bool sim_memory_open(struct sim_device *device)
{
	const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
	size_t region = device->total_bytes * ADDRESSES_PER_BYTE;
	char *base = mmap(NULL, region, PROT_NONE, flags, -1, 0);
	char *view = mmap(NULL, region, PROT_READ | PROT_WRITE, flags, -1, 0);
	if (base == MAP_FAILED || view == MAP_FAILED) {
		if (base != MAP_FAILED)
			munmap(base, region);
		return false;
	}
	madvise(base, region, MADV_DONTFORK);
	madvise(view, region, MADV_DONTFORK);
	madvise(view, region, MADV_DONTDUMP);
	device->base = base;
	device->view = view;
	device->region_bytes = region;
	return true;
}

/* 8 bytes that are a signalling NaN as a double; as two floats, a signalling and a quiet one. */
void simcuda_poison(void *view, size_t size_bytes)
{
	static const uint32_t pattern[2] = {0x7fa5a5a5u, 0x7ff4deadu};
	char *to = view;
	size_t phase = (uintptr_t)view % sizeof pattern;
	for (; size_bytes && phase % sizeof pattern; size_bytes--)
		*to++ = ((const char *)pattern)[phase++];
	for (; size_bytes >= sizeof pattern; size_bytes -= sizeof pattern, to += sizeof pattern)
		memcpy(to, pattern, sizeof pattern);
	memcpy(to, pattern, size_bytes);
}

static size_t round_up(size_t value, size_t step)
{
	return (value + step - 1) / step * step;
}

/* Finds the link after which `span` bytes fit, and their offset. */
static struct sim_allocation **memory_fit(struct sim_device *device, size_t span, size_t *offset)
{
	struct sim_allocation **link = &device->allocations;
	size_t end = 0;
	while (*link && (*link)->offset - end < span) {
		end = (*link)->offset + (*link)->span_bytes;
		link = &(*link)->next;
	}
	*offset = end;
	return end + span <= device->region_bytes ? link : NULL;
}

static void memory_count(struct sim_device *device, size_t taken_bytes)
{
	device->used_bytes += taken_bytes;
	if (device->used_bytes > device->high_bytes)
		device->high_bytes = device->used_bytes;
}

/* A context of the driver API fills its card. */
static void memory_account(struct sim_device *device, size_t taken_bytes)
{
	memory_count(device, taken_bytes);
	if (device->foreign)
		memory_count(sim_device_card(device), taken_bytes);
}

bool sim_memory_charge(struct sim_device *device, size_t taken_bytes)
{
	if (!sim_node_take(sim_visible_card(device->index), taken_bytes,
	                   sim_device_card(device)->used_bytes, device->total_bytes))
		return false;
	memory_account(device, taken_bytes);
	return true;
}

void sim_memory_discharge(struct sim_device *device, size_t given_bytes)
{
	sim_node_give(sim_visible_card(device->index), given_bytes);
	memory_account(device, -given_bytes);
}

size_t sim_memory_left(struct sim_device *device)
{
	const size_t taken_bytes = sim_device_card(device)->used_bytes +
	                           sim_node_others(sim_visible_card(device->index));
	return taken_bytes < device->total_bytes ? device->total_bytes - taken_bytes : 0;
}

int sim_memory_take(struct sim_device *device, size_t size_bytes, bool by_program, void **pointer)
{
	size_t offset;
	if (size_bytes > device->total_bytes)
		return SIM_cudaErrorMemoryAllocation;
	size_t span = round_up(size_bytes, size_bytes < LARGE_STEP / 2 ? SMALL_STEP : LARGE_STEP);
	struct sim_allocation **link = memory_fit(device, span, &offset);
	struct sim_allocation *made = link ? calloc(1, sizeof *made + span / GRANULE + 1) : NULL;
	if (!made || !sim_memory_charge(device, span)) {
		free(made);
		return SIM_cudaErrorMemoryAllocation;
	}
	*made = (struct sim_allocation){.next = *link,
	                                .offset = offset,
	                                .size_bytes = size_bytes,
	                                .span_bytes = span,
	                                .by_program = by_program};
	*link = made;
	*pointer = device->base + offset;
	return 0;
}

static void memory_drop(struct sim_device *device, struct sim_allocation **link)
{
	struct sim_allocation *gone = *link;
	size_t first = round_up(gone->offset, 4096),
	       end = (gone->offset + gone->span_bytes) / 4096 * 4096;
	if (first < end)
		madvise(device->view + first, end - first, MADV_DONTNEED);
	sim_memory_discharge(device, gone->span_bytes);
	*link = gone->next;
	free(gone);
}

void sim_memory_clear(struct sim_device *device)
{
	while (device->allocations)
		memory_drop(device, &device->allocations);
}

struct sim_device *sim_memory_device(const void *pointer)
{
	uintptr_t address = (uintptr_t)pointer;
	struct sim_device *device;
	for (int i = 0; (device = sim_device_each(i)); i++) {
		uintptr_t base = (uintptr_t)device->base;
		if (base && address >= base && address - base < device->region_bytes)
			return device;
	}
	return NULL;
}

static struct sim_allocation **memory_find(struct sim_device *device, const void *pointer)
{
	size_t offset = (uintptr_t)pointer - (uintptr_t)device->base;
	struct sim_allocation **link = &device->allocations;
	while (*link && (*link)->offset + (*link)->span_bytes <= offset)
		link = &(*link)->next;
	return *link && (*link)->offset <= offset ? link : NULL;
}

bool sim_memory_is_live(const void *pointer)
{
	struct sim_device *device = sim_memory_device(pointer);
	return device && memory_find(device, pointer);
}

int sim_memory_give(void *pointer)
{
	struct sim_device *device = sim_memory_device(pointer);
	struct sim_allocation **link = device ? memory_find(device, pointer) : NULL;
	if (!link || device->base + (*link)->offset != (char *)pointer)
		return SIM_cudaErrorInvalidValue;
	memory_drop(device, link);
	return 0;
}

static void memory_touch(struct sim_device *device, struct sim_allocation *allocation, size_t from,
                         size_t end)
{
	if (sim_profile_is_dry())
		return;
	for (size_t granule = from / GRANULE; granule * GRANULE < end; granule++) {
		size_t first = granule * GRANULE, left = allocation->span_bytes - first;
		if (allocation->poisoned[granule])
			continue;
		simcuda_poison(device->view + allocation->offset + first,
		               left < GRANULE ? left : GRANULE);
		allocation->poisoned[granule] = 1;
	}
}

/*
 * A kernel may access its own device only; a copy, which has no executing device, all devices. Lock
 * held.
 */
static void *memory_view(const void *pointer, size_t size_bytes, int *error)
{
	struct sim_device *device = sim_memory_device(pointer), *self = *sim_device_executing();
	struct sim_allocation **link =
		device && (!self || self == device) ? memory_find(device, pointer) : NULL;
	*error = SIM_cudaErrorIllegalAddress;
	if (!link)
		return NULL;
	size_t inside = (uintptr_t)pointer - (uintptr_t)device->base - (*link)->offset;
	if (inside > (*link)->size_bytes || size_bytes > (*link)->size_bytes - inside)
		return NULL;
	*error = 0;
	memory_touch(device, *link, inside, inside + size_bytes);
	return device->view + (*link)->offset + inside;
}

void *simcuda_view(const void *pointer, size_t size_bytes, size_t align, int *error)
{
	int found = 0;
	sim_lock();
	void *view = memory_view(pointer, size_bytes, &found);
	if (!view && sim_pinned_covers(pointer, size_bytes) == SIM_PINNED_WHOLE) {
		/* Page-locked memory has the same address on the device. */
		view = (void *)(uintptr_t)pointer;
		found = 0;
	}
	if (!view && sim_config()->host_tables && !sim_memory_device(pointer) &&
	    sim_pinned_is_mapped(pointer, size_bytes)) {
		view = (void *)(uintptr_t)pointer;
		found = 0;
	}
	sim_unlock();
	if (view && (uintptr_t)pointer % align) {
		view = NULL;
		found = SIM_cudaErrorMisalignedAddress;
	}
	if (!view)
		*error = found;
	return view;
}

unsigned long sim_memory_count(const struct sim_device *device)
{
	unsigned long count = 0;
	for (const struct sim_allocation *a = device->allocations; a; a = a->next)
		count += a->by_program;
	return count;
}

int simcuda_memory_take(void **pointer, size_t size_bytes)
{
	sim_lock();
	int error = sim_memory_take(sim_device_current(), size_bytes, false, pointer);
	sim_unlock();
	return error;
}

int simcuda_memory_give(void *pointer)
{
	sim_lock();
	int error = sim_memory_give(pointer);
	sim_unlock();
	return error;
}
