/* measure_engine.h - what the shim's own engine does with a device: start, staged copies, whole calls */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_MEASURE_MEASURE_ENGINE_H
#define GPUSHIM_MEASURE_MEASURE_ENGINE_H

#include "policy/options/options.h"
#include "shim/execute/gpu/session/probe.h"

/* start_ns: from nothing to a device that takes calls, the rings of staging included. */
struct measure_engine {
	struct probe probe;
	double start_ns;
};

/*
 * Starts CUDA as the shim would, in the calling thread and once per process, and takes memory on
 * both sides: most_bytes, or half of it, and half again, where the device has less
 * (probe.device_bytes tells). It is given up when the process ends. Not REASON_NONE: there is
 * nothing to measure with. The options must outlive the process.
 */
enum reason measure_engine_start(struct measure_engine *engine, struct options *options,
                                 uint64_t most_bytes);

/*
 * Bytes per second of operands of size_bytes on their way each way, and nanoseconds of a small
 * call; medians.
 */
struct measure_staged {
	double up_bytes, down_bytes, call_ns;
};
enum reason measure_engine_staged(const struct measure_engine *engine, uint64_t size_bytes,
                                  struct measure_staged *staged);

#endif
