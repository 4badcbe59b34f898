/* calibrate_gpu.c - the links, the GPU's rates and its fixed costs */
/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/calibrate/calibrate.h"
#include "measure/measure_engine.h"
#include "measure/measure_kernel.h"
#include "measure/measure_link.h"
#include "measure/measure_operation.h"
#include "measure/spread.h"

enum {
	GPU_TIMES = 5,
	GPU_HOPS = 500,
	GPU_PLANS_MAX = 16,
	GPU_LEVEL3_MOST = 4096,
	GPU_SUSTAIN_MAX = 64
};

/* How long products run for the rate that a card sustains. */
static const double gpu_sustain_seconds = 1;

/*
 * The engine's buffer, for copies that measure the link and for the operands of products. A device
 * with less memory gets a smaller one.
 */
static const uint64_t gpu_engine_bytes = UINT64_C(1) << 30, gpu_quick_bytes = UINT64_C(1) << 20;
static const uint64_t gpu_copy_bytes = UINT64_C(256) << 20;

static const size_t gpu_chunk_bytes = (size_t)32 << 20, gpu_total_bytes = (size_t)512 << 20;

struct calibrate_gpu {
	struct measure_engine engine;
	struct device device;
};

static void calibrate_gpu_say(const struct calibrate *calibrate, const char *why)
{
	snprintf(calibrate->board->sentences[0], MEASURE_SENTENCE_BYTES,
	         "the GPU is not measured: %.300s; predictions assume links and an ordinary card, "
	         "unless a profile with them is named",
	         why);
}

/* Without the option memory_limit, which would keep the larger sizes out of the profile. */
static bool calibrate_gpu_start(const struct calibrate *calibrate, struct calibrate_gpu *gpu,
                                struct machine *machine)
{
	static struct options options;
	options = calibrate->options;
	options.memory_limit = 0;
	const enum reason reason = measure_engine_start(
		&gpu->engine, &options, calibrate->quick ? gpu_quick_bytes : gpu_engine_bytes);
	if (reason != REASON_NONE) {
		calibrate_gpu_say(calibrate, reason_sentence(reason));
		return false;
	}
	machine->start_ns = gpu->engine.start_ns;
	return true;
}

static bool calibrate_gpu_open(const struct calibrate *calibrate, struct calibrate_gpu *gpu,
                               struct machine *machine)
{
	char sentence[CUDA_SENTENCE_BYTES];
	const struct cuda_set *set = &gpu->device.set;
	if (!device_open_chosen(&gpu->device, calibrate->options.cuda_path,
	                        calibrate->options.devices, sentence)) {
		calibrate_gpu_say(calibrate, sentence);
		return false;
	}
	calibrate->board->simulated = gpu->device.simulated;
	snprintf(machine->gpu, sizeof machine->gpu, "%.*s", MACHINE_NAME_BYTES - 1,
	         gpu->device.name);
	snprintf(machine->cuda, sizeof machine->cuda, "runtime %d.%d, driver for %d.%d",
	         set->runtime_version / 1000, set->runtime_version % 1000 / 10,
	         set->driver_version / 1000, set->driver_version % 1000 / 10);
	machine->gpu_count = set->count;
	machine->gpu_multiprocessors = set->devices[0].multiprocessors;
	return true;
}

static bool calibrate_gpu_links(const struct calibrate *calibrate, const struct calibrate_gpu *gpu,
                                struct machine *machine)
{
	const uint64_t has_bytes = gpu->engine.probe.device_bytes;
	const uint64_t copy_bytes = has_bytes < gpu_copy_bytes ? has_bytes : gpu_copy_bytes;
	const size_t chunk_bytes = calibrate->quick ? (size_t)1 << 18 : gpu_chunk_bytes;
	struct measure_staged staged;
	struct measure_link link;
	struct measure_rates rates;
	const enum reason reason = measure_engine_staged(&gpu->engine, copy_bytes, &staged);
	if (reason != REASON_NONE) {
		calibrate_gpu_say(calibrate, reason_sentence(reason));
		return false;
	}
	machine->link_up_bytes = staged.up_bytes;
	machine->link_down_bytes = staged.down_bytes;
	machine->call_fixed_ns = staged.call_ns;
	measure_link_open(&link, &gpu->device, 2 * chunk_bytes,
	                  calibrate->quick ? 2 * chunk_bytes : gpu_total_bytes);
	measure_link_copies(&link, chunk_bytes, &rates);
	measure_link_close(&link);
	machine->link_up_pinned_bytes = rates.alone[MEASURE_UP];
	machine->link_down_pinned_bytes = rates.alone[MEASURE_DOWN];
	machine->link_up_pageable_bytes = rates.pageable[MEASURE_UP];
	machine->link_down_pageable_bytes = rates.pageable[MEASURE_DOWN];
	machine->link_duplex = measure_link_duplex(&rates);
	return true;
}

static void calibrate_gpu_operations(const struct calibrate *calibrate,
                                     const struct calibrate_gpu *gpu, struct machine *machine)
{
	struct spread cost_ns[MEASURE_OPERATIONS];
	measure_operation_costs(&gpu->device, calibrate->quick ? 3 : GPU_HOPS, cost_ns);
	machine->operation_ns = cost_ns[MEASURE_HOP].median;
}

/*
 * Seconds of a square call of the family, 0 if it failed. It runs in the engine, so that it uses
 * the same math mode as calls. The first call is not counted: it loads the kernel.
 */
static double calibrate_gpu_time(const struct calibrate_gpu *gpu, enum family family,
                                 enum element element, int64_t order)
{
	double seconds[GPU_TIMES];
	for (int i = -1; i < GPU_TIMES; i++) {
		int64_t elapsed_ns;
		if (probe_level3(&gpu->engine.probe, family, element, order, 1, &elapsed_ns) !=
		    REASON_NONE)
			return 0;
		if (i >= 0)
			seconds[i] = (double)elapsed_ns / 1e9;
	}
	return spread_of(seconds, GPU_TIMES).median;
}

/*
 * Products of this order without a pause for a second, which is longer than a card with a low power
 * limit keeps its boost clock: the rate of the last quarter lowers that of every point.
 */
static void calibrate_gpu_sustain(const struct calibrate_gpu *gpu, int64_t order,
                                  struct machine_curve *curve)
{
	const double begin = device_seconds(),
		     flops = calibrate_count_flops(FAMILY_GEMM, curve->element, (double)order);
	double seconds[GPU_SUSTAIN_MAX];
	size_t count = 0;
	while (device_seconds() - begin < gpu_sustain_seconds) {
		int64_t elapsed_ns;
		if (probe_product(&gpu->engine.probe, curve->element, order, 1, &elapsed_ns) !=
		    REASON_NONE)
			return;
		seconds[count++ % GPU_SUSTAIN_MAX] = (double)elapsed_ns / 1e9;
	}
	const size_t kept = count < GPU_SUSTAIN_MAX ? count : GPU_SUSTAIN_MAX;
	const double rate = kept > 0 ? flops / spread_of(seconds, kept).median : 0;
	for (int i = 0; i < curve->count && rate >= 1; i++)
		if (curve->point[i].rate > rate)
			curve->point[i].rate = rate;
}

static void calibrate_gpu_products(const struct calibrate *calibrate,
                                   const struct calibrate_gpu *gpu, double budget_s,
                                   struct machine *machine)
{
	for (enum element element = ELEMENT_S; element <= ELEMENT_Z; element++) {
		struct machine_curve curve = {
			.side = MACHINE_GPU, .family = FAMILY_GEMM, .element = element};
		const int64_t most =
			calibrate->quick ? 64 : probe_most_order(&gpu->engine.probe, element);
		const double end = device_seconds() + budget_s / ELEMENT_BLAS_COUNT;
		double seconds = 0;
		int64_t largest = 0;
		for (int64_t order = calibrate->quick ? 32 : 128; order <= most; order *= 2) {
			const double begin = device_seconds();
			if (8 * seconds > end - begin)
				break;
			const double once = calibrate_gpu_time(gpu, FAMILY_GEMM, element, order);
			if (once > 0)
				calibrate_add_point(
					&curve, (double)order,
					calibrate_count_flops(FAMILY_GEMM, element, (double)order) /
						once);
			seconds = device_seconds() - begin;
			largest = order;
		}
		if (!calibrate->quick && largest > 0)
			calibrate_gpu_sustain(gpu, largest, &curve);
		machine->gpu_gemm_flops[element] = calibrate_add_curve(machine, &curve);
	}
}

/* symm, syrk and trmm in doubles. */
static void calibrate_gpu_level3(const struct calibrate *calibrate, const struct calibrate_gpu *gpu,
                                 struct machine *machine)
{
	static const enum family families[] = {FAMILY_SYMM, FAMILY_SYRK, FAMILY_TRMM};
	const int64_t fits = probe_most_order(&gpu->engine.probe, ELEMENT_D),
		      most = calibrate->quick         ? 64
	                     : fits < GPU_LEVEL3_MOST ? fits
	                                              : GPU_LEVEL3_MOST;
	for (size_t i = 0; i < sizeof families / sizeof families[0]; i++) {
		struct machine_curve curve = {
			.side = MACHINE_GPU, .family = families[i], .element = ELEMENT_D};
		for (int64_t order = calibrate->quick ? 32 : 256; order <= most; order *= 2) {
			const double seconds =
				calibrate_gpu_time(gpu, families[i], ELEMENT_D, order);
			if (seconds > 0)
				calibrate_add_point(&curve, (double)order,
				                    calibrate_count_flops(families[i], ELEMENT_D,
				                                          (double)order) /
				                            seconds);
		}
		calibrate_add_curve(machine, &curve);
	}
}

/* What trsm takes beside its operations at the rate of gemm, for each row: the median of orders. */
static void calibrate_gpu_trsm(const struct calibrate *calibrate, const struct calibrate_gpu *gpu,
                               struct machine *machine)
{
	double rows_ns[GPU_TIMES];
	size_t count = 0;
	for (int64_t order = calibrate->quick ? 32 : 128;
	     count < (calibrate->quick ? 2 : GPU_TIMES) &&
	     order <= probe_most_order(&gpu->engine.probe, ELEMENT_D);
	     order *= 2) {
		const double n = (double)order,
			     seconds = calibrate_gpu_time(gpu, FAMILY_TRSM, ELEMENT_D, order),
			     rate = machine_find_rate(machine, MACHINE_GPU, FAMILY_GEMM, ELEMENT_D,
		                                      n, 0);
		if (!(seconds > 0) || !(rate > 0))
			return;
		const double left_s = seconds - n * n * n / rate;
		rows_ns[count++] = left_s > 0 ? left_s / n * 1e9 : 0;
	}
	/* 0 would be unknown. */
	if (count > 0)
		machine->gpu_trsm_row_ns = fmax(spread_of(rows_ns, count).median, 1);
}

/* What a small transform takes, by the number of its dimensions. */
static void calibrate_gpu_floors(const struct calibrate_gpu *gpu, struct machine *machine)
{
	static const int64_t lengths[FFT_GPU_RANK][FFT_GPU_RANK] = {{1024}, {32, 32}, {8, 8, 16}};
	for (int rank = 1; rank <= FFT_GPU_RANK; rank++) {
		struct measure_transform transform;
		if (measure_kernel_transform(&gpu->device, ELEMENT_Z, rank, lengths[rank - 1],
		                             GPU_TIMES, &transform))
			machine->gpu_fft_floor_ns[rank - 1] = transform.seconds * 1e9;
	}
}

/* plans_s: seconds that making each plan took. Returns how many plans there were. */
static int calibrate_gpu_transforms(const struct calibrate *calibrate,
                                    const struct calibrate_gpu *gpu, double plans_s[GPU_PLANS_MAX],
                                    struct machine *machine)
{
	const int64_t most = calibrate->quick ? 1 << 10 : 1 << 24;
	int plans = 0;
	for (int single = 1; single >= 0; single--) {
		const enum element element = single != 0 ? ELEMENT_C : ELEMENT_Z;
		struct machine_curve curve = {
			.side = MACHINE_GPU, .family = FAMILY_FFT_C2C, .element = element};
		for (int64_t n = calibrate->quick ? 1 << 8 : 1 << 12; n <= most;
		     n *= calibrate->quick ? 4 : 16) {
			const double points = (double)n;
			struct measure_transform transform;
			if (!measure_kernel_transform(&gpu->device, element, 1, &n, GPU_TIMES,
			                              &transform))
				continue;
			calibrate_add_point(&curve, points,
			                    5 * points * log2(points) / transform.seconds);
			if (plans < GPU_PLANS_MAX)
				plans_s[plans++] = transform.plan_seconds;
		}
		machine->gpu_fft_flops[element] = calibrate_add_curve(machine, &curve);
	}
	return plans;
}

void calibrate_gpu_measure(const struct calibrate *calibrate, const struct calibrate_part *part,
                           struct machine *machine)
{
	static struct calibrate_gpu gpu;
	double plans_s[GPU_PLANS_MAX];
	calibrate_tell(calibrate, 0, "start of CUDA");
	if (!calibrate_gpu_start(calibrate, &gpu, machine) ||
	    !calibrate_gpu_open(calibrate, &gpu, machine))
		return;
	calibrate_tell(calibrate, 0.1, "links");
	if (!calibrate_gpu_links(calibrate, &gpu, machine))
		return;
	calibrate_tell(calibrate, 0.3, "operations");
	calibrate_gpu_operations(calibrate, &gpu, machine);
	calibrate_tell(calibrate, 0.4, "products");
	calibrate_gpu_products(calibrate, &gpu, part->budget_s * 0.4, machine);
	calibrate_tell(calibrate, 0.7, "other level 3");
	calibrate_gpu_level3(calibrate, &gpu, machine);
	calibrate_gpu_trsm(calibrate, &gpu, machine);
	calibrate_tell(calibrate, 0.8, "transforms");
	calibrate_gpu_floors(&gpu, machine);
	const int plans = calibrate_gpu_transforms(calibrate, &gpu, plans_s, machine);
	if (plans > 0)
		machine->fft_plan_ns = spread_of(plans_s, (size_t)plans).median * 1e9;
}
