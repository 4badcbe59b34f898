/* link_kernel.c - products of the shapes of panels, large ones, a stretch of them on end, and large transforms */
/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdio.h>

#include "bench/link_bench.h"

enum { TRANSFORM_RANK = 3 };

static double work_flops(enum element element, int64_t m, int64_t n, int64_t k)
{
	const double real = 2.0 * (double)m * (double)n * (double)k;
	return element_is_complex(element) ? 4 * real : real;
}

/* Operands of the largest product that is measured. */
struct operands {
	enum element element;
	void *a, *b, *c;
};

static struct operands take_operands(const struct device *device, enum element element, int64_t m, int64_t n, int64_t k)
{
	struct operands operands = {.element = element};
	const size_t bytes = element_size_bytes(element);
	operands.a = device_take(device, (size_t)(m * k) * bytes);
	operands.b = device_take(device, (size_t)(k * n) * bytes);
	operands.c = device_take(device, (size_t)(m * n) * bytes);
	device_fill(device, operands.a, (size_t)(m * k) * bytes, element, 1);
	device_fill(device, operands.b, (size_t)(k * n) * bytes, element, 2);
	return operands;
}

static void free_operands(const struct device *device, const struct operands *operands)
{
	device_free(device, operands->a);
	device_free(device, operands->b);
	device_free(device, operands->c);
}

/* Flops per second of so many products one behind the other. */
static double measure_product(const struct device *device, const struct operands *operands, int64_t m, int64_t n,
                              int64_t k, int count)
{
	double begin = 0;
	/* The first one chooses and loads its kernel. */
	for (int i = -1; i < count; i++) {
		device_multiply(device, operands->element, m, n, k, operands->a, operands->b, operands->c);
		if (i >= 0)
			continue;
		device_wait(device, device->stream[0]);
		begin = device_seconds();
	}
	device_wait(device, device->stream[0]);
	return work_flops(operands->element, m, n, k) * count / (device_seconds() - begin);
}

/* Waves of tiles of 128 x 128 on all multiprocessors, of which the last one may be half empty. */
static double count_waves(const struct device *device, int64_t m, int64_t n)
{
	const double tiles = (double)((m + 127) / 128 * ((n + 127) / 128));
	const int multiprocessors = device->set.devices[0].multiprocessors;
	return tiles / (multiprocessors > 0 ? multiprocessors : 1);
}

static void print_panels(const struct link_bench *bench, enum element element, int64_t m)
{
	static const int64_t widths[] = {256, 512, 768, 1024, 1536, 2048}, slices[] = {512, 1024, 2048, 0};
	const struct device *device = &bench->device;
	const int64_t divisor = bench->quick ? 64 : 1;
	const struct operands operands = take_operands(device, element, m, widths[5] / divisor, m);
	printf("%cgemm of panels, m = %ld, Tflop/s by slices of k\n%8s %7s", "sdcz"[element], (long)m, "width",
	       "waves");
	for (size_t i = 0; i < sizeof slices / sizeof slices[0]; i++)
		printf(" %8ld", (long)(slices[i] == 0 ? m : slices[i] / divisor));
	printf("\n");
	for (size_t row = 0; row < sizeof widths / sizeof widths[0]; row++) {
		const int64_t width = widths[row] / divisor;
		printf("%8ld %7.2f", (long)width, count_waves(device, m, width));
		for (size_t i = 0; i < sizeof slices / sizeof slices[0]; i++) {
			const int64_t slice = slices[i] == 0 ? m : slices[i] / divisor;
			printf(" %8.2f",
			       measure_product(device, &operands, m, width, slice, bench->quick ? 1 : 4) / 1e12);
		}
		printf("\n");
		fflush(stdout);
	}
	printf("\n");
	free_operands(device, &operands);
}

static void print_squares(struct link_bench *bench)
{
	const int64_t n = bench->quick ? 64 : 8192;
	printf("products of %ld x %ld on the device, Tflop/s: one, and on end until a second is over\n", (long)n,
	       (long)n);
	for (enum element element = ELEMENT_S; element <= ELEMENT_Z; element++) {
		const struct operands operands = take_operands(&bench->device, element, n, n, n);
		const double once = measure_product(&bench->device, &operands, n, n, n, 1);
		const double flops = work_flops(element, n, n, n);
		const int count = bench->quick ? 1 : (int)fmin(fmax(once / flops, 2), 1000);
		const double sustained = measure_product(&bench->device, &operands, n, n, n, count);
		bench->figures.gpu_gemm_flops[element] = sustained;
		printf("   %cgemm %8.2f %8.2f\n", "sdcz"[element], once / 1e12, sustained / 1e12);
		fflush(stdout);
		free_operands(&bench->device, &operands);
	}
	printf("\n");
}

static void print_transform(struct link_bench *bench, enum element element, int rank, const int64_t *n)
{
	enum { TIMES = 5 };
	const struct device *device = &bench->device;
	const struct cuda_api *api = &device->set.api;
	int64_t total = 1;
	for (int i = 0; i < rank; i++)
		total *= n[i];
	const bool is_single = element == ELEMENT_C;
	const size_t size_bytes = (size_t)total * element_size_bytes(element);
	char *in = device_take(device, size_bytes), *out = device_take(device, size_bytes);
	device_fill(device, in, size_bytes, element, 3);
	const double begin = device_seconds();
	const int plan = device_plan(device, is_single ? CUFFT_TYPE_C2C : CUFFT_TYPE_Z2Z, rank, n, 1);
	const double planned = device_seconds();
	if (plan < 0) {
		printf("   %s %d-D: cuFFT has no plan\n", is_single ? "c2c" : "z2z", rank);
	} else {
		int (*const execute)(int, void *, void *, int) = is_single ? api->fft_exec_c2c : api->fft_exec_z2z;
		double start = 0;
		for (int i = -1; i < TIMES; i++) {
			device_check(device, execute(plan, in, out, -1), "cufftExec");
			if (i < 0)
				device_wait(device, device->stream[0]);
			start = i < 0 ? device_seconds() : start;
		}
		device_wait(device, device->stream[0]);
		const double seconds = (device_seconds() - start) / TIMES;
		bench->figures.gpu_fft_flops[element] = 5.0 * (double)total * log2((double)total) / seconds;
		printf("   %s %d-D of %ld points: %8.3f ms, %.2f TB/s read and written once; its plan took %.1f ms\n",
		       is_single ? "c2c" : "z2z", rank, (long)total, seconds * 1e3,
		       2.0 * (double)size_bytes / seconds / 1e12, (planned - begin) * 1e3);
		device_check(device, api->fft_destroy(plan), "cufftDestroy");
	}
	device_free(device, in);
	device_free(device, out);
}

void link_kernel_measure(struct link_bench *bench)
{
	const int64_t m = bench->quick ? 100 : 10000;
	const int64_t line[1] = {bench->quick ? 1 << 8 : 1 << 26}, edge = bench->quick ? 8 : 512;
	const int64_t cube[TRANSFORM_RANK] = {edge, edge, edge};
	print_panels(bench, ELEMENT_D, m);
	print_panels(bench, ELEMENT_S, m);
	print_squares(bench);
	printf("transforms on the device\n");
	for (int single = 1; single >= 0; single--) {
		const enum element element = single != 0 ? ELEMENT_C : ELEMENT_Z;
		print_transform(bench, element, 1, line);
		print_transform(bench, element, TRANSFORM_RANK, cube);
	}
	printf("\n");
}
