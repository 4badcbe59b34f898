/* gpu_math_test.c - a product has the option's precision, whatever variables are set */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dlfcn.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gpu_check.h"
#include "gpu_child.h"
#include "shim/execute/gpu/blas/gpu_blas.h"
#include "shim/execute/gpu/device/blas_math.h"

/* A short sum, so that summation adds no error of its own. */
enum { ORDER = 64, DEPTH = 4 };

/* A product for which emulation pays by SIMCUDA_EMULATE_FROM. */
enum { LARGE_ORDER = 320 };

/* Less than a large proof needs. */
enum { LIMIT_MB = 40 };

/*
 * The arithmetic that explains the error of a product of thirds: the simulated CUDA rounds them to
 * 18, 46 or 10 bits.
 */
static const char *judge_error(double error, bool single)
{
	const double last_digit = single ? 0x1p-24 : 0x1p-53;
	if (error < 8 * last_digit)
		return "native";
	return error < (single ? 0x1p-15 : 0x1p-40) ? "emulated" : "tf32";
}

/* Products that sum depth terms of 1/9 in each of their order x order elements. */
struct size {
	int64_t order, depth;
};

/*
 * The arithmetic of a product's result, or "refused". The inner dimension is the order, filled up
 * with zeros.
 */
static const char *multiply(enum element element, struct size size, int device)
{
	static double complex a[LARGE_ORDER * LARGE_ORDER], c[LARGE_ORDER * LARGE_ORDER];
	const bool real = element == ELEMENT_S || element == ELEMENT_D;
	struct call call = {.family = FAMILY_GEMM, .element = element};
	struct blas_call *blas = &call.blas;
	bool finished = false;
	double error = 0;
	*blas = (struct blas_call){.m = size.order,
	                           .n = size.order,
	                           .k = size.order,
	                           .lda = size.order,
	                           .ldb = size.order,
	                           .ldc = size.order,
	                           .alpha = {1}};
	blas->a = blas->b = a;
	blas->c = c;
	memset(c, 0, sizeof c);
	memset(a, 0, sizeof a);
	for (int64_t i = 0; i < size.order * size.order; i++)
		gpu_check_store(a, i, element, real,
		                i % size.order < size.depth && i / size.order < size.depth ? 1.0 / 3
		                                                                           : 0);
	const enum reason reason = gpu_blas_run(&call, NULL, device, NULL, &finished);
	if (reason == REASON_MATH_NOT_NATIVE && !finished && creal(c[0]) == 0)
		return "refused";
	EXPECT(reason == REASON_NONE, "%s", reason_name(reason));
	/*
	 * The stored element is read back: the rounding of the third itself is not an error of the
	 * product.
	 */
	const double third = creal(gpu_check_load(a, 0, element, real)),
		     wanted = (double)size.depth * third * third;
	for (int64_t i = 0; i < size.depth; i++)
		error = fmax(error, fabs(creal(gpu_check_load(c, i, element, real)) / wanted - 1));
	return judge_error(error, element == ELEMENT_S || element == ELEMENT_C);
}

static void expect(enum element element, int device, const char *wanted)
{
	const struct size size = getenv("TEST_LARGE") == NULL ? (struct size){ORDER, DEPTH}
	                                                      : (struct size){LARGE_ORDER, DEPTH};
	const char *found = multiply(element, size, device),
		   *word = blas_math_word(FAMILY_GEMM, element);
	EXPECT(strcmp(found, wanted) == 0, "element %d: %s, not %s", element, found, wanted);
	if (strcmp(found, "refused") != 0)
		EXPECT(strcmp(word, wanted) == 0, "element %d: the record says %s, not %s", element,
		       word, wanted);
}

/* Calls of one precision in each mode so far, as the simulated cuBLAS counts them. */
static unsigned long count_mode(bool single, int mode)
{
	static const char *const soname[] = {"libcublas.so.13", "libcublas.so.12"};
	unsigned long (*count)(bool, int) = NULL;
	for (int i = 0; i < 2 && count == NULL; i++) {
		void *library = dlopen(soname[i], RTLD_NOLOAD | RTLD_NOW),
		     *symbol = library == NULL ? NULL : dlsym(library, "simcuda_math_count");
		memcpy(&count, &symbol, sizeof count);
	}
	EXPECT(count != NULL, "simcuda_math_count exists");
	return count == NULL ? 0 : count(single, mode);
}

/* Whether a variable asks for other arithmetic of this precision. */
static bool is_wished(bool single)
{
	const char *tf32_value = getenv("NVIDIA_TF32_OVERRIDE"),
		   *value = getenv(single ? "CUBLAS_EMULATE_SINGLE_PRECISION"
	                                  : "CUBLAS_EMULATE_DOUBLE_PRECISION");
	return (value != NULL && strcmp(value, "1") == 0) ||
	       (single && tf32_value != NULL && strcmp(tf32_value, "1") == 0);
}

/*
 * Native arithmetic is the default mode, the fastest, and the pedantic one only where a variable
 * asks for less.
 */
static void expect_modes(bool single, const char *found)
{
	const int other = is_wished(single) ? CUBLAS_MATH_DEFAULT : CUBLAS_MATH_PEDANTIC,
		  mode = is_wished(single) ? CUBLAS_MATH_PEDANTIC : CUBLAS_MATH_DEFAULT;
	if (strcmp(found, "native") != 0)
		return;
	EXPECT(count_mode(single, mode) > 0, "single %d: mode %d is used", single, mode);
	EXPECT(count_mode(single, other) == 0, "single %d: mode %d is used", single, other);
}

/*
 * The scenario "math single double": the option's value, and the arithmetic expected of each
 * precision.
 */
static int run_scenario(const char *scenario)
{
	char allowed[16] = "", single[16] = "", other[16] = "", message[OPTION_MESSAGE_BYTES];
	EXPECT(sscanf(scenario, "%15s %15s %15s", allowed, single, other) == 3, "%s", scenario);
	EXPECT(options_set(gpu_check_configure(getenv("TEST_LIMITED") == NULL ? 0 : LIMIT_MB),
	                   "math", allowed, message),
	       "%s", message);
	const int device = gpu_check_start_configured();
	/* Alternating, so that each call sets its own mode. */
	for (int i = 0; i < 2; i++) {
		expect(ELEMENT_S, device, single);
		expect(ELEMENT_D, device, other);
		expect(ELEMENT_C, device, single);
		expect(ELEMENT_Z, device, other);
	}
	expect_modes(true, single);
	expect_modes(false, other);
	EXPECT(strcmp(blas_math_word(FAMILY_FFT_C2C, ELEMENT_C), "native") == 0,
	       "cuFFT has no such modes");
	return gpu_check_end(scenario);
}

static const char tf32[] = "NVIDIA_TF32_OVERRIDE=1", no_tf32[] = "NVIDIA_TF32_OVERRIDE=0";
static const char single[] = "CUBLAS_EMULATE_SINGLE_PRECISION=1",
		  doubles[] = "CUBLAS_EMULATE_DOUBLE_PRECISION=1";
static const char stubborn[] = "SIMCUDA_STUBBORN=1", older[] = "CUDA12",
		  refuses[] = "SIMCUDA_FAIL=cublasDgemm_v2:1";
static const char eager[] = "CUBLAS_EMULATION_STRATEGY=eager", large[] = "TEST_LARGE=1",
		  limited[] = "TEST_LIMITED=1", from[] = "SIMCUDA_EMULATE_FROM=300",
		  no_strategy[] = "SIMCUDA_FAIL=cublasSetEmulationStrategy:*:15";

/* messages: their number on stderr. says: words of the last one. */
static const struct trial {
	const char *scenario, *setting[4];
	int messages;
	const char *says;
} trials[] = {
	{"native native native", {NULL}, 0, ""},
	{"native native native", {tf32}, 0, ""},
	{"native native native", {tf32, single, doubles, "CUBLAS_EMULATION_STRATEGY=eager"}, 0, ""},
	{"native native native",
         {"NVIDIA_TF32_OVERRIDE=", "CUBLAS_EMULATE_DOUBLE_PRECISION=0"},
         0,
         ""},
	{"native refused native",
         {tf32, stubborn},
         1,
         "single precision beside NVIDIA_TF32_OVERRIDE; such calls stay"},
	{"native native refused",
         {doubles, stubborn},
         1,
         "double precision beside CUBLAS_EMULATE_DOUBLE_PRECISION"},
	{"native refused refused",
         {single, doubles, stubborn},
         2,
         "CUBLAS_EMULATE_SINGLE_PRECISION"},
	{"native native refused", {doubles, refuses}, 1, "double precision"},
	{"tf32 tf32 native", {NULL}, 0, ""},
	{"tf32 tf32 native", {tf32, stubborn}, 0, ""},
	{"tf32 tf32 refused", {doubles, stubborn}, 1, "double precision"},
	{"tf32 native native", {no_tf32}, 0, ""},
	{"native native native", {doubles, large, from}, 0, ""},
	{"native native native", {doubles, single, limited}, 0, ""},
	{"native refused refused", {doubles, single, stubborn, limited}, 2, "precision"},
	{"native native refused", {doubles, stubborn, large, from}, 1, "double precision"},
	{"native refused native", {single, stubborn, large, from}, 1, "single precision"},
	{"native native refused", {doubles, stubborn, no_strategy}, 1, "double precision"},
	{"emulated emulated emulated", {eager}, 0, ""},
	{"emulated emulated emulated", {doubles, single, stubborn, eager}, 0, ""},
	{"emulated emulated emulated", {large, from}, 0, ""},
	{"emulated native native",
         {older},
         2,
         "this cuBLAS has no emulated arithmetic for single precision"},
	{"tf32 tf32 native", {older}, 0, ""},
};

static void run_trial(const struct trial *trial)
{
	static char path[4096];
	struct gpu_child child = {.scenario = trial->scenario};
	int count = 0;
	for (int i = 0; i < 4 && trial->setting[i] != NULL; i++) {
		child.setting[count] = trial->setting[i];
		if (strcmp(trial->setting[i], older) == 0) {
			snprintf(path, sizeof path, "EPOCHLY_GPU_CUDA_PATH=%s/12",
			         getenv("EPOCHLY_GPU_CUDA_PATH"));
			child.setting[count] = path;
		}
		count++;
	}
	gpu_child_run(&child);
	EXPECT(gpu_child_exited(&child, 0), "%s, %s: status %x, %s", trial->scenario,
	       count > 0 ? child.setting[0] : "no variable", (unsigned)child.status, child.errors);
	EXPECT(gpu_child_messages(&child) == trial->messages &&
	               strstr(child.errors, trial->says) != NULL,
	       "%s, %s: %d messages: %s", trial->scenario,
	       count > 0 ? child.setting[0] : "no variable", gpu_child_messages(&child),
	       child.errors);
}

int main(int count, char **words)
{
	if (count > 1)
		return run_scenario(words[1]);
	for (size_t i = 0; i < sizeof trials / sizeof trials[0]; i++)
		run_trial(&trials[i]);
	return gpu_check_end("gpu_math");
}
