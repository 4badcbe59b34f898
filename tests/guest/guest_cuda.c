/* guest_cuda.c - opens CUDA, checks, and the calls that the shim may take */
/* SPDX-License-Identifier: Apache-2.0 */
#include "guest_cuda.h"

#include <cblas.h>
#include <dlfcn.h>
#include <fftw3.h>
#include <math.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct guest_cuda cuda;
static atomic_int failures;

void guest_expect(bool passed, const char *file, int line, const char *format, ...)
{
	if (passed)
		return;
	va_list arguments;
	va_start(arguments, format);
	flockfile(stdout);
	printf("%s:%d: ", file, line);
	vprintf(format, arguments);
	printf("\n");
	funlockfile(stdout);
	va_end(arguments);
	atomic_fetch_add(&failures, 1);
}

int guest_end(void)
{
	printf("%s\n", atomic_load(&failures) == 0 ? "as expected" : "FAILED");
	return atomic_load(&failures) != 0;
}

static void guest_skip(const char *why)
{
	printf("%s\n", why);
	exit(GUEST_SKIPPED);
}

static void *guest_load(const char *soname)
{
	static const char *const places[] = {"", "/usr/local/cuda/lib64/",
	                                     "/usr/local/cuda/targets/x86_64-linux/lib/"};
	const char *folder = getenv("GUEST_CUDA");
	char path[4096];
	if (folder != NULL) {
		snprintf(path, sizeof path, "%s/%s", folder, soname);
		return dlopen(path, RTLD_NOW | RTLD_LOCAL);
	}
	for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
		snprintf(path, sizeof path, "%s%s", places[i], soname);
		void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
		if (library != NULL)
			return library;
	}
	return NULL;
}

static void guest_find(void *library, const char *name, void *field)
{
	void *symbol = dlsym(library, name);
	if (symbol == NULL)
		guest_skip("CUDA lacks a function of this test");
	memcpy(field, &symbol, sizeof symbol);
}

void guest_open(void)
{
	static const char *const sonames[] = {"libcudart.so.13", "libcudart.so.12",
	                                      "libcudart.so.11.0"};
	void *runtime = NULL;
	for (size_t i = 0; i < sizeof sonames / sizeof sonames[0] && runtime == NULL; i++)
		runtime = guest_load(sonames[i]);
	void *driver = guest_load("libcuda.so.1");
	if (runtime == NULL || driver == NULL)
		guest_skip("there is no CUDA");
#define GUEST_FIND_RUNTIME(name, parameters) guest_find(runtime, #name, &cuda.name);
	GUEST_RUNTIME(GUEST_FIND_RUNTIME)
#define GUEST_FIND_DRIVER(name, parameters) guest_find(driver, #name, &cuda.name);
	GUEST_DRIVER(GUEST_FIND_DRIVER)
	if (cuda.cudaGetDeviceCount(&cuda.devices) != 0 || cuda.devices == 0)
		guest_skip("there is no GPU");
}

/* Small whole numbers: the sums are exact in any order. */
void guest_multiply(int order)
{
	const size_t count = (size_t)order * (size_t)order;
	double *a = malloc(count * sizeof *a), *c = malloc(count * sizeof *c);
	for (size_t i = 0; i < count; i++)
		a[i] = (double)(i % 7);
	cblas_dgemm(CblasColMajor, CblasNoTrans, CblasTrans, order, order, order, 1, a, order, a,
	            order, 0, c, order);
	for (int j = 0; j < order; j += 13) {
		const size_t row = (size_t)(j * 5 % order), column = (size_t)j;
		double sum = 0;
		for (size_t k = 0; k < (size_t)order; k++)
			sum += a[row + k * (size_t)order] * a[column + k * (size_t)order];
		GUEST_EXPECT(c[row + column * (size_t)order] == sum, "C(%zu, %d) is %g, not %g",
		             row, j, c[row + column * (size_t)order], sum);
	}
	free(a);
	free(c);
}

/* The transform of one wave is one line of the spectrum. */
void guest_transform(int length)
{
	double(*data)[2] = fftw_malloc((size_t)length * sizeof *data);
	fftw_plan plan = fftw_plan_dft_1d(length, (fftw_complex *)data, (fftw_complex *)data,
	                                  FFTW_FORWARD, FFTW_ESTIMATE);
	for (int i = 0; i < length; i++) {
		const double angle = 2 * acos(-1) * 3 * i / length;
		data[i][0] = cos(angle);
		data[i][1] = sin(angle);
	}
	fftw_execute(plan);
	for (int i = 0; i < length; i++) {
		const double expected = i == 3 ? length : 0;
		GUEST_EXPECT(fabs(data[i][0] - expected) < 1e-6 && fabs(data[i][1]) < 1e-6,
		             "line %d is %g %g", i, data[i][0], data[i][1]);
	}
	fftw_destroy_plan(plan);
	fftw_free(data);
}
