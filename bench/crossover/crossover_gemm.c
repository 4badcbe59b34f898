/* crossover_gemm.c - square products by the CPU's library, by the shim's engine and by cuBLAS alone */
/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/crossover/crossover.h"
#include "measure/measure_call.h"
#include "measure/measure_kernel.h"

enum { GEMM_MOST = 1 << 14, GEMM_QUICK = 1 << 5 };

/* One product of order n, in each way. */
struct gemm_run {
	const struct crossover *crossover;
	const struct measure_blas *blas;
	struct measure_operands operands;
	enum element element;
	int64_t n;
};

static double crossover_gemm_on_cpu(void *context)
{
	const struct gemm_run *run = context;
	return measure_blas_call(run->blas, FAMILY_GEMM, run->element, run->n);
}

static double crossover_gemm_on_gpu(void *context)
{
	const struct gemm_run *run = context;
	return measure_call_product(run->crossover->engine_device, run->element, run->n,
	                            run->blas->a, run->blas->b, run->blas->c);
}

static double crossover_gemm_on_device(void *context)
{
	const struct gemm_run *run = context;
	const struct device *device = &run->crossover->device;
	const double begin = device_seconds();
	device_multiply(device, run->element, run->n, run->n, run->n, run->operands.a,
	                run->operands.b, run->operands.c);
	device_wait(device, device->stream[0]);
	return device_seconds() - begin;
}

/* Whether three matrices fit into what the device has free, with the engine's own beside them. */
static bool crossover_gemm_fits(const struct crossover *crossover, enum element element, int64_t n)
{
	const double size_bytes = 3.0 * (double)n * (double)n * (double)element_size_bytes(element);
	return size_bytes * 2.5 < (double)device_free_bytes(&crossover->device);
}

void crossover_gemm_measure(struct crossover *crossover, struct crossover_curve *curve)
{
	static double (*const once[CROSSOVER_WAYS])(void *) = {
		[CROSSOVER_CPU] = crossover_gemm_on_cpu,
		[CROSSOVER_GPU] = crossover_gemm_on_gpu,
		[CROSSOVER_DEVICE] = crossover_gemm_on_device};
	/* A way is left when its next size would be too long: eight times the work. */
	bool open[CROSSOVER_WAYS] = {
		crossover->missing[0] == '\0' &&
			measure_blas_has(&crossover->blas, FAMILY_GEMM, curve->element),
		true, true};
	const int64_t most = crossover->quick ? GEMM_QUICK : GEMM_MOST;
	for (int64_t n = 1; n <= most && curve->count < CROSSOVER_POINTS; n *= 2) {
		struct measure_blas blas = crossover->blas;
		if ((!open[CROSSOVER_CPU] && !open[CROSSOVER_GPU] && !open[CROSSOVER_DEVICE]) ||
		    !crossover_gemm_fits(crossover, curve->element, n) ||
		    !measure_blas_take(&blas, curve->element, n))
			break;
		struct gemm_run run = {
			.crossover = crossover, .blas = &blas, .element = curve->element, .n = n};
		run.operands = measure_kernel_take(&crossover->device, curve->element, n, n, n);
		curve->point[curve->count].size = n;
		for (int way = 0; way < CROSSOVER_WAYS; way++) {
			double whole_s = 0, *seconds = &curve->point[curve->count].seconds[way];
			if (!open[way])
				continue;
			*seconds = crossover_median(once[way], &run, crossover->budget_s / 4,
			                            &whole_s);
			open[way] = *seconds > 0 && 8 * *seconds < crossover->budget_s / 4;
		}
		curve->count++;
		measure_kernel_free(&crossover->device, &run.operands);
		measure_blas_free(&blas);
	}
	crossover_find_even(curve);
}
