/* link_kernel.c - products of the shapes of panels, large ones, and large transforms */
/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdio.h>

#include "bench/link/link_bench.h"
#include "measure/measure_kernel.h"

enum { TRANSFORM_RANK = 3 };

/* Waves of tiles of 128 x 128 on all multiprocessors; the last one may be partly empty. */
static double link_kernel_count_waves(const struct device *device, int64_t m, int64_t n)
{
	const double tiles = (double)((m + 127) / 128 * ((n + 127) / 128));
	const int multiprocessors = device->set.devices[0].multiprocessors;
	return tiles / (multiprocessors > 0 ? multiprocessors : 1);
}

static void link_kernel_print_panels(const struct link_bench *bench, enum element element,
                                     int64_t m)
{
	static const int64_t widths[] = {256, 512, 768, 1024, 1536, 2048},
			     slices[] = {512, 1024, 2048, 0};
	const struct device *device = &bench->device;
	const int64_t divisor = bench->quick ? 64 : 1;
	const struct measure_operands operands =
		measure_kernel_take(device, element, m, widths[5] / divisor, m);
	printf("%cgemm of panels, m = %ld, Tflop/s by slices of k\n%8s %7s", "sdcz"[element],
	       (long)m, "width", "waves");
	for (size_t i = 0; i < sizeof slices / sizeof slices[0]; i++)
		printf(" %8ld", (long)(slices[i] == 0 ? m : slices[i] / divisor));
	printf("\n");
	for (size_t row = 0; row < sizeof widths / sizeof widths[0]; row++) {
		const int64_t width = widths[row] / divisor;
		printf("%8ld %7.2f", (long)width, link_kernel_count_waves(device, m, width));
		for (size_t i = 0; i < sizeof slices / sizeof slices[0]; i++) {
			const int64_t slice = slices[i] == 0 ? m : slices[i] / divisor;
			printf(" %8.2f", measure_kernel_product(device, &operands, m, width, slice,
			                                        bench->quick ? 1 : 4) /
			                         1e12);
		}
		printf("\n");
		fflush(stdout);
	}
	printf("\n");
	measure_kernel_free(device, &operands);
}

static void link_kernel_print_squares(struct link_bench *bench)
{
	const int64_t n = bench->quick ? 64 : 8192;
	printf("products of %ld x %ld on the device, Tflop/s: one, on end until a second "
	       "is over, and one in pedantic mode\n",
	       (long)n, (long)n);
	for (enum element element = ELEMENT_S; element <= ELEMENT_Z; element++) {
		const struct measure_operands operands =
			measure_kernel_take(&bench->device, element, n, n, n);
		const double once = measure_kernel_product(&bench->device, &operands, n, n, n, 1);
		const double flops = measure_kernel_flops(element, n, n, n);
		const int count = bench->quick ? 1 : (int)fmin(fmax(once / flops, 2), 1000);
		const double sustained =
			measure_kernel_product(&bench->device, &operands, n, n, n, count);
		bench->figures.gpu_gemm_flops[element] = sustained;
		measure_kernel_set_mode(&bench->device, CUBLAS_MATH_PEDANTIC);
		const double pedantic =
			measure_kernel_product(&bench->device, &operands, n, n, n, 1);
		measure_kernel_set_mode(&bench->device, CUBLAS_MATH_DEFAULT);
		printf("   %cgemm %8.2f %8.2f %8.2f\n", "sdcz"[element], once / 1e12,
		       sustained / 1e12, pedantic / 1e12);
		fflush(stdout);
		measure_kernel_free(&bench->device, &operands);
	}
	printf("\n");
}

static void link_kernel_print_transform(struct link_bench *bench, enum element element, int rank,
                                        const int64_t *n)
{
	enum { TIMES = 5 };
	const char *name = element == ELEMENT_C ? "c2c" : "z2z";
	struct measure_transform transform;
	double total = 1;
	for (int i = 0; i < rank; i++)
		total *= (double)n[i];
	if (!measure_kernel_transform(&bench->device, element, rank, n, TIMES, &transform)) {
		printf("   %s %d-D: cuFFT has no plan\n", name, rank);
		return;
	}
	bench->figures.fft_plan_ns = fmax(bench->figures.fft_plan_ns, transform.plan_seconds * 1e9);
	bench->figures.gpu_fft_flops[element] = 5 * total * log2(total) / transform.seconds;
	printf("   %s %d-D of %.0f points: %8.3f ms, %.2f TB/s read and written once; its plan "
	       "took %.1f ms\n",
	       name, rank, total, transform.seconds * 1e3,
	       2 * total * (double)element_size_bytes(element) / transform.seconds / 1e12,
	       transform.plan_seconds * 1e3);
}

void link_kernel_measure(struct link_bench *bench)
{
	const int64_t m = bench->quick ? 100 : 10000;
	const int64_t line[1] = {bench->quick ? 1 << 8 : 1 << 26}, edge = bench->quick ? 8 : 512;
	const int64_t cube[TRANSFORM_RANK] = {edge, edge, edge};
	if (!bench->brief) {
		link_kernel_print_panels(bench, ELEMENT_D, m);
		link_kernel_print_panels(bench, ELEMENT_S, m);
	}
	link_kernel_print_squares(bench);
	printf("transforms on the device\n");
	for (int single = 1; single >= 0; single--) {
		const enum element element = single != 0 ? ELEMENT_C : ELEMENT_Z;
		link_kernel_print_transform(bench, element, 1, line);
		link_kernel_print_transform(bench, element, TRANSFORM_RANK, cube);
	}
	printf("\n");
}
