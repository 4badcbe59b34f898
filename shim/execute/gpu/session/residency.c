/* residency.c - what the options mean for the tracking of operands */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/session/residency.h"

#include <dlfcn.h>
#include <stddef.h>

#include "shim/base/clock.h"
#include "shim/base/diag.h"
#include "shim/base/observe.h"
#include "shim/execute/gpu/cuda/cuda.h"
#include "shim/execute/gpu/device/memory.h"
#include "shim/execute/gpu/engine/hash_parts.h"
#include "shim/execute/gpu/node/page_move.h"
#include "shim/execute/gpu/node/process_life.h"
#include "shim/execute/gpu/resident/migrate.h"
#include "shim/execute/gpu/resident/resident.h"
#include "shim/execute/gpu/watch/watch.h"

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

/*
 * How long the process lives and computes, since it may have been another program before exec. The
 * page faults of tracking may take a hundredth of that: of a program that goes on for hours before
 * its first call a limit keeps that short.
 */
enum { RESIDENCY_AGE_MOST_S = 20 };

static int64_t residency_find_age(void)
{
	const int64_t most_ns = RESIDENCY_AGE_MOST_S * INT64_C(1000000000),
		      lived_ns = process_life_age_ns(""),
		      computed_ns = clock_read_ns(CLOCK_PROCESS_CPUTIME_ID),
		      age_ns = lived_ns < computed_ns ? lived_ns : computed_ns;
	return age_ns < most_ns ? age_ns : most_ns;
}

/* Somebody who names a way wants to know why it is not taken. fault: of the test, or NULL. */
static void residency_say(const char *way, const char *why, const char *fault)
{
	diag_warn("residency = %s: %s%s%s; operands are sent each time", way, why,
	          fault != NULL ? "; not true here: " : "", fault != NULL ? fault : "");
}

static void residency_track(const struct options *options, int device)
{
	const enum residency way = (enum residency)options->residency;
	const struct resident_settings settings = {
		.mode = way == RESIDENCY_HASH ? RESIDENT_HASH : RESIDENT_TRACK,
		.limit_bytes = memory_limit(device) / RESIDENCY_PART,
		.tracks_at_once = way == RESIDENCY_TRACK,
		.program_uses_cuda = residency_program_uses_cuda,
		.asks_despite_filter = way == RESIDENCY_TRACK,
		.age_ns = residency_find_age(),
		.run_parts = hash_parts_run,
		.may_read = hash_parts_may_read,
		.begin_watch = watch_begin,
	};
	const char *fault = NULL;
	const int64_t begin_ns = observe_begin("try tracking");
	const enum track_reason reason = resident_open(&settings, &fault);
	observe_end("try tracking", begin_ns);
	if (reason != TRACK_REASON_NONE && way == RESIDENCY_TRACK)
		residency_say("track", track_reason_sentence(reason), fault);
	if (reason != TRACK_REASON_NONE && way == RESIDENCY_HASH)
		residency_say("hash", track_reason_sentence(reason), NULL);
}

static void residency_migrate(const struct cuda_device *card)
{
	enum migration_reason reason = migration_reason_judge(card->reads_host, card->memory_node);
	if (reason == MIGRATION_REASON_NONE &&
	    page_move_free_bytes(cuda_devices_find_root(), card->memory_node) == 0)
		reason = MIGRATION_REASON_NODE_FULL;
	if (reason == MIGRATION_REASON_NONE) {
		migrate_open(cuda_devices_find_root());
		return;
	}
	migrate_close(reason);
	residency_say("migrate", migration_reason_sentence(reason), NULL);
}

void residency_begin(const struct options *options, const struct cuda_device *card)
{
	if (options->residency == RESIDENCY_MIGRATE)
		residency_migrate(card);
	else if (options->residency != RESIDENCY_OFF)
		residency_track(options, card->number);
}

struct residency_state residency_find_state(void)
{
	const struct resident_stats stats = resident_stats_get();
	const enum track_reason reason = resident_reason();
	const enum migration_reason unmoved = migrate_reason();
	return (struct residency_state){
		.faults = stats.written_pages,
		.fault_ns = stats.fault_ns,
		.untracked = reason != TRACK_REASON_CLOSED ? reason : TRACK_REASON_NONE,
		.moved_bytes = migrate_count_moved(),
		.unmoved = unmoved != MIGRATION_REASON_NOT_ASKED ? unmoved : MIGRATION_REASON_NONE};
}
