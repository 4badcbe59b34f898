/* cpu.h - the real routine behind each symbol: found, remembered, and its integers measured */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_CPU_H
#define GPUSHIM_SHIM_EXECUTE_CPU_H

#include <stdbool.h>

#include "policy/call.h"
#include "policy/options.h"

/* The real routine for one caller. code is NULL where no library provides it; shared when it serves every caller. */
struct cpu_routine {
	void *code;
	bool shared;
	bool wide; /* its integers have 64 bits */
};

/* Keeps the options (cpu_blas, cpu_fftw), which must outlive the process. */
void cpu_configure(const struct options *options);

/*
 * The routine that a call of symbol from caller (a return address) would reach without the shim, by the steps of
 * design section 4. From any thread, lock-free once known for the caller. Says once when nothing was found.
 */
struct cpu_routine cpu_find(int symbol, const void *caller);

/* Whether the library of a bare name (dgemm, DGEMM) is known to follow the Fortran convention for it. */
bool cpu_is_fortran(int symbol, const void *code);

/* gemm without any library: plain loops, correct and slow, for programs that have no BLAS at all. */
void cpu_plain_gemm(enum element element, const struct gemm_call *gemm);

#endif
