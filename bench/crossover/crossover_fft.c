/* crossover_fft.c - complex transforms of one dimension by FFTW, by the shim's engine and by cuFFT alone */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "bench/crossover/crossover.h"
#include "measure/measure_call.h"
#include "measure/measure_fftw.h"
#include "measure/random.h"

enum { FFT_MOST = 1 << 26, FFT_QUICK = 1 << 8, FFT_CPU_TIMES = 51 };

struct fft_run {
	const struct crossover *crossover;
	enum element element;
	int64_t n;
	void *array, *on_device;
	int plan;
};

static double crossover_fft_on_gpu(void *context)
{
	const struct fft_run *run = context;
	return measure_call_transform(run->crossover->engine_device, run->element, run->n,
	                              run->array);
}

static double crossover_fft_on_device(void *context)
{
	const struct fft_run *run = context;
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

/* Both ways of the GPU. 0 where there is no memory or no plan. */
static void crossover_fft_on_both(struct fft_run *run, const bool open[CROSSOVER_WAYS],
                                  double seconds[CROSSOVER_WAYS])
{
	const struct device *device = &run->crossover->device;
	const size_t size_bytes = (size_t)run->n * element_size_bytes(run->element);
	const double budget_s = run->crossover->budget_s / 4;
	double whole_s;
	run->array = malloc(size_bytes);
	if (run->array == NULL)
		return;
	random_fill(run->array, 2 * (size_t)run->n, run->element == ELEMENT_C, 7, 0);
	if (open[CROSSOVER_GPU])
		seconds[CROSSOVER_GPU] =
			crossover_median(crossover_fft_on_gpu, run, budget_s, &whole_s);
	measure_call_forget(run->array);
	free(run->array);
	run->plan = device_plan(device, run->element == ELEMENT_C ? CUFFT_TYPE_C2C : CUFFT_TYPE_Z2Z,
	                        1, &run->n, 1);
	if (run->plan < 0)
		return;
	run->on_device = device_take(device, size_bytes);
	device_fill(device, run->on_device, size_bytes, run->element, 3);
	if (open[CROSSOVER_DEVICE])
		seconds[CROSSOVER_DEVICE] =
			crossover_median(crossover_fft_on_device, run, budget_s, &whole_s);
	device_free(device, run->on_device);
	device_check(device, device->set.api.fft_destroy(run->plan), "cufftDestroy");
}

void crossover_fft_measure(struct crossover *crossover, struct crossover_curve *curve)
{
	char sentence[MEASURE_SENTENCE_BYTES];
	struct measure_fftw fftw;
	bool open[CROSSOVER_WAYS] = {true, true, true};
	const int64_t most = crossover->quick ? FFT_QUICK : FFT_MOST;
	if (!measure_fftw_open(&fftw, curve->element, (int)sysconf(_SC_NPROCESSORS_ONLN),
	                       sentence)) {
		printf("%s on the CPU is not measured: %s\n", curve->name, sentence);
		open[CROSSOVER_CPU] = false;
	}
	for (int64_t n = 1; n <= most && curve->count < CROSSOVER_POINTS; n *= 2) {
		struct fft_run run = {.crossover = crossover, .element = curve->element, .n = n};
		const double size_bytes = (double)n * (double)element_size_bytes(curve->element);
		if ((!open[CROSSOVER_CPU] && !open[CROSSOVER_GPU] && !open[CROSSOVER_DEVICE]) ||
		    size_bytes * 5 > (double)device_free_bytes(&crossover->device))
			break;
		const int length = (int)n;
		double *seconds = curve->point[curve->count].seconds;
		curve->point[curve->count++].size = n;
		if (open[CROSSOVER_CPU])
			seconds[CROSSOVER_CPU] =
				measure_fftw_transform(&fftw, curve->element, 1, &length,
			                               FFT_CPU_TIMES, crossover->budget_s / 4);
		crossover_fft_on_both(&run, open, seconds);
		/* The next size is a little more than twice the work. */
		for (int way = 0; way < CROSSOVER_WAYS; way++)
			open[way] = open[way] && seconds[way] > 0 &&
			            8 * seconds[way] < crossover->budget_s / 4;
	}
	crossover_find_even(curve);
}
