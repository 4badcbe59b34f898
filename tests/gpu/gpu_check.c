/* gpu_check.c - expectations and the session of a test program */
/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu_check.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "shim/execute/cpu/cpu.h"
#include "shim/execute/gpu/session/session.h"

static atomic_int gpu_check_failures, gpu_check_held;
static struct options gpu_check_options;

void gpu_check_expect(bool holds, const char *file, int line, const char *text, const char *format,
                      ...)
{
	va_list arguments;
	if (holds) {
		atomic_fetch_add(&gpu_check_held, 1);
		return;
	}
	if (atomic_fetch_add(&gpu_check_failures, 1) >= 20)
		return;
	va_start(arguments, format);
	fprintf(stderr, "%s:%d: %s: ", file, line, text);
	vfprintf(stderr, format, arguments);
	fputc('\n', stderr);
	va_end(arguments);
}

int gpu_check_end(const char *name)
{
	const int failures = atomic_load(&gpu_check_failures);
	printf("%s: %d expectations held, %d failed\n", name, atomic_load(&gpu_check_held),
	       failures);
	fflush(stdout);
	return failures == 0 ? 0 : 1;
}

struct options *gpu_check_configure(uint64_t memory_limit)
{
	const char *path = getenv("EPOCHLY_GPU_CUDA_PATH");
	options_set_defaults(&gpu_check_options);
	if (path != NULL)
		snprintf(gpu_check_options.cuda_path, sizeof gpu_check_options.cuda_path, "%s",
		         path);
	gpu_check_options.warmup = WARMUP_WAIT;
	gpu_check_options.memory_limit = memory_limit;
	cpu_configure(&gpu_check_options);
	session_configure(&gpu_check_options);
	return &gpu_check_options;
}

struct situation gpu_check_situation(void)
{
	struct situation situation = {0};
	session_describe(&situation);
	return situation;
}

int gpu_check_start(uint64_t memory_limit)
{
	gpu_check_configure(memory_limit);
	return gpu_check_start_configured();
}

int gpu_check_start_configured(void)
{
	session_wake();
	const struct situation situation = gpu_check_situation();
	if (situation.gpu == GPU_READY)
		return situation.device;
	printf("skipped: %s\n", reason_sentence(situation.off_reason));
	exit(GPU_CHECK_SKIPPED);
}

/* Finds the stand-in by its soname, like the real library, for any of the majors. */
static void *gpu_check_find(const char *name)
{
	static const char *const soname[] = {"libcudart.so.13", "libcudart.so.12",
	                                     "libcudart.so.11.0"};
	for (size_t i = 0; i < sizeof soname / sizeof soname[0]; i++) {
		void *handle = dlopen(soname[i], RTLD_NOLOAD | RTLD_NOW);
		if (handle != NULL)
			return dlsym(handle, name);
	}
	return NULL;
}

bool gpu_check_is_simulated(void)
{
	return gpu_check_find("simcuda_version") != NULL;
}

void (*gpu_check_function(const char *name))(void)
{
	void (*function)(void) = NULL;
	void *symbol = gpu_check_find(name);
	memcpy(&function, &symbol, sizeof function);
	return function;
}

unsigned long gpu_check_count(const char *function)
{
	unsigned long (*count)(const char *) = NULL;
	void *symbol = gpu_check_find("simcuda_count");
	memcpy(&count, &symbol, sizeof count);
	return count == NULL ? 0 : count(function);
}

double gpu_check_random(void)
{
	static atomic_ullong state = 88172645463325252ULL;
	unsigned long long x = atomic_load(&state);
	x ^= x << 13;
	x ^= x >> 7;
	x ^= x << 17;
	atomic_store(&state, x);
	return (double)(x >> 11) / 4503599627370496.0 - 1;
}

double complex gpu_check_load(const void *array, int64_t index, enum element element, bool real)
{
	const bool single = element == ELEMENT_S || element == ELEMENT_C;
	float s[2] = {0, 0};
	double d[2] = {0, 0};
	const size_t parts = real || !element_is_complex(element) ? 1 : 2;
	if (!single) {
		memcpy(d, (const char *)array + index * (int64_t)(parts * sizeof *d),
		       parts * sizeof *d);
		return CMPLX(d[0], d[1]);
	}
	memcpy(s, (const char *)array + index * (int64_t)(parts * sizeof *s), parts * sizeof *s);
	return CMPLX(s[0], s[1]);
}

void gpu_check_store(void *array, int64_t index, enum element element, bool real,
                     double complex value)
{
	const bool single = element == ELEMENT_S || element == ELEMENT_C;
	const float s[2] = {(float)creal(value), (float)cimag(value)};
	const double d[2] = {creal(value), cimag(value)};
	const size_t parts = real || !element_is_complex(element) ? 1 : 2;
	if (single)
		memcpy((char *)array + index * (int64_t)(parts * sizeof *s), s, parts * sizeof *s);
	else
		memcpy((char *)array + index * (int64_t)(parts * sizeof *d), d, parts * sizeof *d);
}
