/* measure_kernel.c - products and transforms on the device */
/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/measure_kernel.h"

double measure_kernel_flops(enum element element, int64_t m, int64_t n, int64_t k)
{
	const double real = 2.0 * (double)m * (double)n * (double)k;
	return element_is_complex(element) ? 4 * real : real;
}

struct measure_operands measure_kernel_take(const struct device *device, enum element element,
                                            int64_t m, int64_t n, int64_t k)
{
	struct measure_operands operands = {.element = element};
	const size_t bytes = element_size_bytes(element);
	operands.a = device_take(device, (size_t)(m * k) * bytes);
	operands.b = device_take(device, (size_t)(k * n) * bytes);
	operands.c = device_take(device, (size_t)(m * n) * bytes);
	device_fill(device, operands.a, (size_t)(m * k) * bytes, element, 1);
	device_fill(device, operands.b, (size_t)(k * n) * bytes, element, 2);
	return operands;
}

void measure_kernel_free(const struct device *device, const struct measure_operands *operands)
{
	device_free(device, operands->a);
	device_free(device, operands->b);
	device_free(device, operands->c);
}

void measure_kernel_set_mode(const struct device *device, enum cuda_value mode)
{
	device_check(device, device->set.api.blas_set_math_mode(device->blas, (int)mode),
	             "cublasSetMathMode");
}

double measure_kernel_product(const struct device *device, const struct measure_operands *operands,
                              int64_t m, int64_t n, int64_t k, int count)
{
	double begin = 0;
	for (int i = -1; i < count; i++) {
		device_multiply(device, operands->element, m, n, k, operands->a, operands->b,
		                operands->c);
		if (i >= 0)
			continue;
		device_wait(device, device->stream[0]);
		begin = device_seconds();
	}
	device_wait(device, device->stream[0]);
	return measure_kernel_flops(operands->element, m, n, k) * count /
	       (device_seconds() - begin);
}

/* Seconds of one of count executions; one more runs before and is not counted. */
static double measure_kernel_execute(const struct device *device, enum element element, int plan,
                                     void *in, void *out, int count)
{
	const struct cuda_api *api = &device->set.api;
	int (*const execute)(int, void *, void *, int) =
		element == ELEMENT_C ? api->fft_exec_c2c : api->fft_exec_z2z;
	double begin = 0;
	for (int i = -1; i < count; i++) {
		device_check(device, execute(plan, in, out, -1), "cufftExec");
		if (i >= 0)
			continue;
		device_wait(device, device->stream[0]);
		begin = device_seconds();
	}
	device_wait(device, device->stream[0]);
	return (device_seconds() - begin) / count;
}

bool measure_kernel_transform(const struct device *device, enum element element, int rank,
                              const int64_t *n, int count, struct measure_transform *transform)
{
	int64_t total = 1;
	for (int i = 0; i < rank; i++)
		total *= n[i];
	const size_t size_bytes = (size_t)total * element_size_bytes(element);
	void *in = device_take(device, size_bytes), *out = device_take(device, size_bytes);
	device_fill(device, in, size_bytes, element, 3);
	const double begin = device_seconds();
	const int plan = device_plan(device, element == ELEMENT_C ? CUFFT_TYPE_C2C : CUFFT_TYPE_Z2Z,
	                             rank, n, 1);
	transform->plan_seconds = device_seconds() - begin;
	if (plan >= 0) {
		transform->seconds = measure_kernel_execute(device, element, plan, in, out, count);
		device_check(device, device->set.api.fft_destroy(plan), "cufftDestroy");
	}
	device_free(device, in);
	device_free(device, out);
	return plan >= 0;
}
