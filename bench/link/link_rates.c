/* link_rates.c - copies, operations and the CPU's libraries, measured by measure/ and printed */
/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "bench/link/link_bench.h"
#include "measure/measure_fftw.h"
#include "measure/measure_kernel.h"
#include "measure/measure_link.h"
#include "measure/measure_operation.h"

static const size_t MEGABYTE = 1 << 20;

static void link_rates_print_copy(struct link_bench *bench, struct measure_link *link, size_t chunk)
{
	struct measure_rates rates;
	struct link_figures *figures = &bench->figures;
	measure_link_copies(link, chunk, &rates);
	printf("%8zu  %8.1f %8.1f   %8.1f %8.1f   %8.1f %8.1f\n", chunk / MEGABYTE,
	       rates.alone[MEASURE_UP] / 1e9, rates.alone[MEASURE_DOWN] / 1e9,
	       rates.beside[MEASURE_UP] / 1e9, rates.beside[MEASURE_DOWN] / 1e9,
	       rates.pageable[MEASURE_UP] / 1e9, rates.pageable[MEASURE_DOWN] / 1e9);
	fflush(stdout);
	figures->up_pageable_bytes = fmax(figures->up_pageable_bytes, rates.pageable[MEASURE_UP]);
	figures->down_pageable_bytes =
		fmax(figures->down_pageable_bytes, rates.pageable[MEASURE_DOWN]);
	if (rates.alone[MEASURE_UP] + rates.alone[MEASURE_DOWN] <
	    figures->up_pinned_bytes + figures->down_pinned_bytes)
		return;
	figures->up_pinned_bytes = rates.alone[MEASURE_UP];
	figures->down_pinned_bytes = rates.alone[MEASURE_DOWN];
	figures->duplex = measure_link_duplex(&rates);
}

void link_rates_measure_copies(struct link_bench *bench)
{
	const size_t most = bench->quick ? MEGABYTE : 64 * MEGABYTE;
	struct measure_link link;
	measure_link_open(&link, &bench->device, 2 * most,
	                  bench->quick ? 2 * MEGABYTE : 2048 * MEGABYTE);
	printf("copies, GB/s: page-locked alone, page-locked while the other way is busy too, "
	       "pageable\n");
	printf("%8s  %8s %8s   %8s %8s   %8s %8s\n", "MB", "up", "down", "up", "down", "up",
	       "down");
	for (size_t chunk = bench->brief ? most : MEGABYTE; chunk <= most; chunk *= 2)
		link_rates_print_copy(bench, &link, chunk);
	printf("both ways at once each keeps %.2f of its rate\n\n", bench->figures.duplex);
	measure_link_close(&link);
}

void link_rates_measure_operations(struct link_bench *bench)
{
	static const char *const what[MEASURE_OPERATIONS] = {
		[MEASURE_LAUNCH] = "a small dgemm behind others of its stream",
		[MEASURE_COPY] = "a small copy behind others of its stream",
		[MEASURE_QUERY] = "a question whether an event is complete",
		[MEASURE_HOP] = "an operation that waits for one of another stream",
		[MEASURE_CALL] = "a whole call: two copies, a product, a copy",
	};
	struct spread cost_ns[MEASURE_OPERATIONS];
	measure_operation_costs(&bench->device, bench->quick ? 3 : 500, cost_ns);
	printf("costs beside the work, ns: median of %d [least..most]\n", MEASURE_OPERATION_ROUNDS);
	for (int i = 0; i < MEASURE_OPERATIONS; i++)
		printf("   %-49s %8.0f [%.0f..%.0f]\n", what[i], cost_ns[i].median,
		       cost_ns[i].least, cost_ns[i].most);
	printf("\n");
	bench->figures.operation_ns = cost_ns[MEASURE_HOP].median;
	bench->figures.copy_ns = cost_ns[MEASURE_COPY].median;
	/* Of the shim's own call where its engine runs. */
	if (bench->figures.call_fixed_ns <= 0)
		bench->figures.call_fixed_ns = cost_ns[MEASURE_CALL].median;
}

enum { TIMES = 3 };
static const double ENOUGH_SECONDS = 60;

static void link_rates_measure_product(struct link_bench *bench, struct measure_blas *blas,
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

static void link_rates_measure_products(struct link_bench *bench)
{
	char sentence[MEASURE_SENTENCE_BYTES];
	struct measure_blas blas;
	if (!measure_blas_open(&blas, "libopenblas.so.0", sentence)) {
		printf("   not measured: %s\n", sentence);
		return;
	}
	for (enum element element = ELEMENT_S; element <= ELEMENT_Z; element++)
		if (measure_blas_has(&blas, FAMILY_GEMM, element))
			link_rates_measure_product(bench, &blas, element);
}

static void link_rates_measure_transform(struct link_bench *bench, enum element element)
{
	const int edge = bench->quick ? 8 : 256, cube[3] = {edge, edge, edge};
	const double points = pow(edge, 3);
	char sentence[MEASURE_SENTENCE_BYTES];
	struct measure_fftw fftw;
	if (!measure_fftw_open(&fftw, element, (int)sysconf(_SC_NPROCESSORS_ONLN), sentence)) {
		printf("   not measured: %s\n", sentence);
		return;
	}
	const double seconds = measure_fftw_transform(&fftw, element, FFT_ESTIMATED, 3, cube, TIMES,
	                                              ENOUGH_SECONDS);
	if (seconds <= 0)
		return;
	bench->figures.cpu_fft_flops[element] = 5 * points * log2(points) / seconds;
	printf("   %s %d^3, estimated plan: %.1f Gflop/s\n",
	       element == ELEMENT_C ? "fftwf" : "fftw", edge,
	       bench->figures.cpu_fft_flops[element] / 1e9);
}

void link_rates_measure_cpu(struct link_bench *bench)
{
	printf("the CPU's libraries on %ld processors\n", sysconf(_SC_NPROCESSORS_ONLN));
	link_rates_measure_products(bench);
	link_rates_measure_transform(bench, ELEMENT_C);
	link_rates_measure_transform(bench, ELEMENT_Z);
	printf("\n");
}
