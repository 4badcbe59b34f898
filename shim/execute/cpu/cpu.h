/* cpu.h - the real routine behind each symbol: found, remembered, its integers' width measured */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_CPU_CPU_H
#define GPUSHIM_SHIM_EXECUTE_CPU_CPU_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "policy/call/call.h"
#include "policy/options/options.h"
#include "shim/execute/cpu/cpu_site.h"

/*
 * The real routine for one caller. code is NULL if no library has it. shared: it serves every
 * caller, for ever; else it serves this one while lifetime lasts. lifetime is LIFETIME_OVER if a
 * site has the routine already, or none can keep it.
 */
struct cpu_routine {
	void *code;
	uint64_t lifetime;
	bool shared;
	bool wide; /* its integers have 64 bits */
};

/*
 * Keeps the options (cpu_blas, cpu_fftw), which must live as long as the process. Without this call
 * no library is opened.
 */
void cpu_configure(const struct options *options);

/*
 * The routine that a call of symbol from caller (a return address) would reach without the shim.
 * Nothing that the program may unload is kept loaded for it, unless the loader would do that too.
 * Searched in this order: the global scope after the shim, the caller's scope, any loaded object,
 * the default library. From any thread, lock-free once known for the caller. That nothing was found
 * is said once; wide then tells how to read the arguments.
 */
struct cpu_routine cpu_find(int symbol, const void *caller);

/*
 * The Fortran routine of a family, for a part of the work of a call of symbol from caller: from the
 * library of the call's own routine, with integers of the same width or wider, else the one that
 * caller would reach.
 */
struct cpu_routine cpu_find_family(int symbol, enum family family, enum element element,
                                   const void *caller);

/* The same, from the library of the call's own routine alone. */
struct cpu_routine cpu_find_beside(int symbol, enum family family, enum element element,
                                   const void *caller);

/*
 * Whether the library of code, a routine of symbol, has 64-bit integers. Where the name does not
 * tell, the library is asked.
 */
bool cpu_is_wide(int symbol, const void *code);

/* Whether the library of a bare name (dgemm, DGEMM) is known to give it Fortran arguments. */
bool cpu_is_fortran(int symbol, const void *code);

/*
 * Computes a legal call of gemmt, gemm3m or a batch that no library has, by the gemm that caller
 * would reach. Returns false, with nothing done, for other families and without gemm or memory.
 */
bool cpu_compose_run(const struct call *call, const void *caller);

/* Computes a legal BLAS call in plain loops, correct and slow, for a process without any BLAS. */
void cpu_plain_run(const struct call *call);

/* A fork child's only thread remembers nothing of a library now. */
void cpu_after_fork_child(void);

#endif
