/* fp_environment.h - the floating-point environment of the program, while the shim works */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_BASE_FP_ENVIRONMENT_H
#define GPUSHIM_SHIM_BASE_FP_ENVIRONMENT_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Flags, traps and rounding of a thread, and what becomes of denormals. The shim, and the libraries
 * that it uses on its own behalf, work in the default environment: to nearest, without traps,
 * denormals kept. The program's routines work in the program's. Not <fenv.h>: that is libm, and
 * costs ten times as much.
 */
#if defined(__x86_64__)

struct fp_environment {
	uint32_t sse; /* MXCSR */
	uint16_t x87_control, x87_status;
};

enum {
	FP_SSE_DEFAULT = 0x1f80,
	FP_X87_DEFAULT = 0x037f,
	FP_X87_FLAGS = 0xff,
	FP_X87_PENDING = 0x80 /* a flag whose trap is unmasked */
};

/* Restores flags that differ. */
void fp_environment_restore_x87(const struct fp_environment *program);

/* Saves the thread's environment and makes it the default one. May be nested. */
static inline void fp_environment_enter(struct fp_environment *program)
{
	program->sse = __builtin_ia32_stmxcsr();
	__asm__ volatile("fnstcw %0\n\tfnstsw %1"
	                 : "=m"(program->x87_control), "=m"(program->x87_status));
	if (program->sse != FP_SSE_DEFAULT)
		__builtin_ia32_ldmxcsr(FP_SSE_DEFAULT);
	if (__builtin_expect(program->x87_control == FP_X87_DEFAULT, 1))
		return;
	const uint16_t control = FP_X87_DEFAULT;
	if ((program->x87_status & FP_X87_PENDING) != 0)
		__asm__ volatile("fnclex");
	__asm__ volatile("fldcw %0" : : "m"(control));
}

/* Restores all of what was saved: flags raised meanwhile are gone. */
static inline void fp_environment_leave(const struct fp_environment *program)
{
	struct fp_environment now;
	__asm__ volatile("fnstcw %0\n\tfnstsw %1" : "=m"(now.x87_control), "=m"(now.x87_status));
	if (__builtin_expect(now.x87_control != program->x87_control ||
	                             ((now.x87_status ^ program->x87_status) & FP_X87_FLAGS) != 0,
	                     0))
		fp_environment_restore_x87(program);
	if (__builtin_ia32_stmxcsr() != program->sse)
		__builtin_ia32_ldmxcsr(program->sse);
}

#elif defined(__aarch64__)

struct fp_environment {
	uint64_t control, status; /* FPCR, FPSR */
};

static inline void fp_environment_enter(struct fp_environment *program)
{
	__asm__ volatile("mrs %0, fpcr" : "=r"(program->control));
	__asm__ volatile("mrs %0, fpsr" : "=r"(program->status));
	__asm__ volatile("msr fpsr, %0" : : "r"(UINT64_C(0)));
	if (program->control != 0)
		__asm__ volatile("msr fpcr, %0" : : "r"(UINT64_C(0)));
}

static inline void fp_environment_leave(const struct fp_environment *program)
{
	if (program->control != 0)
		__asm__ volatile("msr fpcr, %0" : : "r"(program->control));
	__asm__ volatile("msr fpsr, %0" : : "r"(program->status));
}

#else

/* Unknown registers: the environment stays as it is. */
struct fp_environment {
	int unused;
};

static inline void fp_environment_enter(struct fp_environment *program)
{
	program->unused = 0;
}

static inline void fp_environment_leave(const struct fp_environment *program)
{
	(void)program;
}

#endif

/* For a new thread, which inherits its creator's environment. */
static inline void fp_environment_forget(void)
{
	struct fp_environment inherited;
	fp_environment_enter(&inherited);
}

/*
 * Whether results of a device can stand in for the program's: it rounds to nearest, and traps
 * neither inexact nor denormal results.
 */
bool fp_environment_suits_device(const struct fp_environment *program);

/* Whether any exception ends in a signal, whose handler may jump out of a routine. */
bool fp_environment_traps(const struct fp_environment *program);

/* Raises inexact in an environment that suits a device. */
void fp_environment_note_inexact(struct fp_environment *program);

/* The flags of invalid operations, division by zero and overflow, and all flags. */
#if defined(__aarch64__)
enum { FP_INVALID = 1, FP_ZERO = 2, FP_OVERFLOW = 4, FP_FLAGS = 0x9f };
#else
enum { FP_INVALID = 1, FP_ZERO = 4, FP_OVERFLOW = 8, FP_FLAGS = 0x3f };
#endif

/*
 * A routine of the program's runs inside a call that the shim works on. keep names the environment
 * that was saved for this thread's call, and returns the one before; between lend and take_back
 * that one is in force, and flags that the routine raises stay in it.
 */
struct fp_environment *fp_environment_keep(struct fp_environment *program);
void fp_environment_lend(void);
void fp_environment_take_back(void);

/* The flags raised since fp_environment_enter, in the default environment. */
unsigned fp_environment_read_raised(void);

/* Raises flags in the environment in force, with their traps. */
void fp_environment_raise(unsigned flags);

/*
 * Per thread: FP_SPECIAL where a result of the device is infinite or not a number, and flags raised
 * by what the host did with results; what was noted, once.
 */
enum { FP_SPECIAL = 0x100 };
void fp_environment_note(unsigned found);
unsigned fp_environment_take_noted(void);

#endif
