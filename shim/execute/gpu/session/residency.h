/* residency.h - begins the tracking of operands, as the options say */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_SESSION_RESIDENCY_H
#define GPUSHIM_SHIM_EXECUTE_GPU_SESSION_RESIDENCY_H

#include "policy/options/options.h"
#include "policy/resident/migration_reason.h"
#include "policy/resident/track_reason.h"
#include "shim/execute/gpu/cuda/cuda_api.h"

/* Before CUDA is opened: whether the program has loaded its driver already. */
void residency_look(void);

/*
 * After a device has started, before it takes calls. Tries the kernel's tracking (some
 * milliseconds), unless the option is off. Mirrors may take half of the device's memory limit.
 */
void residency_begin(const struct options *options, const struct cuda_device *card);

/*
 * What tracking has cost the program so far: page faults, and an estimate of their time. untracked:
 * why operands are sent each time now; TRACK_REASON_NONE where some may stay, or nobody asks.
 * moved_bytes: of pages that went to the GPU's memory; unmoved: why none go there now, likewise.
 */
struct residency_state {
	uint64_t faults, fault_ns, moved_bytes;
	enum track_reason untracked;
	enum migration_reason unmoved;
};
struct residency_state residency_find_state(void);

#endif
