/* sim_cublas_math.c - precision of a handle: its math mode and the variables that cuBLAS reads */
/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "sim_cublas_handle.h"

/*
 * Explicit mantissa bits that operands keep; 0: all. TF32 has 10. The emulated modes of the vendor
 * are as precise as the native ones, or less where CUBLAS_FIXEDPOINT_EMULATION_MANTISSA_BIT_COUNT
 * says so. Here they are always slightly less precise, so that a test notices when they are used by
 * mistake.
 */
enum { DIGITS_ALL = 0, DIGITS_TF32 = 10, DIGITS_EMULATED_SINGLE = 18, DIGITS_EMULATED_DOUBLE = 46 };

/* -1: the variable is not set. */
struct math_wishes {
	int tf32, single_emulated, double_emulated;
	bool eager;           /* the default strategy emulates whenever possible */
	int64_t emulate_from; /* order from which emulation is faster */
	bool stubborn; /* the variables hold in pedantic mode too; no vendor document says so */
};

static pthread_once_t wishes_once = PTHREAD_ONCE_INIT;
static struct math_wishes wishes;

static int wish_read(const char *name)
{
	const char *text = getenv(name);
	return text && *text ? strcmp(text, "0") != 0 : -1;
}

static void wishes_read(void)
{
	wishes.tf32 = wish_read("NVIDIA_TF32_OVERRIDE");
	wishes.single_emulated =
		SIMCUDA_MAJOR >= 13 ? wish_read("CUBLAS_EMULATE_SINGLE_PRECISION") : -1;
	wishes.double_emulated =
		SIMCUDA_MAJOR >= 13 ? wish_read("CUBLAS_EMULATE_DOUBLE_PRECISION") : -1;
	const char *strategy = getenv("CUBLAS_EMULATION_STRATEGY"),
		   *from = getenv("SIMCUDA_EMULATE_FROM");
	wishes.eager = strategy && !strcmp(strategy, "eager");
	wishes.emulate_from = from && *from ? strtoll(from, NULL, 10) : 1024;
	wishes.stubborn = wish_read("SIMCUDA_STUBBORN") == 1;
}

/* Whether an allowed emulation is used for a product whose smallest size is order. */
static bool math_emulates(const struct sim_cublas_handle *handle, int64_t order)
{
	if (handle->strategy == SIM_STRATEGY_EAGER ||
	    (handle->strategy == SIM_STRATEGY_DEFAULT && wishes.eager))
		return true;
	return order >= wishes.emulate_from;
}

static int math_single(int mode, bool emulates)
{
	const bool open =
		mode == SIM_MATH_DEFAULT || (mode == SIM_MATH_PEDANTIC && wishes.stubborn);
	const bool allowed = mode == SIM_MATH_BF16X9 || (open && wishes.single_emulated == 1);
	if (allowed && emulates)
		return DIGITS_EMULATED_SINGLE;
	if ((mode == SIM_MATH_TF32 && wishes.tf32 != 0) || (open && wishes.tf32 == 1))
		return simcuda_capability() >= 80 ? DIGITS_TF32 : DIGITS_ALL;
	return DIGITS_ALL;
}

static int math_double(int mode, bool emulates)
{
	const bool open =
		mode == SIM_MATH_DEFAULT || (mode == SIM_MATH_PEDANTIC && wishes.stubborn);
	const bool allowed =
		mode == SIM_MATH_FP64_EMULATED || (open && wishes.double_emulated == 1);
	return allowed && emulates ? DIGITS_EMULATED_DOUBLE : DIGITS_ALL;
}

static bool math_is_single(char element)
{
	return element == 'S' || element == 'C';
}

int sim_cublas_digits(const struct sim_cublas_handle *handle, char element, int64_t order)
{
	const int mode = handle->math_mode & ~16;
	pthread_once(&wishes_once, wishes_read);
	const bool emulates = math_emulates(handle, order);
	return math_is_single(element) ? math_single(mode, emulates) : math_double(mode, emulates);
}

/* -- which modes were used -- */

enum { MATH_MODES = 16 };
static atomic_ulong math_used[2][MATH_MODES];

void sim_cublas_note_math(const struct sim_cublas_handle *handle, char element)
{
	atomic_fetch_add(&math_used[math_is_single(element)][handle->math_mode & ~16], 1);
}

unsigned long simcuda_math_count(bool single, int mode)
{
	return mode < 0 || mode >= MATH_MODES ? 0 : atomic_load(&math_used[single][mode]);
}
