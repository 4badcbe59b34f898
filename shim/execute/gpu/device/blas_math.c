/* blas_math.c - math modes of cuBLAS, and the environment variables that it reads */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/device/blas_math.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "shim/base/diag.h"
#include "shim/base/variables.h"

enum blas_precision { BLAS_SINGLE, BLAS_DOUBLE, BLAS_PRECISIONS };

/*
 * With 1 they ask for other arithmetic; NVIDIA_TF32_OVERRIDE=0 forbids TF32.
 * CUBLAS_EMULATION_STRATEGY and the variables of fixed-point numbers say how to emulate, not
 * whether. Sources: docs/limits.md.
 */
static const struct {
	const char *name;
	enum blas_precision precision;
} blas_math_variables[] = {
	{"NVIDIA_TF32_OVERRIDE", BLAS_SINGLE},
	{"CUBLAS_EMULATE_SINGLE_PRECISION", BLAS_SINGLE},
	{"CUBLAS_EMULATE_DOUBLE_PRECISION", BLAS_DOUBLE},
};
enum { BLAS_MATH_VARIABLES = sizeof blas_math_variables / sizeof blas_math_variables[0] };

/* allowed: enum math. wish: index of the variable that asks for other arithmetic, or -1. */
static struct {
	atomic_int allowed, wish;
	atomic_bool refused;
} blas_math[BLAS_PRECISIONS] = {{.wish = -1}, {.wish = -1}};

static enum blas_precision blas_math_precision(enum element element)
{
	return element == ELEMENT_D || element == ELEMENT_Z ? BLAS_DOUBLE : BLAS_SINGLE;
}

static const char *blas_math_precision_name(enum blas_precision precision)
{
	return precision == BLAS_DOUBLE ? "double" : "single";
}

/* Values other than 0 and 1 are not documented: they are treated like 1. */
static int blas_math_find_wish(enum blas_precision precision)
{
	for (int i = 0; i < BLAS_MATH_VARIABLES; i++) {
		const char *value = variables_find(blas_math_variables[i].name);
		if (blas_math_variables[i].precision == precision && value != NULL &&
		    value[0] != '\0' && strcmp(value, "0") != 0)
			return i;
	}
	return -1;
}

void blas_math_start(enum math allowed)
{
	const char *tf32 = variables_find("NVIDIA_TF32_OVERRIDE");
	const bool forbidden = tf32 != NULL && strcmp(tf32, "0") == 0;
	atomic_store(&blas_math[BLAS_SINGLE].allowed,
	             allowed == MATH_TF32 && forbidden ? MATH_NATIVE : allowed);
	atomic_store(&blas_math[BLAS_DOUBLE].allowed,
	             allowed == MATH_EMULATED ? MATH_EMULATED : MATH_NATIVE);
	for (int precision = 0; precision < BLAS_PRECISIONS; precision++)
		atomic_store(&blas_math[precision].wish,
		             blas_math_find_wish((enum blas_precision)precision));
}

/*
 * The default mode keeps at least the element's own precision, unless a variable asks for other
 * arithmetic, and alone uses all that the hardware has: FP64 tensor cores are twice as fast.
 * Pedantic mode keeps every step in the element's own precision, whatever the variables say.
 */
int blas_math_mode(enum element element)
{
	const enum blas_precision precision = blas_math_precision(element);
	const bool is_double = precision == BLAS_DOUBLE;
	switch ((enum math)atomic_load(&blas_math[precision].allowed)) {
	case MATH_TF32: return CUBLAS_MATH_TF32;
	case MATH_EMULATED:
		return is_double ? CUBLAS_MATH_EMULATED_DOUBLE : CUBLAS_MATH_EMULATED_SINGLE;
	default:
		return atomic_load(&blas_math[precision].wish) < 0 ? CUBLAS_MATH_DEFAULT
		                                                   : CUBLAS_MATH_PEDANTIC;
	}
}

/*
 * This cuBLAS lacks the allowed mode: reports that and makes the mode native. false: it is already.
 */
static bool blas_math_step_down(enum element element)
{
	const enum blas_precision precision = blas_math_precision(element);
	const int was = atomic_exchange(&blas_math[precision].allowed, MATH_NATIVE);
	if (was == MATH_NATIVE)
		return false;
	diag_warn("this cuBLAS has no %s arithmetic for %s precision; it computes natively",
	          was == MATH_TF32 ? "TF32" : "emulated", blas_math_precision_name(precision));
	return true;
}

enum reason blas_math_pin(struct lane *lane, enum element element)
{
	int mode = blas_math_mode(element);
	if (mode == lane->math_mode)
		return REASON_NONE;
	lane->math_mode = -1;
	int status = lane->api->blas_set_math_mode(lane->blas, mode);
	if (status != CUBLAS_SUCCESS && blas_math_step_down(element)) {
		mode = blas_math_mode(element);
		status = lane->api->blas_set_math_mode(lane->blas, mode);
	}
	if (status != CUBLAS_SUCCESS)
		return REASON_LIBRARY_FAILED;
	lane->math_mode = mode;
	return REASON_NONE;
}

const char *blas_math_find_doubt(enum element element)
{
	const enum blas_precision precision = blas_math_precision(element);
	const int wish = atomic_load(&blas_math[precision].wish);
	if (wish < 0 || atomic_load(&blas_math[precision].allowed) != MATH_NATIVE)
		return NULL;
	return blas_math_variables[wish].name;
}

void blas_math_refuse(enum element element)
{
	const enum blas_precision precision = blas_math_precision(element);
	const char *variable = blas_math_find_doubt(element);
	if (atomic_exchange(&blas_math[precision].refused, true))
		return;
	diag_warn(
		"cuBLAS does not pin native arithmetic for %s precision beside %s; such calls stay "
		"on the CPU unless the option math allows less",
		blas_math_precision_name(precision), variable != NULL ? variable : "its settings");
}

enum reason blas_math_judge(enum element element)
{
	return atomic_load(&blas_math[blas_math_precision(element)].refused)
	               ? REASON_MATH_NOT_NATIVE
	               : REASON_NONE;
}

const char *blas_math_word(enum family family, enum element element)
{
	if (family_is_fft(family))
		return "native";
	switch ((enum math)atomic_load(&blas_math[blas_math_precision(element)].allowed)) {
	case MATH_TF32: return "tf32";
	case MATH_EMULATED: return "emulated";
	default: return "native";
	}
}
