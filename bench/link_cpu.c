/* link_cpu.c - rates of the CPU's libraries, for the profile: products by OpenBLAS, transforms by FFTW */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/link_bench.h"
#include "bench/random.h"

enum { TIMES = 3, FFTW_FORWARDS = -1, FFTW_ESTIMATED = 1 << 6 };

/* A symbol into a pointer to a function; false with a sentence where there is none. */
static bool find(const char *library, const char *name, void *function)
{
	void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
	void *symbol = handle == NULL ? NULL : dlsym(handle, name);
	if (symbol == NULL)
		printf("   not measured: %s\n", handle == NULL ? dlerror() : name);
	else
		memcpy(function, &symbol, sizeof symbol);
	return symbol != NULL;
}

static void measure_product(struct link_bench *bench, enum element element, const char *name)
{
	static const float single[2] = {1, 0};
	static const double two[2] = {1, 0};
	void (*product)(const char *, const char *, const int *, const int *, const int *, const void *, const void *,
	                const int *, const void *, const int *, const void *, void *, const int *);
	const int n = bench->quick ? 32 : 4096;
	const bool is_single = element == ELEMENT_S || element == ELEMENT_C;
	const bool is_complex = element_is_complex(element);
	const void *one = is_single ? (const void *)single : two;
	const size_t numbers = (size_t)n * (size_t)n * (is_complex ? 2 : 1);
	double best = INFINITY;
	if (!find("libopenblas.so.0", name, &product))
		return;
	double *a = malloc(numbers * sizeof *a), *c = malloc(numbers * sizeof *c);
	if (a == NULL || c == NULL)
		exit(1);
	random_fill(a, numbers, is_single, 5, 0);
	random_fill(c, numbers, is_single, 6, 0);
	for (int i = 0; i < TIMES; i++) {
		const double begin = device_seconds();
		product("N", "N", &n, &n, &n, one, a, &n, a, &n, one, c, &n);
		best = fmin(best, device_seconds() - begin);
	}
	bench->figures.cpu_gemm_flops[element] = (is_complex ? 8.0 : 2.0) * pow(n, 3) / best;
	printf("   %s n = %d: %.3f Tflop/s\n", name, n, bench->figures.cpu_gemm_flops[element] / 1e12);
	free(a);
	free(c);
}

/* The functions of one precision. */
struct transforms {
	void *(*plan)(int rank, const int *n, void *in, void *out, int sign, unsigned flags);
	void (*execute)(void *plan);
	int (*start_threads)(void);
	void (*use_threads)(int threads);
};

static bool find_transforms(struct transforms *transforms, bool is_single)
{
	const char *library = is_single ? "libfftw3f.so.3" : "libfftw3.so.3";
	const char *threads = is_single ? "libfftw3f_threads.so.3" : "libfftw3_threads.so.3";
	return find(library, is_single ? "fftwf_plan_dft" : "fftw_plan_dft", &transforms->plan) &&
	       find(library, is_single ? "fftwf_execute" : "fftw_execute", &transforms->execute) &&
	       find(threads, is_single ? "fftwf_init_threads" : "fftw_init_threads", &transforms->start_threads) &&
	       find(threads, is_single ? "fftwf_plan_with_nthreads" : "fftw_plan_with_nthreads",
	            &transforms->use_threads);
}

static void measure_transform(struct link_bench *bench, enum element element)
{
	const bool is_single = element == ELEMENT_C;
	const int edge = bench->quick ? 8 : 256, cube[3] = {edge, edge, edge};
	const size_t numbers = 2 * (size_t)edge * (size_t)edge * (size_t)edge;
	const double points = (double)numbers / 2, flops = 5 * points * log2(points);
	struct transforms transforms;
	double best = INFINITY;
	if (!find_transforms(&transforms, is_single))
		return;
	double *array = aligned_alloc(64, numbers * sizeof *array);
	if (array == NULL || transforms.start_threads() == 0)
		exit(1);
	transforms.use_threads((int)sysconf(_SC_NPROCESSORS_ONLN));
	random_fill(array, numbers, is_single, 7, 0);
	void *plan = transforms.plan(3, cube, array, array, FFTW_FORWARDS, FFTW_ESTIMATED);
	for (int i = 0; i < TIMES && plan != NULL; i++) {
		const double begin = device_seconds();
		transforms.execute(plan);
		best = fmin(best, device_seconds() - begin);
	}
	bench->figures.cpu_fft_flops[element] = flops / best;
	printf("   %s %d^3, estimated plan: %.1f Gflop/s\n", is_single ? "fftwf" : "fftw", edge, flops / best / 1e9);
	free(array);
}

void link_cpu_measure(struct link_bench *bench)
{
	static const char *const name[ELEMENT_COUNT] = {
		[ELEMENT_S] = "sgemm_", [ELEMENT_D] = "dgemm_", [ELEMENT_C] = "cgemm_", [ELEMENT_Z] = "zgemm_"};
	printf("the CPU's libraries on %ld processors\n", sysconf(_SC_NPROCESSORS_ONLN));
	for (enum element element = ELEMENT_S; element <= ELEMENT_Z; element++)
		measure_product(bench, element, name[element]);
	measure_transform(bench, ELEMENT_C);
	measure_transform(bench, ELEMENT_Z);
	printf("\n");
}
