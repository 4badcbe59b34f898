/* cpu_turns.c - computes the CPU's turns of a shared batch of transforms, slice by slice */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/fft/cpu_turns.h"

#include "policy/call/fft_extent.h"
#include "shim/base/clock.h"
#include "shim/base/observe.h"
#include "shim/execute/gpu/copy/pack_probe.h"
#include "shim/execute/gpu/device/gpu_place.h"

/* -- dividing -- */

static bool cpu_turns_has_pages(const struct fft_call *part, bool output)
{
	char *base = output ? part->out : part->in;
	struct fft_extent extent;
	if (!fft_extent_find(part->problem, output, FFT_EXTENT_ALL, &extent))
		return false;
	const uint64_t bytes = (uint64_t)(extent.end - extent.begin);
	const struct pack_area area = {base + extent.begin, bytes, 1, bytes};
	return pack_probe(&area, NULL, output || part->problem->family == FAMILY_FFT_C2R);
}

/* As of the parts of other calls: a handler of faults would leave a thread that still writes. */
static bool cpu_turns_is_safe(const struct cpu_turns *turns)
{
	const struct fft_problem problem =
		fft_share_count(&turns->cut, turns->cut.cut.count - turns->cut.device);
	const struct fft_call part =
		fft_share_place(&turns->cut, turns->call, &problem, turns->cut.device);
	if (!pack_probe_is_needed())
		return true;
	return pack_probe_is_able() && cpu_turns_has_pages(&part, false) &&
	       cpu_turns_has_pages(&part, true);
}

static bool cpu_turns_is_on_host(const struct lane *lane, const void *array)
{
	struct gpu_place_found place;
	return gpu_place_find(lane->api, array, &place) == REASON_NONE && !place.on_device;
}

bool cpu_turns_begin(struct cpu_turns *turns, struct lane *lane, const struct fft_call *call,
                     const struct cpu_slices *slices, const struct cpu_share *share)
{
	if (slices == NULL || share->wanted <= 0 ||
	    !fft_share_cut(call, share->wanted, &turns->cut) ||
	    !cpu_slices_fit(slices, &turns->cut, call))
		return false;
	turns->call = call;
	turns->slices = slices;
	turns->end = turns->cut.cut.count;
	turns->elapsed_ns = 0;
	return cpu_turns_is_on_host(lane, call->in) && cpu_turns_is_on_host(lane, call->out) &&
	       cpu_turns_is_safe(turns) && cpu_share_begin(lane, share);
}

/* -- slices -- */

typedef int64_t cpu_turns_routine(const struct cpu_slices *slices, const struct fft_share *share,
                                  const struct fft_call *call, int64_t end);

static void cpu_turns_compute(struct cpu_turns *turns, cpu_turns_routine *routine)
{
	const int64_t begin_ns = clock_monotonic_ns(), seen_ns = observe_begin("part of the CPU");
	turns->end = routine(turns->slices, &turns->cut, turns->call, turns->end);
	observe_end("part of the CPU", seen_ns);
	turns->elapsed_ns += clock_monotonic_ns() - begin_ns;
}

void cpu_turns_compute_open(struct cpu_turns *turns, const struct cpu_share *share)
{
	cpu_turns_compute(turns, cpu_slices_run_open);
	cpu_share_note_threads(CPU_SHARE_FFT, share);
}

bool cpu_turns_step(void *self)
{
	struct cpu_turns *turns = self;
	if (turns->end > turns->cut.device)
		cpu_turns_compute(turns, cpu_slices_run);
	return turns->end > turns->cut.device;
}

void cpu_turns_finish_open(struct cpu_turns *turns)
{
	while (turns->end > 0)
		cpu_turns_compute(turns, cpu_slices_run_open);
}
