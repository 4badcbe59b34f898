/* fp_environment.c - the rare parts: x87 flags, what suits a device, a routine of the program's */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/base/fp_environment.h"

#include <float.h>
#include <stddef.h>

static _Thread_local struct fp_environment *fp_environment_program;
static _Thread_local unsigned fp_environment_noted;

#if defined(__x86_64__)

enum {
	FP_SSE_ROUNDING = 0x6000,
	FP_SSE_INEXACT = 0x20,
	FP_SSE_MASKS = 0x1900, /* of inexact, underflow and denormal operands */
	FP_X87_ROUNDING = 0x0c00
};

/* What fnstenv stores. */
struct fp_x87 {
	uint32_t control, status, tag, pointers[4];
};

void fp_environment_restore_x87(const struct fp_environment *program)
{
	struct fp_x87 x87;
	__asm__ volatile("fnstenv %0" : "=m"(x87));
	x87.control = (x87.control & ~UINT32_C(0xffff)) | program->x87_control;
	x87.status = (x87.status & ~(uint32_t)FP_X87_FLAGS) | (program->x87_status & FP_X87_FLAGS);
	__asm__ volatile("fldenv %0" : : "m"(x87));
}

bool fp_environment_suits_device(const struct fp_environment *program)
{
	return (program->sse & FP_SSE_ROUNDING) == 0 &&
	       (program->x87_control & FP_X87_ROUNDING) == 0 &&
	       (program->sse & FP_SSE_MASKS) == FP_SSE_MASKS;
}

bool fp_environment_traps(const struct fp_environment *program)
{
	const uint32_t sse = FP_SSE_DEFAULT, x87 = FP_FLAGS;
	return (program->sse & sse) != sse || (program->x87_control & x87) != x87;
}

void fp_environment_note_inexact(struct fp_environment *program)
{
	program->sse |= FP_SSE_INEXACT;
}

unsigned fp_environment_read_raised(void)
{
	return __builtin_ia32_stmxcsr() & FP_FLAGS;
}

#elif defined(__aarch64__)

enum {
	FP_CONTROL_ROUNDING = 0xc00000,
	FP_CONTROL_TRAPS = 0x9800, /* of inexact, underflow and denormal operands */
	FP_CONTROL_ALL_TRAPS = 0x9f00,
	FP_STATUS_INEXACT = 0x10
};

bool fp_environment_suits_device(const struct fp_environment *program)
{
	return (program->control & (FP_CONTROL_ROUNDING | FP_CONTROL_TRAPS)) == 0;
}

bool fp_environment_traps(const struct fp_environment *program)
{
	return (program->control & FP_CONTROL_ALL_TRAPS) != 0;
}

void fp_environment_note_inexact(struct fp_environment *program)
{
	program->status |= FP_STATUS_INEXACT;
}

unsigned fp_environment_read_raised(void)
{
	struct fp_environment now;
	fp_environment_enter(&now);
	return (unsigned)now.status & FP_FLAGS;
}

#else

bool fp_environment_suits_device(const struct fp_environment *program)
{
	(void)program;
	return true;
}

bool fp_environment_traps(const struct fp_environment *program)
{
	(void)program;
	return false;
}

void fp_environment_note_inexact(struct fp_environment *program)
{
	(void)program;
}

unsigned fp_environment_read_raised(void)
{
	return 0;
}

#endif

struct fp_environment *fp_environment_keep(struct fp_environment *program)
{
	struct fp_environment *before = fp_environment_program;
	fp_environment_program = program;
	return before;
}

void fp_environment_lend(void)
{
	if (fp_environment_program != NULL)
		fp_environment_leave(fp_environment_program);
}

void fp_environment_take_back(void)
{
	if (fp_environment_program != NULL)
		fp_environment_enter(fp_environment_program);
}

/* By operations that raise them, since a flag that is only written fires no trap. */
void fp_environment_raise(unsigned flags)
{
	volatile double zero = 0, one = 1, most = DBL_MAX, result = 0;
	if ((flags & FP_ZERO) != 0)
		result = one / zero;
	if ((flags & FP_OVERFLOW) != 0)
		result = most * most;
	if ((flags & FP_INVALID) != 0)
		result = zero / zero;
	(void)result;
}

void fp_environment_note(unsigned found)
{
	fp_environment_noted |= found;
}

unsigned fp_environment_take_noted(void)
{
	const unsigned noted = fp_environment_noted;
	fp_environment_noted = 0;
	return noted;
}
