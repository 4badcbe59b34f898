/* sim_pinned.c - host memory that devices access: page-locked, registered, managed */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sim_node.h"
#include "sim_profile.h"
#include "sim_visible.h"

enum { PAGE = 4096 };

struct pinned {
	struct pinned *next;
	uintptr_t start;
	size_t size_bytes;
	int device;
	enum sim_pinned_kind kind;
	int node;
};

static struct pinned *pinned_list;

/* Of the last allocation. */
static int pinned_mode = -1;
static unsigned long pinned_nodes;

/* Pages of new memory come from the node that the thread's policy names. */
static int pinned_find_node(void)
{
	enum { PREFERRED = 1, BIND = 2, NODES = 1024 };
	unsigned long nodes[NODES / 64] = {0};
	int mode = -1;
	if (syscall(SYS_get_mempolicy, &mode, nodes, NODES + 1, NULL, 0))
		mode = -1;
	pinned_mode = mode;
	pinned_nodes = nodes[0];
	bool one = nodes[0] && !(nodes[0] & (nodes[0] - 1));
	return one && (mode == PREFERRED || mode == BIND) ? __builtin_ctzl(nodes[0]) : -1;
}

int simcuda_host_policy(unsigned long long *nodes)
{
	sim_lock();
	int mode = pinned_mode;
	if (nodes)
		*nodes = pinned_nodes;
	sim_unlock();
	return mode;
}

/*
 * Pages are locked as a whole, so two ranges that share a page collide even if their bytes do not.
 */
static bool pinned_collides(uintptr_t start, size_t size_bytes)
{
	uintptr_t first = start / PAGE, last = (start + size_bytes - 1) / PAGE;
	for (struct pinned *p = pinned_list; p; p = p->next)
		if (first <= (p->start + p->size_bytes - 1) / PAGE && p->start / PAGE <= last)
			return true;
	return false;
}

static int pinned_add(void *pointer, size_t size_bytes, int device, enum sim_pinned_kind kind)
{
	struct pinned *made = malloc(sizeof *made);
	if (!made)
		return SIM_cudaErrorMemoryAllocation;
	*made = (struct pinned){pinned_list, (uintptr_t)pointer, size_bytes, device, kind, -1};
	if (kind == SIM_PINNED_ALLOCATED)
		made->node = pinned_find_node();
	pinned_list = made;
	return 0;
}

static struct pinned **pinned_at(const void *pointer, enum sim_pinned_kind kind)
{
	for (struct pinned **link = &pinned_list; *link; link = &(*link)->next)
		if ((*link)->start == (uintptr_t)pointer && (*link)->kind == kind)
			return link;
	return NULL;
}

static int pinned_map(size_t size_bytes, int device, enum sim_pinned_kind kind, void **pointer)
{
	int flags = MAP_PRIVATE | MAP_ANONYMOUS | (sim_profile_is_dry() ? MAP_NORESERVE : 0);
	void *made = mmap(NULL, size_bytes, PROT_READ | PROT_WRITE, flags, -1, 0);
	if (made == MAP_FAILED)
		return SIM_cudaErrorMemoryAllocation;
	if (pinned_add(made, size_bytes, device, kind)) {
		munmap(made, size_bytes);
		return SIM_cudaErrorMemoryAllocation;
	}
	/* With SIMCUDA_DRY no data are touched, and pages must not be allocated. */
	if (!sim_profile_is_dry())
		simcuda_poison(made, size_bytes);
	*pointer = made;
	return 0;
}

int sim_pinned_take(size_t size_bytes, int device, void **pointer)
{
	*pointer = NULL;
	return size_bytes ? pinned_map(size_bytes, device, SIM_PINNED_ALLOCATED, pointer) : 0;
}

static void pinned_drop(struct pinned **link)
{
	struct pinned *gone = *link;
	*link = gone->next;
	if (gone->kind != SIM_PINNED_REGISTERED)
		munmap((void *)gone->start, gone->size_bytes);
	free(gone);
}

int sim_pinned_give(void *pointer)
{
	struct pinned **link = pinned_at(pointer, SIM_PINNED_ALLOCATED);
	if (!link)
		return SIM_cudaErrorInvalidValue;
	pinned_drop(link);
	return 0;
}

static size_t managed_span(size_t size_bytes)
{
	return (size_bytes + PAGE - 1) / PAGE * PAGE;
}

int sim_pinned_take_managed(struct sim_device *device, size_t size_bytes, void **pointer)
{
	const size_t span = managed_span(size_bytes);
	if (size_bytes > device->total_bytes || !sim_memory_charge(device, span))
		return SIM_cudaErrorMemoryAllocation;
	int error = pinned_map(size_bytes, device->index, SIM_PINNED_MANAGED, pointer);
	if (error)
		sim_memory_discharge(device, span);
	else
		madvise(*pointer, size_bytes, MADV_DONTFORK);
	return error;
}

static void managed_drop(struct pinned **link)
{
	const size_t span = managed_span((*link)->size_bytes);
	sim_node_give(sim_visible_card((*link)->device), span);
	sim_device_at((*link)->device)->used_bytes -= span;
	pinned_drop(link);
}

int sim_pinned_give_managed(void *pointer)
{
	struct pinned **link = pinned_at(pointer, SIM_PINNED_MANAGED);
	if (!link)
		return SIM_cudaErrorInvalidValue;
	managed_drop(link);
	return 0;
}

void sim_pinned_clear(struct sim_device *device)
{
	for (struct pinned **link = &pinned_list; *link;)
		if ((*link)->device != device->index)
			link = &(*link)->next;
		else if ((*link)->kind == SIM_PINNED_MANAGED)
			managed_drop(link);
		else
			pinned_drop(link);
}

/* msync() returns ENOMEM for a range with a hole, and otherwise has no effect on private memory. */
bool sim_pinned_is_mapped(const void *pointer, size_t size_bytes)
{
	uintptr_t start = (uintptr_t)pointer, page = start / PAGE * PAGE;
	return !msync((void *)page, start + size_bytes - page, MS_ASYNC);
}

int sim_pinned_register(void *pointer, size_t size_bytes, int device)
{
	uintptr_t start = (uintptr_t)pointer;
	if (!pointer || !size_bytes || start + size_bytes < start || sim_memory_device(pointer))
		return SIM_cudaErrorInvalidValue;
	if (pinned_collides(start, size_bytes))
		return SIM_cudaErrorHostMemoryAlreadyRegistered;
	if (!sim_pinned_is_mapped(pointer, size_bytes))
		return SIM_cudaErrorInvalidValue;
	return pinned_add(pointer, size_bytes, device, SIM_PINNED_REGISTERED);
}

int sim_pinned_unregister(void *pointer)
{
	struct pinned **link = pinned_at(pointer, SIM_PINNED_REGISTERED);
	if (!link)
		return SIM_cudaErrorHostMemoryNotRegistered;
	pinned_drop(link);
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

static const struct pinned *pinned_around(const void *pointer)
{
	uintptr_t address = (uintptr_t)pointer;
	for (const struct pinned *p = pinned_list; p; p = p->next)
		if (address >= p->start && address - p->start < p->size_bytes)
			return p;
	return NULL;
}

int sim_pinned_device(const void *pointer)
{
	const struct pinned *found = pinned_around(pointer);
	return found ? found->device : -1;
}

int sim_pinned_node(const void *pointer)
{
	const struct pinned *found = pinned_around(pointer);
	return found ? found->node : -1;
}

bool sim_pinned_is_managed(const void *pointer)
{
	const struct pinned *found = pinned_around(pointer);
	return found && found->kind == SIM_PINNED_MANAGED;
}

unsigned long sim_pinned_count(enum sim_pinned_kind kind)
{
	unsigned long count = 0;
	for (const struct pinned *p = pinned_list; p; p = p->next)
		count += p->kind == kind;
	return count;
}
