/* link_cpu.c - rates of the CPU's libraries, for the profile: products by OpenBLAS, transforms by FFTW */
/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "bench/link/link_bench.h"
#include "measure/measure_fftw.h"
#include "measure/measure_kernel.h"

enum { TIMES = 3 };
static const double ENOUGH_SECONDS = 60;

static void link_cpu_measure_product(struct link_bench *bench, struct measure_blas *blas,
                                     enum element element)
{
	const int64_t n = bench->quick ? 32 : 4096;
	double best = INFINITY;
	if (!measure_blas_take(blas, element, n))
		return;
	for (int i = 0; i < TIMES; i++)
		best = fmin(best, measure_blas_call(blas, FAMILY_GEMM, element, n));
	bench->figures.cpu_gemm_flops[element] = measure_kernel_flops(element, n, n, n) / best;
	printf("   %cgemm_ n = %ld: %.3f Tflop/s\n", "sdcz"[element], (long)n,
	       bench -> figures.cpu_gemm_flops[element] / 1e12);
	measure_blas_free(blas);
}

static void link_cpu_measure_products(struct link_bench *bench)
{
	char sentence[MEASURE_SENTENCE_BYTES];
	struct measure_blas blas;
	if (!measure_blas_open(&blas, "libopenblas.so.0", sentence)) {
		printf("   not measured: %s\n", sentence);
		return;
	}
	for (enum element element = ELEMENT_S; element <= ELEMENT_Z; element++)
		if (measure_blas_has(&blas, FAMILY_GEMM, element))
			link_cpu_measure_product(bench, &blas, element);
}

static void link_cpu_measure_transform(struct link_bench *bench, enum element element)
{
	const int edge = bench->quick ? 8 : 256, cube[3] = {edge, edge, edge};
	const double points = pow(edge, 3);
	char sentence[MEASURE_SENTENCE_BYTES];
	struct measure_fftw fftw;
	if (!measure_fftw_open(&fftw, element, (int)sysconf(_SC_NPROCESSORS_ONLN), sentence)) {
		printf("   not measured: %s\n", sentence);
		return;
	}
	const double seconds =
		measure_fftw_transform(&fftw, element, 3, cube, TIMES, ENOUGH_SECONDS);
	if (seconds <= 0)
		return;
	bench->figures.cpu_fft_flops[element] = 5 * points * log2(points) / seconds;
	printf("   %s %d^3, estimated plan: %.1f Gflop/s\n",
	       element == ELEMENT_C ? "fftwf" : "fftw", edge,
	       bench->figures.cpu_fft_flops[element] / 1e9);
}

void link_cpu_measure(struct link_bench *bench)
{
	printf("the CPU's libraries on %ld processors\n", sysconf(_SC_NPROCESSORS_ONLN));
	link_cpu_measure_products(bench);
	link_cpu_measure_transform(bench, ELEMENT_C);
	link_cpu_measure_transform(bench, ELEMENT_Z);
	printf("\n");
}
