/* crossover_measure.c - measures a curve: CPU library, the shim's engine, the kernel alone */
/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "bench/crossover/crossover.h"
#include "measure/measure_call.h"
#include "measure/measure_fftw.h"
#include "measure/measure_kernel.h"
#include "measure/random.h"
#include "measure/spread.h"
#include "page/plot.h"

enum {
	MEDIAN_LEAST = 3,
	MEDIAN_MOST = 51,
	GEMM_MOST = 1 << 14,
	GEMM_QUICK = 1 << 5,
	FFT_MOST = 1 << 26,
	FFT_QUICK = 1 << 8
};

/* Time after which the median of short calls is stable. */
static const double median_enough_s = 0.05;

/* A way ends where its next size, with up to eight times the work, would take too long. */
static const double next_work = 8;

/* One size of a curve, and what its calls need; products have blas and operands. */
struct crossover_run {
	const struct crossover *crossover;
	enum element element;
	int64_t n;
	double budget_s;
	struct measure_blas blas;
	struct measure_operands operands;
	void *array, *on_device;
	int plan;
};

/*
 * The median of the seconds that once returns, the first call left out: of at least three calls,
 * and at most as many as the budget allows. 0 where once returned no time.
 */
static double crossover_measure_median(double (*once)(const struct crossover_run *run),
                                       const struct crossover_run *run)
{
	double seconds[MEDIAN_MOST];
	int count = 0;
	const double begin = device_seconds(), first = once(run),
		     limit_s = fmin(run->budget_s, median_enough_s);
	for (double spent = first; first > 0 && count < MEDIAN_MOST;
	     spent = device_seconds() - begin) {
		/* A call that takes all the time there is, is its own median. */
		if (count == 0 && spent > run->budget_s)
			return first;
		if ((count >= MEDIAN_LEAST && spent > limit_s) ||
		    (count > 0 && spent > run->budget_s))
			break;
		seconds[count] = once(run);
		if (!(seconds[count] > 0))
			break;
		count++;
	}
	return count == 0 ? 0 : spread_of(seconds, (size_t)count).median;
}

static double crossover_measure_gemm_on_cpu(const struct crossover_run *run)
{
	return measure_blas_call(&run->blas, FAMILY_GEMM, run->element, run->n);
}

static double crossover_measure_gemm_on_gpu(const struct crossover_run *run)
{
	return measure_call_product(run->crossover->engine_device, run->element, run->n,
	                            run->blas.a, run->blas.b, run->blas.c);
}

static double crossover_measure_gemm_on_device(const struct crossover_run *run)
{
	const struct device *device = &run->crossover->device;
	const double begin = device_seconds();
	device_multiply(device, run->element, run->n, run->n, run->n, run->operands.a,
	                run->operands.b, run->operands.c);
	device_wait(device, device->stream[0]);
	return device_seconds() - begin;
}

/*
 * false where there is no memory: the matrices have to fit into the device's free memory 2.5 times,
 * since the engine has copies of its own.
 */
static bool crossover_measure_gemm(struct crossover_run *run, const bool open[CROSSOVER_WAYS],
                                   double seconds[CROSSOVER_WAYS])
{
	static double (*const once[CROSSOVER_WAYS])(const struct crossover_run *) = {
		[CROSSOVER_CPU] = crossover_measure_gemm_on_cpu,
		[CROSSOVER_GPU] = crossover_measure_gemm_on_gpu,
		[CROSSOVER_DEVICE] = crossover_measure_gemm_on_device};
	const struct device *device = &run->crossover->device;
	const int64_t n = run->n;
	const double size_bytes =
		3.0 * (double)n * (double)n * (double)element_size_bytes(run->element);
	run->blas = run->crossover->blas;
	if (size_bytes * 2.5 >= (double)device_free_bytes(device) ||
	    !measure_blas_take(&run->blas, run->element, n))
		return false;
	run->operands = measure_kernel_take(device, run->element, n, n, n);
	for (int way = 0; way < CROSSOVER_WAYS; way++)
		if (open[way])
			seconds[way] = crossover_measure_median(once[way], run);
	measure_kernel_free(device, &run->operands);
	measure_blas_free(&run->blas);
	return true;
}

static double crossover_measure_fft_on_gpu(const struct crossover_run *run)
{
	return measure_call_transform(run->crossover->engine_device, run->element, run->n,
	                              run->array);
}

static double crossover_measure_fft_on_device(const struct crossover_run *run)
{
	const struct device *device = &run->crossover->device;
	const struct cuda_api *api = &device->set.api;
	const double begin = device_seconds();
	const int status =
		run->element == ELEMENT_C
			? api->fft_exec_c2c(run->plan, run->on_device, run->on_device, -1)
			: api->fft_exec_z2z(run->plan, run->on_device, run->on_device, -1);
	device_check(device, status, "cufftExec");
	device_wait(device, device->stream[0]);
	return device_seconds() - begin;
}

/* Both ways of the GPU; a way without memory or plan stays 0. */
static void crossover_measure_fft(struct crossover_run *run, const bool open[CROSSOVER_WAYS],
                                  double seconds[CROSSOVER_WAYS])
{
	const struct device *device = &run->crossover->device;
	const bool is_single = run->element == ELEMENT_C;
	const size_t size_bytes = (size_t)run->n * element_size_bytes(run->element);
	run->array = malloc(size_bytes);
	if (run->array == NULL)
		return;
	random_fill(run->array, 2 * (size_t)run->n, is_single, 7, 0);
	if (open[CROSSOVER_GPU])
		seconds[CROSSOVER_GPU] =
			crossover_measure_median(crossover_measure_fft_on_gpu, run);
	measure_call_forget(run->array);
	free(run->array);
	run->plan = device_plan(device, is_single ? CUFFT_TYPE_C2C : CUFFT_TYPE_Z2Z, 1, &run->n, 1);
	if (run->plan < 0)
		return;
	run->on_device = device_take(device, size_bytes);
	device_fill(device, run->on_device, size_bytes, run->element, 3);
	if (open[CROSSOVER_DEVICE])
		seconds[CROSSOVER_DEVICE] =
			crossover_measure_median(crossover_measure_fft_on_device, run);
	device_free(device, run->on_device);
	device_check(device, device->set.api.fft_destroy(run->plan), "cufftDestroy");
}

/* false where the device has no room for five arrays. fftw: NULL without FFTW. */
static bool crossover_measure_transform(struct crossover_run *run, const struct measure_fftw *fftw,
                                        const bool open[CROSSOVER_WAYS],
                                        double seconds[CROSSOVER_WAYS])
{
	const int length = (int)run->n;
	const double size_bytes = (double)run->n * (double)element_size_bytes(run->element);
	if (size_bytes * 5 > (double)device_free_bytes(&run->crossover->device))
		return false;
	if (open[CROSSOVER_CPU])
		seconds[CROSSOVER_CPU] = measure_fftw_transform(
			fftw, run->element, FFT_ESTIMATED, 1, &length, MEDIAN_MOST, run->budget_s);
	crossover_measure_fft(run, open, seconds);
	return true;
}

/* Sets the size from which on the GPU, transfers included, is faster. */
static void crossover_measure_even(struct crossover_curve *curve)
{
	struct plot_point cpu[CROSSOVER_POINTS], gpu[CROSSOVER_POINTS];
	for (int i = 0; i < curve->count; i++) {
		cpu[i] = (struct plot_point){(double)curve->point[i].size,
		                             curve->point[i].seconds[CROSSOVER_CPU]};
		gpu[i] = (struct plot_point){(double)curve->point[i].size,
		                             curve->point[i].seconds[CROSSOVER_GPU]};
	}
	curve->even = plot_lines_meet(cpu, gpu, curve->count);
}

/* Whether the CPU has the routines of the curve. */
static bool crossover_measure_open_cpu(const struct crossover *crossover,
                                       const struct crossover_curve *curve,
                                       struct measure_fftw *fftw)
{
	char sentence[MEASURE_SENTENCE_BYTES];
	if (!curve->transform)
		return crossover->missing[0] == '\0' &&
		       measure_blas_has(&crossover->blas, FAMILY_GEMM, curve->element);
	if (measure_fftw_open(fftw, curve->element, (int)sysconf(_SC_NPROCESSORS_ONLN), sentence))
		return true;
	printf("%s on the CPU is not measured: %s\n", curve->name, sentence);
	return false;
}

void crossover_measure_curve(struct crossover *crossover, struct crossover_curve *curve)
{
	struct measure_fftw fftw;
	const int64_t most = curve->transform ? (crossover->quick ? FFT_QUICK : FFT_MOST)
	                                      : (crossover->quick ? GEMM_QUICK : GEMM_MOST);
	bool open[CROSSOVER_WAYS] = {crossover_measure_open_cpu(crossover, curve, &fftw), true,
	                             true};
	for (int64_t n = 1; n <= most && curve->count < CROSSOVER_POINTS; n *= 2) {
		struct crossover_run run = {.crossover = crossover,
		                            .element = curve->element,
		                            .n = n,
		                            .budget_s = crossover->budget_s / 4};
		double *seconds = curve->point[curve->count].seconds;
		if ((!open[CROSSOVER_CPU] && !open[CROSSOVER_GPU] && !open[CROSSOVER_DEVICE]) ||
		    !(curve->transform ? crossover_measure_transform(&run, &fftw, open, seconds)
		                       : crossover_measure_gemm(&run, open, seconds)))
			break;
		curve->point[curve->count++].size = n;
		for (int way = 0; way < CROSSOVER_WAYS; way++)
			open[way] = open[way] && seconds[way] > 0 &&
			            next_work * seconds[way] < run.budget_s;
	}
	crossover_measure_even(curve);
}
