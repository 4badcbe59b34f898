/* gpu_check_resident.c - an observer of the link, and the tracking at once */
/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu_check_resident.h"

#include <stdlib.h>
#include <sys/mman.h>

#include "gpu_check.h"
#include "shim/base/observe.h"
#include "shim/execute/gpu/resident/resident.h"

static _Atomic uint64_t check_sent_bytes;

void gpu_check_open_tracking(const char *name)
{
	const struct resident_settings settings = {.limit_bytes = UINT64_MAX,
	                                           .tracks_at_once = true};
	const char *fault;
	resident_close();
	const enum track_reason reason = resident_open(&settings, &fault);
	if (reason == TRACK_REASON_NONE)
		return;
	printf("%s: skipped, %s\n", name, track_reason_sentence(reason));
	exit(GPU_CHECK_SKIPPED);
}

double *gpu_check_make_memory(size_t elements)
{
	void *memory = mmap(NULL, elements * sizeof(double), PROT_READ | PROT_WRITE,
	                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	EXPECT(memory != MAP_FAILED, "no memory");
	return memory;
}

static int64_t check_begin(const char *name)
{
	(void)name;
	return 1;
}

static void check_end(const char *name, int64_t begin_ns, uint64_t size_bytes, uint64_t call)
{
	(void)name, (void)begin_ns, (void)size_bytes, (void)call;
}

static void check_span(const char *name, int64_t begin_ns, int64_t end_ns)
{
	(void)name, (void)begin_ns, (void)end_ns;
}

static void check_operate(const struct observe_operation *operation)
{
	if (operation->track == OBSERVE_LINK_UP)
		atomic_fetch_add(&check_sent_bytes, operation->size_bytes);
}

static uint64_t check_find_call(void)
{
	return 0;
}

void gpu_check_count_sent(void)
{
	static const struct observer listener = {check_begin, check_end, check_span, check_operate,
	                                         check_find_call};
	observe_set(&listener);
	gpu_check_take_sent();
}

uint64_t gpu_check_take_sent(void)
{
	return atomic_exchange(&check_sent_bytes, 0);
}
