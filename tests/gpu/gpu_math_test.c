/* gpu_math_test.c - a product has the option's precision, whatever variables are set */
/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gpu_check.h"
#include "gpu_child.h"
#include "shim/execute/gpu/blas/gpu_blas.h"
#include "shim/execute/gpu/device/blas_math.h"

/* A short sum, so that summation adds no error of its own. */
enum { ORDER = 64, DEPTH = 4 };

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

/* The arithmetic of a product's result, or "refused". */
static const char *multiply(enum element element, int device)
{
	static double complex a[ORDER * ORDER], c[ORDER * ORDER];
	const bool real = element == ELEMENT_S || element == ELEMENT_D;
	struct call call = {.family = FAMILY_GEMM, .element = element};
	struct blas_call *blas = &call.blas;
	bool finished = false;
	double error = 0;
	*blas = (struct blas_call){.m = ORDER,
	                           .n = ORDER,
	                           .k = DEPTH,
	                           .lda = ORDER,
	                           .ldb = ORDER,
	                           .ldc = ORDER,
	                           .alpha = {1}};
	blas->a = blas->b = a;
	blas->c = c;
	memset(c, 0, sizeof c);
	for (int64_t i = 0; i < ORDER * ORDER; i++)
		gpu_check_store(a, i, element, real, 1.0 / 3);
	const enum reason reason = gpu_blas_run(&call, NULL, device, &finished);
	if (reason == REASON_MATH_NOT_NATIVE && !finished && creal(c[0]) == 0)
		return "refused";
	EXPECT(reason == REASON_NONE, "%s", reason_name(reason));
	/*
	 * The stored element is read back: the rounding of the third itself is not an error of the
	 * product.
	 */
	const double third = creal(gpu_check_load(a, 0, element, real)),
		     wanted = DEPTH * third * third;
	for (int64_t i = 0; i < ORDER * ORDER; i++)
		error = fmax(error, fabs(creal(gpu_check_load(c, i, element, real)) / wanted - 1));
	return judge_error(error, element == ELEMENT_S || element == ELEMENT_C);
}

static void expect(enum element element, int device, const char *wanted)
{
	const char *found = multiply(element, device), *word = blas_math_word(FAMILY_GEMM, element);
	EXPECT(strcmp(found, wanted) == 0, "element %d: %s, not %s", element, found, wanted);
	if (strcmp(found, "refused") != 0)
		EXPECT(strcmp(word, wanted) == 0, "element %d: the record says %s, not %s", element,
		       word, wanted);
}

/*
 * The scenario "math single double": the option's value, and the arithmetic expected of each
 * precision.
 */
static int run_scenario(const char *scenario)
{
	char allowed[16] = "", single[16] = "", other[16] = "", message[OPTION_MESSAGE_BYTES];
	EXPECT(sscanf(scenario, "%15s %15s %15s", allowed, single, other) == 3, "%s", scenario);
	EXPECT(options_set(gpu_check_configure(0), "math", allowed, message), "%s", message);
	const int device = gpu_check_start_configured();
	/* Alternating, so that each call sets its own mode. */
	for (int i = 0; i < 2; i++) {
		expect(ELEMENT_S, device, single);
		expect(ELEMENT_D, device, other);
		expect(ELEMENT_C, device, single);
		expect(ELEMENT_Z, device, other);
	}
	EXPECT(strcmp(blas_math_word(FAMILY_FFT_C2C, ELEMENT_C), "native") == 0,
	       "cuFFT has no such modes");
	return gpu_check_end(scenario);
}

static const char tf32[] = "NVIDIA_TF32_OVERRIDE=1", no_tf32[] = "NVIDIA_TF32_OVERRIDE=0";
static const char single[] = "CUBLAS_EMULATE_SINGLE_PRECISION=1",
		  doubles[] = "CUBLAS_EMULATE_DOUBLE_PRECISION=1";
static const char stubborn[] = "SIMCUDA_STUBBORN=1", older[] = "CUDA12",
		  refuses[] = "SIMCUDA_FAIL=cublasDgemm_v2:1";

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
	{"emulated emulated emulated", {NULL}, 0, ""},
	{"emulated emulated emulated", {doubles, single, stubborn}, 0, ""},
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
