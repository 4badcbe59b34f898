/* measure_engine.h - the shim's engine on a device: its start, staged copies, small calls */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_MEASURE_MEASURE_ENGINE_H
#define GPUSHIM_MEASURE_MEASURE_ENGINE_H

#include "measure/spread.h"
#include "policy/options/options.h"
#include "shim/execute/gpu/session/probe.h"

/* start_ns: until the device takes calls, the rings of staging included. */
struct measure_engine {
	struct probe probe;
	double start_ns;
};

/*
 * Starts CUDA as the shim would, in the calling thread and once per process. Takes memory on both
 * sides, which the end of the process releases: most_bytes, or where the device has less half of
 * it, and half again (probe.device_bytes tells). Returns REASON_NONE, or why there is nothing to
 * measure with. The options must outlive the process.
 */
enum reason measure_engine_start(struct measure_engine *engine, struct options *options,
                                 uint64_t most_bytes);

/*
 * Medians: bytes per second of operands of size_bytes each way, and nanoseconds of a small call;
 * and how much they vary, as in struct spread.
 */
struct measure_staged {
	double up_bytes, down_bytes, call_ns;
	double up_varies, down_varies, call_varies;
};
enum reason measure_engine_staged(const struct measure_engine *engine, uint64_t size_bytes,
                                  struct measure_staged *staged);

/* Bytes per second of copies alone: each way by itself, and both together at once. */
struct measure_copies {
	struct spread up_bytes, down_bytes, both_bytes;
};
enum reason measure_engine_copies(const struct measure_engine *engine, uint64_t size_bytes,
                                  struct measure_copies *copies);

#endif
