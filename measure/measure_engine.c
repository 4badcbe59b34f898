/* measure_engine.c - the shim's engine on a device: its start, staged copies, small calls */
/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/measure_engine.h"

#include <sys/mman.h>

#include "measure/measure_call.h"
#include "measure/spread.h"
#include "shim/base/clock.h"

enum { ENGINE_TIMES = 5, ENGINE_CALLS = 25 };

/* Device memory first: host memory is not really there before it is written to. */
static enum reason measure_engine_take_memory(struct probe *probe, uint64_t most_bytes)
{
	void *device = NULL;
	uint64_t size_bytes = most_bytes;
	enum reason reason = lanes_take_memory(probe->lane, size_bytes, &device);
	while (reason == REASON_DEVICE_MEMORY && size_bytes / 2 >= PROBE_LEAST_BYTES) {
		size_bytes /= 2;
		reason = lanes_take_memory(probe->lane, size_bytes, &device);
	}
	if (reason != REASON_NONE)
		return reason;
	void *host =
		mmap(NULL, size_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (host == MAP_FAILED)
		return REASON_HOST_MEMORY;
	probe->device = device;
	probe->host = host;
	probe->device_bytes = probe->host_bytes = size_bytes;
	return REASON_NONE;
}

enum reason measure_engine_start(struct measure_engine *engine, struct options *options,
                                 uint64_t most_bytes)
{
	int device;
	int64_t call_ns;
	const int64_t begin_ns = clock_monotonic_ns();
	enum reason reason = measure_call_start(options, &device);
	const int64_t ready_ns = clock_monotonic_ns();
	if (reason == REASON_NONE)
		reason = lanes_take(device, &engine->probe.lane);
	if (reason == REASON_NONE)
		reason = measure_engine_take_memory(&engine->probe, most_bytes);
	/* The first call makes the rings and loads its kernel. */
	const int64_t call_begin_ns = clock_monotonic_ns();
	if (reason == REASON_NONE)
		reason = probe_call(&engine->probe, &call_ns);
	engine->start_ns = (double)(ready_ns - begin_ns + clock_monotonic_ns() - call_begin_ns);
	return reason;
}

/*
 * The first pair backs the host's pages and is not counted. Each pair copies down first: its stores
 * bypass the cache, so that the copy up reads memory.
 */
static enum reason measure_engine_copy(const struct probe *probe, uint64_t size_bytes,
                                       struct measure_staged *staged)
{
	double up[ENGINE_TIMES + 1], down[ENGINE_TIMES + 1];
	for (int i = 0; i <= ENGINE_TIMES; i++) {
		int64_t up_ns, down_ns;
		enum reason reason = probe_copy(probe, STAGING_DOWN, size_bytes, &down_ns);
		if (reason == REASON_NONE)
			reason = probe_copy(probe, STAGING_UP, size_bytes, &up_ns);
		if (reason != REASON_NONE)
			return reason;
		up[i] = (double)size_bytes * 1e9 / (double)up_ns;
		down[i] = (double)size_bytes * 1e9 / (double)down_ns;
	}
	const struct spread up_bytes = spread_of(up + 1, ENGINE_TIMES),
			    down_bytes = spread_of(down + 1, ENGINE_TIMES);
	staged->up_bytes = up_bytes.median;
	staged->down_bytes = down_bytes.median;
	staged->up_varies = up_bytes.varies;
	staged->down_varies = down_bytes.varies;
	return REASON_NONE;
}

static enum reason measure_engine_call(const struct probe *probe, struct measure_staged *staged)
{
	double cost_ns[ENGINE_CALLS];
	for (int i = 0; i < ENGINE_CALLS; i++) {
		int64_t elapsed_ns;
		const enum reason reason = probe_call(probe, &elapsed_ns);
		if (reason != REASON_NONE)
			return reason;
		cost_ns[i] = (double)elapsed_ns;
	}
	const struct spread call_ns = spread_of(cost_ns, ENGINE_CALLS);
	staged->call_ns = call_ns.median;
	staged->call_varies = call_ns.varies;
	return REASON_NONE;
}

enum reason measure_engine_staged(const struct measure_engine *engine, uint64_t size_bytes,
                                  struct measure_staged *staged)
{
	const enum reason reason = measure_engine_copy(&engine->probe, size_bytes, staged);
	return reason == REASON_NONE ? measure_engine_call(&engine->probe, staged) : reason;
}

enum reason measure_engine_copies(const struct measure_engine *engine, uint64_t size_bytes,
                                  struct measure_copies *copies)
{
	double rate[3][ENGINE_TIMES + 1];
	for (int i = 0; i <= ENGINE_TIMES; i++) {
		int64_t elapsed_ns[3];
		enum reason reason =
			probe_copy(&engine->probe, STAGING_DOWN, size_bytes, &elapsed_ns[1]);
		if (reason == REASON_NONE)
			reason = probe_copy(&engine->probe, STAGING_UP, size_bytes, &elapsed_ns[0]);
		if (reason == REASON_NONE)
			reason = probe_copy_both(&engine->probe, size_bytes, &elapsed_ns[2]);
		if (reason != REASON_NONE)
			return reason;
		for (int way = 0; way < 3; way++)
			rate[way][i] = (double)size_bytes * 1e9 / (double)elapsed_ns[way];
	}
	copies->up_bytes = spread_of(rate[0] + 1, ENGINE_TIMES);
	copies->down_bytes = spread_of(rate[1] + 1, ENGINE_TIMES);
	copies->both_bytes = spread_of(rate[2] + 1, ENGINE_TIMES);
	return REASON_NONE;
}
