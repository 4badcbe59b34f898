/* sim_pinned.c - page-locked host memory, allocated here or registered by the program */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <sys/mman.h>

#include "sim_engine.h"

enum { PAGE = 4096 };

struct pinned {
	struct pinned *next;
	uintptr_t start;
	size_t size_bytes;
	int device;
	bool registered;
};

static struct pinned *pinned_list;

/* Locking is by page, so two ranges that share a page collide though their bytes do not. */
static bool pinned_collides(uintptr_t start, size_t size_bytes)
{
	uintptr_t first = start / PAGE, last = (start + size_bytes - 1) / PAGE;
	for (struct pinned *p = pinned_list; p; p = p->next)
		if (first <= (p->start + p->size_bytes - 1) / PAGE && p->start / PAGE <= last)
			return true;
	return false;
}

static int pinned_add(void *pointer, size_t size_bytes, int device, bool registered)
{
	struct pinned *made = malloc(sizeof *made);
	if (!made)
		return SIM_cudaErrorMemoryAllocation;
	*made = (struct pinned){pinned_list, (uintptr_t)pointer, size_bytes, device, registered};
	pinned_list = made;
	return 0;
}

static struct pinned **pinned_at(const void *pointer, bool registered)
{
	for (struct pinned **link = &pinned_list; *link; link = &(*link)->next)
		if ((*link)->start == (uintptr_t)pointer && (*link)->registered == registered)
			return link;
	return NULL;
}

int sim_pinned_take(size_t size_bytes, int device, void **pointer)
{
	if (!size_bytes) {
		*pointer = NULL;
		return 0;
	}
	void *made = mmap(NULL, size_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (made == MAP_FAILED)
		return SIM_cudaErrorMemoryAllocation;
	if (pinned_add(made, size_bytes, device, false)) {
		munmap(made, size_bytes);
		return SIM_cudaErrorMemoryAllocation;
	}
	simcuda_poison(made, size_bytes);
	*pointer = made;
	return 0;
}

int sim_pinned_give(void *pointer)
{
	struct pinned **link = pinned_at(pointer, false);
	if (!link)
		return SIM_cudaErrorInvalidValue;
	struct pinned *gone = *link;
	*link = gone->next;
	munmap(pointer, gone->size_bytes);
	free(gone);
	return 0;
}

/* msync() of a range with a hole says ENOMEM, and otherwise does nothing to private memory. */
static bool pinned_is_mapped(uintptr_t start, size_t size_bytes)
{
	uintptr_t page = start / PAGE * PAGE;
	return !msync((void *)page, start + size_bytes - page, MS_ASYNC);
}

int sim_pinned_register(void *pointer, size_t size_bytes, int device)
{
	uintptr_t start = (uintptr_t)pointer;
	if (!pointer || !size_bytes || start + size_bytes < start || sim_memory_device(pointer))
		return SIM_cudaErrorInvalidValue;
	if (pinned_collides(start, size_bytes))
		return SIM_cudaErrorHostMemoryAlreadyRegistered;
	if (!pinned_is_mapped(start, size_bytes))
		return SIM_cudaErrorInvalidValue;
	return pinned_add(pointer, size_bytes, device, true);
}

int sim_pinned_unregister(void *pointer)
{
	struct pinned **link = pinned_at(pointer, true);
	if (!link)
		return SIM_cudaErrorHostMemoryNotRegistered;
	struct pinned *gone = *link;
	*link = gone->next;
	free(gone);
	return 0;
}

enum sim_pinned sim_pinned_covers(const void *pointer, size_t size_bytes)
{
	uintptr_t start = (uintptr_t)pointer, end = start + size_bytes;
	for (struct pinned *p = pinned_list; p; p = p->next) {
		uintptr_t limit = p->start + p->size_bytes;
		if (start >= p->start && end <= limit)
			return SIM_PINNED_WHOLE;
		if (start < limit && end > p->start)
			return SIM_PINNED_PARTLY;
	}
	return SIM_PINNED_NO;
}

int sim_pinned_device(const void *pointer)
{
	uintptr_t address = (uintptr_t)pointer;
	for (struct pinned *p = pinned_list; p; p = p->next)
		if (address >= p->start && address - p->start < p->size_bytes)
			return p->device;
	return -1;
}
