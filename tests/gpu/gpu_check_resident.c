/* gpu_check_resident.c - an observer of the link, and the tracking at once */
/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu_check_resident.h"

#include <stdlib.h>
#include <sys/mman.h>

#include "gpu_check.h"
#include "gpu_check_observe.h"
#include "shim/execute/gpu/resident/resident.h"

static _Atomic uint64_t check_sent_bytes;

static void check_open(const char *name, const struct resident_settings *settings)
{
	const char *fault;
	resident_close();
	const enum track_reason reason = resident_open(settings, &fault);
	if (reason == TRACK_REASON_NONE)
		return;
	printf("%s: skipped, %s\n", name, track_reason_sentence(reason));
	exit(GPU_CHECK_SKIPPED);
}

void gpu_check_open_tracking(const char *name)
{
	check_open(name,
	           &(struct resident_settings){.limit_bytes = UINT64_MAX, .tracks_at_once = true});
}

void gpu_check_open_admission(const char *name)
{
	check_open(name, &(struct resident_settings){.limit_bytes = UINT64_MAX});
}

double *gpu_check_make_memory(size_t elements)
{
	void *memory = mmap(NULL, elements * sizeof(double), PROT_READ | PROT_WRITE,
	                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	EXPECT(memory != MAP_FAILED, "no memory");
	return memory;
}

static void check_operate(const struct observe_operation *operation)
{
	if (operation->track == OBSERVE_LINK_UP)
		atomic_fetch_add(&check_sent_bytes, operation->size_bytes);
}

void gpu_check_count_sent(void)
{
	gpu_check_observe(check_operate);
	gpu_check_take_sent();
}

uint64_t gpu_check_take_sent(void)
{
	return atomic_exchange(&check_sent_bytes, 0);
}
