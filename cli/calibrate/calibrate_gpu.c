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
	GPU_TRIES = 3,
	GPU_PLANS = 3,
	GPU_PLANS_MAX = 64,
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

static void calibrate_gpu_note(const struct calibrate *calibrate, const char *what, double varies)
{
	calibrate_note(calibrate, &(struct calibrate_figure){
					  .what = what, .side = MACHINE_GPU, .varies = varies});
}

static double calibrate_gpu_worst(const double *varies, int count)
{
	double worst = 0;
	for (int i = 0; i < count; i++)
		worst = fmax(worst, varies[i]);
	return worst;
}

/* The steadiest of up to three measurements. */
static enum reason calibrate_gpu_stage(const struct calibrate *calibrate,
                                       const struct calibrate_gpu *gpu, uint64_t copy_bytes,
                                       struct measure_staged *staged)
{
	double best = INFINITY;
	for (int tries = 0; tries < GPU_TRIES && best > CALIBRATE_STEADY; tries++) {
		struct measure_staged next;
		const enum reason reason = measure_engine_staged(&gpu->engine, copy_bytes, &next);
		if (reason != REASON_NONE)
			return reason;
		const double varies[] = {next.up_varies, next.down_varies, next.call_varies};
		calibrate->board->repeats += tries > 0;
		if (calibrate_gpu_worst(varies, 3) < best)
			*staged = next;
		best = fmin(best, calibrate_gpu_worst(varies, 3));
	}
	calibrate_gpu_note(calibrate, "copies of operands to the GPU", staged->up_varies);
	calibrate_gpu_note(calibrate, "copies of results from the GPU", staged->down_varies);
	calibrate_gpu_note(calibrate, "a call", staged->call_varies);
	return REASON_NONE;
}

static void calibrate_gpu_copy(const struct calibrate *calibrate, const struct calibrate_gpu *gpu,
                               struct measure_rates *rates)
{
	static const char *const what[][MEASURE_WAYS] = {
		{"page-locked copies to the GPU", "page-locked copies from the GPU"},
		{"pageable copies to the GPU", "pageable copies from the GPU"}};
	const size_t chunk_bytes = calibrate->quick ? (size_t)1 << 18 : gpu_chunk_bytes;
	double best = INFINITY;
	struct measure_link link;
	measure_link_open(&link, &gpu->device, 2 * chunk_bytes,
	                  calibrate->quick ? 2 * chunk_bytes : gpu_total_bytes);
	for (int tries = 0; tries < GPU_TRIES && best > CALIBRATE_STEADY; tries++) {
		struct measure_rates next;
		measure_link_copies(&link, chunk_bytes, &next);
		const double worst = fmax(calibrate_gpu_worst(next.alone_varies, MEASURE_WAYS),
		                          calibrate_gpu_worst(next.pageable_varies, MEASURE_WAYS));
		calibrate->board->repeats += tries > 0;
		if (worst < best)
			*rates = next;
		best = fmin(best, worst);
	}
	measure_link_close(&link);
	for (int way = MEASURE_UP; way < MEASURE_WAYS; way++) {
		calibrate_gpu_note(calibrate, what[0][way], rates->alone_varies[way]);
		calibrate_gpu_note(calibrate, what[1][way], rates->pageable_varies[way]);
	}
}

static bool calibrate_gpu_links(const struct calibrate *calibrate, const struct calibrate_gpu *gpu,
                                struct machine *machine)
{
	const uint64_t has_bytes = gpu->engine.probe.device_bytes;
	const uint64_t copy_bytes = has_bytes < gpu_copy_bytes ? has_bytes : gpu_copy_bytes;
	struct measure_staged staged = {0};
	struct measure_rates rates = {0};
	const enum reason reason = calibrate_gpu_stage(calibrate, gpu, copy_bytes, &staged);
	if (reason != REASON_NONE) {
		calibrate_gpu_say(calibrate, reason_sentence(reason));
		return false;
	}
	machine->link_up_bytes = staged.up_bytes;
	machine->link_down_bytes = staged.down_bytes;
	machine->call_fixed_ns = staged.call_ns;
	calibrate_gpu_copy(calibrate, gpu, &rates);
	machine->link_up_pinned_bytes = rates.alone[MEASURE_UP];
	machine->link_down_pinned_bytes = rates.alone[MEASURE_DOWN];
	machine->link_up_pageable_bytes = rates.pageable[MEASURE_UP];
	machine->link_down_pageable_bytes = rates.pageable[MEASURE_DOWN];
	machine->link_duplex = measure_link_duplex(&rates);
	return true;
}

struct gpu_operation {
	const struct device *device;
	enum measure_operation operation;
	int times;
};

static struct spread calibrate_gpu_operation(const void *what)
{
	const struct gpu_operation *operation = what;
	struct spread cost_ns[MEASURE_OPERATIONS];
	measure_operation_costs(operation->device, operation->times, cost_ns);
	return cost_ns[operation->operation];
}

static void calibrate_gpu_operations(const struct calibrate *calibrate,
                                     const struct calibrate_gpu *gpu, struct machine *machine)
{
	const int times = calibrate->quick ? 3 : GPU_HOPS;
	const struct gpu_operation hop = {&gpu->device, MEASURE_HOP, times},
				   copy = {&gpu->device, MEASURE_COPY, times};
	struct spread cost_ns = calibrate_repeat(calibrate, calibrate_gpu_operation, &hop);
	calibrate_gpu_note(calibrate, "a copy or kernel of a call", cost_ns.varies);
	machine->operation_ns = cost_ns.median;
	cost_ns = calibrate_repeat(calibrate, calibrate_gpu_operation, &copy);
	calibrate_gpu_note(calibrate, "a copy behind another", cost_ns.varies);
	machine->copy_ns = cost_ns.median;
}

struct gpu_call {
	const struct calibrate_gpu *gpu;
	enum family family;
	enum element element;
	int64_t order;
};

/*
 * Seconds of a square call of the family, 0 if it failed. It runs in the engine, so that it uses
 * the same math mode as calls. The first call is not counted: it loads the kernel.
 */
static struct spread calibrate_gpu_call(const void *what)
{
	const struct gpu_call *call = what;
	double seconds[GPU_TIMES];
	for (int i = -1; i < GPU_TIMES; i++) {
		int64_t elapsed_ns;
		if (probe_level3(&call->gpu->engine.probe, call->family, call->element, call->order,
		                 1, &elapsed_ns) != REASON_NONE)
			return (struct spread){.varies = -1};
		if (i >= 0)
			seconds[i] = (double)elapsed_ns / 1e9;
	}
	return spread_of(seconds, GPU_TIMES);
}

static struct spread calibrate_gpu_time(const struct calibrate *calibrate,
                                        const struct calibrate_gpu *gpu, enum family family,
                                        enum element element, int64_t order)
{
	const struct gpu_call call = {gpu, family, element, order};
	return calibrate_repeat(calibrate, calibrate_gpu_call, &call);
}

/* Adds a point of the curve, unless the call failed. */
static void calibrate_gpu_add(const struct calibrate *calibrate, const struct calibrate_gpu *gpu,
                              int64_t order, struct machine_curve *curve)
{
	const struct spread seconds =
		calibrate_gpu_time(calibrate, gpu, curve->family, curve->element, order);
	if (seconds.median > 0)
		calibrate_add_point(
			calibrate, curve, (double)order,
			calibrate_count_flops(curve->family, curve->element, (double)order) /
				seconds.median,
			seconds.varies);
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
			calibrate_gpu_add(calibrate, gpu, order, &curve);
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
		for (int64_t order = calibrate->quick ? 32 : 256; order <= most; order *= 2)
			calibrate_gpu_add(calibrate, gpu, order, &curve);
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
			     seconds = calibrate_gpu_time(calibrate, gpu, FAMILY_TRSM, ELEMENT_D,
		                                          order)
		                               .median,
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

struct gpu_plans {
	double seconds[GPU_PLANS_MAX];
	int count;
};

/* plans: gets the seconds that making each plan took, unless it is NULL. */
struct gpu_transform {
	const struct device *device;
	enum element element;
	int rank;
	const int64_t *lengths;
	struct gpu_plans *plans;
};

/* Some plans, each executed several times; no seconds where cuFFT refuses a plan. */
static struct spread calibrate_gpu_transform(const void *what)
{
	const struct gpu_transform *given = what;
	double seconds[GPU_PLANS];
	for (int i = 0; i < GPU_PLANS; i++) {
		struct measure_transform transform;
		if (!measure_kernel_transform(given->device, given->element, given->rank,
		                              given->lengths, GPU_TIMES, &transform))
			return (struct spread){.varies = -1};
		seconds[i] = transform.seconds;
		if (given->plans != NULL && given->plans->count < GPU_PLANS_MAX)
			given->plans->seconds[given->plans->count++] = transform.plan_seconds;
	}
	return spread_of(seconds, GPU_PLANS);
}

/* What a small transform takes, by the number of its dimensions. */
static void calibrate_gpu_floors(const struct calibrate *calibrate, const struct calibrate_gpu *gpu,
                                 struct machine *machine)
{
	static const int64_t lengths[FFT_GPU_RANK][FFT_GPU_RANK] = {{1024}, {32, 32}, {8, 8, 16}};
	static const char *const what[FFT_GPU_RANK] = {
		"a small transform", "a small transform in 2-D", "a small transform in 3-D"};
	for (int rank = 1; rank <= FFT_GPU_RANK; rank++) {
		const struct gpu_transform transform = {&gpu->device, ELEMENT_Z, rank,
		                                        lengths[rank - 1], NULL};
		const struct spread seconds =
			calibrate_repeat(calibrate, calibrate_gpu_transform, &transform);
		if (!(seconds.median > 0))
			continue;
		machine->gpu_fft_floor_ns[rank - 1] = seconds.median * 1e9;
		calibrate_gpu_note(calibrate, what[rank - 1], seconds.varies);
	}
}

static void calibrate_gpu_transforms(const struct calibrate *calibrate,
                                     const struct calibrate_gpu *gpu, struct gpu_plans *plans,
                                     struct machine *machine)
{
	const int64_t most = calibrate->quick ? 1 << 10 : 1 << 24;
	for (int single = 1; single >= 0; single--) {
		const enum element element = single != 0 ? ELEMENT_C : ELEMENT_Z;
		struct machine_curve curve = {
			.side = MACHINE_GPU, .family = FAMILY_FFT_C2C, .element = element};
		for (int64_t n = calibrate->quick ? 1 << 8 : 1 << 12; n <= most;
		     n *= calibrate->quick ? 4 : 16) {
			const double points = (double)n;
			const struct gpu_transform transform = {&gpu->device, element, 1, &n,
			                                        plans};
			const struct spread seconds =
				calibrate_repeat(calibrate, calibrate_gpu_transform, &transform);
			if (seconds.median > 0)
				calibrate_add_point(calibrate, &curve, points,
				                    5 * points * log2(points) / seconds.median,
				                    seconds.varies);
		}
		machine->gpu_fft_flops[element] = calibrate_add_curve(machine, &curve);
	}
}

static void calibrate_gpu_fft(const struct calibrate *calibrate, const struct calibrate_gpu *gpu,
                              struct machine *machine)
{
	static struct gpu_plans plans;
	calibrate_gpu_floors(calibrate, gpu, machine);
	calibrate_gpu_transforms(calibrate, gpu, &plans, machine);
	if (plans.count == 0)
		return;
	const struct spread seconds = spread_of(plans.seconds, (size_t)plans.count);
	machine->fft_plan_ns = seconds.median * 1e9;
	calibrate_gpu_note(calibrate, "a cuFFT plan", seconds.varies);
}

bool calibrate_gpu_measure(const struct calibrate *calibrate, const struct calibrate_part *part,
                           struct machine *machine)
{
	static struct calibrate_gpu gpu;
	calibrate_tell(calibrate, 0, "start of CUDA");
	if (!calibrate_gpu_start(calibrate, &gpu, machine) ||
	    !calibrate_gpu_open(calibrate, &gpu, machine))
		return false;
	calibrate_tell(calibrate, 0.1, "links");
	if (!calibrate_gpu_links(calibrate, &gpu, machine))
		return false;
	calibrate_tell(calibrate, 0.3, "operations");
	calibrate_gpu_operations(calibrate, &gpu, machine);
	calibrate_tell(calibrate, 0.4, "products");
	calibrate_gpu_products(calibrate, &gpu, part->budget_s * 0.4, machine);
	if (!(machine->gpu_gemm_flops[ELEMENT_D] > 0)) {
		calibrate_gpu_say(calibrate, "it does not compute a product");
		return false;
	}
	calibrate_tell(calibrate, 0.7, "other level 3");
	calibrate_gpu_level3(calibrate, &gpu, machine);
	calibrate_gpu_trsm(calibrate, &gpu, machine);
	calibrate_tell(calibrate, 0.8, "transforms");
	calibrate_gpu_fft(calibrate, &gpu, machine);
	return true;
}
