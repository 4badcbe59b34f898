/* residency.c - what the options mean for the tracking of operands */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/session/residency.h"

#include <dlfcn.h>
#include <stddef.h>

#include "shim/base/diag.h"
#include "shim/base/observe.h"
#include "shim/execute/gpu/device/memory.h"
#include "shim/execute/gpu/resident/resident.h"

/* The part of the memory limit that mirrors may take; the rest is for calls. */
enum { RESIDENCY_PART = 2 };

static bool residency_program_uses_cuda;

void residency_look(void)
{
	void *driver = dlopen("libcuda.so.1", RTLD_NOLOAD | RTLD_LAZY);
	residency_program_uses_cuda = driver != NULL;
	if (driver != NULL)
		dlclose(driver);
}

/* Somebody who names a way wants to know why it is not taken. */
static void residency_say(enum track_reason reason, const char *fault)
{
	if (fault != NULL)
		diag_warn("residency = track: the kernel's tracking of writes fails a test (%s); "
		          "operands are sent each time",
		          fault);
	else
		diag_warn("residency = track: %s; operands are sent each time",
		          track_reason_sentence(reason));
}

void residency_begin(const struct options *options, int device)
{
	const enum residency way = (enum residency)options->residency;
	const char *fault = NULL;
	if (way != RESIDENCY_AUTO && way != RESIDENCY_TRACK)
		return;
	const struct resident_settings settings = {
		.limit_bytes = memory_limit(device) / RESIDENCY_PART,
		.tracks_at_once = way == RESIDENCY_TRACK,
		.program_uses_cuda = residency_program_uses_cuda,
		.asks_despite_filter = way == RESIDENCY_TRACK,
	};
	const int64_t begin_ns = observe_begin("try tracking");
	const enum track_reason reason = resident_open(&settings, &fault);
	observe_end("try tracking", begin_ns);
	if (reason != TRACK_REASON_NONE && way == RESIDENCY_TRACK)
		residency_say(reason, fault);
}
